package analyze

import (
	"iter"
	"math"

	"headroom/detect"
	"headroom/stat"
)

// delivered compares what was sent and answered with what was offered.
func (m *Measured) delivered(u *unit, t *tally, from From) []Quantity {
	rate := m.offered(u)
	if rate <= 0 || u.probe || u.window.length <= 0 {
		return nil
	}
	from.Method, from.Params = "delivered@1", map[string]any{"offered": rate}
	share, method := shareOfRate(t.requests, u.window.length, rate), from.Method
	if !u.window.declared {
		if paced := shareAtPace(u.all, rate); !math.IsNaN(paced) {
			share, from.Method = paced, "delivered-pace@1"
		}
	}
	ratio := quantity("delivered.ratio", u.scope, share, "1", t.requests, from)
	from.Method = method
	ratio.Display = Percent(*ratio.Value)
	if *ratio.Value > 1+agrees {
		ratio.Warnings = append(ratio.Warnings, "over 100 %: more was sent than the declared rate, which did not pace this load")
	}
	return []Quantity{
		quantity("offered", u.scope, rate, "1/s", -1, from), ratio,
		quantity("delivered", u.scope, shareOfRate(t.events, u.window.length, 1), "events/s", t.requests, from).counting(rateUnit(t.events != t.ok)),
	}
}

// paceEdge is one over the share of the answers at either end that says nothing of
// their pace: a slow first or last request is not a rate.
const paceEdge = 100

// shareAtPace returns which share of an offered rate was sent and answered, where no
// window was declared. The time from the first start to the last end has one latency
// more than the load that was offered, so starts are counted over the time of the
// starts (those that were due and not sent mark it too), and answers over the time of
// the answers; the lower share counts: what is answered more slowly than it is sent
// piles up. It is NaN where there is no pace: fewer than two requests, or all at once.
func shareAtPace(r *detect.Requests, rate float64) float64 {
	n := r.Len()
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for c := range r.Chunks() {
		for _, start := range c.Start {
			first, last = min(first, start), max(last, start)
		}
	}
	for _, unsent := range [][]int64{r.Dropped, r.Skipped} {
		for _, due := range unsent {
			first, last = min(first, due), max(last, due)
		}
	}
	if n < 2 || last <= first {
		return math.NaN()
	}
	sent := shareOfRate(int64(n-1), last-first, rate)
	low := max(n/paceEdge, 1)
	high := n + 1 - low
	ends := stat.NewSelection(heldValues)
	for part := range endsOf(r) {
		ends.Add(part...)
	}
	if err := ends.FindIn(endsOf(r), low, high); err != nil || ends.At(high) <= ends.At(low) {
		return math.NaN()
	}
	return min(sent, shareOfRate(int64(high-low), ends.At(high)-ends.At(low), rate))
}

// endsOf gives when the requests ended, part by part; it can be read several times.
func endsOf(r *detect.Requests) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		var ends []int64
		for c := range r.Chunks() {
			ends = ends[:0]
			for i := range c.Start {
				ends = append(ends, c.End(i))
			}
			if !yield(ends) {
				return
			}
		}
	}
}
