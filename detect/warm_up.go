package detect

import (
	"math"
	"slices"
	"time"

	"headroom/stat"
)

var warmUp = &Detector{
	Name:    "warm-up",
	Version: 1,
	Doc: `Warm-up: the beginning of the run is not the steady state.

MSER-5 (White 1997) on the logarithms of the per-second medians: the cut after which
the mean is known best. What lies before it is a finding when its median differs from
the rest's by more than "change". A best cut at half of the run means that it never
settled; then nothing is to be cut, and no figure of the run is of a steady state.
Cannot see: a warm-up in the tail alone; one that is over before the window begins; one
of a run with fewer than 20 seconds that hold requests; a run that drifts evenly from
its first to its last second is "never settled" (see drift).`,
	Params: []Param{
		{"change", 0.1, "1", "the median before the cut differs from the rest's by more than this share"},
	},
	Needs: []string{"samples"},
	Run: func(p *Pass) error {
		if len(p.Requests) == 0 {
			p.CouldNotLook(p.Scope(""), "no raw samples")
		}
		for _, r := range p.Requests {
			lookForWarmUp(p, r)
		}
		return nil
	},
}

const mserBatch = 5

func lookForWarmUp(p *Pass, r *Requests) {
	scope := p.Scope(r.Scenario)
	var at []int64
	var level []float64
	for k, m := range r.Bucketed(p.Window, second, AnyOutcome).P50 {
		if m > 0 {
			at, level = append(at, p.Window.Start+int64(k)*second), append(level, math.Log(float64(m)))
		}
	}
	w, err := stat.FindWarmUp(level, mserBatch)
	if err != nil {
		p.CouldNotLook(scope, "only %d seconds of the window hold requests: %d are needed", len(level), 4*mserBatch)
		return
	}
	p.Looked(scope)
	cut := w.Values
	if cut == 0 || cut >= len(level) {
		return
	}
	before, after := middle(slices.Sorted(slices.Values(level[:cut]))), middle(slices.Sorted(slices.Values(level[cut:])))
	times := math.Exp(before - after)
	if max(times, 1/times) <= 1+p.Param("change") {
		return
	}
	measures := map[string]float64{"cut": seconds(at[cut] - p.Window.Start), "ratio": times}
	if w.Unsettled {
		p.Report(scope, Warning, p.Window, measures, "never settled: the median of the first half is %.2f times that of the second", times)
		return
	}
	p.Report(scope, Info, Span{p.Window.Start, at[cut]}, measures,
		"the first %s were no steady state: the median was %.2f times that of the rest", short(at[cut]-p.Window.Start), times)
}

// tenSeconds is the bucket of the published scale.
const tenSeconds = 10 * int64(time.Second)
