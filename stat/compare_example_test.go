package stat_test

import (
	"fmt"

	"headroom/stat"
)

func ExampleComparePairs() {
	// Two interleaved pairs on a host that slowed to half between them.
	p, _ := stat.ComparePairs([]float64{1188, 472}, []float64{1578, 653})
	for _, r := range p.Ratios {
		fmt.Printf("%+.0f %%\n", 100*(r-1))
	}
	fmt.Printf("in all %d pairs; the least p of so many is %v\n", p.Wins, p.LeastP)
	// Output:
	// +33 %
	// +38 %
	// in all 2 pairs; the least p of so many is 0.5
}

func ExampleOneSidedGap() {
	quiet, busy := 16.7, 48.3 // foreign load of the slower and of the faster arm
	g, _ := stat.OneSidedGap(2622, 3385, &quiet, &busy)
	fmt.Printf("%.2f %%, %v\n", 100*g.Share, g)
	g, _ = stat.OneSidedGap(2622, 3385, &busy, &quiet)
	fmt.Println(g)
	// Output:
	// 22.54 %, at least 22 %
	// not comparable
}

func ExampleTestEquivalence() {
	control, treatment := []float64{55.37, 55.91, 54.97, 54.96, 55.49}, []float64{55.83, 56.13, 55.46, 56.73, 55.46}
	e, _ := stat.TestEquivalence(control, treatment, 0.05, 0.05)
	fmt.Printf("%v: ratio %.3f (90 %% interval %.3f to %.3f)\n", e, e.Ratio, e.Interval.Lo, e.Interval.Hi)
	// Output: equivalent within margin: ratio 1.011 (90 % interval 1.000 to 1.021)
}

func ExampleChangePoints() {
	series := []float64{22, 23, 22, 21, 22, 23, 21, 22, 31, 30, 31, 32, 31, 30, 31, 32} // p99, ms
	points, _ := stat.ChangePoints(series, stat.PublishedChange)
	for _, c := range points {
		fmt.Printf("level %.0f to %.0f ms at value %d\n", c.Before, c.After, c.At)
	}
	// Output: level 22 to 31 ms at value 8
}

func ExampleFitUSL() {
	n := []float64{1, 2, 4, 8, 16}
	x := []float64{119, 233, 434, 770, 1165} // ends before the peak
	u, _ := stat.FitUSL(n, x)
	_, _, status := u.Peak()
	fmt.Printf("contention %.3f; %s\n", u.Alpha, status)
	// Output: contention 0.025; model peak lies outside the sweep
}

func ExampleFitLine() {
	events, micros := []float64{110e3, 125e3, 195e3}, []float64{332e3, 354e3, 523e3}
	l, _ := stat.FitLine(events, micros)
	average, _ := stat.Per(micros[2], events[2])
	fmt.Printf("average %.2f, marginal %.2f, through the origin %.2f µs an event\n", average, l.Slope, l.ThroughOrigin)
	fmt.Println(l.Linearity(events, micros).Why)
	// Output:
	// average 2.68, marginal 2.30, through the origin 2.78 µs an event
	// consistent with linear (1 residual degree of freedom)
}

func ExampleFluid() {
	// 20 sources of 15/s against a burst of 300 and 5/s back, then 110/s served.
	l, _ := stat.TokenBucket{Burst: 300, Refill: 5}.Limit(20, 15, 60)
	q, _ := stat.Fluid([]stat.Phase{{Rate: l.Before, Seconds: *l.EmptyAt}, {Rate: l.After, Seconds: 60 - *l.EmptyAt}}, 110)
	fmt.Printf("%.0f passed; peak %.0f, drained in %.0f s\n", l.Passed, q.Peak, q.Drain)
	// Output: 12000 passed; peak 5700, drained in 49 s
}
