package analyze

import (
	"hash/fnv"
	"math"
	"slices"
	"time"

	"headroom/detect"
	"headroom/stat"
)

// What the companions of the drift rule look at (DETECTION 5.3): p99s of ten
// seconds, drawn in blocks of forty.
const (
	driftWidth = int64(10 * time.Second)
	driftBlock = 4
	driftDraws = 1000
)

// driftCompanions gives what explains a drift, or the lack of one: the ratio
// without frozen seconds, that of the medians of the thirds with its lower bound,
// and how long the run took to settle. None of them fails a run.
func (m *Measured) driftCompanions(u *unit) []Quantity {
	if u.probe || u.window.Len() <= 0 {
		return nil
	}
	from := From{Tables: []string{"samples"}, Window: u.window.text()}
	var out []Quantity
	if q, ok := m.freezeFree(u, from); ok {
		out = append(out, q)
	}
	out = append(out, m.thirdMedians(u, from)...)
	return append(out, m.warmUp(u, from)...)
}

// freezeFree is the drift ratio with frozen seconds and their neighbours left out:
// freezes late in a run fake a drift. ok is false where there were none to leave out.
func (m *Measured) freezeFree(u *unit, from From) (Quantity, bool) {
	q := m.Result.Quantity("freeze.seconds", u.scope)
	if q == nil || q.Value == nil || *q.Value == 0 {
		return Quantity{}, false
	}
	at, _ := q.From.Params["at"].([]int64)
	r, without := u.started(), nearFrozen(at, u.window.Start)
	from.Method = "p99-thirds-without-freezes@1"
	t, err := r.Thirds(u.window.Span, without)
	out := quantity("drift.freeze_free", u.scope, 0, "1", int64(t.N[0]+t.N[1]+t.N[2]), from)
	if err != nil {
		return withhold(out, "a third of the window has no sample outside its freezes"), true
	}
	ratio, ok := t.Ratio()
	if !ok {
		return withhold(out, "the p99 of the first third is zero"), true
	}
	return quantity(out.ID, u.scope, ratio, "1", int64(min(t.N[0], t.N[1], t.N[2])), from), true
}

// nearFrozen are the seconds of a window, by their numbers, that froze, with the
// second before and after each, in order.
func nearFrozen(seconds []int64, start int64) []detect.Span {
	var out []detect.Span
	for _, s := range seconds {
		span := detect.Span{Start: start + (s-1)*1e9, End: start + (s+2)*1e9}
		if n := len(out); n > 0 && span.Start <= out[n-1].End {
			out[n-1].End = span.End
		} else {
			out = append(out, span)
		}
	}
	return out
}

// started are the requests of the unit that start in its window: those of a closed
// loop belong to it by their end.
func (u *unit) started() *detect.Requests {
	if u.starting == nil {
		u.starting = u.all.Starting(u.window.Span)
	}
	return u.starting
}

// windowQuantiles are the quantiles of full windows of the given width from the
// unit's start, in s. A window without a sample ends the series: ok is false.
func (u *unit) windowQuantiles(width int64, of func(*detect.Bucketed) []int64) (out []float64, ok bool) {
	for _, v := range of(u.started().Bucketed(u.window.Span, width, detect.OnlyOK)) {
		if v <= 0 { // detect.Empty included
			return nil, false
		}
		out = append(out, float64(v)/1e9)
	}
	return out, true
}

// The quantiles of a window.
func p50s(b *detect.Bucketed) []int64 { return b.P50 }
func p99s(b *detect.Bucketed) []int64 { return b.P99 }

// thirdMedians compares the medians of ten-second p99s of the last third and the
// first: a single stall moves no median. The bound is drawn by blocks, since
// neighbouring windows are alike.
func (m *Measured) thirdMedians(u *unit, from From) []Quantity {
	ws, ok := u.windowQuantiles(driftWidth, p99s)
	if !ok || len(ws) < 3 {
		return nil
	}
	n := int64(len(ws))
	third := len(ws) / 3
	ratio := medianOf(ws[len(ws)-third:]) / medianOf(ws[:third])
	from.Method = "medians-of-ten-second-p99s@1"
	q := quantity("drift.medians", u.scope, ratio, "1", n, from)
	draw := stat.Resampling{Draws: driftDraws, Seed: m.seed("drift"), Block: driftBlock}
	if b, err := stat.RatioOfMedians(ws, draw); err == nil {
		q = quantity("drift.medians", u.scope, b.Ratio, "1", n, from)
		lo, hi := b.Lower, b.Upper
		q.Interval = []*float64{&lo, &hi}
		q.From.Params = map[string]any{"interval": "one-sided bounds at 95 %, moving blocks", "draws": draw.Draws, "seed": draw.Seed, "block": draw.Block}
	}
	return []Quantity{q}
}

// seed makes a random procedure of a run repeatable.
func (m *Measured) seed(what string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(m.manifest.ID + "\x00" + what))
	return h.Sum64() >> 12 // a JSON number holds it exactly
}

// warmUpShare is how much of a run is called warm-up at most.
const warmUpShare = 6

// warmUp says how long the run took to settle, by MSER-5 over the logarithms of
// per-second medians. Nothing is cut by it.
func (m *Measured) warmUp(u *unit, from From) []Quantity {
	p50, ok := u.windowQuantiles(int64(time.Second), p50s)
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

// The words that explain what the drift rule says (DETECTION 5.3).
const (
	driftShown   = "drift: slower without its freezes too, and the medians of ten seconds bear it out"
	driftUnsure  = "slower without its freezes too, but the medians of ten seconds do not bear it out"
	driftLoosely = "slower without its freezes too; too few windows of ten seconds to bear it out"
	driftStalls  = "stalls in the last third, no drift without them"
	driftHidden  = "a drift hidden by the warm-up: the medians of ten seconds rose; cut the warm-up and look again"
)

// driftWord explains what the drift rule says of a unit, "" where there is
// nothing to explain.
func (m *Measured) driftWord(u *unit) string {
	limit := m.protocol.DriftLimit
	plain, ok := m.Result.value("drift.ratio", u.scope)
	if !ok {
		return ""
	}
	medians := m.Result.Quantity("drift.medians", u.scope)
	if plain <= limit {
		if medians != nil && medians.Value != nil && *medians.Value > limit && bounded(medians) {
			return driftHidden
		}
		return ""
	}
	free, looked := m.Result.value("drift.freeze_free", u.scope)
	switch {
	case looked && free <= limit:
		return driftStalls
	case medians == nil || medians.Value == nil || len(medians.Interval) == 0:
		return driftLoosely
	case bounded(medians):
		return driftShown
	}
	return driftUnsure
}

// bounded reports whether the lower bound of a ratio is over 1.
func bounded(q *Quantity) bool {
	return len(q.Interval) > 0 && q.Interval[0] != nil && *q.Interval[0] > 1
}
