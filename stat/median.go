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
}

// Summarize returns the median and the range of x, which it leaves as it is.
func Summarize(x []float64) (Summary, error) {
	c := slices.Clone(x)
	m, err := Median(c)
	if err != nil {
		return Summary{}, err
	}
	return Summary{N: len(c), Median: m, Min: slices.Min(c), Max: slices.Max(c)}, nil
}
