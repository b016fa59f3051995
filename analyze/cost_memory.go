package analyze

import (
	"strings"

	"headroom/detect"
)

// Numbers that say what bounds the memory of the system; see claimBatches. A
// factor that nobody declared is not bounded.
const (
	claimMemory           = "memory."
	claimMemoryConcurrent = "memory.concurrent"      // batches that may be held at once
	claimMemoryBatch      = "memory.batch_events"    // events that a batch may have
	claimMemoryEvent      = "memory.bytes_per_event" // bytes that an event takes; else what was allocated for one
)

// factor is one factor of a product that bounds something.
type factor struct {
	name  string
	value float64
	known bool
}

// ceiling multiplies factors. One that is not bounded makes the product unbounded,
// however small the others are.
func ceiling(factors []factor) (product float64, unbounded []string) {
	product = 1
	for _, f := range factors {
		if !f.known {
			unbounded = append(unbounded, f.name)
			continue
		}
		product *= f.value
	}
	return product, unbounded
}

// memoryQuantities bounds the memory that events can take: concurrent batches ×
// events of a batch × bytes of an event (DETECTION 9.4).
func (m *Measured) memoryQuantities(costs []Quantity) []Quantity {
	declared := false
	for name := range m.manifest.Claims {
		declared = declared || strings.HasPrefix(name, claimMemory)
	}
	if !declared {
		return nil
	}
	from := From{Tables: []string{"run.json"}, Method: "product@1", Params: map[string]any{}}
	factors := []factor{{name: "batches held at once"}, {name: "events of a batch"}, {name: "bytes of an event"}}
	for i, claim := range []string{claimMemoryConcurrent, claimMemoryBatch, claimMemoryEvent} {
		factors[i].value, factors[i].known = m.claimValue(claim)
	}
	if each := find(costs, "allocated.bytes_per_event"); !factors[2].known && each != nil && each.Value != nil {
		factors[2].value, factors[2].known = *each.Value, true
	}
	for _, f := range factors {
		if f.known {
			from.Params[f.name] = f.value
		}
	}
	product, unbounded := ceiling(factors)
	q := quantity("memory.bound", detect.Scope{}, product, "B", -1, from)
	if len(unbounded) > 0 {
		return []Quantity{withhold(q, "no ceiling: "+strings.Join(unbounded, " and ")+" not bounded")}
	}
	q.Bound = AtMost
	return []Quantity{q}
}

// find returns the quantity of an id among some of the whole run, nil if there is none.
func find(qs []Quantity, id string) *Quantity {
	for i := range qs {
		if qs[i].ID == id && (qs[i].Scope == detect.Scope{}) {
			return &qs[i]
		}
	}
	return nil
}
