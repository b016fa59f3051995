package detect

import "math"

// memo keeps what several rules ask of the requests of one table.
type memo struct {
	buckets map[bucketing]*Bucketed
	near    map[nearness][]Span
}

func newMemo() *memo {
	return &memo{buckets: map[bucketing]*Bucketed{}, near: map[nearness][]Span{}}
}

// kept returns what is kept under a key, which is computed if it is not there.
func kept[K comparable, V any](m *memo, of func(*memo) map[K]V, key K, compute func() V) V {
	if m == nil {
		return compute()
	}
	v, ok := of(m)[key]
	if !ok {
		v = compute()
		of(m)[key] = v
	}
	return v
}

// view says which requests of a table are looked at.
type view struct {
	from, to int
	ending   Span // all of time, if any end will do
	response bool // the basis of latencies
}

// view returns that of the requests of r that start in the span.
func (r *Requests) view(s Span) view {
	v := view{ending: Span{math.MinInt64, math.MaxInt64}, response: r.Response}
	v.from, v.to = r.cut(s)
	if r.ending != nil {
		v.ending = *r.ending
	}
	return v
}
