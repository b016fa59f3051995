package analyze

import (
	"time"

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
	// Proven: what was seen proves a failure, whatever the samples that are
	// missing would have shown. One failed request is; a p99 is not.
	Proven bool
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
		if why := m.lacking(u); why != "" && !g.PerRun && (v.Outcome == Pass || v.Outcome == Fail && !g.Proven) {
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

// bar is a limit that a value is held against, in the unit that it is written in.
type bar struct {
	side  side
	limit float64
	unit  string
	of    string // what follows the limit: " of the window"
}

// side says where a value must lie.
type side string

// The sides. The first three take the limit itself.
const (
	equalTo side = "="
	atMost  side = "≤"
	atLeast side = "≥"
	below   side = "<"
)

// none is the bar of what must not happen.
var none = bar{side: equalTo, unit: "1"}

// want writes the bar in full.
func (b bar) want() string { return string(b.side) + " " + DisplayLimit(b.limit, b.unit) + b.of }

// holds makes the one comparison that text, table and exit status share.
func (b bar) holds(v float64) bool {
	switch b.side {
	case atMost:
		return v <= b.limit
	case atLeast:
		return v >= b.limit
	case below:
		return v < b.limit
	}
	return v == b.limit
}

// judge holds a quantity against the bar. One without a value is unknown. The
// quantity is from then on shown as it stands beside the limit.
func (b bar) judge(q *Quantity) *Verdict {
	v := &Verdict{Want: b.want(), Outcome: Unknown}
	if q == nil {
		v.Why = "not measured"
		return v
	}
	if q.Value == nil {
		v.Why = q.Why
		return v
	}
	v.Got, v.Display = *q.Value, DisplayBeside(*q.Value, b.limit, b.unit)
	q.Display = v.Display
	v.Outcome = Fail
	if b.holds(*q.Value) {
		v.Outcome = Pass
	}
	return v
}

// inSeconds returns a limit in seconds: the float64 nearest to it, as that of a
// measured duration is.
func inSeconds(d time.Duration) float64 { return float64(d) / 1e9 }

// noRequests is the verdict of a gate that counts bad requests among none: there
// was nothing to look at.
func noRequests(want string) *Verdict {
	return &Verdict{Outcome: Unknown, Want: want, Why: "no data: there was no request"}
}

func (m *Measured) get(id string, u *unit) *Quantity { return m.Result.Quantity(id, u.scope) }

// any reports whether the unit has a request, sent or not.
func (u *unit) any() bool { return u.all.Len()+len(u.all.Dropped) > 0 }

func countText(n int, what string) string {
	return CountOf(int64(n), what)
}
