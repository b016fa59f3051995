package analyze

import (
	"fmt"
	"slices"

	"headroom/detect"
	"headroom/runs"
	"headroom/stat"
)

// requests returns the quantities that a unit's samples give: for the unit, and
// for each of its ops where there is more than one.
func (m *Measured) requests(u *unit) ([]Quantity, error) {
	whole, ops, err := tallies(u)
	if err != nil {
		return nil, err
	}
	out := m.counted(u, u.scope, whole, true)
	for _, op := range ops {
		s := u.scope
		s.Op = op.op
		if op.op == "" {
			s.Op = unnamedOp // all of them together have no op in their scope
		}
		out = append(out, m.counted(u, s, op, false)...)
	}
	return out, nil
}

// unnamedOp is what figures call the requests without a kind beside those that
// have one.
const unnamedOp = "(no kind)"

// counted returns the quantities of a tally. Drops carry no op, so they are given
// with whole only.
func (m *Measured) counted(u *unit, s detect.Scope, t *tally, whole bool) []Quantity {
	from := From{Tables: []string{"samples"}, Window: u.window.text(), Method: "count@1"}
	n := func(id string, v int64) Quantity { return quantity(id, s, float64(v), "1", t.requests, from) }
	out := []Quantity{
		n("requests", t.requests), n("samples", t.ok), n("events", t.events),
		m.hidden(n("failed", t.failed)), n("rejected", t.rejected), n("timeout", t.timeout), n("invalid", t.invalid),
	}
	if why := m.unrecorded; why != "" && !u.probe {
		for i := range out {
			out[i] = withhold(out[i], why)
		}
	}
	out = append(out, m.rates(u, s, t, from)...)
	if whole {
		out = append(out, m.drops(u, from)...)
		out = append(out, m.delivered(u, t, from)...)
		out = append(out, m.replicas(u, from)...)
	}
	from.Params = map[string]any{"basis": m.basis(), "population": "ok samples"}
	out = append(out, distribution("latency", s, t.latency, from)...)
	if t.wait != nil && t.wait.N() > 0 {
		out = append(out, distribution("wait", s, t.wait, from)...)
		out = append(out, distribution("response", s, t.response, from)...)
		out = append(out, distribution("service", s, t.service, from)...)
	}
	if whole {
		out = append(out, m.withDrops(u, t, from))
		out = append(out, m.little(u, t, from)...)
		out = append(out, m.drift(u, from)...)
		out = append(out, m.gaps(u, from)...)
		out = append(out, m.flow(u, from)...)
	}
	return slices.DeleteFunc(out, func(q Quantity) bool { return q.ID == "" })
}

// hidden says of the failed requests that were counted that there may be more,
// where the source does not show them all; none is then not known to be none.
func (m *Measured) hidden(q Quantity) Quantity {
	const why = "the source does not mark every request that failed, or leaves it out"
	switch {
	case !m.manifest.Load.FailuresHidden:
	case *q.Value == 0:
		return withhold(q, why)
	default:
		q.Bound = AtLeast
		q.Warnings = append(q.Warnings, why)
	}
	return q
}

func (m *Measured) basis() string {
	if m.manifest.Load.Basis == "response" {
		return "response"
	}
	return "request"
}

// rates returns throughput in events and in requests.
func (m *Measured) rates(u *unit, s detect.Scope, t *tally, from From) []Quantity {
	from.Method = "count-over-window@1"
	if !u.window.declared {
		from.Method = "count-over-elapsed@1"
	}
	var out []Quantity
	for _, r := range []struct {
		id, unit string
		n        int64
	}{{"throughput", "events/s", t.events}, {"throughput.requests", "1/s", t.ok}} {
		q := quantity(r.id, s, 0, r.unit, t.ok, from)
		q.Bound = m.rateBound(u)
		if u.window.length <= 0 {
			out = append(out, withhold(q, noLength(u.window)))
			continue
		}
		if u.all.Len()+len(u.all.Dropped) == 0 && u.scope.Op == "" {
			out = append(out, withhold(q, m.nothingIn(u)))
			continue
		}
		coarse := m.coarseness(u)
		if coarse >= 1 {
			out = append(out, withhold(q, "how long it took is not known: its stamps are no finer than that"))
			continue
		}
		q = quantity(r.id, s, shareOfRate(r.n, u.window.length, 1), r.unit, t.ok, from).counting(rateUnit(t.events != t.ok))
		q.Bound = m.rateBound(u)
		if why := m.incompleteOf(u); why != "" {
			if q.Bound != Floor { // which is a lower bound already
				q.Bound = AtLeast
			}
			q.Warnings = append(q.Warnings, why)
		}
		if coarse > coarseShare {
			q.Warnings = append(q.Warnings, fmt.Sprintf("the stamps are coarse: the time it is divided by may be off by %s", Percent(coarse)))
		}
		if !u.window.declared {
			q.Warnings = append(q.Warnings, "window not declared: divided by the time from the first start to the last end")
		}
		out = append(out, q)
	}
	return out
}

