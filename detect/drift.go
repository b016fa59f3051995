package detect

import (
	"fmt"

	"headroom/stat"
)

var drift = &Detector{
	Name:    "drift",
	Version: 1,
	Doc: `Drift: the tail at the run's end is not that at its beginning.

The p99 of the last third of the window over that of the first, by start of request,
of requests that ended well.
Over "limit" the tail grew; under one part in "limit" it shrank (the run had not
settled). Two companions say which of several things that is: the same ratio without
the requests of freezes and of the second around each, and the ratio of the medians of
ten-second p99s with its bootstrap (blocks of 40 s, the lower bound at 95 %).

Drift: the ratio without freezes is over the limit as well and the bound is over 1.
Stalls: only the plain ratio is, so that freezes late in the run fake a drift.
Hidden: the plain ratio is within the limit and that of the medians is not, as when a
slow beginning hides it.

Cannot see: a drift and its opposite within one run; what comes back after each lull;
runs with fewer than "least" requests in a third. A bound alone fails nothing: under
the correlation of neighbouring seconds it is over 1 in a tenth of runs without drift.`,
	Params: []Param{
		{"limit", 1.25, "1", "the ratio that counts as drift, exclusive"},
		{"least", 300, "1", "fewest requests in a third"},
	},
	Needs: []string{"samples"},
	Run: func(p *Pass) error {
		if p.Param("limit") < 1 {
			return fmt.Errorf("parameter limit: want 1 or more")
		}
		if len(p.Requests) == 0 {
			p.CouldNotLook(p.Scope(""), "no raw samples")
		}
		for _, r := range p.Requests {
			lookForDrift(p, r)
		}
		return nil
	},
}

// Thirds are the p99s of the thirds of the window, of requests that ended well and
// began outside of the spans, which are in order.
func (r *Requests) Thirds(window Span, without []Span) (stat.Thirds, error) {
	return stat.ThirdsOf(func(yield func(starts, latencies []int64) bool) {
		var starts, latencies []int64
		next := 0
		for c := range r.between(window).Chunks() {
			starts, latencies = starts[:0], latencies[:0]
			for i, start := range c.Start {
				for next < len(without) && without[next].End <= start {
					next++
				}
				if next < len(without) && without[next].Contains(start) {
					continue
				}
				if latency, ok := c.Latency(i); ok && c.OK(i) {
					starts, latencies = append(starts, start), append(latencies, latency)
				}
			}
			if !yield(starts, latencies) {
				return
			}
		}
	}, window.Start, window.Len(), held, stat.P99)
}

func lookForDrift(p *Pass, r *Requests) {
	scope, limit := p.Scope(r.Scenario), p.Param("limit")
	plain, err := r.Thirds(p.Window, nil)
	if err != nil || min(plain.N[0], plain.N[2]) < int(p.Param("least")) {
		p.CouldNotLook(scope, "a third of the window holds fewer than %.0f requests", p.Param("least"))
		return
	}
	ratio, ok := plain.Ratio()
	if !ok {
		p.CouldNotLook(scope, "the p99 of the first third is 0: nothing to compare with")
		return
	}
	p.Looked(scope)
	measures := map[string]float64{"ratio": ratio, "p99_first": seconds(plain.Quantile[0]), "p99_last": seconds(plain.Quantile[2])}
	calm, calmOK := 0.0, false
	if t, err := r.Thirds(p.Window, frozenSpans(r)); err == nil {
		if calm, calmOK = t.Ratio(); calmOK {
			measures["ratio_without_freezes"] = calm
		}
	}
	medians, mediansOK := medianDrift(r, p.Window)
	if mediansOK {
		measures["ratio_of_medians"], measures["bound_of_medians"] = medians.Ratio, medians.Lower
	}
	report := func(s Severity, format string, args ...any) { p.Report(scope, s, p.Window, measures, format, args...) }
	side, _ := plain.Side(limit)
	switch {
	case side == stat.Above && calmOK && calm <= limit:
		report(Info, "stalls in the last third: its p99 is %.2f times the first's, %.2f times without freezes: no drift without them", ratio, calm)
	case side == stat.Above && mediansOK && medians.Lower <= 1:
		report(Info, "the p99 of the last third is %.2f times the first's; the medians of ten seconds do not show it (%.2f times, bound %.2f)", ratio, medians.Ratio, medians.Lower)
	case side == stat.Above:
		report(Warning, "the tail grew: p99 %s in the first third, %s in the last (%.2f times)", short(plain.Quantile[0]), short(plain.Quantile[2]), ratio)
	case mediansOK && medians.Ratio > limit && medians.Lower > 1:
		report(Warning, "a drift that the thirds hide: medians of ten seconds rose to %.2f times, the p99 of the thirds to %.2f", medians.Ratio, ratio)
	case side == stat.Below:
		report(Info, "not settled at first: p99 %s in the first third, %s in the last (%.2f times)", short(plain.Quantile[0]), short(plain.Quantile[2]), ratio)
	}
}

// frozenSpans are the freezes with a second around each, in order.
func frozenSpans(r *Requests) []Span {
	var out []Span
	for _, e := range PublishedFreeze.Sweep(r, PublishedFreeze.Thin).Episodes {
		s := Span{e.Onset - second, e.Thaw + second}
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

// The bootstrap of the medians (DETECTION 5.3): blocks of 40 s. Its seed is a
// constant: the same requests give the same bound, whenever they were recorded.
var driftDraws = stat.Resampling{Draws: 999, Seed: 0x6472696674, Block: 4}

// medianDrift compares the medians of the ten-second p99s of the outer thirds;
// ok is false where there are too few, or one is empty.
func medianDrift(r *Requests, window Span) (stat.MedianRatio, bool) {
	var series []float64
	for _, v := range Buckets(r, window, tenSeconds) {
		if v <= 0 {
			return stat.MedianRatio{}, false
		}
		series = append(series, float64(v))
	}
	m, err := stat.RatioOfMedians(series, driftDraws)
	return m, err == nil
}
