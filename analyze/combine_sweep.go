package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"headroom/detect"
)

// stepOf sums up the cells of one step of a sweep: one, or the median over its
// repeats. Errors are added. A withdrawn run counts only where the step has no other.
func stepOf(cells []*cell) SweepStep {
	var of []SweepStep
	for _, c := range relied(cells) {
		s := SweepStep{}
		if c.key != nil {
			s.N = *c.key
		}
		if v, ok := c.value("throughput"); ok {
			s.Throughput = &v
		}
		if v, ok := c.value("latency.p99"); ok {
			s.P99 = &v
		}
		failed, _ := c.value("failed")
		dropped, _ := c.value("dropped")
		s.Errors = int64(failed + dropped)
		of = append(of, s)
	}
	return repeated(of)
}

// sweep judges a configuration whose concurrency was raised.
func (d *document) sweep(g *group) {
	var steps []SweepStep
	cells := g.steps()
	for _, cs := range cells {
		steps = append(steps, stepOf(cs))
	}
	limit := inSeconds(d.protocol.P99Limit)
	s := FindKnee(steps, limit)
	conf := g.entry()
	conf.Of, conf.Passed = len(cells), 0
	v := Verdict{Gate: "sustained", Scope: g.scope(), Want: "an error-free step with p99 < " + DisplayLimit(limit, "s"), Required: true}
	switch {
	case s.Sustained >= 0:
		v.Outcome, v.Got = d.sustained(cells[s.Sustained], &v), *s.Steps[s.Sustained].Throughput
		v.Display = d.rate(*s.Steps[s.Sustained].Throughput)
	case rateWithheld(s, cells) != "":
		v.Outcome, v.Why = Unknown, rateWithheld(s, cells)
	case s.Knee >= 0:
		v.Outcome, v.Why = Fail, "the first step that could be judged is past the knee already"
		if s.Knee > 0 {
			v.Why = "no error-free step before the knee"
		}
	default:
		v.Outcome, v.Why = Unknown, "no step has a p99"
	}
	if s.Blind >= 0 && v.Outcome == Pass {
		v.Outcome, v.Why = Unknown, d.blindStep(g, s)
	}
	if why := unturned(g, cells); why != "" && v.Outcome != Fail {
		d.noCurve(g, s, cells, why)
		return
	}
	for _, step := range s.Steps {
		if step.P99 != nil && *step.P99 < limit {
			conf.Passed++
		}
	}
	conf.Outcome, conf.Text = v.Outcome, turningPoints(s, g.key)
	d.Verdicts = append(d.Verdicts, v)
	d.sweepQuantities(g, s, cells, v)
	d.sweepAnswer(g, s, cells, conf)
	d.Tables = append(d.Tables, d.stepTable(g, s, cells))
	d.sweepShape(g, s, cells)
	d.Figures = append(d.Figures, d.sweepFigure(g, s, cells))
	d.decide(conf)
}

// blindStep says which step below the knee nobody could judge.
func (d *document) blindStep(g *group, s Sweep) string {
	return fmt.Sprintf("the step at %s %s could not be judged: the knee or a better throughput may be there", g.key, Display(s.Steps[s.Blind].N, "1"))
}

// rateWithheld says why an error-free step before the knee has no throughput, ""
// if all have one: it might have been sustained, and nobody can tell.
func rateWithheld(s Sweep, cells [][]*cell) string {
	end := len(s.Steps)
	if s.Knee >= 0 {
		end = s.Knee
	}
	for i, step := range s.Steps[:end] {
		if step.Throughput != nil || step.Errors > 0 || step.P99 == nil {
			continue
		}
		for _, c := range cells[i] {
			if q := c.quantity("throughput"); q != nil && q.Value == nil {
				return "the rate of " + c.name() + " is withheld: " + q.Why
			}
		}
	}
	return ""
}

// sustained judges the gates of the step that the document rests on: a proven
// failure of one that it requires fails the figure.
func (d *document) sustained(cells []*cell, v *Verdict) Outcome {
	var why []string
	outcome := Pass
	for _, c := range cells {
		o, reasons := d.judge(c, d.required("failed"))
		if r := c.runVerdict("reconciled"); r != nil && r.Outcome == Fail {
			o, reasons = Fail, append(reasons, told("reconciled", Fail, r))
		}
		outcome, why = Worst(outcome, o), append(why, reasons...)
	}
	v.Why = strings.Join(why, "; ")
	return outcome
}

