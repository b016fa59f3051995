package study

import "headroom/analyze"

// special reads what only benchmarks, scenarios and derived figures need.
func (r *reader) special(c *configuration, in func(...any) []any, p *analyze.Protocol) error {
	b, s := c.Bench, c.Scenario
	for _, x := range []struct {
		at []any
		v  float64
	}{
		{in("bench", "repeats"), float64(b.Repeats)}, {in("bench", "events_per_op"), b.EventsPerOp}, {in("bench", "allocs_max"), b.AllocsMax},
		{in("scenario", "alloc_bytes_max"), s.AllocBytesMax}, {in("scenario", "concurrency_max"), float64(s.ConcurrencyMax)},
		{in("scenario", "batch_max"), float64(s.BatchMax)}, {in("scenario", "quiet_refused_max"), float64(s.QuietRefusedMax)},
		{in("limiter", "burst"), c.Limiter.Burst}, {in("limiter", "refill"), c.Limiter.Refill}, {in("limiter", "sources"), c.Limiter.Sources},
	} {
		if !finite(x.v) || x.v < 0 {
			return r.errorf(x.at, "%v: want a number that is not below zero", x.v)
		}
	}
	p.Bench = analyze.BenchRules{Expect: b.Expect, Repeats: b.Repeats, EventsPerOp: b.EventsPerOp, Stages: b.Stages, Total: b.Total, AllocsMax: b.AllocsMax}
	p.Scenario = analyze.ScenarioRules{
		AllocBytesMax: s.AllocBytesMax, ConcurrencyMax: s.ConcurrencyMax, BatchMax: s.BatchMax,
		Abusive: s.Abusive, Quiet: s.Quiet, QuietRefusedMax: s.QuietRefusedMax,
	}
	if err := r.duration(in("scenario", "timeout"), s.Timeout, &p.Scenario.Timeout); err != nil {
		return err
	}
	p.Evidence, p.Load = c.Evidence, c.Load
	p.Limiter = analyze.LimiterRules(c.Limiter)
	return r.derived(p)
}

// derived reads the ratios and sums.
func (r *reader) derived(p *analyze.Protocol) error {
	of := func(o operand) analyze.Operand {
		return analyze.Operand{Run: o.Run, Scenario: o.Scenario, Step: o.Step, Op: o.Op, ID: o.ID}
	}
	for i, d := range r.w.Derived {
		at := []any{"derived", i}
		if !nameForm.MatchString(d.Name) {
			return r.errorf(append(at, "name"), "%q is no name: %s", d.Name, nameWords)
		}
		for _, earlier := range r.w.Derived[:i] {
			if earlier.Name == d.Name {
				return r.errorf(append(at, "name"), "an entry of derived is called %s already", d.Name)
			}
		}
		if ratio := d.Over.ID != "" && d.Under.ID != ""; ratio == (len(d.Sum) > 0) {
			return r.errorf(at, "%s is either over one figure and under another, or a sum", d.Name)
		}
		x := analyze.Derived{Name: d.Name, Label: d.Label, Over: of(d.Over), Under: of(d.Under)}
		for _, o := range d.Sum {
			x.Sum = append(x.Sum, of(o))
		}
		p.Derived = append(p.Derived, x)
	}
	return nil
}

// first reads what gives first, in the author's order.
func (r *reader) first() error {
	r.study.First.Title = r.w.First.Title
	for i, w := range r.w.First.Ranked {
		if len(w.Figures) == 0 {
			return r.errorf([]any{"first", "ranked", i, "figures"}, "%s has no figure; what is ranked needs a number that ranks it", w.What)
		}
		x := analyze.StudyRanked{What: w.What, Lever: w.Lever}
		for _, f := range w.Figures {
			x.Figures = append(x.Figures, analyze.NamedOperand{As: f.As, Operand: analyze.Operand{Run: f.Run, Scenario: f.Scenario, Step: f.Step, Op: f.Op, ID: f.ID}})
		}
		r.study.First.Ranked = append(r.study.First.Ranked, x)
	}
	return nil
}
