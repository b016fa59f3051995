package detect

import (
	"slices"
	"sort"
	"time"

	"headroom/stat"
)

// WindowRule says which buckets of time are slow: those whose p99 is over
// Factor times the median of all buckets' p99s. Two in a row make a window.
type WindowRule struct {
	Width       int64 // ns; 10 s in the published rule
	Factor      int64 // 3
	Consecutive int   // 2
}

// PublishedWindow is the rule as capacity documents state it: at least two
// consecutive ten-second buckets with a p99 above three times the run's median.
var PublishedWindow = WindowRule{Width: 10 * int64(time.Second), Factor: 3, Consecutive: 2}

// Empty marks a bucket without a request: it has no p99 and breaks a run.
const Empty int64 = -1

// SlowWindows is the outcome of the rule on one grid of buckets.
type SlowWindows struct {
	P99     []int64    // ns, of each full bucket; Empty where there was no request
	Median2 int64      // twice the median of P99 (so that the mean of the middle two stays exact), 0 if there is none
	Windows [][2]int64 // first and last bucket of each window
	Worst   int64      // ns, the highest P99; Empty if there is none
}

// Median returns the median p99 in ns.
func (s SlowWindows) Median() float64 { return float64(s.Median2) / 2 }

// Buckets returns the p99 of every full bucket of the span, by start.
func Buckets(r *Requests, span Span, width int64) []int64 {
	n := span.Len() / width
	if n <= 0 {
		return nil
	}
	out := make([]int64, n)
	var latencies []int64 // of one bucket
	rows := r.Starting(Span{span.Start, span.Start + n*width}).Rows
	for k := range out {
		latencies = latencies[:0]
		end := span.Start + int64(k+1)*width
		for len(rows) > 0 && rows[0].Start < end {
			if latency, ok := r.Latency(&rows[0]); ok {
				latencies = append(latencies, latency)
			}
			rows = rows[1:]
		}
		out[k] = Empty
		if q, err := stat.Quantiles(latencies, stat.P99); err == nil {
			out[k] = q[0]
		}
	}
	return out
}

// Slow applies the rule to buckets' p99s.
func (w WindowRule) Slow(p99 []int64) SlowWindows {
	s := SlowWindows{P99: p99, Worst: Empty, Median2: median2(p99)}
	var slow []int64
	for k, v := range p99 {
		s.Worst = max(s.Worst, v)
		if v != Empty && 2*v > w.Factor*s.Median2 {
			slow = append(slow, int64(k))
		}
	}
	for _, run := range Adjacent(slow) {
		if run[1]-run[0]+1 >= int64(w.Consecutive) {
			s.Windows = append(s.Windows, run)
		}
	}
	return s
}

// median2 is twice the median of the values that are not Empty.
func median2(vs []int64) int64 {
	var full []int64
	for _, v := range vs {
		if v != Empty {
			full = append(full, v)
		}
	}
	if len(full) == 0 {
		return 0
	}
	slices.Sort(full)
	m := len(full) / 2
	if len(full)%2 == 1 {
		return 2 * full[m]
	}
	return full[m-1] + full[m]
}

// Phases counts at how many of n phases of the grid, moved by equal parts of the
// width, the rule sees a window in the span.
func (w WindowRule) Phases(r *Requests, span Span, n int) int {
	seen := 0
	for p := range n {
		moved := Span{span.Start + int64(p)*w.Width/int64(n), span.End}
		if len(w.Slow(Buckets(r, moved, w.Width)).Windows) > 0 {
			seen++
		}
	}
	return seen
}

// Sliding is the outcome of the rule with a window that slides instead of a grid.
type Sliding struct {
	Worst   int64  // ns, the highest p99 of any position; Empty if the span is shorter than the window
	Windows []Span // merged intervals in which Consecutive windows in a row are slow
}

// Sliding applies the rule at every position of a lattice of the given step
// from the span's start: two windows in a row are slow when both [t, t+Width)
// and [t+Width, t+2 Width) are.
func (w WindowRule) Sliding(r *Requests, span Span, step int64) Sliding {
	p99 := slidingP99(r, span, w.Width, step)
	out := Sliding{Worst: Empty}
	for _, v := range p99 {
		out.Worst = max(out.Worst, v)
	}
	m2 := median2(p99)
	slow := func(i int) bool { return i < len(p99) && p99[i] != Empty && 2*p99[i] > w.Factor*m2 }
	stride := int(w.Width / step)
	for i := range p99 {
		all := true
		for c := range w.Consecutive {
			all = all && slow(i+c*stride)
		}
		if !all {
			continue
		}
		start := span.Start + int64(i)*step
		found := Span{start, start + int64(w.Consecutive)*w.Width}
		if n := len(out.Windows); n > 0 && found.Start <= out.Windows[n-1].End {
			out.Windows[n-1].End = found.End
		} else {
			out.Windows = append(out.Windows, found)
		}
	}
	return out
}

// slidingP99 returns the p99 of [t, t+width) for t on the lattice from the
// span's start, as long as the window fits. Latencies are replaced by their
// ranks and counted in a binary indexed tree (Fenwick 1994), so that moving the
// window costs log n a request.
func slidingP99(r *Requests, span Span, width, step int64) []int64 {
	if span.Len() < width || step <= 0 {
		return nil
	}
	rows := withLatency(r.Starting(span))
	values := make([]int64, len(rows))
	for i, q := range rows {
		values[i] = q.latency
	}
	slices.Sort(values)
	values = slices.Compact(values)
	rankOf := func(latency int64) int { i, _ := slices.BinarySearch(values, latency); return i + 1 }

	tree := make(counts, len(values)+1)
	var out []int64
	in, gone := 0, 0
	for t := span.Start; t+width <= span.End; t += step {
		for ; in < len(rows) && rows[in].start < t+width; in++ {
			tree.add(rankOf(rows[in].latency), 1)
		}
		for ; gone < in && rows[gone].start < t; gone++ {
			tree.add(rankOf(rows[gone].latency), -1)
		}
		if in == gone {
			out = append(out, Empty)
			continue
		}
		out = append(out, values[tree.find(stat.Rank(stat.P99, in-gone))-1])
	}
	return out
}

// counts is a binary indexed tree of counts, 1-based.
type counts []int

func (c counts) add(i, by int) {
	for ; i < len(c); i += i & -i {
		c[i] += by
	}
}

// find returns the smallest index at which the running total reaches k.
func (c counts) find(k int) int {
	i, bit := 0, 1
	for bit*2 < len(c) {
		bit *= 2
	}
	for ; bit > 0; bit /= 2 {
		if i+bit < len(c) && c[i+bit] < k {
			i += bit
			k -= c[i]
		}
	}
	return i + 1
}

// Contaminated reports whether the median bucket p99 is no baseline: it is over
// 1.5 times the median of the per-second p99s of seconds that are neither
// frozen nor next to a frozen one (DETECTION 3.7). ok is false when there is no
// such second.
func Contaminated(buckets SlowWindows, seconds []int64, frozen []int64) (void, ok bool) {
	var quiet []int64
	for k, v := range seconds {
		i := sort.Search(len(frozen), func(i int) bool { return frozen[i] >= int64(k)-1 })
		if i < len(frozen) && frozen[i] <= int64(k)+1 {
			continue
		}
		quiet = append(quiet, v)
	}
	m2 := median2(quiet)
	if m2 == 0 || buckets.Median2 == 0 {
		return false, false
	}
	return 2*buckets.Median2 > 3*m2, true
}