// sweepQuantities adds sweep.* and fleet.* of a configuration.
func (d *document) sweepQuantities(g *group, s Sweep, cells [][]*cell, sustained Verdict) {
	give := func(id string, v float64, unit string, from *cell, bound Bound) {
		f := From{Tables: []string{"samples"}, Method: "knee@1", Params: map[string]any{"p99_limit": inSeconds(d.protocol.P99Limit), "key": g.key}}
		if from != nil {
			f.Window = []string{from.m.Result.Run.Start, from.m.Result.Run.End}
		}
		q := quantity(id, g.scope(), v, unit, -1, f).counting(d.rateUnit())
		q.Bound = bound
		if s.Blind >= 0 {
			q.Warnings = append(q.Warnings, d.blindStep(g, s))
		}
		d.Quantities = append(d.Quantities, q)
	}
	at := func(prefix string, i int) {
		step, c := s.Steps[i], cells[i][0]
		give(prefix+".concurrency", step.N, "1", c, NoBound)
		if step.Throughput != nil {
			give(prefix+".throughput", *step.Throughput, "events/s", c, boundOf(cells[i], "throughput"))
		}
		give(prefix+".p99", *step.P99, "s", c, NoBound)
		d.Quantities[len(d.Quantities)-1].Display = d.p99(*step.P99)
	}
	if s.Sustained >= 0 {
		at("sweep.sustained", s.Sustained)
		if s.Blind < 0 { // else it may not be the best, and compares with nothing
			d.keepMerit(g, *s.Steps[s.Sustained].Throughput, cells[s.Sustained])
		}
		d.fleet(g, *s.Steps[s.Sustained].Throughput, boundOf(cells[s.Sustained], "throughput"), sustained)
	}
	if s.Knee >= 0 {
		at("sweep.knee", s.Knee)
		past := 0.0
		if s.PastKnee {
			past = 1
		}
		give("sweep.step_past_knee", past, "1", nil, NoBound)
	}
	for i, e := range s.Elasticity {
		if !math.IsNaN(e) {
			a, b := s.Steps[i].N, s.Steps[i+1].N
			give(fmt.Sprintf("sweep.elasticity.%g_%g", a, b), e, "1", nil, NoBound)
		}
	}
}

// boundOf is the bound that the figures of that id share, of cells that are summed
// up; the weaker where they differ. A withdrawn run has no part in the sum.
func boundOf(cells []*cell, id string) Bound {
	out := Bound("")
	for i, c := range relied(cells) {
		b := NoBound
		if q := c.quantity(id); q != nil {
			b = q.Bound
		}
		if i == 0 || b == Floor || out == CapacityBound && b != CapacityBound || out == NoBound && b == AtLeast {
			out = b
		}
	}
	return out
}

// fleet adds what a throughput carries, and what the verdict on that throughput
// says. Arithmetic keeps the bound.
func (d *document) fleet(g *group, throughput float64, bound Bound, on Verdict) {
	from := func(params map[string]any) From {
		params["throughput"] = throughput
		return From{Method: "fleet@1", Params: params}
	}
	for _, rate := range d.protocol.FleetRates {
		v := Endpoints(throughput, rate)
		q := quantity(fmt.Sprintf("fleet.%g.endpoints", rate), g.scope(), v, "endpoints", -1, from(map[string]any{"events_per_endpoint_hour": rate}))
		q.Display, q.Bound = DisplayRounded(WholeEndpoints(v), "endpoints", Down), bound
		q.Warnings = append(q.Warnings, "by arithmetic: throughput × 3,600 / events an hour; not run as such")
		d.Quantities = append(d.Quantities, q)
		for _, n := range d.protocol.Targets {
			d.target(g, throughput, rate, n, on)
		}
	}
}

// target judges whether so many endpoints at a rate are within the sustained
// throughput. One that did not pass its own gates carries nothing for certain.
func (d *document) target(g *group, throughput, rate, endpoints float64, on Verdict) {
	need := RequiredRate(endpoints, rate)
	q := quantity(fmt.Sprintf("fleet.%g.required.%g", rate, endpoints), g.scope(), need, "events/s", -1,
		From{Method: "fleet@1", Params: map[string]any{"endpoints": endpoints, "events_per_endpoint_hour": rate}})
	q.Display = DisplayRounded(need, d.rateUnit(), Up) // less would not carry them
	d.Quantities = append(d.Quantities, q)
	display, want := DisplayBoth(throughput, need, d.rateUnit())
	v := Verdict{
		Gate: acceptanceGate(endpoints, rate), Scope: g.scope(), Outcome: Fail, Got: throughput,
		Display: display, Want: "≥ " + want, Why: "by arithmetic from the sustained figure; not run as such",
	}
	switch {
	case on.Outcome != Pass:
		v.Outcome, v.Why = Unknown, on.Gate+" is "+string(on.Outcome)+reason(&on)
	case Clears(throughput, need):
		v.Outcome = Pass
	}
	d.Verdicts = append(d.Verdicts, v)
}

