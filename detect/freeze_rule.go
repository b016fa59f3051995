package detect

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	"headroom/stat"
)

// FreezeRule says when a second counts as frozen: its worst latency is over
// Worst, and more than Share of its requests are over Slow. All comparisons are
// strict and done in integers, so that 150.000 ms, 50.000 ms and exactly 10 %
// do not count.
type FreezeRule struct {
	Worst, Slow int64 // ns
	Share       Ratio
	Width       int64 // ns; 1 s in the published rule
	Thin        int   // fewer requests than this make a second thin: evaluated, listed apart, not counted
}

// PublishedFreeze is the rule as capacity documents state it: worst over
// 150 ms and more than 10 % over 50 ms, by whole seconds.
var PublishedFreeze = FreezeRule{
	Worst: 150 * int64(time.Millisecond), Slow: 50 * int64(time.Millisecond),
	Share: Ratio{1, 10}, Width: int64(time.Second), Thin: 20,
}

// worst reports whether a request is one of those without which nothing is frozen.
func (f FreezeRule) worst(latency int64) bool { return latency > f.Worst }

// slow reports whether a request is one of those whose share is asked for.
func (f FreezeRule) slow(latency int64) bool { return latency > f.Slow }

// frozen applies the rule to counts.
func (f FreezeRule) frozen(n, slow, bad int) bool {
	return bad > 0 && f.Share.Below(slow, n)
}

// Ratio is an exact share, Num/Den.
type Ratio struct{ Num, Den int64 }

// ParseRatio reads a decimal number as a ratio: the float64 nearest to 0.1 is
// taken for one tenth, not for the binary fraction.
func ParseRatio(v float64) (Ratio, error) {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	if !ok || !r.Num().IsInt64() || !r.Denom().IsInt64() || r.Denom().Int64() > 1e9 {
		return Ratio{}, fmt.Errorf("%v is not a share with at most 9 decimals", v)
	}
	return Ratio{r.Num().Int64(), r.Denom().Int64()}, nil
}

// Below reports whether part/n is strictly above the ratio.
func (r Ratio) Below(part, n int) bool { return int64(part)*r.Den > int64(n)*r.Num }

// FrozenSeconds is the outcome of the rule on one grid.
type FrozenSeconds struct {
	Seconds  []int64    // indices from the anchor, ascending; thin ones are not in it
	Thin     []int64    // those that meet the rule with fewer than Thin requests
	Episodes [][2]int64 // maximal runs of adjacent Seconds, first and last index
}

// count is what a second holds: requests with a latency, and those over each limit.
type count struct{ n, slow, bad int }

func (f FreezeRule) count(c *count, latency int64) {
	c.n++
	if f.slow(latency) {
		c.slow++
	}
	if f.worst(latency) {
		c.bad++
	}
}

// Frozen applies the rule to a grid of seconds that begins at anchor; at gives
// the instant by which a request is charged to a second.
func (f FreezeRule) Frozen(r *Requests, anchor int64, at Charge) FrozenSeconds {
	counts := map[int64]*count{}
	if at == ByStart { // a second without a request over Worst cannot be frozen
		for _, span := range f.near(r) {
			f.countIn(counts, r.between(span), anchor, at)
		}
	} else {
		f.countIn(counts, r, anchor, at)
	}
	var out FrozenSeconds
	for k, c := range counts {
		out.add(f, k, *c)
	}
	slices.Sort(out.Seconds)
	slices.Sort(out.Thin)
	out.Episodes = Adjacent(out.Seconds)
	return out
}

// countIn counts the requests by the second that they are charged to.
func (f FreezeRule) countIn(counts map[int64]*count, r *Requests, anchor int64, at Charge) {
	var second Span // of the previous request, and
	var of *count   // what it holds
	for c := range r.Chunks() {
		for i, t := range c.Start {
			latency, ok := c.Latency(i)
			if !ok {
				continue
			}
			if at == ByEnd {
				t = c.End(i)
			}
			if of == nil || !second.Contains(t) {
				k := stat.BucketIndex(t, anchor, f.Width)
				second = Span{anchor + k*f.Width, anchor + (k+1)*f.Width}
				if of = counts[k]; of == nil {
					of = new(count)
					counts[k] = of
				}
			}
			f.count(of, latency)
		}
	}
}

