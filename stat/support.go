package stat

import (
	"fmt"

	"headroom/internal/thousands"
)

// Support says whether n samples support a p-quantile. Below 1/(1-p) samples
// they do not: a p99 of 57 values is their maximum under another name, and is
// withheld (ok is false, note says why). From there to the least n of a
// two-sided bound the figure carries the note "no upper bound at 95 %". Above
// it the note is empty.
//
// A quantile below the median is judged by its lower tail instead, likewise.
// The minimum and the maximum (p = 0, 1) only need a sample.
func Support(p P, n int) (ok bool, note string) {
	if n <= 0 {
		return false, ErrNoSamples.Error()
	}
	if !inside(p) {
		return true, ""
	}
	tail, side := p.complement(), "upper"
	if tail.num > p.num { // the same denominator
		tail, side = p, "lower"
	}
	if need := leastIn(tail); n < need {
		return false, fmt.Sprintf("%v needs at least %s samples, there are %s", p, thousands.Group(fmt.Sprint(need)), thousands.Group(fmt.Sprint(n)))
	}
	if n < MinSamples(tail.complement(), P95, TwoSided) {
		return true, fmt.Sprintf("no %s bound at 95 %%", side)
	}
	return true, ""
}

// leastIn returns the least n with n·p ≥ 1, for p > 0.
func leastIn(p P) int {
	n := p.den() / p.num
	if p.den()%p.num > 0 {
		n++
	}
	return int(n)
}
