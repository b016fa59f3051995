package analyze

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headroom/detect"
)

// cell is one measurement of a document: a run, or one step of it, under one
// scenario that is no probe.
type cell struct {
	m      *Measured
	scope  detect.Scope // within its run
	labels map[string]string
	setup  string   // labels that make its configuration
	key    *float64 // value of the label that varies, nil if none does
}

func (c *cell) value(id string) (float64, bool) { return c.m.Result.value(id, c.scope) }
func (c *cell) quantity(id string) *Quantity    { return c.m.Result.Quantity(id, c.scope) }
func (c *cell) verdict(gate string) *Verdict    { return c.m.Result.verdict(gate, c.scope) }
func (c *cell) runVerdict(gate string) *Verdict { return c.m.Result.verdict(gate, detect.Scope{}) }
func (c *cell) interval() detect.Scope          { return detect.Scope{Step: c.scope.Step} }
func (c *cell) during(id string) *Quantity      { return c.m.Result.Quantity(id, c.interval()) }

// withdrawn is 1 of a withdrawn run, else 0.
func (c *cell) withdrawn() int {
	if c.m.notes.withdrawn != "" {
		return 1
	}
	return 0
}

// gate returns the verdict of a gate on the cell: its own, or its run's.
func (c *cell) gate(name string) *Verdict {
	if v := c.verdict(name); v != nil {
		return v
	}
	if name == probe.Name {
		return c.probeVerdict()
	}
	return c.runVerdict(name)
}

// probeVerdict returns the verdict of the run's probe, the worst one of several:
// a probe stands beside the load, and is asked for with it.
func (c *cell) probeVerdict() (worst *Verdict) {
	for i := range c.m.Result.Verdicts {
		v := &c.m.Result.Verdicts[i]
		if v.Gate == probe.Name && v.Scope.Step == "" && (worst == nil || Worst(worst.Outcome, v.Outcome) != worst.Outcome) {
			worst = v
		}
	}
	return worst
}

// group is the cells of one configuration, by ascending key.
type group struct {
	name   string
	labels map[string]string
	key    string // name of the label that varies, "" if none does
	cells  []*cell
}

// steps returns the cells of equal key, in ascending order.
func (g *group) steps() [][]*cell {
	var out [][]*cell
	for _, c := range g.cells {
		n := len(out)
		if n > 0 && c.key != nil && out[n-1][0].key != nil && *out[n-1][0].key == *c.key {
			out[n-1] = append(out[n-1], c)
			continue
		}
		if n > 0 && c.key == nil && out[n-1][0].key == nil {
			out[n-1] = append(out[n-1], c)
			continue
		}
		out = append(out, []*cell{c})
	}
	for _, cells := range out { // what is said of a step is said of a run that nobody withdrew
		slices.SortStableFunc(cells, func(a, b *cell) int { return cmp.Compare(a.withdrawn(), b.withdrawn()) })
	}
	return out
}

// Combine judges measured runs as one document. It groups their steps into
// configurations by the labels that do not vary, and recognises the protocol
// from the one that does: a concurrency makes a sweep, a rate a ladder, equal
// runs are repeats.
func Combine(ms []*Measured, p Protocol) (*Capacity, error) {
	if len(ms) == 0 {
		return nil, fmt.Errorf("no run to combine")
	}
	if err := distinct(ms); err != nil {
		return nil, err
	}
	rules, err := rulesOf(p)
	if err != nil {
		return nil, err
	}
	fleetAsked, asked := p.FleetRates != nil, askedGates(p)
	p = p.Defaults()
	loads := loadsOf(ms)
	load, others := apart(loads)
	if p.Name == "scenario" {
		load = loads // a ceiling is a scenario like any other
	}
	groups, err := groupsOf(load, p.Name)
	if err != nil {
		return nil, err
	}
	c := &Capacity{
		Schema: CapacitySchema, Title: p.Title, Protocol: p.Name, Rules: rules,
		Answer: []Sentence{}, Configurations: []Configuration{}, Quantities: []Quantity{}, Verdicts: []Verdict{},
		Findings: []detect.Finding{}, Tables: []Table{}, Figures: []Figure{}, Warnings: []string{},
	}
	label, pairs, paired := pairsOf(load)
	if c.Protocol, err = protocolOf(p.Name, ms, loads, groups, paired); err != nil {
		return nil, err
	}
	if c.Title == "" {
		c.Title, c.Untitled = titleOf(ms, c.Protocol, armNames(groups))
	}
	d := document{Capacity: c, protocol: p, runs: slices.Clone(ms), groups: groups, fleetAsked: fleetAsked, asked: asked, yardsticks: yardsticks(others)}
	if why := unpaired(load); why != "" {
		c.Warnings = append(c.Warnings, why)
	}
	if c.Protocol == "pairs" {
		d.pairs(label, pairs)
		d.groups = nil
	}
	if c.Protocol == "scenario" {
		d.scenarios()
	} else if err := d.configure(); err != nil {
		return nil, err
	}
	d.benchmarks()
	d.derived()
	d.close()
	return c, nil
}

