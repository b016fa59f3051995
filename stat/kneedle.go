package stat

import (
	"fmt"
	"slices"
)

// Curve is the shape that Kneedle looks for a bend in.
type Curve struct {
	Convex     bool // an elbow rather than a knee
	Decreasing bool
	// Sensitivity is how many mean steps the curve must fall below a bend before
	// it counts: 1 in the paper.
	Sensitivity float64
	// Online lets later bends replace the first.
	Online bool
}

// Bends is what Kneedle found.
type Bends struct {
	Knee *float64  // x of the bend; nil if none
	All  []float64 // x of every bend found, ascending
}

// Kneedle finds the bend of a curve (Satopaa, Albrecht, Irwin & Raghavan 2011),
// as the Python package kneed does: the first point of a plateau counts as a
// maximum. x must ascend. It looks free of parameters, but both axes are scaled
// by their range, so the answer depends on how far a sweep went: it labels a
// chart and decides nothing.
func Kneedle(x, y []float64, c Curve) (Bends, error) {
	if err := checkPoints(x, y); err != nil {
		return Bends{}, err
	}
	for i := 1; i < len(x); i++ {
		if x[i] <= x[i-1] {
			return Bends{}, fmt.Errorf("x %v follows %v: want ascending x", x[i], x[i-1])
		}
	}
	nx, ny := unit(x), unit(y)
	if ny == nil {
		return Bends{}, nil // flat
	}
	// Turn every shape into a concave, increasing one.
	switch {
	case c.Decreasing && !c.Convex:
		slices.Reverse(ny)
	case c.Decreasing:
		flip(ny)
	case c.Convex:
		flip(ny)
		slices.Reverse(ny)
	}
	diff := ny
	for i := range diff {
		diff[i] -= nx[i]
	}
	step := c.Sensitivity / float64(len(x)-1) // times the mean step of x, whose range is 1
	var b Bends
	threshold, bend, seen := 0.0, 0, false
	for i := range len(diff) - 1 {
		left, right := diff[max(i-1, 0)], diff[i+1]
		if diff[i] >= left && diff[i] >= right {
			threshold, bend, seen = diff[i]-step, i, true
		}
		if !seen {
			continue
		}
		if diff[i] <= left && diff[i] <= right {
			threshold = 0
		}
		if right >= threshold {
			continue
		}
		at := x[bend]
		if c.Convex != c.Decreasing {
			at = x[len(x)-1-bend] // the curve was reversed
		}
		b.Knee = &at
		if !slices.Contains(b.All, at) {
			b.All = append(b.All, at)
		}
		if !c.Online {
			break
		}
	}
	slices.Sort(b.All)
	return b, nil
}

// unit scales x to the range 0 to 1; nil if it has none.
func unit(x []float64) []float64 {
	lo, hi := slices.Min(x), slices.Max(x)
	if lo == hi {
		return nil
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = (v - lo) / (hi - lo)
	}
	return out
}

// flip mirrors values of 0 to 1.
func flip(x []float64) {
	for i := range x {
		x[i] = 1 - x[i]
	}
}
