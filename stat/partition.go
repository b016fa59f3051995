package stat

import (
	"fmt"
	"math"
	"slices"
)

// Partition is a series cut into levels.
type Partition struct {
	At        []int   // first index of each level but the first
	Objective float64 // squared deviations from the levels, plus the penalty per cut
}

// OptimalPartition returns the cuts with the least sum of squared deviations
// from the segments' means plus penalty per cut. It is exact: dynamic programming
// with the pruning of PELT (Killick, Fearnhead & Eckley 2012). It takes up to
// 4,096 finite values and a penalty above 0, usually LevelPenalty's. It
// cross-checks ChangePoints and likewise finds too many under autocorrelation.
func OptimalPartition(series []float64, penalty float64) (Partition, error) {
	if err := finite(series); err != nil {
		return Partition{}, err
	}
	if len(series) > maxSeries || !(penalty > 0) {
		return Partition{}, fmt.Errorf("partition of %d values at penalty %v: want at most %d, and a positive penalty", len(series), penalty, maxSeries)
	}
	n := len(series)
	mean, _ := moments(series) // taken off, so that the sums do not cancel
	sum, square := make([]float64, n+1), make([]float64, n+1)
	for i, v := range series {
		v -= mean
		sum[i+1], square[i+1] = sum[i]+v, square[i]+v*v
	}
	cost := func(i, j int) float64 { // of series[i:j] as one level
		s := sum[j] - sum[i]
		return max(0, square[j]-square[i]-s*s/float64(j-i))
	}
	best, from := make([]float64, n+1), make([]int, n+1)
	best[0] = -penalty
	open := []int{0} // starts that the last segment may still have
	for j := 1; j <= n; j++ {
		best[j] = math.Inf(1)
		for _, i := range open {
			if c := best[i] + cost(i, j) + penalty; c < best[j] {
				best[j], from[j] = c, i
			}
		}
		open = slices.DeleteFunc(open, func(i int) bool { return best[i]+cost(i, j) > best[j] })
		open = append(open, j)
	}
	p := Partition{Objective: best[n]}
	for j := from[n]; j > 0; j = from[j] {
		p.At = append(p.At, j)
	}
	slices.Reverse(p.At)
	return p, nil
}

// LevelPenalty returns the usual penalty, 3·σ²·ln n, with σ from the median
// absolute deviation of the differences between neighbours, so that changes of
// level do not inflate it. It needs at least 3 values; it is 0 for a series that
// is mostly constant, which has no noise to weigh against.
func LevelPenalty(series []float64) (float64, error) {
	if err := finite(series); err != nil {
		return 0, err
	}
	if len(series) < 3 {
		return 0, fmt.Errorf("penalty from %d values: want at least 3", len(series))
	}
	d := make([]float64, len(series)-1)
	for i := range d {
		d[i] = series[i+1] - series[i]
	}
	centre, err := Median(slices.Clone(d))
	if err != nil {
		return 0, err
	}
	for i := range d {
		d[i] = math.Abs(d[i] - centre)
	}
	mad, err := Median(d)
	if err != nil {
		return 0, err
	}
	const normal = 1.482602218505602 // MAD to standard deviation
	sigma := normal * mad / math.Sqrt2
	return 3 * sigma * sigma * math.Log(float64(len(series))), nil
}
