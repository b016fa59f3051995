package detect

import "headroom/stat"

// Drift compares the tail at the end of a window with that at its beginning, and
// holds what explains the comparison (DETECTION 5.3). Findings, figures and the
// gate all come from it.
type Drift struct {
	// Thirds are the p99s of the thirds, of requests that ended well, by start.
	Thirds stat.Thirds
	// Frozen says that there were freezes; Free is then the ratio without the
	// requests of each and of the second around it, nil if a third has no others.
	Frozen bool
	Free   *float64
	// Windows is the number of p99s of ten seconds. Medians is the ratio of their
	// medians in the outer thirds, nil where a window is empty or there are fewer
	// than three; Bounds are its one-sided bounds at 95 % by Resampling, nil where
	// there are too few.
	Windows    int
	Medians    *float64
	Bounds     *[2]float64
	Resampling stat.Resampling
}

// DriftWord says what a comparison means, in the words of findings and gates; ""
// where there is nothing to say.
type DriftWord string

// The words.
const (
	DriftShown     DriftWord = "drift: slower without its freezes too, and the medians of ten seconds bear it out"
	DriftUnsure    DriftWord = "slower without its freezes too, but the medians of ten seconds do not bear it out"
	DriftLoosely   DriftWord = "slower without its freezes too; too few windows of ten seconds to bear it out"
	DriftStalls    DriftWord = "stalls in the last third, no drift without them"
	DriftHidden    DriftWord = "a drift hidden by the warm-up: the medians of ten seconds rose; cut the warm-up and look again"
	DriftUnsettled DriftWord = "unsettled: the first third was slower than the last; cut the warm-up"
)

// Word explains the comparison with a limit on the ratio, itself allowed.
func (d *Drift) Word(limit float64) DriftWord {
	side, _ := d.Thirds.Side(limit)
	borne := d.Bounds != nil && d.Bounds[0] > 1
	switch {
	case side == stat.Above && d.Free != nil && *d.Free <= limit:
		return DriftStalls
	case side == stat.Above && d.Bounds == nil:
		return DriftLoosely
	case side == stat.Above && borne:
		return DriftShown
	case side == stat.Above:
		return DriftUnsure
	case d.Medians != nil && *d.Medians > limit && borne:
		return DriftHidden
	case side == stat.Below:
		return DriftUnsettled
	}
	return ""
}

// CompareThirds compares the thirds of a window. A third without a request that
// ended well is an error.
func CompareThirds(r *Requests, window Span) (Drift, error) {
	d := Drift{Resampling: driftDraws}
	var err error
	if d.Thirds, err = r.thirds(window, nil); err != nil {
		return d, err
	}
	if frozen := frozenSpans(r, window); len(frozen) > 0 {
		d.Frozen = true
		if t, err := r.thirds(window, frozen); err == nil {
			if free, ok := t.Ratio(); ok {
				d.Free = &free
			}
		}
	}
	d.medians(r, window)
	return d, nil
}

// thirds are the p99s of the thirds of the window, without what starts in one of
// the spans.
func (r *Requests) thirds(window Span, without []Span) (stat.Thirds, error) {
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

// frozenSpans are the freezes with a second around each, in order.
func frozenSpans(r *Requests, window Span) []Span {
	var out []Span
	for _, e := range PublishedFreeze.Sweep(r.Starting(window), PublishedFreeze.Thin).Episodes {
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

// medians compares the medians of the ten-second p99s of the outer thirds: a single
// stall moves no median. The bounds are drawn by blocks, since neighbouring windows
// are alike.
func (d *Drift) medians(r *Requests, window Span) {
	var series []float64
	for _, v := range r.Bucketed(window, tenSeconds, OnlyOK).P99 {
		if v <= 0 { // Empty included
			return
		}
		series = append(series, float64(v)/1e9)
	}
	d.Windows = len(series)
	if third := len(series) / 3; third > 0 {
		first, err1 := stat.Median(append([]float64(nil), series[:third]...))
		last, err2 := stat.Median(append([]float64(nil), series[len(series)-third:]...))
		if ratio := last / first; err1 == nil && err2 == nil {
			d.Medians = &ratio
		}
	}
	if m, err := stat.RatioOfMedians(series, d.Resampling); err == nil {
		d.Medians, d.Bounds = &m.Ratio, &[2]float64{m.Lower, m.Upper}
	}
}
