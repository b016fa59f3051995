package analyze

import (
	"fmt"
	"strings"
	"time"

	"headroom/detect"
)

// repeatGates are those that every repeat of a sustained configuration must pass.
var repeatGates = []string{"thresholds", "dropped", "failed", "invalid", "reconciled", "samples", "drift"}

// seriesIDs are the quantities summed up over repeats.
var seriesIDs = []string{"throughput", "throughput.requests", "latency.p50", "latency.p99", "latency.max", "windows.worst_p99", "freeze.seconds", "drift.ratio"}

// repeats judges a configuration that was run several times over.
func (d *document) repeats(g *group) {
	conf := g.entry()
	var outcomes []Outcome
	var why []string
	for i, c := range g.cells {
		o, reasons := d.judge(c, d.required(repeatGates...))
		outcomes = append(outcomes, o)
		text := strings.Join(reasons, "; ")
		if o != Pass {
			why = append(why, fmt.Sprintf("repeat %d: %s", i+1, text))
		}
		d.Verdicts = append(d.Verdicts, Verdict{
			Gate: "repeat", Scope: detect.Scope{Configuration: g.name, Run: c.m.Result.Run.ID, Step: c.scope.Step},
			Outcome: o, Want: strings.Join(d.required(repeatGates...), ", "), Why: text,
		})
	}
	s := Summarize(repeatsOf(g.cells, outcomes), seriesIDs)
	conf.Passed, conf.Of, conf.Outcome, conf.Text = s.Passed, s.Of, s.Outcome, s.String()
	d.Verdicts = append(d.Verdicts, Verdict{
		Gate: "held", Scope: g.scope(), Outcome: s.Outcome, Got: s.String(), Display: s.String(),
		Want: "every repeat passes", Why: strings.Join(why, "; "), Required: true,
	})
	if n := unknowns(outcomes); n > 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf("%s%d of %d repeats could not be judged, and are in no median and no range", d.prefix(g), n, len(outcomes)))
	}
	var passing []*cell
	for i, c := range g.cells {
		if outcomes[i] == Pass {
			passing = append(passing, c)
		}
	}
	d.repeatQuantities(g, s, passing)
	d.repeatAnswer(g, s, passing, outcomes, why)
	d.Tables = append(d.Tables, d.repeatTable(g, outcomes))
	if len(g.cells) > 1 {
		d.Figures = append(d.Figures, d.seriesFigure(g, outcomes, s))
	}
	d.decide(conf)
}

// unknowns counts the outcomes that nobody could tell.
func unknowns(outcomes []Outcome) int {
	n := 0
	for _, o := range outcomes {
		if o == Unknown {
			n++
		}
	}
	return n
}

// repeatQuantities adds series.*: counts, and medians and ranges over the
// passing repeats, whose bound they have: that of a repeat which did not pass says
// nothing of them.
func (d *document) repeatQuantities(g *group, s Repeats, passing []*cell) {
	from := From{Tables: []string{"samples"}, Method: "repeats@1", Params: map[string]any{"over": "passing repeats"}}
	passed := quantity("series.passed", g.scope(), float64(s.Passed), "1", int64(s.Of), from)
	passed.Display = s.String()
	d.Quantities = append(d.Quantities, passed, quantity("series.repeats", g.scope(), float64(s.Of), "1", -1, from))
	for _, id := range seriesIDs {
		sum, ok := s.Over[id]
		if !ok {
			continue
		}
		unit, bound := "s", boundOf(passing, id)
		if q := passing[0].quantity(id); q != nil {
			unit = q.Unit
		}
		for _, x := range []struct {
			suffix string
			v      float64
		}{{".median", sum.Median}, {".min", sum.Min}, {".max", sum.Max}, {".low_median", sum.LowMedian}} {
			q := quantity("series."+id+x.suffix, g.scope(), x.v, unit, int64(sum.N), from)
			q.Bound = bound
			d.Quantities = append(d.Quantities, q)
		}
	}
	if sum, ok := s.Over["throughput"]; ok {
		d.keepMerit(g, sum.Median, passing)
	}
	if sum, ok := s.Over["throughput"]; ok && s.Outcome == Pass {
		d.fleet(g, sum.Median, AtLeast, Verdict{Outcome: s.Outcome})
	}
}

// single describes one run that is no part of a sweep, ladder or series.
func (d *document) single(g *group) {
	for _, c := range g.cells {
		conf := g.entry()
		conf.Runs = []string{c.m.Result.Run.ID}
		o, why := d.judgeLone(c)
		conf.Outcome, conf.Of = o, 1
		if o == Pass {
			conf.Passed = 1
		}
		conf.Text = string(o)
		if len(why) > 0 {
			conf.Text += ": " + strings.Join(why, "; ")
		}
		if v, ok := c.value("throughput"); ok {
			d.keepMerit(g, v, []*cell{c})
		}
		if q := c.quantity("throughput"); d.fleetAsked && o == Pass && q != nil && q.Value != nil {
			bound := q.Bound
			if c.m.openLoop() && bound == NoBound || bound == CapacityBound {
				bound = AtLeast // more was never offered
			}
			d.fleet(g, *q.Value, bound, Verdict{Outcome: o})
		}
		d.singleAnswer(g, c, o, why)
		d.decide(conf)
	}
}

// judgeLone judges a run that is no part of a sweep, ladder or series by the
// gates that it can answer. What is missing of its samples, or too few of them,
// make it unknown: nobody could look, whatever the gates say of the rest.
func (d *document) judgeLone(c *cell) (Outcome, []string) {
	if d.protocol.Required != nil {
		return d.judge(c, d.protocol.Required)
	}
	gates := unique(append(answerable(c), d.asked...))
	if len(c.m.manifest.Reconcile) > 0 {
		gates = unique(append(gates, "reconciled"))
	}
	o, why := d.judge(c, gates)
	if missing := c.m.lacking(nil); missing != "" {
		o, why = Worst(o, Unknown), append(why, missing)
	}
	n, _ := c.value("samples")
	switch length := time.Duration(c.window().length); {
	case c.withdrawn() > 0: // how many there were is withheld
	case n < loneSamples:
		o, why = Worst(o, Unknown), append(why, fmt.Sprintf("too few to judge by: %s, it takes %d", countText(int(n), "ok sample"), loneSamples))
	case length < loneLength:
		o, why = Worst(o, Unknown), append(why, fmt.Sprintf("too short to judge by: %s, it takes %s", Display(length.Seconds(), "s"), Display(loneLength.Seconds(), "s")))
	}
	return o, why
}

// askedGates names the gates whose limit the protocol gives, before defaults are
// filled in: who states a limit wants it judged by.
func askedGates(p Protocol) []string {
	var out []string
	for _, g := range []struct {
		name  string
		given bool
	}{
		{"p99", p.P99Limit != 0}, {"samples", p.MinSamples != 0}, {"drift", p.DriftLimit != 0}, {"delivered", p.DeliveredMin != 0},
	} {
		if g.given {
			out = append(out, g.name)
		}
	}
	return out
}

// A run by itself must be as long as its rate's unit, and have the samples from
// which on a p99 by nearest rank is not just the slowest of them.
const (
	loneSamples = 100
	loneLength  = time.Second
)

// answerable returns the gates that a bare run can answer: it is required to
// pass those, and no others.
func answerable(c *cell) []string {
	var out []string
	for _, name := range []string{"thresholds", "dropped", "failed", "invalid", "reconciled", "processed", "drained", "replicas"} {
		if v := c.gate(name); v != nil && v.Outcome != Unknown {
			out = append(out, name)
		}
	}
	return out
}
