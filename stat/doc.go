// Package stat is the mathematics under headroom: exact quantiles and what a
// sample can say about them, latency histograms that merge, medians, windows;
// comparisons, trends, changes of level, the law of a sweep, lines, counters and
// queues. It opens no file, knows no run and imports no other room.
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
// What the rest answers:
//
//   - interleaved pairs: [ComparePairs]; two arms: [CompareRanks]; shown equal:
//     [TestEquivalence]; "at least" under unequal load: [OneSidedGap]; several
//     tests of one family: [Holm]
//   - drift and steady state: [SplitThirds], [RatioOfMedians], [FindTrend],
//     [FindWarmUp], [ChangePoints] and its cross-check [OptimalPartition]; the
//     order of repeats: [Spearman]
//   - sweeps: [FitUSL] and its Bootstrap, [Kneedle] for charts
//   - the instrument: [CheckOccupancy], [MeanInFlight], [WithExpectedInterval],
//     [QuantileWithDropped], [AgainstSchedule]
//   - costs and queues: [FitLine], [FitTheilSen], [CounterGrowth], [Per],
//     [TokenBucket], [Fluid], [TrendOfDepth], [JudgePrune]
//   - benchmarks as benchstat sees them: [MedianInterval], [CompareRanks],
//     [GeoMean]
//
// They compute; what passes, fails or may be printed is decided where the
// evidence is known. What cannot be told is an error, a nil or a false ok, never
// 0. What is drawn at random takes its seed from the caller ([Resampling]).
//
// An empty sample is an error ([ErrNoSamples]), never 0; NaN is refused
// ([ErrNaN]).
//
// Sources: Hyndman & Fan, "Sample Quantiles in Statistical Packages" (1996);
// David & Nagaraja, "Order Statistics" (2003); Clopper & Pearson (1934); Tene,
// HdrHistogram. Each test and fit names its own.
package stat
