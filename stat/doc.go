// Package stat is the mathematics under headroom: exact quantiles and what a
// sample can say about them, latency histograms that merge, medians, windows.
// It opens no file, knows no run and imports no other room.
//
// A percentile here is the nearest rank unless its name says otherwise: a value
// that was really observed, found with integers only.
//
//	x := []int64{40, 10, 30, 20}
//	q, err := stat.Quantiles(x, stat.P50, stat.P99) // [20 40]
//
// Percentiles do not average. Two statistics are legal over several samples and
// have different names: the quantile of the pooled values (or of merged
// [Histogram] values), and the [Median] with its range over repeats
// ([Summarize]).
//
// An empty sample is an error ([ErrNoSamples]), never 0; NaN is refused
// ([ErrNaN]).
//
// Sources: Hyndman & Fan, "Sample Quantiles in Statistical Packages" (1996);
// David & Nagaraja, "Order Statistics" (2003); Clopper & Pearson (1934); Tene,
// HdrHistogram.
package stat
