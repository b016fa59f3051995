package analyze

import (
	"fmt"
	"slices"
	"time"

	"headroom/detect"
	"headroom/runs"
	"headroom/stat"
)

// second is one second of one scenario, charged by start, but completions by end.
type second struct {
	latency   []int64
	failed    int
	completed int64 // events of ok requests that ended in it
}

// perSecond cuts the requests into seconds from the span's start.
func perSecond(r *detect.Requests, span detect.Span) []second {
	n := (span.Len() + int64(time.Second) - 1) / int64(time.Second)
	out := make([]second, max(n, 0))
	at := func(t int64) *second {
		k := stat.BucketIndex(t, span.Start, int64(time.Second))
		if k < 0 || k >= n {
			return nil
		}
		return &out[k]
	}
	for i := range r.Rows {
		q := &r.Rows[i]
		if s := at(q.Start); s != nil {
			if ns, ok := r.Latency(q); ok {
				s.latency = append(s.latency, ns)
			}
			if q.Outcome() == runs.Failed || q.Outcome() == runs.Timeout {
				s.failed++
			}
		}
		if s := at(q.End()); s != nil && q.OK() {
			s.completed += q.Events
		}
	}
	return out
}

// keepTimelines draws each scenario that is no probe, second by second.
func (m *Measured) keepTimelines() {
	for _, r := range m.scenarios {
		if m.probes[r.Scenario] || m.window.Len() <= 0 {
			continue
		}
		m.timelines = append(m.timelines, m.timeline(r))
	}
}

func (m *Measured) timeline(r *detect.Requests) Figure {
	start := m.window.Start
	f := Figure{
		Kind: "timeline", Title: fmt.Sprintf("%s, %s: second by second", m.Result.Run.ID, r.Scenario),
		X: Axis{Label: "time since the window's start", Unit: "s", Scale: "time", Start: detect.Instant(start)},
		Y: []Axis{{Label: "latency", Unit: "s", Scale: "log"}, {Label: "completed", Unit: "events/s"}},
	}
	p50 := Series{Name: "p50", Mark: "line", Role: "p50", Gap: 1.5}
	p99 := Series{Name: "p99", Mark: "line", Role: "p99", Gap: 1.5}
	worst := Series{Name: "max", Mark: "line", Role: "max", Gap: 1.5}
	done := Series{Name: "completed", Mark: "steps", Role: "throughput"}
	failed := Series{Name: "failed", Mark: "bars", Role: "failed"}
	empty := 0
	for k, s := range perSecond(r, m.window.Span) {
		x := float64(k)
		done.X, done.Y = append(done.X, x), append(done.Y, float64(s.completed))
		if s.failed > 0 {
			failed.X, failed.Y = append(failed.X, x), append(failed.Y, float64(s.failed))
		}
		if len(s.latency) == 0 {
			empty++
			continue
		}
		slices.Sort(s.latency)
		add := func(to *Series, ns int64) {
			to.X, to.Y = append(to.X, x), append(to.Y, float64(ns)/1e9)
		}
		n := len(s.latency)
		add(&p50, s.latency[stat.Rank(stat.P50, n)-1])
		add(&p99, s.latency[stat.Rank(stat.P99, n)-1])
		add(&worst, s.latency[n-1])
	}
	f.Panels = []Panel{{Series: []Series{worst, p99, p50}}, {Series: []Series{done}}}
	if len(failed.X) > 0 {
		f.Panels[1].Series = append(f.Panels[1].Series, failed)
	}
	f.Panels[0].Spans, f.Panels[1].Spans = m.spans(r.Scenario, start)
	m.loadLane(&f, start)
	f.Alt = fmt.Sprintf("Latency and completions of %s requests over %s; %s marked.", Count(int64(len(r.Rows))),
		Display(float64(m.window.Len())/1e9, "s"), countText(countKind(f.Panels[0].Spans, "freeze"), "freeze"))
	f.Notes = append(f.Notes, fmt.Sprintf("%s requests, one point a second by start; completions by end.", Count(int64(len(r.Rows)))))
	if empty > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("No request began in %s.", countText(empty, "second")))
	}
	return f
}

// loadLane adds the load average on the same axis, where it was recorded.
func (m *Measured) loadLane(f *Figure, start int64) {
	lane := Series{Name: "load average (1 min)", Mark: "line", Role: "other"}
	for _, p := range m.evidence.load1.within(m.window.Start, m.window.End) {
		lane.X = append(lane.X, float64(p.t-start)/1e9)
		lane.Y = append(lane.Y, p.v)
	}
	if len(lane.X) < 2 {
		return
	}
	f.Y = append(f.Y, Axis{Label: "load", Unit: "1"})
	f.Panels = append(f.Panels, Panel{Series: []Series{lane}})
}

func countKind(spans []Span, kind string) int {
	n := 0
	for _, s := range spans {
		if s.Kind == kind {
			n++
		}
	}
	return n
}

// since returns the seconds from start to an instant that detect wrote.
func since(instant string, start int64) float64 {
	t, err := time.Parse(time.RFC3339Nano, instant)
	if err != nil {
		return 0
	}
	return float64(t.UnixNano()-start) / 1e9
}
