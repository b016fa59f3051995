package stat

import (
	"fmt"
	"slices"
)

// Phase is a time of steady arrivals.
type Phase struct {
	Rate    float64 // 1/s
	Seconds float64
}

// FluidQueue is what a queue does if arrivals and service flow evenly. It
// explains a measured peak and drain; it replaces neither.
type FluidQueue struct {
	Peak, End   float64   // depth at its highest, and when the arrivals end
	Drain       float64   // s from then until the queue is empty
	Utilisation []float64 // arrivals over service, of each phase
	KeepsUp     bool      // nothing is left waiting when the arrivals end
}

// Fluid returns the queue that the phases build, one after another from an empty
// queue, against a constant service rate: dQ = (rate - service)·T, never below 0.
func Fluid(phases []Phase, service float64) (FluidQueue, error) {
	if err := finite([]float64{service}); err != nil {
		return FluidQueue{}, err
	}
	if service <= 0 || len(phases) == 0 {
		return FluidQueue{}, fmt.Errorf("%d phases against a service rate of %v/s: want a phase and a positive rate", len(phases), service)
	}
	var q FluidQueue
	for i, p := range phases {
		if err := finite([]float64{p.Rate, p.Seconds}); err != nil || p.Rate < 0 || p.Seconds < 0 {
			return FluidQueue{}, fmt.Errorf("phase %d of %v/s for %v s: want nothing negative or infinite", i+1, p.Rate, p.Seconds)
		}
		q.End = max(0, q.End+(p.Rate-service)*p.Seconds)
		q.Peak = max(q.Peak, q.End)
		q.Utilisation = append(q.Utilisation, p.Rate/service)
	}
	q.Drain = q.End / service
	q.KeepsUp = q.End == 0
	return q, nil
}

// PeakWaiting returns the most jobs that were enqueued and not started at one
// time. A job that starts at the very instant another arrives has left. Both
// slices are of one length and unit.
func PeakWaiting(enqueued, started []int64) int {
	in, out := slices.Sorted(slices.Values(enqueued)), slices.Sorted(slices.Values(started))
	peak := 0
	for _, t := range in {
		peak = max(peak, upTo(in, t)-upTo(out, t))
	}
	return peak
}

// DrainTime returns how long after the last arrival the last job started, 0 if
// it did not wait; ok is false without jobs.
func DrainTime(enqueued, started []int64) (drain int64, ok bool) {
	if len(enqueued) == 0 || len(started) == 0 {
		return 0, false
	}
	return max(0, slices.Max(started)-slices.Max(enqueued)), true
}

// ServiceRate returns what a number of workers serve a second at so many seconds
// a job, by Little's law.
func ServiceRate(workers, seconds float64) float64 { return workers / seconds }

// DepthTrend says whether a queue grew while it was loaded.
type DepthTrend struct {
	Slope       float64 // Theil-Sen, depth per reading
	P           float64 // Mann-Kendall, corrected for autocorrelation
	End, Median float64 // the last depth, and the median of all
	Rising      bool    // the slope is above 0 at 5 %
	Deep        bool    // the end is more than twice the median
	KeepsUp     bool    // neither
}

// TrendOfDepth judges depths read at equal intervals over the loaded phase, 3 to
// 4,096 of them. InFlight gives the depths of jobs whose enqueueing and start
// were recorded.
func TrendOfDepth(depth []float64) (DepthTrend, error) {
	t, err := FindTrend(depth)
	if err != nil {
		return DepthTrend{}, err
	}
	median, err := Median(slices.Clone(depth))
	if err != nil {
		return DepthTrend{}, err
	}
	d := DepthTrend{Slope: t.Line.Slope, P: t.PCorrected, End: depth[len(depth)-1], Median: median}
	d.Rising = d.Slope > 0 && d.P <= 0.05
	d.Deep = d.End > 2*d.Median
	d.KeepsUp = !d.Rising && !d.Deep
	return d, nil
}
