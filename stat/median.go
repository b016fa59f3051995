package stat

import "slices"

// Median returns the median of x: the middle value, or the mean of the middle
// two if the count is even. It reorders x.
func Median[T Number](x []T) (float64, error) {
	lo, hi := (len(x)+1)/2, len(x)/2+1 // one rank if the count is odd
	if err := Select(x, min(lo, len(x)), min(hi, len(x))); err != nil {
		return 0, err
	}
	return float64(x[lo-1])/2 + float64(x[hi-1])/2, nil
}

// Summary describes one figure over several repeats: never a mean of
// percentiles.
type Summary struct {
	N                int
	Median, Min, Max float64
	// LowMedian is the lower of the middle two where Median is their mean: the
	// median for those who want a value that was measured.
	LowMedian float64
}

// Summarize returns the median and the range of x, which it leaves as it is.
func Summarize(x []float64) (Summary, error) {
	c := slices.Clone(x)
	m, err := Median(c)
	if err != nil {
		return Summary{}, err
	}
	slices.Sort(c)
	return Summary{N: len(c), Median: m, Min: c[0], Max: c[len(c)-1], LowMedian: c[(len(c)-1)/2]}, nil
}
