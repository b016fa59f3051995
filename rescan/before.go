package rescan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"headroom/analyze"
)

// circumstances are what a scan was made with, as far as it makes results differ:
// they tell a reader what the scan before was.
type circumstances struct {
	Program   string                     `json:"program"`
	Certified string                     `json:"certified,omitempty"` // digest of the calibration's certificate
	Detectors []Detector                 `json:"detectors"`
	Own       map[string]string          `json:"own,omitempty"` // text of detectors of somebody's own
	Rules     map[string]json.RawMessage `json:"rules"`         // the protocol
}

// circumstancesOf describes a scan.
func circumstancesOf(program string, p analyze.Protocol) (c circumstances, err error) {
	c = circumstances{Program: program, Detectors: detectorsOf(p), Own: map[string]string{}}
	if p.Calibration != nil {
		c.Certified = p.Calibration.Digest
	}
	for _, d := range p.Detectors {
		c.Own[d.Name] = d.Definition
	}
	p.Title = "" // no figure of a run depends on it
	text, err := json.Marshal(p)
	if err != nil {
		return c, fmt.Errorf("protocol: %w", err)
	}
	return c, json.Unmarshal(text, &c.Rules)
}

// than says in what a scan before differed from this one: "another headroom; freeze
// version 4, now 5; other parameters".
func (c *circumstances) than(now *circumstances) string {
	var out []string
	if c.Program != now.Program {
		out = append(out, "another headroom")
	}
	was, is := c.versions(), now.versions()
	for _, name := range slices.Sorted(maps.Keys(is)) {
		old, knew := was[name]
		switch {
		case !knew:
			out = append(out, "without "+name)
		case old != is[name]:
			out = append(out, fmt.Sprintf("%s version %d, now %d", name, old, is[name]))
		case c.Own[name] != now.Own[name]:
			out = append(out, name+" as it was")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, has := is[name]; !has {
			out = append(out, "also with "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now.Rules)) {
		out = append(out, otherRules(name, c.Rules[name], now.Rules[name])...)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Rules)) {
		if _, has := now.Rules[name]; !has {
			out = append(out, otherRules(name, c.Rules[name], nil)...)
		}
	}
	return strings.Join(out, "; ")
}

// otherwise says of each scan before in what it was made otherwise.
func (s *Scanner) otherwise() (map[string]string, error) {
	now, err := circumstancesOf(s.opt.Program, s.opt.Protocol)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, config := range s.past {
		var then circumstances
		if s.cache.load(rulesKey(config), &then) {
			out[config] = then.than(&now)
		}
	}
	return out, nil
}

func (c *circumstances) versions() map[string]int {
	out := map[string]int{}
	for _, d := range c.Detectors {
		out[d.Name] = d.Version
	}
	return out
}

// otherRules says how a rule of the protocol differed: of a map of numbers, which of
// them; of all else its name.
func otherRules(name string, was, is json.RawMessage) []string {
	if string(was) == string(is) {
		return nil
	}
	var old, now map[string]float64
	if (was != nil && json.Unmarshal(was, &old) != nil) || (is != nil && json.Unmarshal(is, &now) != nil) {
		return []string{"other " + strings.ReplaceAll(strings.TrimSuffix(name, "_ns"), "_", " ")}
	}
	all := maps.Clone(old)
	if all == nil {
		all = map[string]float64{}
	}
	maps.Copy(all, now)
	var out []string
	for _, key := range slices.Sorted(maps.Keys(all)) {
		o, had := old[key]
		n, has := now[key]
		switch {
		case had && has && o == n:
		case !had:
			out = append(out, fmt.Sprintf("%s by default, now %v", key, n))
		case !has:
			out = append(out, fmt.Sprintf("%s %v, now by default", key, o))
		default:
			out = append(out, fmt.Sprintf("%s %v, now %v", key, o, n))
		}
	}
	return out
}
