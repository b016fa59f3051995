package detect

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"headroom/stat"
)

var saturatedPrune = &Detector{
	Name:    "saturated-prune",
	Version: 1,
	Doc: `Saturated prune: a clean-up that always removes its maximum.

A pass that removes the most that it may is evidence of not keeping up, however well it
runs: at least "passes" passes each removed exactly the same number. Passes are read
from points called app.pruned and app.pruned.NAME (a mapping makes them of a log), and
from an application's log: records of one message that speaks of a prune, purge,
clean-up, housekeeping, expiry, eviction or deletion, with a number that is never
another. There the number must be a round one, as a bound is: from 100 and a multiple
of 100, or a power of two from 64.
Cannot see: how much arrived meanwhile; a bound on time; a clean-up that writes no
count; one whose passes are cut by another bound than a round number, unless a mapping
says which number it is.`,
	Params: []Param{
		{"passes", 3, "1", "fewest passes that show it"},
	},
	Needs:   []string{"points", "markers"},
	Metrics: []string{"app.pruned", "app.pruned."},
	Run:     lookForSaturatedPrunes,
}

// pruneWords are those of messages that tell of removals.
var pruneWords = regexp.MustCompile(`(?i)prun|purg|clean-?\s?up|housekeep|expir|evict|delet|vacuumed|sweep|garbage`)

// boundWords are those of attributes that state a bound, or what a pass took.
var boundWords = regexp.MustCompile(`(?i)limit|max|cap|size|interval|timeout|elapsed|duration|port|line|pid|thread|version`)

func lookForSaturatedPrunes(p *Pass) error {
	scope := p.Scope("")
	looked := false
	for _, list := range [][]Series{p.Evidence.Of("app.pruned"), p.Evidence.Under("app.pruned.")} {
		for i := range list {
			s := &list[i]
			var at []int64
			var removed []float64
			for k, t := range s.At {
				if p.Window.Contains(t) {
					at, removed = append(at, t), append(removed, s.Values[k])
				}
			}
			looked = looked || len(removed) > 0
			p.judgePrune(label(s), at, removed)
		}
	}
	for _, pass := range p.prunePasses() {
		looked = true
		p.judgePrune(pass.what, pass.at, pass.removed)
	}
	if !looked {
		p.CouldNotLook(scope, "no clean-up was recorded")
		return nil
	}
	p.Looked(scope)
	return nil
}

// judgePrune reports passes that all removed the same.
func (p *Pass) judgePrune(what string, at []int64, removed []float64) {
	if float64(len(removed)) < p.Param("passes") || removed[0] < 1 {
		return
	}
	counts := make([]int64, len(removed))
	for i, v := range removed {
		counts[i] = int64(v)
	}
	// The most that any pass removed is taken for its bound.
	judged, err := stat.JudgePrune(counts, slices.Max(counts), nil)
	if err != nil || judged.Verdict != stat.PruneFallsBack {
		return
	}
	measures := map[string]float64{"passes": float64(len(at)), "removed": removed[0]}
	if n := len(at); n > 1 && at[n-1] > at[0] {
		measures["rate"] = removed[0] * float64(n-1) / seconds(at[n-1]-at[0])
	}
	p.Report(p.Scope(""), Warning, Span{at[0], at[len(at)-1]}, measures,
		"each of %d passes removed exactly %.0f: no evidence of keeping up (%s)", len(at), removed[0], what)
}

// prunePass is a number that the passes of one clean-up wrote to a log.
type prunePass struct {
	what    string
	at      []int64
	removed []float64
}

// prunePasses collects the numbers of an application's records that may be
// bounded counts: round ones, under names that state no bound themselves.
func (p *Pass) prunePasses() []prunePass {
	passes := map[string]*prunePass{}
	for i := range p.Evidence.Markers {
		m := &p.Evidence.Markers[i]
		t := m.Time * 1000
		if m.Kind != "app.log" || !p.Window.Contains(t) || !pruneWords.MatchString(m.Message) {
			continue
		}
		var attrs map[string]any
		if json.Unmarshal([]byte(m.Attrs), &attrs) != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(attrs)) {
			v, ok := attrs[name].(float64)
			if !ok || boundWords.MatchString(name) {
				continue
			}
			key := strings.Join([]string{m.Source, m.Message, name}, "\x00")
			if passes[key] == nil {
				passes[key] = &prunePass{what: name + " of \"" + m.Message + "\""}
			}
			passes[key].at, passes[key].removed = append(passes[key].at, t), append(passes[key].removed, v)
		}
	}
	var out []prunePass
	for _, key := range slices.Sorted(maps.Keys(passes)) {
		if pass := passes[key]; slices.ContainsFunc(pass.removed, func(v float64) bool { return v > 0 }) {
			if !round(pass.removed[0]) { // no bound: a count that happens to be small and even
				pass.removed = nil
			}
			out = append(out, *pass)
		}
	}
	return out
}

// round reports whether a count looks like a bound that somebody set.
func round(v float64) bool {
	n := int64(v)
	return float64(n) == v && (n >= 100 && n%100 == 0 || n >= 64 && n&(n-1) == 0)
}
