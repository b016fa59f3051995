package detect

import (
	"fmt"
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

// Frozen applies the rule to a grid of seconds that begins at anchor; at gives
// the instant by which a request is charged to a second.
func (f FreezeRule) Frozen(r *Requests, anchor int64, at func(*Request) int64) FrozenSeconds {
	type count struct{ n, slow, bad int }
	counts := map[int64]*count{}
	var last int64 // the second of the previous request, and
	var c *count   // its counts
	for i := range r.Rows {
		latency, ok := r.Latency(&r.Rows[i])
		if !ok {
			continue
		}
		k := stat.BucketIndex(at(&r.Rows[i]), anchor, f.Width)
		if c == nil || k != last {
			if c = counts[k]; c == nil {
				c = new(count)
				counts[k] = c
			}
			last = k
		}
		c.n++
		if latency > f.Slow {
			c.slow++
		}
		if latency > f.Worst {
			c.bad++
		}
	}
	var out FrozenSeconds
	for k, c := range counts {
		switch {
		case !f.frozen(c.n, c.slow, c.bad):
		case c.n < f.Thin:
			out.Thin = append(out.Thin, k)
		default:
			out.Seconds = append(out.Seconds, k)
		}
	}
	slices.Sort(out.Seconds)
	slices.Sort(out.Thin)
	out.Episodes = Adjacent(out.Seconds)
	return out
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

// ByStart charges a request to the second it was started in: with an open loop
// each second then has the same number of requests.
func ByStart(q *Request) int64 { return q.Start }

// ByEnd charges a request to the second it ended in, as k6's own time stamps do.
func ByEnd(q *Request) int64 { return q.End() }
