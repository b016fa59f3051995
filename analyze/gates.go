package analyze

import (
	"headroom/detect"
)

// A Gate is one rule that a run or a step must pass.
type Gate struct {
	Name string // "dropped": JSON word, for life
	Doc  string // first line is the title; then the rule, what it needs, what unknown means
	// Run judges a unit: the whole run for PerRun gates (scope without a
	// scenario), a scenario or a step of it otherwise. It returns nil where the
	// gate does not apply.
	PerRun bool
	Run    func(*Measured, *unit) *Verdict
}

// Gates lists every gate, in the order of pages.
var Gates = []*Gate{thresholds, dropped, failed, invalid, samples, drift, delivered, limit, probe, replicas, processed, drained, reconciled, contention, evidenceRecorded, stored, isolation, allocations, benchRepeats, benchAllocs, counted, linear, settings, keepsUp, cleared}

// GateNamed returns the gate of that name, or nil.
func GateNamed(name string) *Gate {
	for _, g := range Gates {
		if g.Name == name {
			return g
		}
	}
	return nil
}

// judge applies every gate to a unit. Gates of the whole run are judged with
// the first unit.
func (m *Measured) judge(u *unit) {
	first := u == &m.units[0]
	for _, g := range Gates {
		var v *Verdict
		switch {
		case g.PerRun && first:
			v = g.Run(m, u)
		case !g.PerRun:
			if v = g.Run(m, u); v != nil {
				v.Scope = u.scope
			}
		}
		if v == nil {
			continue
		}
		v.Gate = g.Name
		if why := m.incomplete(); v.Outcome == Pass && why != "" && !g.PerRun {
			v.Outcome, v.Why = Unknown, why
		}
		m.Result.Verdicts = append(m.Result.Verdicts, *v)
	}
}

// verdict returns the verdict of a gate in a scope, or nil.
func (r *Result) verdict(gate string, s detect.Scope) *Verdict {
	for i := range r.Verdicts {
		if v := &r.Verdicts[i]; v.Gate == gate && v.Scope == s {
			return v
		}
	}
	return nil
}

// atMost passes a value up to a limit, the limit itself included.
func atMost(q *Quantity, limit float64, want string) *Verdict {
	return against(q, limit, want, func(v float64) bool { return v <= limit })
}

// atLeast passes a value from a limit on, the limit itself included.
func atLeast(q *Quantity, limit float64, want string) *Verdict {
	return against(q, limit, want, func(v float64) bool { return v >= limit })
}

// below passes a value strictly under a limit.
func below(q *Quantity, limit float64, want string) *Verdict {
	return against(q, limit, want, func(v float64) bool { return v < limit })
}

// against makes the one comparison that text, table and exit status share. A
// quantity without a value is unknown.
func against(q *Quantity, limit float64, want string, ok func(float64) bool) *Verdict {
	v := &Verdict{Want: want, Outcome: Unknown}
	if q == nil {
		v.Why = "not measured"
		return v
	}
	if q.Value == nil {
		v.Why = q.Why
		return v
	}
	v.Got, v.Display = *q.Value, DisplayBeside(*q.Value, limit, q.Unit)
	v.Outcome = Fail
	if ok(*q.Value) {
		v.Outcome = Pass
	}
	return v
}

// noRequests is the verdict of a gate that counts bad requests among none: there
// was nothing to look at.
func noRequests(want string) *Verdict {
	return &Verdict{Outcome: Unknown, Want: want, Why: "no data: there was no request"}
}

func (m *Measured) get(id string, u *unit) *Quantity { return m.Result.Quantity(id, u.scope) }

// any reports whether the unit has a request, sent or not.
func (u *unit) any() bool { return len(u.all.Rows)+len(u.all.Dropped) > 0 }

func countText(n int, what string) string {
	return CountOf(int64(n), what)
}
