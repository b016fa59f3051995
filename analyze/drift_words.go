package analyze

import (
	"math"
	"slices"
	"time"

	"headroom/detect"
	"headroom/stat"
)

// driftOf compares the thirds of a unit, once: its figures, its gate and the words
// beside it come from one comparison. It is nil where a third has no ok sample.
func (m *Measured) driftOf(u *unit) *detect.Drift {
	d, done := m.drifts[u.scope]
	if done {
		return d
	}
	if got, err := detect.CompareThirds(u.all, u.window.Span); err == nil {
		d = &got
	}
	if m.drifts == nil {
		m.drifts = map[detect.Scope]*detect.Drift{}
	}
	m.drifts[u.scope] = d
	return d
}

// driftCompanions gives what explains a drift, or the lack of one: the ratio
// without freezes, that of the medians of the thirds with its bounds, and how long
// the run took to settle. None of them fails a run.
func (m *Measured) driftCompanions(u *unit) []Quantity {
	if u.probe || u.window.Len() <= 0 {
		return nil
	}
	from := From{Tables: []string{"samples"}, Window: u.window.text()}
	var out []Quantity
	if d := m.driftOf(u); d != nil {
		out = append(freezeFree(u, d, from), thirdMedians(u, d, from)...)
	}
	return append(out, m.warmUp(u, from)...)
}

// freezeFree is the drift ratio without freezes and the second around each: late
// in a run they fake a drift. There is none where there were no freezes.
func freezeFree(u *unit, d *detect.Drift, from From) []Quantity {
	if !d.Frozen {
		return nil
	}
	from.Method = "p99-thirds-without-freezes@2"
	q := quantity("drift.freeze_free", u.scope, 0, "1", int64(min(d.Thirds.N[0], d.Thirds.N[1], d.Thirds.N[2])), from)
	if d.Free == nil {
		return []Quantity{withhold(q, "a third of the window has no sample outside its freezes")}
	}
	q.Value = d.Free
	return []Quantity{q}
}

// thirdMedians compares the medians of ten-second p99s of the last third and the
// first.
func thirdMedians(u *unit, d *detect.Drift, from From) []Quantity {
	if d.Medians == nil {
		return nil
	}
	from.Method = "medians-of-ten-second-p99s@1"
	q := quantity("drift.medians", u.scope, *d.Medians, "1", int64(d.Windows), from)
	if d.Bounds != nil {
		lo, hi, draw := d.Bounds[0], d.Bounds[1], d.Resampling
		q.Interval = []*float64{&lo, &hi}
		q.From.Params = map[string]any{"interval": "one-sided bounds at 95 %, moving blocks", "draws": draw.Draws, "seed": draw.Seed, "block": draw.Block}
	}
	return []Quantity{q}
}

// windowQuantiles are the quantiles of full windows of the given width from the
// unit's start, in s. A window without a sample ends the series: ok is false.
func (u *unit) windowQuantiles(width int64, of func(*detect.Bucketed) []int64) (out []float64, ok bool) {
	for _, v := range of(u.all.Bucketed(u.window.Span, width, detect.OnlyOK)) {
		if v <= 0 { // detect.Empty included
			return nil, false
		}
		out = append(out, float64(v)/1e9)
	}
	return out, true
}

// warmUpShare is how much of a run is called warm-up at most.
const warmUpShare = 6

// warmUp says how long the run took to settle, by MSER-5 over the logarithms of
// per-second medians. Nothing is cut by it.
func (m *Measured) warmUp(u *unit, from From) []Quantity {
	p50, ok := u.windowQuantiles(int64(time.Second), func(b *detect.Bucketed) []int64 { return b.P50 })
	if !ok {
		return nil
	}
	logs := slices.Clone(p50)
	for i, v := range logs {
		logs[i] = math.Log(v)
	}
	w, err := stat.FindWarmUp(logs, 5)
	if err != nil {
		return nil
	}
	from.Method = "mser-5@1"
	q := quantity("steady.warm_up", u.scope, float64(w.Values), "s", int64(len(logs)), from)
	switch {
	case w.Unsettled:
		q = withhold(q, "never settled: the best cut is half of the run")
	case w.Values*warmUpShare > len(logs):
		q.Warnings = append(q.Warnings, "more than a sixth of the run: declare a warm-up, or run longer")
	}
	return []Quantity{q}
}
