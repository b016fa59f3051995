package analyze

import (
	"fmt"
	"math/big"
	"strings"

	"headroom/detect"
)

// countAllocated is the count of bytes that a Go process has allocated since it
// began (runtime.MemStats, as expvar publishes it).
const countAllocated = "memstats.TotalAlloc"

// processTotals only grow while a process lives: one that fell was counted by
// another process.
var processTotals = []string{countAllocated, "memstats.Mallocs", "memstats.Frees", "memstats.NumGC", "memstats.PauseTotalNs"}

// allocation returns how many bytes the process under test allocated for each
// event that it answered well, and what a given concurrency takes at once. The
// counts lie before and after the whole load, so the events are those of the whole
// recording and not of the window.
func (m *Measured) allocation() []Quantity {
	if !m.hasAllocation() {
		return nil
	}
	from := From{Tables: []string{"run.json", "samples"}, Method: "allocated-per-event@1"}
	q := quantity("alloc.bytes_per_event", detect.Scope{}, 0, "B", -1, from)
	grown, why := m.allocated()
	events, batch := m.recordedEvents()
	switch {
	case grown == nil:
		q = withhold(q, why)
	case m.incomplete() != "":
		q = withhold(q, m.incomplete())
	case !m.anyInWindow():
		q = withhold(q, "no request lies in the window: the samples are not those of this load")
	case events <= 0:
		q = withhold(q, "there was no event that ended well")
	default:
		v, _ := new(big.Rat).Quo(grown, new(big.Rat).SetInt64(events)).Float64()
		q = quantity(q.ID, q.Scope, v, "B", events, from)
	}
	return append([]Quantity{q}, m.memoryBound(&q, batch)...)
}

// hasAllocation reports whether anything was recorded of what the process
// allocates, before the load or after it.
func (m *Measured) hasAllocation() bool {
	before, after := m.manifest.Before, m.manifest.After
	return before != nil && before.Values[countAllocated] != "" || after != nil && after.Values[countAllocated] != ""
}

// allocated is the growth of the process's count; why says why there is none.
func (m *Measured) allocated() (grown *big.Rat, why string) {
	grown, why = m.gained(countAllocated)
	if grown == nil {
		return nil, why
	}
	for _, column := range processTotals {
		if v, _ := m.gained(column); v != nil && v.Sign() < 0 {
			return nil, fmt.Sprintf("%s fell: the process was restarted in between", column)
		}
	}
	return grown, ""
}

// recordedEvents counts the events of all ok requests of the load, in the window
// or not, and returns the largest number that one request carried.
func (m *Measured) recordedEvents() (events, batch int64) {
	for _, r := range m.scenarios {
		if m.probes[r.Scenario] {
			continue
		}
		for c := range r.Chunks() {
			for i := range c.Start {
				if c.OK(i) {
					events += c.Events(i)
					batch = max(batch, c.Events(i))
				}
			}
		}
	}
	return events, batch
}

// anyInWindow reports whether any request of the load belongs to the window.
func (m *Measured) anyInWindow() bool {
	for i := range m.units {
		if u := &m.units[i]; !u.probe && u.scope.Step == "" && u.all.Len() > 0 {
			return true
		}
	}
	return false
}

// memoryBound is what so many requests at once allocate together (DETECTION 9.4):
// concurrency × events in one × bytes for each event. It is a bound only where the
// system limits both factors: one that nothing limits has no ceiling.
func (m *Measured) memoryBound(perEvent *Quantity, batch int64) []Quantity {
	rules := m.protocol.Scenario
	concurrency, said := m.manifest.Load.Concurrency, "declared"
	if concurrency == 0 {
		for i := range m.units {
			if v, ok := m.Result.value("in_flight.peak", m.units[i].scope); ok {
				concurrency, said = max(concurrency, int(v)), "the most that were in flight"
			}
		}
	}
	from := From{Tables: []string{"run.json", "samples"}, Method: "concurrency-batch-bytes@1"}
	at := quantity("memory.in_flight", detect.Scope{}, 0, "B", -1, from)
	ceiling := quantity("memory.ceiling", detect.Scope{}, 0, "B", -1, from)
	if perEvent.Value == nil || concurrency == 0 || batch == 0 {
		why := perEvent.Why
		if why == "" {
			why = "neither a concurrency nor a request in flight is known"
		}
		return []Quantity{withhold(at, why), withhold(ceiling, why)}
	}
	from.Params = map[string]any{"concurrency": float64(concurrency), "concurrency_from": said, "batch": float64(batch), "bytes_per_event": *perEvent.Value}
	at = quantity(at.ID, at.Scope, float64(concurrency)*float64(batch)**perEvent.Value, "B", *perEvent.N, from)
	free := rules.unbounded()
	if len(free) > 0 {
		why := "no ceiling: nothing limits " + strings.Join(free, " nor ")
		at.Warnings = append(at.Warnings, why)
		return []Quantity{at, withhold(ceiling, why)}
	}
	from.Params = map[string]any{"concurrency": float64(rules.ConcurrencyMax), "batch": float64(rules.BatchMax), "bytes_per_event": *perEvent.Value}
	ceiling = quantity(ceiling.ID, ceiling.Scope, float64(rules.ConcurrencyMax)*float64(rules.BatchMax)**perEvent.Value, "B", *perEvent.N, from)
	ceiling.Bound = AtMost
	return []Quantity{at, ceiling}
}

// unbounded names the factors of the memory bound that the system does not limit.
func (r ScenarioRules) unbounded() []string {
	var out []string
	if r.ConcurrencyMax <= 0 {
		out = append(out, "the requests served at once")
	}
	if r.BatchMax <= 0 {
		out = append(out, "the events in one request")
	}
	return out
}
