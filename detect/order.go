package detect

import (
	"math"
	"slices"

	"headroom/runs/ordered"
)

// ends calls fn with the ends of the requests in ascending order, part by part: of
// all, or of those that have a latency. It returns how long the longest of these
// lasted in ns, at least 0.
func (r *Requests) ends(withLatency bool, fn func([]ordered.Pair)) (longest int64) {
	s := ordered.NewStream(fn)
	for c := range r.Chunks() {
		for i, start := range c.Start {
			if _, ok := c.Latency(i); ok || !withLatency {
				end := c.End(i)
				longest = max(longest, end-start)
				s.Add(end, 0, plus(start, -r.extent.back))
			}
		}
	}
	s.Close()
	return longest
}

// sent calls fn with the instants at which the requests were sent, and at which
// one was due and given up, in ascending order: the signs of life of the generator.
func (r *Requests) sent(fn func([]ordered.Pair)) {
	s := ordered.NewStream(fn)
	given := mergedUp(r.Dropped, r.Skipped)
	for c := range r.Chunks() {
		for i, start := range c.Start {
			for len(given) > 0 && given[0] <= start {
				s.Add(given[0], 0, given[0])
				given = given[1:]
			}
			s.Add(c.Sent(i), 0, start)
		}
	}
	for _, t := range given {
		s.Add(t, 0, t)
	}
	s.Close()
}

// mergedUp returns the instants of both, ascending.
func mergedUp(a, b []int64) []int64 {
	if len(b) == 0 {
		return a
	}
	out := slices.Concat(a, b)
	slices.Sort(out)
	return out
}

// What happens to the number of requests in flight, in the order in which it does
// at one instant: one that ends as another is sent has ended.
const (
	asked = iota // somebody asks how many are in flight just before
	ended
	begun
	kinds
)

// moments puts what happens to requests in flight in order of time.
type moments struct {
	*ordered.Stream
	first int64 // instants count from here, so that their kind fits in beside them
	back  int64
}

// farOff is where instants end that are too far from the first: some 18 years.
const farOff = math.MaxInt64 / 16

// moments calls fn with each moment: what happens, and the value that was added.
func (r *Requests) moments(fn func(kind int, value int64)) moments {
	m := moments{first: plus(r.First(), -r.extent.back), back: r.extent.back}
	m.Stream = ordered.NewStream(func(ps []ordered.Pair) {
		for _, p := range ps {
			fn(int(p.Key%kinds), p.Value)
		}
	})
	return m
}

// add adds a moment of a request that started at start.
func (m moments) add(t int64, kind int, value, start int64) {
	m.Add(m.key(t)+int64(kind), value, m.key(plus(start, -m.back)))
}

func (m moments) key(t int64) int64 { return kinds * min(max(t-m.first, 0), farOff) }

// PeakInFlight returns the largest number of requests that were started and had not
// ended at one instant of the span; one that ends as another begins has ended. of is
// how many requests were looked at.
func (r *Requests) PeakInFlight(span Span) (n int, of int64) {
	return r.between(Span{plus(span.Start, -r.extent.longest), span.End}).peak(func(c *Chunk, i int) (int64, bool) {
		end := c.End(i)
		return c.Start[i], end > span.Start && end > c.Start[i]
	})
}

// peak returns the largest number of requests in flight at once, each from the
// instant that begins gives, of those that it counts.
func (r *Requests) peak(begins func(c *Chunk, i int) (int64, bool)) (n int, of int64) {
	now := 0
	m := r.moments(func(kind int, _ int64) {
		if kind == ended {
			now--
		} else {
			now++
			n = max(n, now)
		}
	})
	for c := range r.Chunks() {
		for i, start := range c.Start {
			if t, ok := begins(c, i); ok {
				of++
				m.add(t, begun, 0, start)
				m.add(c.End(i), ended, 0, start)
			}
		}
	}
	m.Close()
	return n, of
}

// LongestGaps returns the longest distance between neighbouring starts of the
// requests, and between neighbouring ends, the first of equals; empty for fewer than
// two.
func (r *Requests) LongestGaps() (starts, ends Span) {
	var s, e longest
	for c := range r.Chunks() {
		for _, start := range c.Start {
			s.add(start)
		}
	}
	r.ends(false, func(ps []ordered.Pair) {
		for _, p := range ps {
			e.add(p.Key)
		}
	})
	return s.Span, e.Span
}

// longest finds the longest gap between ascending instants, the first of equals.
type longest struct {
	Span
	last int64
	any  bool
}

func (g *longest) add(t int64) {
	if g.any && t-g.last > g.Len() {
		g.Span = Span{g.last, t}
	}
	g.last, g.any = t, true
}
