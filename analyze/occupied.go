package analyze

import (
	"iter"

	"headroom/detect"
	"headroom/stat"
)

// occupied finds the longest stretch of a window without an instant, among those
// that are longer than width: it keeps the first and the last instant of each width,
// in whatever order they come.
type occupied struct {
	window detect.Span
	width  int64
	parts  []extremes
	any    bool
}

// extremes are the first and the last instant of a part of the window.
type extremes struct {
	first, last int64
	any         bool
}

func (o *occupied) add(t int64) {
	if !o.window.Contains(t) {
		return
	}
	k := (t - o.window.Start) / o.width
	if o.parts == nil {
		o.parts = make([]extremes, o.window.Len()/o.width+1)
	}
	if e := &o.parts[k]; e.any {
		e.first, e.last = min(e.first, t), max(e.last, t)
	} else {
		*e = extremes{t, t, true}
	}
	o.any = true
}

// longestGap returns where the longest stretch begins and how long it is; one that is
// not longer than the width may be shorter than the longest.
func (o *occupied) longestGap() (at, longest int64) {
	at, last := o.window.Start, o.window.Start
	to := func(t int64) {
		if t-last > longest {
			at, longest = last, t-last
		}
	}
	for _, e := range o.parts {
		if e.any {
			to(e.first)
			last = e.last
		}
	}
	to(o.window.End)
	return at, longest
}

// medianGap returns the median of gaps that can be read several times, and how many
// there are.
func medianGap(gaps iter.Seq[[]int64]) (median float64, n int) {
	s := stat.NewSelection(heldValues)
	for part := range gaps {
		s.Add(part...)
	}
	if n = s.N(); n == 0 {
		return 0, 0
	}
	lower, upper := (n+1)/2, n/2+1 // one rank if the count is odd
	if err := s.FindIn(gaps, lower, upper); err != nil {
		return 0, 0
	}
	return medianOf([]float64{float64(s.At(lower)), float64(s.At(upper))}), n
}