// document is a Capacity being written.
type document struct {
	*Capacity
	protocol Protocol
	runs     []*Measured
	groups   []group
	outcomes []Outcome
	// fleetAsked: somebody gave the rates. A run that is no part of a sweep,
	// ladder or series says nothing of a fleet unless asked.
	fleetAsked bool
	asked      []string // gates whose limit somebody gave
	merits     []merit
	several    bool // configurations of a study
	// Of a study: gates waived for the configuration that is being judged, and
	// where those that were judged turned, by their first cell.
	waivers     map[string]string
	turned      map[*cell]turn
	yardsticks  []yardstick // ceilings and denominators
	denominated bool        // the study sets throughputs beside denominators
	headroom    []headroom  // throughputs over denominators
	treated     []suspicion // what treatments showed
	swept       []suspicion // what sweeps showed
	// loads are all runs of a study, while those of one configuration are judged.
	loads []*Measured
}

// loads counts the scenarios that are no probes.
func (m *Measured) loads() int {
	n := 0
	for _, u := range m.units {
		if !u.probe && u.scope.Step == "" {
			n++
		}
	}
	return n
}

// repeatLabels name or number equal runs; they make no configuration.
var repeatLabels = []string{"repeat", "iteration", "attempt", "run", pairLabel, "position", soakLabel}

// soakLabel numbers the steps of a soak, which share one setting.
const soakLabel = "soak"

