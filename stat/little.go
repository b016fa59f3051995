package stat

import (
	"fmt"
	"math"
	"math/bits"
)

// ClosedLoop is what a closed loop without think time reported. Latencies are
// in seconds; nil is not recorded.
type ClosedLoop struct {
	Workers        float64
	RequestsPerS   float64 // requests, not events: divide by the batch
	Mean, P50, P99 *float64
}

// Occupancy is Little's law (Little 1961) as a check of the instrument:
// concurrency = rate × mean latency.
type Occupancy struct {
	ImpliedMean float64  // s: workers / rate
	BusyRatio   *float64 // share of the workers that were waiting for a reply; nil without a mean
	Verdict     OccupancyVerdict
}

// OccupancyVerdict says in words whether the figures of a closed loop agree.
type OccupancyVerdict string

// The verdicts. The first two are fine.
const (
	Busy        OccupancyVerdict = "ok"         // busy ratio 0.95 to 1.02
	Consistent  OccupancyVerdict = "consistent" // no mean, but nothing against it
	IdleWorkers OccupancyVerdict = "generator did not keep its workers busy"
	Impossible  OccupancyVerdict = "impossible: more in flight than workers"
	// MeanTooLow: a mean below half the median cannot be.
	MeanTooLow OccupancyVerdict = "impossible: implied mean below half the median"
	// MeanTooHigh: possible, but only with a tail beyond the p99 that outweighs
	// all else.
	MeanTooHigh OccupancyVerdict = "suspicious: implied mean above the p99"
)

// The busy ratio that is fine. Below, workers were idle (or had think time);
// above, units, batch or clocks are wrong.
const (
	leastBusy = 0.95
	mostBusy  = 1.02
)

// CheckOccupancy applies Little's law. Workers and rate must be positive.
func CheckOccupancy(c ClosedLoop) (Occupancy, error) {
	if !(c.Workers > 0) || !(c.RequestsPerS > 0) || math.IsInf(c.Workers+c.RequestsPerS, 0) {
		return Occupancy{}, fmt.Errorf("%v workers and %v requests/s: want positive numbers", c.Workers, c.RequestsPerS)
	}
	o := Occupancy{ImpliedMean: c.Workers / c.RequestsPerS, Verdict: Consistent}
	if c.Mean != nil {
		busy := c.RequestsPerS * *c.Mean / c.Workers
		o.BusyRatio, o.Verdict = &busy, Busy
		switch {
		case busy > mostBusy:
			o.Verdict = Impossible
		case !(busy >= leastBusy):
			o.Verdict = IdleWorkers
		}
		return o, nil
	}
	switch {
	case c.P50 != nil && o.ImpliedMean < *c.P50/2:
		o.Verdict = MeanTooLow
	case c.P99 != nil && o.ImpliedMean > *c.P99:
		o.Verdict = MeanTooHigh
	}
	return o, nil
}

// MeanInFlight returns how many of the intervals [start[i], end[i]) are open at
// a time, on average over [from, to). Start and end have one length; no end is
// before its start; from is before to. By Little's law it is the arrival rate
// times the mean length, up to what the window cuts.
func MeanInFlight(start, end []int64, from, to int64) (float64, error) {
	if len(start) != len(end) || from >= to {
		return 0, fmt.Errorf("%d starts, %d ends, window %d to %d: want as many ends as starts, and a window", len(start), len(end), from, to)
	}
	var area, carry uint64 // 128 bits: nothing overflows
	for i := range start {
		if end[i] < start[i] {
			return 0, fmt.Errorf("interval %d ends at %d, before its start at %d", i+1, end[i], start[i])
		}
		if a, b := max(start[i], from), min(end[i], to); b > a {
			var c uint64
			area, c = bits.Add64(area, uint64(b)-uint64(a), 0)
			carry += c
		}
	}
	return (float64(carry)*(1<<64) + float64(area)) / float64(uint64(to)-uint64(from)), nil
}
