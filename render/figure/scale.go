package figure

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"headroom/analyze"
	"headroom/render/label"
)

// scale places the values of an axis on a plane that gonum sees as linear.
type scale struct {
	low, high float64                 // the ends, on the plane
	at        func(v float64) float64 // NaN for a value without a place
	why       string                  // why a value may have none
	ticks     []plot.Tick             // on the plane
	label     string
	unit      unit
	time      bool
}

// An extent is what an axis must show.
type extent struct {
	values []float64 // of the points
	spans  []float64 // ends of spans and limits: shown if they are near
	last   float64   // where the last of steps ends; 0 for none
}

// Distances between labels: lines of text, short numbers, times, names.
const (
	lineRoom   vg.Length = 30
	numberRoom vg.Length = 36
	timeRoom   vg.Length = 56
	nameRoom   vg.Length = 80
)

// newScale makes the scale of an axis of a length.
func newScale(a analyze.Axis, e extent, length vg.Length, horizontal bool) scale {
	room := func(each vg.Length) int {
		if !horizontal {
			each = lineRoom
		}
		return max(int(length/each), 2)
	}
	switch {
	case a.Scale == "category":
		return categoryScale(a, room(nameRoom))
	case a.Scale == "percentile":
		return percentileScale(a, e, horizontal && length < 500)
	case a.Scale == "log":
		return logScale(a, e, room(numberRoom), length, horizontal)
	case a.Start != "" && inTime(e):
		return timeScale(a, e, room(timeRoom))
	}
	s := linearScale(a, e, room(timeRoom), horizontal)
	if settings := distinct(e.values); horizontal && areSettings(settings) {
		s.ticks = settingTicks(settings, s, length)
	}
	return s
}

// axisLabel joins a label with the unit in which the axis is written.
func axisLabel(a analyze.Axis, u unit, scaleName string) string {
	s := label.Clean(a.Label, label.Cell)
	if u.name != "" {
		s += ", " + u.name
	}
	if scaleName != "" {
		s += " (" + scaleName + ")"
	}
	return strings.TrimPrefix(s, ", ")
}

// nearlyEqual is the part of their size within which values differ on an axis of
// their own, which then says that it does not begin at zero. Rates have none: equal
// repeats must look equal.
const (
	nearlyEqual = 1e-3
	notFromZero = "not from 0"
)

func isRate(unit string) bool { return strings.HasSuffix(unit, "/s") }

func linearScale(a analyze.Axis, e extent, n int, horizontal bool) scale {
	cut := ""
	low, high := span(e.values)
	if !horizontal {
		high = withNear(e.spans, high)
	}
	switch {
	case high-low <= 1e-12*math.Max(math.Abs(low), math.Abs(high)): // one value, or none that differs
		low, high = min(low-math.Abs(low)/2, 0), max(high+math.Abs(high)/2, 0)
		if low == high {
			low, high = 0, 1
		}
	case horizontal:
		pad := (high - low) * 0.05
		low, high = low-pad, high+pad
	case low > 0 && (high-low > high*nearlyEqual || isRate(a.Unit)): // a rate or a latency is read from zero
		low = 0
	case high < 0 && high-low > -low*nearlyEqual:
		high = 0
	case low > 0 || high < 0:
		cut = notFromZero
	}
	u := unitFor(a.Unit, low, high, math.Max(math.Abs(low), math.Abs(high)))
	values, step := linearTicks(low/u.factor, high/u.factor, n)
	if !horizontal { // end the axis on a tick, so that the highest point has air
		low = min(low, math.Floor(low/u.factor/step+1e-9)*step*u.factor)
		high = max(high, math.Ceil(high/u.factor/step-1e-9)*step*u.factor)
		values, step = linearTicks(low/u.factor, high/u.factor, n+1)
	}
	s := scale{low: low, high: high, at: identity, unit: u, label: axisLabel(a, u, cut)}
	for _, v := range values {
		s.ticks = append(s.ticks, plot.Tick{Value: v * u.factor, Label: u.format(v*u.factor, step*u.factor)})
	}
	return s
}

func identity(v float64) float64 { return v }