// coarseShare is how far the length of a window may be off before it is said.
const coarseShare = 0.02

// coarseness returns which share of a window's length its requests' own stamps
// leave open: those of a window that nobody declared are all that it is known by.
func (m *Measured) coarseness(u *unit) float64 {
	if u.window.declared || u.window.length <= 0 {
		return 0
	}
	var coarsest int64
	for _, s := range m.manifest.Sources {
		if s.Samples > 0 {
			coarsest = max(coarsest, s.Resolution*1000)
		}
	}
	return float64(coarsest) / float64(u.window.length)
}

// drops returns how many requests were due and not sent, those that were skipped
// because they were late already included and given apart as well. Zero is only said
// by a source that would show them.
func (m *Measured) drops(u *unit, from From) []Quantity {
	out := []Quantity{}
	unsent := len(u.all.Dropped) + len(u.all.Skipped)
	dropped := quantity("dropped", u.scope, float64(unsent), "1", int64(u.all.Len()+unsent), from)
	if unsent == 0 && !m.manifest.Load.DropsKnown {
		dropped = withhold(dropped, "the source does not show requests that were never sent")
	}
	out = append(out, dropped)
	if len(u.all.Skipped) > 0 {
		out = append(out, quantity("skipped", u.scope, float64(len(u.all.Skipped)), "1", int64(u.all.Len()), from))
	}
	return out
}

// withDrops bounds the p99 from above by counting each drop as slower than any
// sample (DETECTION 2.3).
func (m *Measured) withDrops(u *unit, t *tally, from From) Quantity {
	drops := len(u.all.Dropped)
	if drops == 0 {
		return Quantity{}
	}
	from.Method = "nearest-rank-with-drops@1"
	n := t.latency.N() + drops
	q := quantity("latency.p99_with_drops", u.scope, 0, "s", int64(n), from)
	k := stat.Rank(stat.P99, n)
	if k > t.latency.N() {
		return withhold(q, "over 1 % of the requests due were dropped: the p99 has no upper bound")
	}
	q = quantity(q.ID, u.scope, float64(t.latency.At(k))/1e9, "s", int64(n), from)
	q.Bound = AtMost
	return q
}

// little checks a closed loop by Little's law (1961): throughput times latency is
// how many workers were busy. Beside it stands the time average in flight.
func (m *Measured) little(u *unit, t *tally, from From) []Quantity {
	workers := m.concurrency(u)
	if m.model.Model != runs.ClosedLoop || workers == 0 || t.ok == 0 || u.window.length <= 0 || u.probe {
		return nil
	}
	from.Method, from.Params = "littles-law@1", map[string]any{"workers": workers}
	busy := t.latency.Mean() * float64(t.latency.N()) / float64(u.window.length)
	q := quantity("littles.busy_ratio", u.scope, busy/float64(workers), "1", t.ok, from)
	switch v := *q.Value; {
	case v > 1.02:
		q.Warnings = append(q.Warnings, "more in flight than there are workers: wrong units, batch factor or clocks")
	case v < 0.95:
		q.Warnings = append(q.Warnings, "the generator left workers idle, or they think between requests")
	}
	from.Method = "time-average@1"
	return []Quantity{quantity("littles.in_flight", u.scope, m.inFlight(u), "1", t.ok, from), q}
}

// inFlight is the time average of requests in flight over the unit's window,
// those that began before it and ended after it included.
func (m *Measured) inFlight(u *unit) float64 {
	area := 0.0
	for _, r := range m.scenarios {
		if r.Scenario != u.scope.Scenario {
			continue
		}
		for c := range r.Chunks() {
			for i, start := range c.Start {
				from, to := max(start, u.window.Start), min(c.End(i), u.window.End)
				area += float64(max(to-from, 0))
			}
		}
	}
	return area / float64(u.window.length)
}

// drift compares the p99 of the last third of the window with the first's.
func (m *Measured) drift(u *unit, from From) []Quantity {
	if u.probe {
		return nil
	}
	from.Method = "p99-thirds@1"
	q := quantity("drift.ratio", u.scope, 0, "1", 0, from)
	d := m.driftOf(u)
	if d == nil {
		return []Quantity{withhold(q, "a third of the window has no ok sample")}
	}
	t := d.Thirds
	ratio, ok := t.Ratio()
	if !ok {
		return []Quantity{withhold(q, "the p99 of the first third is zero")}
	}
	q = quantity(q.ID, u.scope, ratio, "1", int64(min(t.N[0], t.N[1], t.N[2])), from)
	return []Quantity{q,
		quantity("drift.p99_first", u.scope, float64(t.Quantile[0])/1e9, "s", int64(t.N[0]), from),
		quantity("drift.p99_last", u.scope, float64(t.Quantile[2])/1e9, "s", int64(t.N[2]), from),
	}
}
