package analyze

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	"headroom/detect"
	"headroom/internal/thousands"
)

// pair is a count taken from the system beside the claim that it must equal.
type pair struct {
	column, claim     string
	gained, claimed   *big.Rat // nil if not known
	whyGain, whyClaim string
	// partial says why the generator may have sent more than it is known to
	// claim, "" where the claim is whole.
	partial string
}

func (p pair) outcome() Outcome {
	switch {
	case p.gained == nil || p.claimed == nil:
		return Unknown
	case p.partial != "" && p.gained.Cmp(p.claimed) >= 0:
		return Unknown // what is missing of the claim may be the difference
	case p.gained.Cmp(p.claimed) == 0:
		return Pass
	}
	return Fail
}

// why says what is missing, or in which direction the two differ.
func (p pair) why() string {
	switch {
	case p.gained == nil:
		return p.whyGain
	case p.claimed == nil:
		return p.whyClaim
	case p.partial != "" && p.gained.Cmp(p.claimed) >= 0:
		return p.partial
	case p.gained.Cmp(p.claimed) < 0:
		return "the system holds less than was claimed"
	case p.gained.Cmp(p.claimed) > 0:
		return "the system holds more than was claimed"
	}
	return ""
}

// pairs returns the declared pairs, by column.
func (m *Measured) pairs() []pair {
	var out []pair
	for _, column := range slices.Sorted(maps.Keys(m.manifest.Reconcile)) {
		p := pair{column: column, claim: m.manifest.Reconcile[column]}
		p.gained, p.whyGain = m.gained(column)
		p.claimed, p.whyClaim = m.claimed(p.claim)
		p.partial = m.lacking(nil)
		out = append(out, p)
	}
	return out
}

// gained returns the difference of a count column after and before the load.
func (m *Measured) gained(column string) (*big.Rat, string) {
	before, after := m.manifest.Before, m.manifest.After
	switch {
	case before == nil && after == nil:
		return nil, "no counts were taken from the system"
	case before == nil:
		return nil, "no count was taken before the load"
	case after == nil:
		return nil, "no count was taken after the load"
	}
	if why := m.misplaced(); why != "" {
		return nil, why
	}
	b, okB := new(big.Rat).SetString(before.Values[column])
	a, okA := new(big.Rat).SetString(after.Values[column])
	if !okA || !okB {
		return nil, fmt.Sprintf("the counts have no number in a column %q", column)
	}
	return a.Sub(a, b), ""
}

// countSlack is how far into the load, in ns, a count may be stamped: stamps to the
// second, and two clocks that differ a little.
const countSlack = int64(time.Second)

// misplaced says that a count was taken while the load was on, by its own stamp: what
// the load did before the count before it, or after the count after it, is in no
// difference. It is "" where the stamps lie around the load, or nothing is stamped.
func (m *Measured) misplaced() string {
	at := func(stamp string) (int64, bool) {
		t, err := time.Parse(time.RFC3339Nano, stamp)
		return t.UnixNano(), err == nil
	}
	first, okFirst := at(m.manifest.First)
	before, okBefore := at(m.manifest.Before.At)
	after, okAfter := at(m.manifest.After.At)
	if okFirst && okBefore && before > first+countSlack {
		return fmt.Sprintf("the counts before the load are stamped %s after its first request (%s): what it did until then is not known", Display(float64(before-first)/1e9, "s"), m.manifest.Before.At)
	}
	if okAfter {
		if n := m.begunAfter(after + countSlack); n > 0 {
			return fmt.Sprintf("%s began after the counts after the load were stamped (%s): what they did is not known", CountOf(n, "request"), m.manifest.After.At)
		}
	}
	return ""
}

// begunAfter counts the requests of the load that began after an instant. One in flight
// may be counted already; one that is not begun cannot.
func (m *Measured) begunAfter(ns int64) (n int64) {
	for _, r := range m.scenarios {
		if !m.probes[r.Scenario] {
			n += int64(r.Starting(detect.Span{Start: ns, End: math.MaxInt64}).Len())
		}
	}
	return n
}