func logScale(a analyze.Axis, e extent, n int, length vg.Length, horizontal bool) scale {
	positive := slices.DeleteFunc(slices.Clone(e.values), func(v float64) bool { return v <= 0 })
	low, high := span(positive)
	if len(positive) == 0 {
		low, high = 1, 1
	}
	if !horizontal {
		for _, v := range e.spans {
			if v > 0 && v < high*100 && v > low/100 {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	settings := distinct(positive)
	u := unitFor(a.Unit, low, high, math.Sqrt(low)*math.Sqrt(high))
	var ticks []float64
	switch {
	case horizontal && areSettings(settings):
		u = unitFor(a.Unit, low, high, low)
		pad := math.Pow(high/low, 0.06)
		s := scale{low: math.Log10(low / pad), high: math.Log10(high * pad), unit: u, why: noLog, at: logPlace, label: axisLabel(a, u, "")}
		s.ticks = settingTicks(settings, s, length)
		return s
	case low == high:
		low, high = low/10, high*10
		ticks = logTicks(low, high, n)
	case !horizontal && high/low < 1.5: // decades would not tell the values apart
		return narrowLog(a, e, n)
	default:
		if !horizontal || high/low < 10 {
			low, high = niceBelow(low), niceAbove(high)
		}
		ticks = logTicks(low, high, n)
	}
	s := scale{low: math.Log10(low), high: math.Log10(high), unit: u, why: noLog, at: logPlace,
		label: axisLabel(a, u, logName)}
	for _, v := range ticks {
		s.ticks = append(s.ticks, plot.Tick{Value: math.Log10(v), Label: u.number(v)})
	}
	return s
}

// narrowLog is the scale of a logarithmic axis whose values differ by less than
// half: its ticks are those of a linear axis.
func narrowLog(a analyze.Axis, e extent, n int) scale {
	s := linearScale(analyze.Axis{Label: a.Label, Unit: a.Unit}, extent{values: e.values}, n, true)
	s.low, s.high, s.why = math.Log10(s.low), math.Log10(s.high), noLog
	s.at, s.label = logPlace, axisLabel(a, s.unit, logName)
	for i := range s.ticks {
		s.ticks[i].Value = math.Log10(s.ticks[i].Value)
	}
	return s
}

const (
	logName = "log scale"
	noLog   = "not positive, no place on a logarithmic axis"
)

func logPlace(v float64) float64 {
	if v <= 0 {
		return math.NaN()
	}
	return math.Log10(v)
}

// maxSettings is up to how many values of a horizontal axis are settings that were
// measured: they are its ticks, and no value between them is.
const maxSettings = 24

func areSettings(distinct []float64) bool { return len(distinct) > 1 && len(distinct) <= maxSettings }

// settingTicks puts a tick at each setting, and labels as many as have room: the
// first and the last, then those between.
func settingTicks(settings []float64, s scale, length vg.Length) []plot.Tick {
	const apart vg.Length = 7
	sty := style(inkMuted, smallSize, draw.XCenter, draw.YTop)
	out := make([]plot.Tick, len(settings))
	ends := func(i int) (from, to vg.Length) {
		x := length * vg.Length((out[i].Value-s.low)/(s.high-s.low))
		half := (sty.Width(s.unit.number(settings[i])) + apart) / 2
		return x - half, x + half
	}
	last := len(settings) - 1
	for i, v := range settings {
		out[i].Value = s.at(v)
	}
	lastFrom, _ := ends(last)
	free := vg.Length(math.Inf(-1))
	for i, v := range settings {
		from, to := ends(i)
		if i == last || from >= free && (i == 0 || to <= lastFrom) {
			out[i].Label = s.unit.number(v)
			free = to
		}
	}
	return out
}

// niceBelow and niceAbove are the nearest of 1, 2, 5 times a power of ten.
func niceBelow(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)+1e-9))
	for _, m := range []float64{5, 2} {
		if m*power <= v*(1+1e-9) {
			return m * power
		}
	}
	return power
}

func niceAbove(v float64) float64 { return niceStep(v) }

// longestRun bounds an axis of elapsed time: thirty years, in seconds. What is
// beyond is no time of a run, and is drawn as a number.
const longestRun = 1e9