// nearness says what near looks for.
type nearness struct {
	of           view
	worst, width int64
}

// near returns the spans, in order, in which requests start that may share a window
// of the rule's width with one over Worst: elsewhere the rule cannot hold, at any
// phase. Spans that are close are one.
func (f FreezeRule) near(r *Requests) []Span {
	key := nearness{r.view(Span{math.MinInt64, math.MaxInt64}), f.Worst, f.Width}
	return kept(r.memo, func(m *memo) map[nearness][]Span { return m.near }, key, func() []Span {
		var out []Span
		for c := range r.Chunks() {
			for i, start := range c.Start {
				latency, ok := c.Latency(i)
				if !ok || !f.worst(latency) {
					continue
				}
				s := Span{start - f.Width, start + f.Width}
				if n := len(out); n > 0 && s.Start <= out[n-1].End+f.Width {
					out[n-1].End = s.End
				} else {
					out = append(out, s)
				}
			}
		}
		return out
	})
}

// add adds a second if the rule holds for it.
func (s *FrozenSeconds) add(f FreezeRule, k int64, c count) {
	switch {
	case !f.frozen(c.n, c.slow, c.bad):
	case c.n < f.Thin:
		s.Thin = append(s.Thin, k)
	default:
		s.Seconds = append(s.Seconds, k)
	}
}

// Adjacent merges ascending indices into maximal runs of neighbours.
func Adjacent(ks []int64) [][2]int64 {
	var out [][2]int64
	for _, k := range ks {
		if n := len(out); n > 0 && out[n-1][1]+1 == k {
			out[n-1][1] = k
			continue
		}
		out = append(out, [2]int64{k, k})
	}
	return out
}

// Charge says by which instant a request is charged to a second.
type Charge int

const (
	// ByStart charges a request to the second it was started in: with an open loop
	// each second then has the same number of requests.
	ByStart Charge = iota
	// ByEnd charges a request to the second it ended in, as k6's own time stamps do.
	ByEnd
)

// phases is how many phases of the grid are looked at.
const phases = 10

// Phases applies the rule to grids that begin at parts of its width after anchor,
// by start, and returns how many seconds each flags. All are counted in one pass:
// between two neighbouring edges of any of the grids a request is charged alike.
func (f FreezeRule) Phases(r *Requests, anchor int64) (seconds [phases]int) {
	var grids [phases]struct {
		second int64
		count
	}
	flush := func(p int) {
		if g := &grids[p]; g.n >= f.Thin && f.frozen(g.n, g.slow, g.bad) {
			seconds[p]++
		}
	}
	var stretch Span // between two edges
	var here count
	charge := func() {
		for p := range grids {
			g := &grids[p]
			if k := stat.BucketIndex(stretch.Start, anchor+int64(p)*f.Width/phases, f.Width); k != g.second {
				flush(p)
				g.second, g.count = k, count{}
			}
			g.n, g.slow, g.bad = g.n+here.n, g.slow+here.slow, g.bad+here.bad
		}
		here = count{}
	}
	for _, span := range f.near(r) {
		for c := range r.between(span).Chunks() {
			for i, start := range c.Start {
				latency, ok := c.Latency(i)
				if !ok {
					continue
				}
				if !stretch.Contains(start) {
					if here.n > 0 {
						charge()
					}
					stretch = f.stretch(start, anchor)
				}
				f.count(&here, latency)
			}
		}
	}
	if here.n > 0 {
		charge()
	}
	for p := range grids {
		flush(p)
	}
	return seconds
}

// stretch returns the neighbouring edges, of any phase of the grid, around t.
func (f FreezeRule) stretch(t, anchor int64) Span {
	begin := anchor + stat.BucketIndex(t, anchor, f.Width)*f.Width
	p := (phases*(t-begin) + phases - 1) / f.Width // the last edge, p·width/phases floored, that is not after t
	return Span{begin + p*f.Width/phases, begin + (p+1)*f.Width/phases}
}
