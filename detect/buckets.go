package detect

import (
	"headroom/stat"
)

// Bucketed are quantiles of the latencies in full buckets of a span, by start.
type Bucketed struct {
	N        []int   // latencies
	P50, P99 []int64 // ns; Empty where there is none
}

// bucketing says which buckets, of which requests.
type bucketing struct {
	of     view
	span   Span
	width  int64
	onlyOK bool
}

// Bucketed returns the quantiles of the full buckets of the span, of all latencies
// or of those of requests that ended well. They are kept: several rules look at the
// same. The latencies of one bucket are in memory.
func (r *Requests) Bucketed(span Span, width int64, onlyOK bool) *Bucketed {
	of := bucketing{r.view(span), span, width, onlyOK && !r.extent.allOK}
	return kept(r.memo, func(m *memo) map[bucketing]*Bucketed { return m.buckets }, of, func() *Bucketed { return r.buckets(of) })
}

func (r *Requests) buckets(of bucketing) *Bucketed {
	n := max(of.span.Len()/of.width, 0)
	b := &Bucketed{N: make([]int, n), P50: make([]int64, n), P99: make([]int64, n)}
	for k := range n {
		b.P50[k], b.P99[k] = Empty, Empty
	}
	var latencies []int64 // of bucket k, which ends at end
	k, end := int64(0), of.span.Start+of.width
	flush := func() {
		if q, err := stat.Quantiles(latencies, stat.P50, stat.P99); err == nil {
			b.N[k], b.P50[k], b.P99[k] = len(latencies), q[0], q[1]
		}
		latencies = latencies[:0]
	}
	for c := range r.between(Span{of.span.Start, of.span.Start + n*of.width}).Chunks() {
		for i, start := range c.Start {
			if start >= end {
				flush()
				k = (start - of.span.Start) / of.width
				end = of.span.Start + (k+1)*of.width
			}
			if ns, ok := c.Latency(i); ok && (!of.onlyOK || c.OK(i)) {
				latencies = append(latencies, ns)
			}
		}
	}
	if n > 0 {
		flush()
	}
	return b
}