// configurations groups the cells. The labels that hold a number and vary are
// the key; more than one such label is refused, since no curve has two knobs.
func configurations(ms []*Measured) ([]group, error) {
	var cells []*cell
	for _, m := range ms {
		cells = append(cells, cellsOf(m)...)
	}
	var labels []map[string]string
	for _, c := range cells {
		labels = append(labels, c.labels)
	}
	labelTools(labels, func(i int) string { return cells[i].m.manifest.Load.Tool })
	keys, setups := split(valuesOf(cells))
	var groups []group
	for _, c := range cells {
		labels := map[string]string{}
		var parts []string
		for _, k := range setups {
			if v := c.labels[k]; v != "" {
				labels[k] = v
				parts = append(parts, v)
			}
		}
		c.setup = strings.Join(parts, ", ")
		i := slices.IndexFunc(groups, func(g group) bool { return maps.Equal(g.labels, labels) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{name: c.setup, labels: labels})
		}
		groups[i].cells = append(groups[i].cells, c)
	}
	for i := range groups {
		if err := groups[i].order(keys); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

// split sorts the labels that vary into keys (numbers) and setups (words).
func split(varying map[string]map[string]bool) (keys, setups []string) {
	for _, k := range slices.Sorted(maps.Keys(varying)) {
		if len(varying[k]) < 2 || slices.Contains(repeatLabels, k) {
			continue
		}
		numbers := true
		for v := range varying[k] {
			_, err := strconv.ParseFloat(v, 64)
			numbers = numbers && err == nil
		}
		if numbers {
			keys = append(keys, k)
		} else {
			setups = append(setups, k)
		}
	}
	return keys, setups
}

// order sorts the cells of a configuration by the one key that varies in it.
func (g *group) order(keys []string) error {
	for _, k := range keys {
		first := g.cells[0].labels[k]
		if !slices.ContainsFunc(g.cells, func(c *cell) bool { return c.labels[k] != first }) {
			continue
		}
		if g.key != "" {
			return fmt.Errorf("the labels %s and %s both vary between steps: a curve has one knob; choose the runs of one curve, or give the other label a name that is no number", g.key, k)
		}
		g.key = k
	}
	if g.key != "" {
		for _, c := range g.cells {
			if v, err := strconv.ParseFloat(c.labels[g.key], 64); err == nil {
				c.key = &v
			}
		}
	}
	slices.SortStableFunc(g.cells, func(a, b *cell) int {
		if a.key != nil && b.key != nil && *a.key != *b.key {
			return cmp.Compare(*a.key, *b.key)
		}
		return cmp.Compare(a.m.Result.Run.Start, b.m.Result.Run.Start)
	})
	return nil
}

// lone gives a configuration of a single step the knob that others were varied
// by: it is a curve of one point.
func (g *group) lone(names []string) {
	if g.key != "" || len(names) == 0 {
		return
	}
	for _, c := range g.cells {
		name, v := labelled(c.labels, names)
		if name == "" {
			return
		}
		g.key, c.key = name, &v
	}
}

// titleOf makes a title of what was measured and how. bare says that no run names
// the system, so that the documents of other systems have this title as well.
func titleOf(ms []*Measured, protocol string, arms []string) (title string, bare bool) {
	name := ms[0].Result.Run.System
	if name == "" {
		name = ms[0].Result.Run.Labels["system"]
	}
	what := map[string]string{"sweep": "Capacity by concurrency", "ladder": "Capacity by offered rate", "repeats": "Sustained load", "pairs": "Comparison in pairs", "soak": "Soak", "scenario": "Scenarios", "bench": "Benchmarks", "costs": "Costs and growth", "run": "Load run"}[protocol]
	if what == "" {
		what = "Capacity"
	}
	if len(arms) > 1 {
		what += " of " + Conjoined(arms)
	}
	if name == "" {
		return what, true
	}
	return name + ": " + strings.ToLower(what[:1]) + what[1:], false
}

// configure judges every configuration.
func (d *document) configure() error {
	for i := range d.groups {
		if err := d.configuration(&d.groups[i]); err != nil {
			return err
		}
	}
	return nil
}

// configuration judges one configuration by the document's protocol.
func (d *document) configuration(g *group) error {
	g.lone(map[string][]string{"sweep": concurrencyLabels, "ladder": rateLabels}[d.Protocol])
	if (d.Protocol == "sweep" || d.Protocol == "ladder") && g.key == "" {
		return fmt.Errorf("protocol %s: no label says at which concurrency or rate the steps of %q were run; give them one (--step concurrency=16)", d.Protocol, g.entry().Name)
	}
	switch d.Protocol {
	case "sweep":
		d.sweep(g)
	case "ladder":
		d.ladder(g)
	case "repeats":
		d.repeats(g)
	case "soak":
		d.soak(g)
	case "run":
		d.single(g)
	default:
		return fmt.Errorf("protocol %q: want sweep, ladder, repeats, soak, pairs, scenario, bench or run", d.Protocol)
	}
	return nil
}

func (g *group) runIDs() []string {
	var out []string
	for _, c := range g.cells {
		out = append(out, c.m.Result.Run.ID)
	}
	return unique(out)
}

// entry begins the Configuration of a group.
func (g *group) entry() Configuration {
	name := g.name
	if name == "" {
		name = "all runs"
	}
	return Configuration{Name: name, Labels: g.labels, Runs: g.runIDs(), Key: g.key}
}

// scope is where the quantities of a configuration stand.
func (g *group) scope() detect.Scope { return detect.Scope{Configuration: g.name} }

// decide adds the outcome of a configuration to the document's.
func (d *document) decide(c Configuration) {
	d.Configurations = append(d.Configurations, c)
	d.outcomes = append(d.outcomes, c.Outcome)
}
