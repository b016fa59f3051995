package stat

import "fmt"

// WarmUp is the warm-up of a series by MSER (White 1997; White & Robinson
// 2010): cut where the mean of the rest is known best.
type WarmUp struct {
	Batches   int     // means that the series was folded into
	Truncate  int     // batches to cut
	Values    int     // values to cut: Truncate times the batch size
	Statistic float64 // of the cut: sum of squares of the rest over the square of its length
	// Unsettled says that the best cut is at half of the series, the last that
	// is tried: the run never settled, and nothing should be cut.
	Unsettled bool
}

// FindWarmUp returns the first minimum of MSER(d) over cuts d of 0 to m/2 of
// the m means of batch values each; a rest that fills no batch is left out.
// MSER-5 has batches of 5. There must be at least 4 batches. The rule is moved
// by outliers: hand it logarithms, and cap what is cut.
func FindWarmUp(values []float64, batch int) (WarmUp, error) {
	if err := finite(values); err != nil {
		return WarmUp{}, err
	}
	if batch < 1 || len(values)/batch < 4 {
		return WarmUp{}, fmt.Errorf("%d values in batches of %d: want at least 4 batches", len(values), batch)
	}
	var z []float64
	for i := 0; i+batch <= len(values); i += batch {
		mean, _ := moments(values[i : i+batch])
		z = append(z, mean)
	}
	w := WarmUp{Batches: len(z), Truncate: -1}
	for d := 0; d <= len(z)/2; d++ {
		rest := z[d:]
		mean, _ := moments(rest)
		var squares float64
		for _, v := range rest {
			squares += (v - mean) * (v - mean)
		}
		n := float64(len(rest))
		if s := squares / (n * n); w.Truncate < 0 || s < w.Statistic {
			w.Truncate, w.Statistic = d, s
		}
	}
	w.Values = w.Truncate * batch
	w.Unsettled = w.Truncate == len(z)/2
	return w, nil
}
