package detect

import (
	"slices"
	"strings"
)

// seen is what evidence of one kind was recorded: where it was, and how finely.
type seen struct {
	recorded   bool
	spans      []Span
	resolution int64 // ns
}

// weaker reports whether other evidence of the same cause is to be preferred: it
// shows something where this shows nothing, or shows it more finely.
func (s seen) weaker(other seen) bool {
	if len(other.spans) == 0 {
		return false
	}
	return len(s.spans) == 0 || other.resolution < s.resolution
}

// look finds the evidence that a trace describes.
func (t *Trace) look(e *Evidence, r *Requests, window Span) seen {
	switch {
	case t.Silence:
		return seen{true, pausesOf(r, window), int64(1e6)}
	case len(t.Markers) > 0 && t.Burst > 0:
		return t.bursts(t.markers(e), e)
	case len(t.Markers) > 0:
		return t.markers(e)
	case t.Sessions:
		return t.crowds(e)
	case len(t.Waits) > 0:
		return t.waits(e)
	}
	return t.levels(e)
}

// markers are instants, or what they lasted when a portion of an episode is
// asked for. Logs stamp whole seconds, or milliseconds.
func (t *Trace) markers(e *Evidence) seen {
	out := seen{resolution: int64(1e6)}
	whole := true
	for i := range e.Markers {
		m := &e.Markers[i]
		if !inLog(m.Kind, t.Markers) {
			continue
		}
		out.recorded = out.recorded || !t.Asked
		whole = whole && m.Time%1e6 == 0
		if !slices.ContainsFunc(t.Markers, func(k string) bool { return strings.HasPrefix(m.Kind, k) }) {
			continue
		}
		out.recorded = true
		at := Span{m.Time * 1000, m.Time * 1000}
		if t.Attr != "" {
			v, ok := Attr(m, t.Attr)
			if !ok || v <= t.Over {
				continue
			}
			if t.Portion > 0 { // what took so long ended here
				at.Start -= lasting(v)
			}
		}
		if v, ok := Attr(m, t.Lasting); ok && v > 0 {
			at.Start -= lasting(v)
		}
		out.spans = append(out.spans, at)
	}
	if whole { // the rest of the second was cut
		out.resolution = second
		for i := range out.spans {
			out.spans[i].End += second - 1
		}
	}
	return out
}

// bursts are the stretches of markers of which so many came within a second. A
// stretch begins with the first that the next follows at such a pace: what came
// singly before is no part of it.
func (t *Trace) bursts(s seen, e *Evidence) seen {
	marks := s.spans
	s.spans = nil
	mean := float64(len(marks)) / seconds(max(e.Within.Len(), second))
	lo := 0
	for i, m := range marks {
		for marks[lo].Start <= m.Start-second {
			lo++
		}
		n := i - lo + 1
		if n < t.Burst || float64(n) <= t.Ratio*mean {
			continue
		}
		if last := len(s.spans) - 1; last >= 0 && marks[lo].Start <= s.spans[last].End {
			s.spans[last].End = m.End
			continue
		}
		first := lo
		for first < i && marks[first+1].Start-marks[first].Start > second/int64(t.Burst) {
			first++
		}
		s.spans = append(s.spans, Span{marks[first].Start, m.End})
	}
	return s
}

// crowds are the looks at the database that met more sessions than usual. Where
// most looks saw no idle one those are not recorded, and what is counted is who
// was at work: more of them is no connection.
func (t *Trace) crowds(e *Evidence) seen {
	s := Series{At: visitTimes(e.Visits)}
	idle := 0
	for _, v := range e.Visits {
		s.Values = append(s.Values, float64(v.Sessions))
		if v.Sessions > v.Active {
			idle++
		}
	}
	if len(e.Visits) < 2 || 2*idle <= len(e.Visits) {
		return seen{}
	}
	step := s.Step()
	out := seen{recorded: true, spans: t.outside(&s), resolution: step}
	for i := range out.spans { // a look is an instant, and no mean since the one before
		out.spans[i].Start += step / 2
		out.spans[i].End += step / 2
	}
	return out
}

// lasting is so many seconds in ns, a day at most.
func lasting(s float64) int64 { return int64(min(s, 86400) * 1e9) }

func (t *Trace) waits(e *Evidence) seen {
	out := seen{recorded: len(e.Visits) > 1}
	if !out.recorded {
		return out
	}
	step := (&Series{At: visitTimes(e.Visits)}).Step()
	out.resolution = step
	for _, v := range e.Visits {
		n := 0
		for wait, k := range v.Waits {
			if slices.ContainsFunc(t.Waits, func(p string) bool { return strings.HasPrefix(wait, p) }) {
				n += k
			}
		}
		if n >= 2 && float64(n) >= t.Share*float64(v.Active) {
			out.spans = append(out.spans, Span{v.At - step/2, v.At + step/2})
		}
	}
	return out
}

// levels are the steps of points in which the metric was out of its usual range.
func (t *Trace) levels(e *Evidence) seen {
	var out seen
	for _, metric := range t.Metrics {
		list := e.Of(metric)
		for i := range list {
			s := &list[i]
			out.recorded = true // the metric was; of no interest is what no entity showed
			if len(t.Entities) > 0 && !slices.ContainsFunc(t.Entities, func(x string) bool { return strings.HasSuffix(s.Entity, x) }) {
				out.resolution = max(out.resolution, s.Step())
				continue
			}
			out.resolution = max(out.resolution, s.Step())
			out.spans = append(out.spans, t.outside(s)...)
		}
		if out.recorded {
			break
		}
	}
	slices.SortFunc(out.spans, func(a, b Span) int { return compare(a.Start, b.Start) })
	return out
}

func (t *Trace) outside(s *Series) []Span {
	at, values := s.Levels()
	if len(values) == 0 {
		return nil
	}
	usual := middle(slices.Sorted(slices.Values(values)))
	step := s.Step()
	var out []Span
	for i, v := range values {
		if t.Under > 0 && v >= t.Under*usual || t.Under == 0 && (v <= t.Over || v <= t.Ratio*usual) {
			continue
		}
		out = append(out, Span{at[i] - step + 1, at[i]})
	}
	return out
}

// shows reports whether the evidence falls into an episode. Where a portion is
// asked for, the evidence must cover as much of it.
func (t *Trace) shows(s seen, f Span) bool {
	for _, e := range s.spans {
		common := min(e.End, f.End) - max(e.Start, f.Start)
		if common < 0 {
			continue
		}
		if t.Portion == 0 || float64(common) >= t.Portion*float64(f.Len()) {
			return true
		}
	}
	return false
}
