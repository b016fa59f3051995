package stat_test

import (
	"fmt"
	"slices"

	"headroom/stat"
)

func Example() {
	latencies := []int64{40, 10, 30, 20, 900} // ms
	q, err := stat.Quantiles(latencies, stat.P50, stat.P99)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(q, stat.NearestRank)
	fmt.Println(stat.Support(stat.P99, len(latencies)))
	// Output:
	// [30 900] nearest-rank@1
	// false p99 needs at least 100 samples, there are 5
}

func ExampleQuantileR7() {
	latencies := []float64{10, 20}
	own, _ := stat.Quantile(latencies, stat.P99)
	k6, _ := stat.QuantileR7(latencies, stat.P99)
	jmeter, _ := stat.QuantileR6(latencies, stat.P99)
	fmt.Println(own, k6, jmeter)
	// Output: 20 19.9 20
}

func ExampleQuantileInterval() {
	iv, _ := stat.QuantileInterval(1000, stat.P99, stat.P95)
	fmt.Printf("ranks %d to %d\n", iv.Lo, iv.Hi)
	iv, _ = stat.QuantileInterval(299, stat.P99, stat.P95)
	fmt.Printf("ranks %d to %d\n", iv.Lo, iv.Hi) // no upper bound
	// Output:
	// ranks 983 to 997
	// ranks 292 to 0
}

func ExampleProportion() {
	lower, _, _ := stat.Proportion(5, 5, stat.P95, stat.OneSided)
	fmt.Printf("5 of 5: at least %.1f %%\n", 100*lower)
	// Output: 5 of 5: at least 54.9 %
}

func ExampleHistogram() {
	res := stat.Resolution{Lowest: 1, Highest: 3_600_000_000, Digits: 2} // µs up to an hour
	var servers [2]*stat.Histogram
	for i, latency := range []int64{14_254, 250_000} {
		servers[i], _ = stat.NewHistogram(res)
		_ = servers[i].Record(latency, 100)
	}
	_ = servers[0].Merge(servers[1])
	q, _ := servers[0].Quantile(stat.P99)
	fmt.Printf("p99 of %d is between %d and %d\n", servers[0].N(), q.Low, q.High)
	// Output: p99 of 200 is between 249856 and 250879
}

func ExampleSummarize() {
	p99OfRepeats := []float64{41.6, 45.3, 49.3, 49.3}
	s, _ := stat.Summarize(p99OfRepeats)
	fmt.Printf("median %.1f ms (%.1f to %.1f over %d repeats)\n", s.Median, s.Min, s.Max, s.N)
	// Output: median 47.3 ms (41.6 to 49.3 over 4 repeats)
}

func ExampleQuantile() {
	sorted := slices.Sorted(slices.Values([]int64{3, 1, 2}))
	fmt.Println(stat.Quantile(sorted, stat.P50))
	_, err := stat.Quantile([]int64{}, stat.P50)
	fmt.Println(err)
	// Output:
	// 2 <nil>
	// no samples
}