func inTime(e extent) bool {
	for _, list := range [][]float64{e.values, e.spans} {
		if low, high := span(list); low < -longestRun || high > longestRun {
			return false
		}
	}
	return true
}

// shown is what a time axis shows: the points, and the ends of intervals at most a
// fiftieth or a bucket of steps beyond them. An interval that began long before
// the first point does not squeeze them.
func (e extent) shown() (low, high float64) {
	if len(e.values) == 0 {
		return span(e.spans)
	}
	low, high = span(e.values)
	near := (high - low) / 50
	if e.last > high {
		near = max(near, e.last-high)
		high = e.last
	}
	first, end := low, high
	for _, v := range e.spans {
		if v >= first-near && v <= end+near {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

func timeScale(a analyze.Axis, e extent, n int) scale {
	low, high := e.shown()
	if low == high {
		low, high = low-1, high+1
	}
	name := label.Clean(a.Label, label.Cell)
	if name == "" {
		name = "elapsed time"
	}
	start := label.Clean(a.Start, label.Cell)
	if day, clock, ok := strings.Cut(strings.TrimSuffix(start, "Z"), "T"); ok && strings.HasSuffix(start, "Z") {
		if whole, fraction, ok := strings.Cut(clock, "."); ok && strings.Trim(fraction, "0") == "" {
			clock = whole
		}
		start = day + " " + clock + " UTC"
	}
	// An axis that begins or ends within a fiftieth of a round time includes it.
	near := (high - low) / 50
	ticks := timeTicks(low-near, high+near, n)
	if len(ticks) > 0 {
		low, high = min(low, ticks[0].Value), max(high, ticks[len(ticks)-1].Value)
	}
	return scale{low: low, high: high, at: identity, time: true, unit: unit{"s", 1},
		label: name + " (0:00 is " + start + ")", ticks: ticks}
}

func percentileScale(a analyze.Axis, e extent, short bool) scale {
	s := scale{unit: unit{"", 1}, why: "no quantile from 0 up to, not including, 1", label: label.Clean(a.Label, label.Cell)}
	s.at = func(q float64) float64 {
		if q < 0 || q >= 1 {
			return math.NaN()
		}
		return -math.Log10(1 - q)
	}
	s.high = 1 // at least up to the 90th percentile
	for _, q := range e.values {
		if p := s.at(q); p > s.high {
			s.high = p
		}
	}
	for i, q := range percentileTicks {
		if short && i == 0 && s.high > 2 { // no room beside 50 %
			continue
		}
		if p := s.at(q); p <= s.high+1e-9 {
			s.ticks = append(s.ticks, plot.Tick{Value: p, Label: percent(q)})
		}
	}
	return s
}

func categoryScale(a analyze.Axis, n int) scale {
	count := len(a.Categories)
	s := scale{low: -0.5, high: max(0.5, float64(count)-0.5), why: "no such category",
		unit: unit{"", 1}, label: axisLabel(a, unit{}, "")}
	s.at = func(v float64) float64 {
		if v < 0 || v > float64(count)-1 {
			return math.NaN()
		}
		return v
	}
	every := (count + n - 1) / max(n, 1)
	for i, c := range a.Categories {
		if i%max(every, 1) == 0 {
			s.ticks = append(s.ticks, plot.Tick{Value: float64(i), Label: label.Clean(c, 24)})
		}
	}
	return s
}

// tell writes a value of the axis for a tooltip.
func (s scale) tell(v float64) string {
	if s.time {
		return moment(v)
	}
	return s.unit.plain(v)
}

// span is the lowest and highest of the values; 0, 0 if there are none.
func span(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 0, 0
	}
	return slices.Min(values), slices.Max(values)
}

// withNear raises the end of an axis to the limits that it may include without
// flattening the values: up to twice as high.
func withNear(limits []float64, high float64) float64 {
	near := high
	for _, v := range limits {
		if v > near && v <= 2*high {
			near = v
		}
	}
	return near
}

func distinct(values []float64) []float64 {
	out := slices.Clone(values)
	slices.Sort(out)
	return slices.Compact(out)
}