// ladder judges a configuration whose offered rate was raised: a rung holds
// when every run of it delivered, dropped nothing and was reconciled.
func (d *document) ladder(g *group) {
	conf := g.entry()
	cells := g.steps()
	held, firstOut := -1, -1
	var rungs []Outcome
	for i, cs := range cells {
		o, why := d.rung(g, cs)
		rungs = append(rungs, o)
		conf.Of++
		if o == Pass {
			conf.Passed++
		}
		switch {
		case o == Pass && firstOut < 0:
			held = i
		case o != Pass && firstOut < 0:
			firstOut = i
		}
		d.Verdicts = append(d.Verdicts, Verdict{
			Gate: "rung", Scope: detect.Scope{Configuration: g.name, Step: g.key + "=" + cs[0].labels[g.key]},
			Outcome: o, Want: "delivered, nothing dropped, reconciled", Got: Summarize(repeatsOf(cs, rungOutcomes(d, cs)), nil).String(), Why: why,
		})
	}
	v := Verdict{Gate: "held", Scope: g.scope(), Want: "at least one rung", Required: true, Outcome: Fail}
	switch {
	case held >= 0:
		v.Outcome, v.Got = Pass, *cells[held][0].key
		conf.Text = "holds up to " + Display(*cells[held][0].key, "requests/s")
	case slices.Contains(rungs[:max(slices.Index(rungs, Fail), 0)], Unknown) || !slices.Contains(rungs, Fail):
		// A rung below the first that failed may have held.
		v.Outcome, conf.Text = Unknown, "not known: the lower rungs could not be judged"
		if firstOut >= 0 {
			_, v.Why = d.rung(g, cells[firstOut])
		}
	default:
		conf.Text = "no rung held"
	}
	conf.Outcome = v.Outcome
	d.Verdicts = append(d.Verdicts, v)
	d.ladderQuantities(g, cells, held, slices.Index(rungs, Fail), slices.Index(rungs, Unknown))
	d.ladderAnswer(g, cells, rungs, held, conf)
	d.Tables = append(d.Tables, d.rungTable(g, cells, rungs))
	d.Figures = append(d.Figures, d.ladderFigure(g, cells, rungs))
	d.decide(conf)
}

// rungGates are those a rung of a ladder is judged by, and no others.
var rungGates = []string{"delivered", "dropped", "reconciled"}

func (d *document) rung(g *group, cells []*cell) (Outcome, string) {
	var why []string
	for i, c := range cells {
		if _, reasons := d.judge(c, d.required(rungGates...)); len(reasons) > 0 {
			why = append(why, fmt.Sprintf("%d of %d: %s", i+1, len(cells), strings.Join(reasons, ", ")))
		}
	}
	return Worst(rungOutcomes(d, cells)...), strings.Join(why, "; ")
}

func rungOutcomes(d *document, cells []*cell) []Outcome {
	var out []Outcome
	for _, c := range cells {
		o, _ := d.judge(c, d.required(rungGates...))
		out = append(out, o)
	}
	return out
}

// repeatsOf pairs cells with their outcomes and values.
func repeatsOf(cells []*cell, outcomes []Outcome) []Repeat {
	var out []Repeat
	for i, c := range cells {
		r := Repeat{Outcome: outcomes[i], Values: map[string]float64{}}
		for _, q := range c.m.Result.Quantities {
			if q.Scope == c.scope && q.Value != nil && !q.slowAllAlong() {
				r.Values[q.ID] = *q.Value
			}
		}
		out = append(out, r)
	}
	return out
}

// ladderQuantities gives the highest rung below which all held, the first that is
// proven to have failed and the first that nobody could judge; -1 is none.
func (d *document) ladderQuantities(g *group, cells [][]*cell, held, failed, unjudged int) {
	for _, x := range []struct {
		id string
		i  int
	}{{"ladder.highest_held", held}, {"ladder.first_failed", failed}, {"ladder.first_unjudged", unjudged}} {
		if x.i >= 0 {
			d.Quantities = append(d.Quantities, quantity(x.id, g.scope(), *cells[x.i][0].key, "1/s", int64(len(cells[x.i])), From{Method: "ladder@1", Tables: []string{"samples"}}))
		}
	}
	if held < 0 {
		return
	}
	var rates []float64
	for _, c := range cells[held] {
		if v, ok := c.value("throughput"); ok {
			rates = append(rates, v)
		}
	}
	if len(rates) > 0 {
		d.fleet(g, medianOf(rates), AtLeast, Verdict{Outcome: Pass})
	}
}
