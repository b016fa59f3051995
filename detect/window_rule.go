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
	return r.Bucketed(span, width, AnyOutcome).P99
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

// phasesOf is Phases of a span whose p99s at every position of a lattice of the
// step are known; ok is false if the phases do not lie on it.
func (w WindowRule) phasesOf(p99 []int64, step int64, n int) (seen int, ok bool) {
	apart := w.Width / int64(n)
	if step <= 0 || apart*int64(n) != w.Width || apart%step != 0 {
		return 0, false
	}
	for p := range n {
		var buckets []int64
		for i := p * int(apart/step); i < len(p99); i += int(w.Width / step) {
			buckets = append(buckets, p99[i])
		}
		if len(w.Slow(buckets).Windows) > 0 {
			seen++
		}
	}
	return seen, true
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
	return w.slide(slidingP99(r, span, w.Width, step), span, step)
}

// slide applies the rule to the p99s at the positions of the lattice.
func (w WindowRule) slide(p99 []int64, span Span, step int64) Sliding {
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
// span's start, as long as the window fits. It holds the requests of one window.
func slidingP99(r *Requests, span Span, width, step int64) []int64 {
	if span.Len() < width || step <= 0 {
		return nil
	}
	window := stat.NewSliding()
	var starts []int64 // of what is in the window; the first gone have left
	gone := 0
	out := make([]int64, 0, (span.Len()-width)/step+1)
	t := span.Start // the next position
	look := func() {
		for ; gone < len(starts) && starts[gone] < t; gone++ {
			window.Pop()
		}
		p99 := Empty
		if n := window.Len(); n > 0 {
			p99 = window.At(stat.Rank(stat.P99, n))
		}
		out = append(out, p99)
		t += step
		if gone > len(starts)/2 {
			starts, gone = slices.Delete(starts, 0, gone), 0
		}
	}
	for c := range r.between(span).Chunks() {
		for i, start := range c.Start {
			for start >= t+width && t+width <= span.End {
				look()
			}
			if latency, ok := c.Latency(i); ok {
				window.Push(latency)
				starts = append(starts, start)
			}
		}
	}
	for t+width <= span.End {
		look()
	}
	return out
}

// Contaminated reports whether the median bucket p99 is no baseline: it is over
// 1.5 times the median of the per-second p99s of seconds that are neither
// frozen nor next to a frozen one (DETECTION 3.7). ok is false when there is no
// such second. Where no second is frozen, nothing contaminates the buckets: the p99
// of a second with few requests is then below that of ten seconds by its count alone.
func Contaminated(buckets SlowWindows, seconds []int64, frozen []int64) (void, ok bool) {
	if len(frozen) == 0 {
		return false, true
	}
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
