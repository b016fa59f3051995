package analyze

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"headroom/detect"
	"headroom/stat"
)

// Numbers that whoever recorded a run can declare as claims (--claim NAME=N), and
// that costs rest on. They are facts of the run, not of the samples.
const (
	claimBatches        = "batches"         // batches that were sent
	claimEvents         = "events"          // events that were sent
	claimSamplerCommits = "sampler_commits" // commits of the readings themselves
)

// instantOf writes an instant in µs as everything else does.
func instantOf(us int64) string { return detect.Instant(us * 1000) }

// claim returns a declared number, nil if there is none.
func (m *Measured) claim(name string) *big.Rat {
	if v, ok := new(big.Rat).SetString(m.manifest.Claims[name]); ok {
		return v
	}
	return nil
}

// claimValue is claim as a float that is above 0.
func (m *Measured) claimValue(name string) (float64, bool) {
	v := m.claim(name)
	if v == nil || v.Sign() <= 0 {
		return 0, false
	}
	f, _ := v.Float64()
	return f, true
}

// costBase is what costs are divided by, or why that is not known.
type costBase struct {
	events, batches       *big.Rat
	whyEvents, whyBatches string
	eventsFrom            string // where the events were counted
	batchesFrom           string
}

// base finds out how many events, and how many batches, the load was.
//
// Events are those that the system itself gained between its counts, where it was
// asked; then those that were claimed; then those of the ok samples. A count that
// was taken on one side only is a loss, which no other source makes good.
func (m *Measured) base() costBase {
	var b costBase
	b.events, b.eventsFrom, b.whyEvents = m.costEvents()
	b.batches, b.batchesFrom = m.claim(claimBatches), "claim "+claimBatches
	if b.batches == nil && m.sent() > 0 {
		b.batches, b.whyBatches = m.claimed("requests")
		b.batchesFrom = "ok samples"
	}
	switch {
	case b.batches == nil && b.whyBatches == "":
		b.whyBatches = "nobody counted or declared the batches (--claim batches=N)"
	case b.batches != nil && b.batches.Sign() <= 0:
		b.batches, b.whyBatches = nil, "no batch was sent"
	}
	return b
}

func (m *Measured) costEvents() (events *big.Rat, from, why string) {
	for _, p := range m.pairs() {
		if p.outcome() == Fail {
			return nil, "", fmt.Sprintf("not reconciled: %s gained %s, %s claimed %s", p.column, decimal(p.gained), p.claim, decimal(p.claimed))
		}
	}
	if column := m.eventColumn(); column != "" {
		events, why = m.gained(column)
		return positive(events, "count "+column, why)
	}
	for _, name := range []string{m.manifest.EventsClaim, claimEvents, "events_sent"} {
		if v := m.claim(name); v != nil && name != "" {
			return positive(v, "claim "+name, "")
		}
	}
	if m.sent() == 0 {
		return nil, "", "nobody counted or declared the events"
	}
	events, why = m.claimed("events")
	return positive(events, "ok samples", why)
}

// positive refuses a number of events that nothing can be divided by.
func positive(events *big.Rat, from, why string) (*big.Rat, string, string) {
	if events != nil && events.Sign() <= 0 {
		return nil, from, fmt.Sprintf("no event to divide by: the %s says %s", from, decimal(events))
	}
	return events, from, why
}

// eventColumn is the count of the system that counts events: the one that is
// paired with a claim of events, else one that is called so.
func (m *Measured) eventColumn() string {
	for _, column := range slices.Sorted(maps.Keys(m.manifest.Reconcile)) {
		switch m.manifest.Reconcile[column] {
		case claimEvents, "events_sent", m.manifest.EventsClaim:
			return column
		}
	}
	for _, column := range []string{"events", "rows"} {
		if c := m.manifest.Before; c != nil && c.Values[column] != "" {
			return column
		}
		if c := m.manifest.After; c != nil && c.Values[column] != "" {
			return column
		}
	}
	return ""
}

// sent counts the requests of the load in the window.
func (m *Measured) sent() int64 {
	total := 0.0
	for i := range m.units {
		if u := &m.units[i]; !u.probe && u.scope.Step == "" {
			v, _ := m.Result.value("requests", u.scope)
			total += v
		}
	}
	return int64(total)
}

// costs returns what the load has cost, as far as counters, sizes and declared
// numbers tell (DETECTION 9). Counts and times are different evidence: what is
// counted here may be quoted from a noisy host.
func (m *Measured) costs() []Quantity {
	b := m.base()
	var out []Quantity
	out = append(out, m.commitCosts(b)...)
	out = append(out, m.walCosts(b)...)
	out = append(out, m.callCosts(b)...)
	out = append(out, m.growthCosts(b)...)
	if len(out) > 0 {
		out = slices.Insert(out, 0, b.quantity())
	}
	out = append(out, m.storedSizes()...)
	out = append(out, m.ownQuantities(b)...)
	out = append(out, m.fitQuantities()...)
	out = append(out, m.pruneQuantities()...)
	out = append(out, m.limiterQuantities()...)
	return append(out, m.priceQuantities()...)
}

// quantity is the number of events that costs are divided by.
func (b costBase) quantity() Quantity {
	from := From{Tables: []string{"run.json"}, Method: "events-of-the-load@1", Params: map[string]any{"events_from": b.eventsFrom}}
	if b.events == nil {
		return withhold(quantity("costs.events", detect.Scope{}, 0, "1", -1, from), b.whyEvents)
	}
	return exact("costs.events", b.events, from)
}

// perEvent divides an amount by the events, and perBatch by the batches.
func (b costBase) perEvent(id string, amount *big.Rat, why, unit string, from From) Quantity {
	return divided(id, amount, why, b.events, b.whyEvents, unit, withParam(from, "events_from", b.eventsFrom))
}

func (b costBase) perBatch(id string, amount *big.Rat, why, unit string, from From) Quantity {
	return divided(id, amount, why, b.batches, b.whyBatches, unit, withParam(from, "batches_from", b.batchesFrom))
}

func withParam(from From, name string, value any) From {
	params := map[string]any{name: value}
	maps.Copy(params, from.Params)
	from.Params = params
	return from
}

// divided is a cost: an exact amount over an exact number, or withheld for what
// is not known of either.
func divided(id string, amount *big.Rat, why string, by *big.Rat, whyBy, unit string, from From) Quantity {
	q := quantity(id, detect.Scope{}, 0, unit, -1, from)
	switch {
	case amount == nil:
		return withhold(q, why)
	case by == nil:
		return withhold(q, whyBy)
	}
	n, _ := by.Float64()
	if _, ok := stat.Per(0, n); !ok {
		return withhold(q, "nothing to divide by")
	}
	v, _ := new(big.Rat).Quo(amount, by).Float64()
	return quantity(id, detect.Scope{}, v, unit, int64(n), from)
}

// amount is a counted total, exact, or withheld.
func amountOf(id string, v *big.Rat, why, unit string, from From) Quantity {
	if v == nil {
		return withhold(quantity(id, detect.Scope{}, 0, unit, -1, from), why)
	}
	if unit == "1" {
		return exact(id, v, from)
	}
	f, _ := v.Float64()
	return quantity(id, detect.Scope{}, f, unit, -1, from)
}
