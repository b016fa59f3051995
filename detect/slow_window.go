package detect

import (
	"fmt"
	"time"
)

var slowWindow = &Detector{
	Name:    "slow-window",
	Version: 2,
	Doc: `Slow windows: spells of twenty seconds and more in which the tail was lifted.

The published rule cuts the measured window into full buckets of "width" from its
start and takes the p99 of each, by start of request. At least "consecutive" buckets
in a row over "factor" times the median of all buckets' p99s make a window:
windows.bad counts them.

The answer depends on how trouble falls on the grid. So the rule is repeated with
the grid at ten phases ("seen at k of 10 phases"), and with a window that slides
in steps of "step": the findings are those spells, which do not depend on any grid.
A window is as long as its buckets, however short the trouble: where the slow requests
were sent within less than half of it, the finding says when.

The median is no baseline when most buckets hold a freeze. It is compared with the
median per-second p99 of seconds that are neither frozen nor next to a frozen one;
over 1.5 times that, the rule is void: it can find nothing, and the freeze-seconds
decide (windows.void = 1).

Cannot see: a single stall shorter than the buckets' edges allow; a rhythm that
fills the whole run; anything in a run shorter than two buckets.`,
	Params: []Param{
		{"width", 10, "s", "length of a bucket"},
		{"factor", 3, "1", "a bucket is slow over this many times the median p99"},
		{"consecutive", 2, "1", "slow buckets in a row that make a window"},
		{"step", 0.1, "s", "by which the sliding window moves"},
	},
	Needs: []string{"samples"},
	Run: func(p *Pass) error {
		rule := WindowRule{Width: p.ParamNS("width"), Factor: int64(p.Param("factor")), Consecutive: int(p.Param("consecutive"))}
		if rule.Width <= 0 || rule.Consecutive < 1 || float64(rule.Factor) != p.Param("factor") {
			return fmt.Errorf("parameters: width must be positive, consecutive at least 1, factor a whole number")
		}
		if len(p.Requests) == 0 {
			p.CouldNotLook(p.Scope(""), "no raw samples: percentiles of ten seconds cannot be taken from aggregates")
		}
		for _, r := range p.Requests {
			rule.look(p, r)
		}
		return nil
	},
}

func (w WindowRule) look(p *Pass, r *Requests) {
	scope := p.Scope(r.Scenario)
	slow := w.Slow(Buckets(r, p.Window, w.Width))
	if slow.Median2 == 0 || len(slow.P99) < w.Consecutive {
		p.CouldNotLook(scope, "the window holds fewer than %d full buckets of %s with requests", w.Consecutive, short(w.Width))
		return
	}
	p.Looked(scope)
	measure := func(id string, v float64, unit string, n int, warnings ...string) {
		p.Measure(Measure{ID: id, Scope: scope, Value: v, Unit: unit, N: int64(n), Method: "slow-window@1", Warnings: warnings})
	}
	n := len(slow.P99)
	p.Measure(Measure{ID: "windows.bad", Scope: scope, Value: float64(len(slow.Windows)), Unit: "1", N: int64(n), Method: "slow-window@1", Details: slow.details()})
	step := p.ParamNS("step")
	p99 := slidingP99(r, p.Window, w.Width, step)
	phases, ok := w.phasesOf(p99, step, 10)
	if !ok {
		phases = w.Phases(r, p.Window, 10)
	}
	measure("windows.phases", float64(phases), "1", 10)
	measure("windows.median_p99", slow.Median()/1e9, "s", n)
	measure("windows.worst_p99", seconds(slow.Worst), "s", n, "of the buckets from the window's start")
	sliding := w.slide(p99, p.Window, step)
	if sliding.Worst != Empty {
		measure("windows.worst_p99_sliding", seconds(sliding.Worst), "s", n)
	}
	second := Buckets(r, p.Window, int64(time.Second))
	worst := Empty
	for _, v := range second {
		worst = max(worst, v)
	}
	if worst != Empty {
		measure("windows.worst_second_p99", seconds(worst), "s", len(second))
	}
	frozen := PublishedFreeze.Frozen(r, p.Window.Start, ByStart).Seconds
	switch void, ok := Contaminated(slow, second, frozen); {
	case void:
		measure("windows.void", 1, "1", n, "the median of the buckets is over 1.5 times that of the seconds free of freezes: it is no baseline, and the freeze-seconds decide")
	case !ok && len(frozen) > 0:
		measure("windows.void", 0, "1", n, "not compared: no second is free of freezes and their neighbours")
	default:
		measure("windows.void", 0, "1", n)
	}
	for _, s := range sliding.Windows {
		measures := map[string]float64{"median_p99": slow.Median() / 1e9}
		message := fmt.Sprintf("p99 over %d times the run's median for %s", w.Factor, short(s.Len()))
		if part := w.slowPart(r.Starting(s), slow.Median2); part.Len() < s.Len()/2 {
			measures["slow_from"], measures["slow_length"] = seconds(part.Start-s.Start), seconds(part.Len())
			message += fmt.Sprintf("; the requests over it were sent within %s, %s after its start", short(part.Len()), short(part.Start-s.Start))
		}
		p.Report(scope, Warning, s, measures, "%s", message)
	}
}

// slowPart is from the first to the last start of the requests that were slower
// than a bucket may be: a window of twenty seconds may hold one short freeze.
func (w WindowRule) slowPart(r *Requests, median2 int64) Span {
	var part Span
	found := false
	for q := range r.All() {
		if latency, ok := r.Latency(q); ok && 2*latency > w.Factor*median2 {
			if !found {
				part.Start, found = q.Start, true
			}
			part.End = q.Start
		}
	}
	return part
}

// details lists the buckets behind a count of windows.
func (s SlowWindows) details() map[string]any {
	p99, windows := make([]any, len(s.P99)), make([]string, 0, len(s.Windows))
	for i, v := range s.P99 {
		if v != Empty {
			p99[i] = seconds(v)
		}
	}
	for _, w := range s.Windows {
		windows = append(windows, fmt.Sprintf("%d-%d", w[0], w[1]))
	}
	return map[string]any{"bucket_p99": p99, "windows": windows}
}