// claimed returns what the generator says it did. "events" and "requests"
// without a claim of that name are those of the ok samples of the load.
func (m *Measured) claimed(name string) (*big.Rat, string) {
	if text, ok := m.manifest.Claims[name]; ok {
		if v, ok := new(big.Rat).SetString(text); ok {
			return v, ""
		}
		return nil, fmt.Sprintf("the claim %s is no number: %q", name, text)
	}
	if name != "events" && name != "requests" {
		return nil, fmt.Sprintf("the generator claims no %s", name)
	}
	if why := m.lacking(nil); why != "" {
		return nil, why
	}
	total := 0.0
	for i := range m.units {
		if u := &m.units[i]; !u.probe && u.scope.Step == "" {
			id := name
			if name == "requests" {
				id = "samples"
			}
			v, _ := m.Result.value(id, u.scope)
			total += v
		}
	}
	return new(big.Rat).SetFloat64(total), ""
}

// reconciliation returns claims and gains, and withholds the rates of a run
// that claims what the system does not hold.
func (m *Measured) reconciliation() []Quantity {
	var out []Quantity
	from := From{Method: "difference@1"}
	m.Result.Miscounted, m.Result.Uncovered = m.miscounted(), m.uncovered()
	for _, name := range slices.Sorted(maps.Keys(m.manifest.Claims)) {
		if v, ok := new(big.Rat).SetString(m.manifest.Claims[name]); ok {
			out = append(out, exact("claimed."+name, v, From{Method: "sum@1", Tables: []string{"run.json"}}))
		}
	}
	if m.manifest.Before != nil && m.manifest.After != nil {
		from.Tables = []string{"run.json"}
		for _, column := range slices.Sorted(maps.Keys(m.manifest.After.Values)) {
			if v, _ := m.gained(column); v != nil {
				out = append(out, exact("gained."+column, v, from))
			}
		}
	}
	for _, p := range m.pairs() {
		if p.gained == nil {
			out = append(out, withhold(quantity("gained."+p.column, detect.Scope{}, 0, "1", -1, from), p.whyGain))
		}
		if p.outcome() == Fail {
			m.withholdRates(fmt.Sprintf("not reconciled: %s gained %s, %s claimed %s", p.column, decimal(p.gained), p.claim, decimal(p.claimed)))
		}
	}
	if why := m.Result.Miscounted + m.Result.Uncovered; why != "" {
		m.withholdRates(why)
	}
	m.warnOfPairs()
	return append(out, m.meanEvents()...)
}

// warnOfPairs says of each declared pair that cannot be told what it lacks: a
// name that nobody knows is a slip more often than not.
func (m *Measured) warnOfPairs() {
	for _, p := range m.pairs() {
		if p.outcome() == Unknown {
			m.Result.Warnings = append(m.Result.Warnings, fmt.Sprintf("reconcile %s=%s cannot be told: %s", p.column, p.claim, p.why()))
		}
	}
}

// meanEvents shows how many events a request carried, where the generator
// counts them itself. It is never written into samples.
func (m *Measured) meanEvents() []Quantity {
	if m.manifest.EventsClaim == "" {
		return nil
	}
	claim, _ := m.claimed(m.manifest.EventsClaim)
	samples, _ := m.claimed("requests")
	if claim == nil || samples == nil || samples.Sign() == 0 {
		return nil
	}
	n, _ := samples.Float64()
	v, _ := new(big.Rat).Quo(claim, samples).Float64()
	q := quantity("events.per_sample", detect.Scope{}, v, "1", int64(n), From{Tables: []string{"run.json", "samples"}, Method: "claim-over-ok-samples@1"})
	if !m.countsEvents() && v != 1 {
		q.Warnings = append(q.Warnings, fmt.Sprintf("the generator claims %s events in %s requests; rates and fleets here count requests: say how many events one carries (--events) to count events", decimal(claim), decimal(samples)))
		m.Result.Warnings = append(m.Result.Warnings, q.Warnings...)
	}
	return []Quantity{q}
}

// withholdRates takes away every figure that rests on the events having arrived.
func (m *Measured) withholdRates(why string) {
	for i := range m.Result.Quantities {
		switch q := &m.Result.Quantities[i]; q.ID {
		case "throughput", "throughput.requests":
			if !m.probes[q.Scope.Scenario] {
				*q = withhold(*q, why)
			}
		}
	}
}

// exact makes a quantity of a rational number, printed without rounding.
func exact(id string, v *big.Rat, from From) Quantity {
	f, _ := v.Float64()
	q := quantity(id, detect.Scope{}, f, "1", -1, from)
	q.Display = decimal(v)
	return q
}

// decimal writes a rational number whose denominator divides a power of ten.
func decimal(v *big.Rat) string {
	if n, ok := v.FloatPrec(); ok {
		return thousands.Group(v.FloatString(n))
	}
	f, _ := v.Float64()
	return thousands.Group(strconv.FormatFloat(f, 'g', -1, 64))
}
