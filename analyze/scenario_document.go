package analyze

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/detect"
)

// scenarioGates are what a scenario can be checked by, beside the gates of any
// run: what was acknowledged is stored, the quiet are not refused, the process
// allocates no more than it may.
var scenarioGates = []string{"stored", "isolation", "allocations"}

// scenarios judges runs one by one, each by the checks that it can answer: they
// are no steps of one curve and no repeats of one another.
func (d *document) scenarios() {
	t := Table{ID: "scenarios", Title: "Scenarios", Columns: append([]Column{left("scenario"), left("verdict"), left("result"), right("requests"), right("events"), right("elapsed"), right("throughput"),
		right("p50"), right("p95"), right("p99"), right("max"), right("in flight"), right("allocated by event")}, d.conditionColumns()...)}
	for i := range d.groups {
		g := &d.groups[i]
		for _, c := range g.cells {
			o, why := d.judge(c, d.scenarioChecks(c))
			if missing := c.m.incomplete(); missing != "" {
				o, why = Worst(o, Unknown), append(why, missing)
			}
			result := d.scenarioResult(c)
			conf := Configuration{Name: c.name(), Labels: g.labels, Runs: []string{c.m.Result.Run.ID}, Of: 1, Outcome: o, Text: result}
			if o == Pass {
				conf.Passed = 1
			}
			text1 := result
			if len(why) > 0 {
				text1 += "; " + strings.Join(why, "; ")
			}
			lead, said := string(o), text1
			if q := c.quantity("throughput"); q != nil && q.Value != nil && strings.HasPrefix(text1, q.Display+", ") {
				lead, said = q.Display, string(o)+", "+strings.TrimPrefix(text1, q.Display+", ")
			}
			d.sayOf(c.name(), "scenario", lead, "%s", said)
			d.Verdicts = append(d.Verdicts, Verdict{Gate: "scenario", Scope: detect.Scope{Configuration: c.name(), Run: c.m.Result.Run.ID}, Outcome: o,
				Want: strings.Join(d.scenarioChecks(c), ", "), Why: strings.Join(why, "; "), Required: true})
			run := c.m.Result.Run.ID
			row := Row{Mark: string(o), Cells: []Cell{text(c.name()), text(string(o)), text(result), c.show("samples"), c.show("events"), c.show("elapsed"), c.show("throughput"),
				c.show("latency.p50"), c.show("latency.p95"), c.show("latency.p99"), c.show("latency.max"), c.show("in_flight.peak"),
				showQuantity(c.m.Result.Quantity("alloc.bytes_per_event", detect.Scope{}), run)}}
			row.Cells = append(row.Cells, d.conditionCells(c)...)
			t.Rows = append(t.Rows, row)
			d.decide(conf)
		}
	}
	t.Notes = append(t.Notes, "Each scenario is judged by its own checks. Percentiles are exact (nearest rank), of ok requests; allocated bytes are a count and hold on any host.")
	d.Tables = append(d.Tables, t)
}

// scenarioChecks are the gates that decide a scenario: those asked for, else those
// that it can answer and those whose limit was given.
func (d *document) scenarioChecks(c *cell) []string {
	if d.protocol.Required != nil {
		return d.protocol.Required
	}
	var out []string
	for _, name := range answerable(c) {
		if name != "failed" { // a scenario may be there to make requests fail
			out = append(out, name)
		}
	}
	for _, name := range scenarioGates {
		if c.gate(name) != nil {
			out = append(out, name)
		}
	}
	if len(c.m.manifest.Reconcile) > 0 {
		out = append(out, "reconciled")
	}
	if slices.Contains(d.asked, "samples") {
		out = append(out, "samples")
	}
	return unique(out)
}

// scenarioResult says in a line what came of a scenario.
func (d *document) scenarioResult(c *cell) string {
	r := &c.m.Result
	var parts []string
	if q := c.quantity("throughput"); q != nil && q.Value != nil {
		parts = append(parts, q.Display)
	}
	if q := c.quantity("latency.p50"); q != nil && q.Value != nil {
		parts = append(parts, "p50 "+q.Display)
	}
	if q := r.Quantity("stored.missing", detect.Scope{}); q != nil && q.Value != nil {
		parts = append(parts, fmt.Sprintf("%s acknowledged, %s missing", shown(r, "stored.acknowledged"), q.Display))
	}
	if q := r.Quantity("abusive.refused", detect.Scope{}); q != nil && q.Value != nil {
		parts = append(parts, fmt.Sprintf("%s of %s refused of those that ask too much", q.Display, shown(r, "abusive.requests")))
	}
	if q := r.Quantity("quiet.refused", detect.Scope{}); q != nil && q.Value != nil {
		parts = append(parts, q.Display+" refused of the quiet")
	}
	for _, p := range c.m.pairs() {
		if p.gained != nil && p.claimed != nil {
			parts = append(parts, fmt.Sprintf("%s acknowledged, %s gained (%s)", decimal(p.claimed), decimal(p.gained), p.column))
		}
	}
	if q := c.quantity("timeout.headroom"); q != nil && q.Value != nil {
		parts = append(parts, fmt.Sprintf("the timeout of %s is %s the p99", Display(time.Duration(c.m.protocol.Scenario.Timeout).Seconds(), "s"), q.Display))
	}
	if len(parts) == 0 {
		return "nothing measured"
	}
	return strings.Join(parts, ", ")
}

// shown writes a quantity of a run, "an unknown number" without one.
func shown(r *Result, id string) string {
	if q := r.Quantity(id, detect.Scope{}); q != nil && q.Value != nil {
		return q.Display
	}
	return "an unknown number"
}

// groupsOf groups the steps of runs into configurations; scenarios stand alone,
// whatever their labels say.
func groupsOf(ms []*Measured, protocol string) ([]group, error) {
	if protocol != "scenario" {
		return configurations(ms)
	}
	var out []group
	for _, m := range ms {
		if cells := cellsOf(m); len(cells) > 0 { // else it only watched
			out = append(out, group{name: m.name(), labels: m.labels(nil), cells: cells})
		}
	}
	return out, nil
}
