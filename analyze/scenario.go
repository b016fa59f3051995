package analyze

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// ScenarioRules says what the checks of scenarios need to know of the system.
type ScenarioRules struct {
	// AllocBytesMax is the highest number of bytes that the process under test may
	// allocate for each event (default: no limit).
	AllocBytesMax float64 `json:"alloc_bytes_max,omitempty"`
	// ConcurrencyMax and BatchMax are how many requests the system serves at once,
	// and how many events it takes in one; 0 is no limit.
	ConcurrencyMax int64 `json:"concurrency_max,omitempty"`
	BatchMax       int64 `json:"batch_max,omitempty"`
	// Timeout is after how long the system, or its caller, gives a request up
	// (default: not known).
	Timeout time.Duration `json:"timeout_ns,omitempty"`
	// Abusive are the workers that ask for more than they may, Quiet those beside
	// them that must not notice: at most QuietRefusedMax of their requests may be
	// refused.
	Abusive         []string `json:"abusive,omitempty"`
	Quiet           []string `json:"quiet,omitempty"`
	QuietRefusedMax int64    `json:"quiet_refused_max,omitempty"`
}

// flow returns how long a unit was measured, how many requests it had in flight
// at most, what a closed loop's requests took that began in the window, and how
// far its p99 is from the timeout.
func (m *Measured) flow(u *unit, from From) []Quantity {
	if u.probe {
		return nil
	}
	from.Method, from.Params = "window@1", nil
	var out []Quantity
	if u.window.length > 0 {
		out = append(out, quantity("elapsed", u.scope, float64(u.window.length)/1e9, "s", -1, from))
	}
	if n, of := m.peakInFlight(u); of > 0 {
		from.Method = "sweep-line@1"
		out = append(out, quantity("in_flight.peak", u.scope, float64(n), "1", of, from))
	}
	return append(out, m.started(u, from)...)
}

// peakInFlight is the largest number of requests that were sent and not yet
// answered at one instant of the unit's window; one that ends as another begins
// has ended. of is how many requests were looked at.
func (m *Measured) peakInFlight(u *unit) (n int, of int64) {
	for _, r := range m.scenarios {
		if r.Scenario != u.scope.Scenario {
			continue
		}
		peak, looked := r.PeakInFlight(u.window.Span)
		n, of = max(n, peak), of+looked
	}
	return n, of
}

// started returns the p99 of the requests that began in the window of a closed
// loop, those that ended after it included. The window's own percentiles are of
// those that ended in it (ADR 5); a reader of another tool may know this one.
func (m *Measured) started(u *unit, from From) []Quantity {
	if m.model.Model != runs.ClosedLoop || !u.window.declared {
		return nil
	}
	for _, r := range m.scenarios {
		if r.Scenario != u.scope.Scenario {
			continue
		}
		latencies := r.Starting(u.window.Span).Latencies(detect.OnlyOK)
		t := newValues(heldValues)
		if err := t.read(latencies); err != nil {
			return nil
		}
		from.Params = map[string]any{"basis": m.basis(), "population": "ok samples that began in the window"}
		all := distribution("latency.started", u.scope, t, from)
		return slices.DeleteFunc(all, func(q Quantity) bool { return q.ID != "latency.started.p99" })
	}
	return nil
}

// timeoutHeadroom is how many times a unit's p99 goes into the timeout.
func (m *Measured) timeoutHeadroom(u *unit) []Quantity {
	limit := m.protocol.Scenario.Timeout
	p99 := m.Result.Quantity("latency.p99", u.scope)
	if limit <= 0 || u.probe || p99 == nil {
		return nil
	}
	from := p99.From
	from.Method, from.Params = "timeout-over-p99@1", map[string]any{"timeout": limit.Seconds()}
	q := quantity("timeout.headroom", u.scope, 0, "1", -1, from)
	switch {
	case p99.Value == nil:
		q = withhold(q, p99.Why)
	case *p99.Value <= 0:
		q = withhold(q, "the p99 is zero")
	default:
		q = quantity(q.ID, u.scope, limit.Seconds() / *p99.Value, "1", *p99.N, from)
		q.Display = "× " + q.Display
	}
	return []Quantity{q}
}

// held returns the counts taken from the system after the load that have no
// counterpart before it: what it then held, and not what it gained.
func (m *Measured) held() []Quantity {
	if m.manifest.After == nil {
		return nil
	}
	var out []Quantity
	for _, column := range slices.Sorted(maps.Keys(m.manifest.After.Values)) {
		if m.manifest.Before != nil && m.manifest.Before.Values[column] != "" {
			continue
		}
		if v, ok := new(big.Rat).SetString(m.manifest.After.Values[column]); ok {
			out = append(out, exact("held."+column, v, From{Tables: []string{"run.json"}, Method: "count-after@1"}))
		}
	}
	return out
}

// isolation counts what was asked of the system by those who ask too much, and by
// those beside them.
func (m *Measured) isolation() []Quantity {
	rules := m.protocol.Scenario
	if len(rules.Quiet)+len(rules.Abusive) == 0 {
		return nil
	}
	by := map[string]*tally{}
	for _, name := range slices.Concat(rules.Abusive, rules.Quiet) {
		by[name] = &tally{}
	}
	for i := range m.units {
		u := &m.units[i]
		if u.probe || u.scope.Step != "" {
			continue
		}
		for c := range u.all.Chunks() {
			for i, worker := range c.Labels(detect.ByWorker) {
				t := by[u.all.Name(worker)]
				if t == nil {
					continue
				}
				t.requests++
				switch c.Outcome(i) {
				case runs.OK:
					t.ok++
				case runs.Rejected:
					t.rejected++
				}
			}
		}
	}
	return isolated(rules, by, From{Tables: []string{"samples"}, Window: m.window.text(), Method: "count-by-worker@1"})
}

func isolated(rules ScenarioRules, by map[string]*tally, from From) []Quantity {
	var out []Quantity
	for _, side := range []struct {
		name    string
		workers []string
	}{{"abusive", rules.Abusive}, {"quiet", rules.Quiet}} {
		var sum tally
		absent := ""
		for _, w := range side.workers {
			if by[w].requests == 0 {
				absent = cmp.Or(absent, w)
			}
			sum.requests += by[w].requests
			sum.ok += by[w].ok
			sum.rejected += by[w].rejected
		}
		for _, c := range []struct {
			id string
			n  int64
		}{{"requests", sum.requests}, {"ok", sum.ok}, {"refused", sum.rejected}} {
			q := quantity(fmt.Sprintf("%s.%s", side.name, c.id), detect.Scope{}, float64(c.n), "1", sum.requests, from)
			if len(side.workers) == 0 {
				continue
			}
			if absent != "" {
				q = withhold(q, fmt.Sprintf("no request of %s was recorded", absent))
			}
			out = append(out, q)
		}
	}
	return out
}

// scenarioQuantities returns what the checks of scenarios look at.
func (m *Measured) scenarioQuantities() []Quantity {
	out := slices.Concat(m.allocation(), m.storedQuantities(), m.held(), m.isolation())
	for i := range m.units {
		out = append(out, m.timeoutHeadroom(&m.units[i])...)
	}
	return out
}
