package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"headroom/runs"
)

// mostInFlight is how many times the workers that a label names may be in flight on
// average before the two contradict each other: none of them has two requests at a
// time (DETECTION 6.6).
const mostInFlight = 1.02

// sameInFlight is by how much the requests in flight must differ between two steps
// for the knob to have been turned.
const sameInFlight = 0.05

// overfull says that more requests of a closed loop were in flight than there are
// workers by its label: "" if not.
func (m *Measured) overfull(u *unit) string {
	workers := m.concurrency(u)
	in, ok := m.Result.value("littles.in_flight", u.scope)
	if !ok || workers == 0 || in <= mostInFlight*float64(workers) {
		return ""
	}
	where := ""
	if u.scope.Step != "" {
		where = " in step " + u.scope.Step
	}
	return fmt.Sprintf("%s%s: %s requests were in flight on average, of %s by its label: the label, the units or the clocks are wrong",
		u.scope.Scenario, where, Display(in, "1"), countText(workers, "worker"))
}

// unturned says that the knob of a sweep over concurrency did not reach the load, ""
// if it did or nobody can tell: as much was in flight at every step. More in flight
// than a label names is said (overfull), and no proof: threads may have many
// connections.
func unturned(g *group, cells [][]*cell) string {
	if !slices.Contains(concurrencyLabels, g.key) {
		return ""
	}
	lo, hi, seen := math.Inf(1), math.Inf(-1), 0
	for _, cs := range cells {
		for _, c := range cs {
			if c.withdrawn() > 0 {
				continue
			}
			in, ok := c.value("littles.in_flight")
			if !ok || c.m.model.Model != runs.ClosedLoop || c.key == nil {
				return ""
			}
			lo, hi, seen = min(lo, in), max(hi, in), seen+1
		}
	}
	if seen > 1 && len(cells) > 1 && hi <= (1+sameInFlight)*lo {
		return fmt.Sprintf("%s requests were in flight on average at every %s: the knob did not reach the load", Display(hi, "1"), g.key)
	}
	return ""
}

// noCurve is a sweep whose knob did not reach the load: one setting measured several
// times. Its steps stay listed; what rests on their order is withheld, the fleet with
// it.
func (d *document) noCurve(g *group, s Sweep, cells [][]*cell, why string) {
	s.Sustained, s.Knee, s.LastBelow, s.Blind, s.PastKnee, s.Recovered, s.Elasticity = -1, -1, -1, -1, false, false, nil
	limit := inSeconds(d.protocol.P99Limit)
	conf := g.entry()
	conf.Of, conf.Passed, conf.Outcome, conf.Text = len(cells), 0, Unknown, why
	for _, step := range s.Steps {
		if step.P99 != nil && *step.P99 < limit {
			conf.Passed++
		}
	}
	d.Verdicts = append(d.Verdicts, Verdict{Gate: "sustained", Scope: g.scope(), Outcome: Unknown, Why: why,
		Want: "an error-free step with p99 < " + DisplayLimit(limit, "s"), Required: true})
	from := From{Tables: []string{"samples"}, Method: "knee@1", Params: map[string]any{"p99_limit": limit, "key": g.key}}
	ids := []struct{ id, unit string }{
		{"sweep.sustained.concurrency", "1"}, {"sweep.sustained.throughput", "events/s"}, {"sweep.sustained.p99", "s"}, {"sweep.knee.concurrency", "1"},
	}
	for _, rate := range d.protocol.FleetRates {
		ids = append(ids, struct{ id, unit string }{fmt.Sprintf("fleet.%g.endpoints", rate), "endpoints"})
	}
	for _, x := range ids {
		d.Quantities = append(d.Quantities, withhold(quantity(x.id, g.scope(), 0, x.unit, -1, from), why))
	}
	d.sayOf(d.named(g), "sustained", "no sustained figure", "%s", why)
	d.Tables = append(d.Tables, d.stepTable(g, s, cells))
	d.Figures = append(d.Figures, d.sweepFigure(g, s, cells))
	d.decide(conf)
}

// unpaired says how to have arms compared that were run in turns without a number
// that says which belong together, "" if they were not.
func unpaired(ms []*Measured) string {
	var order []string // arms, as they were run
	byTime := slices.Clone(ms)
	slices.SortStableFunc(byTime, func(a, b *Measured) int { return strings.Compare(a.Result.Run.Start, b.Result.Run.Start) })
	for _, m := range byTime {
		arm := m.manifest.Labels[armLabel]
		if arm == "" || m.manifest.Labels[pairLabel] != "" {
			return ""
		}
		order = append(order, arm)
	}
	arms := slices.Compact(slices.Sorted(slices.Values(order)))
	if len(arms) != 2 || len(order) < 4 || len(order)%2 != 0 {
		return ""
	}
	for i := 0; i < len(order); i += 2 {
		if order[i] == order[i+1] {
			return ""
		}
	}
	return fmt.Sprintf("%s and %s were run in turns, and no label says which two belong together: number the pairs (--label pair=1, …) to have the ratios within them", arms[0], arms[1])
}
