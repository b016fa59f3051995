package analyze

import (
	"fmt"
	"slices"
	"time"

	"headroom/detect"
)

// queueFigure draws how many jobs waited, through the load and after it until the
// queue was empty, and how many came and were done in each second. ok is false
// where neither jobs nor a depth were recorded.
func (m *Measured) queueFigure() (f Figure, ok bool) {
	var arrived, begun, done []int64
	for _, r := range m.scenarios {
		if !m.jobs[r.Scenario] {
			continue
		}
		for q := range r.All() {
			arrived, begun, done = append(arrived, q.Start), append(begun, q.Start+max(q.Wait, 0)), append(done, q.End())
		}
	}
	depth := Series{Name: "waiting", Mark: "steps", Role: "other"}
	end := m.window.End
	for _, t := range done {
		end = max(end, t)
	}
	for _, p := range m.depth {
		end = max(end, p.t)
	}
	n := (end - m.window.Start + int64(time.Second) - 1) / int64(time.Second)
	if n < 2 || n > 7*24*3600 || len(arrived)+len(m.depth) == 0 {
		return Figure{}, false
	}
	for _, p := range m.depth {
		depth.X, depth.Y = append(depth.X, m.onAxis(p.t)), append(depth.Y, p.v)
	}
	came, went := m.perSecond(arrived, n), m.perSecond(done, n)
	if len(m.depth) == 0 { // by the jobs: those that came less those that began
		waiting := 0.0
		began := m.perSecond(begun, n)
		for k := range came {
			waiting += came[k] - began[k]
			depth.X, depth.Y = append(depth.X, float64(k+1)), append(depth.Y, max(waiting, 0))
		}
	}
	f = Figure{
		Kind: "queue", Title: m.setting() + ": jobs that waited",
		X: Axis{Label: "time since the window's start", Unit: "s", Scale: "time", Start: m.window.begin()},
		Y: []Axis{{Label: "waiting", Unit: "jobs"}}, Panels: []Panel{{Series: []Series{depth}}},
	}
	load := m.onAxis(m.window.End)
	f.Panels[0].Spans = append(f.Panels[0].Spans, Span{X0: load, X1: load, Kind: "step", Label: "load ends"})
	if len(arrived) > 0 {
		f.Y = append(f.Y, Axis{Label: "jobs", Unit: "jobs/s"})
		f.Panels = append(f.Panels, Panel{Series: []Series{{Name: "came", Mark: "steps", Role: "other"}, {Name: "done", Mark: "steps", Role: "throughput"}}})
		for k := range came {
			for i, v := range []float64{came[k], went[k]} {
				s := &f.Panels[1].Series[i]
				s.X, s.Y = append(s.X, float64(k)), append(s.Y, v)
			}
		}
	}
	f.Alt = fmt.Sprintf("Jobs that waited, at most %s; the load ended after %s.", Count(int64(slices.Max(depth.Y))), Display(load, "s"))
	f.Notes = append(f.Notes, m.queueNote())
	return f, true
}

// perSecond counts instants by second of the window and after it.
func (m *Measured) perSecond(times []int64, n int64) []float64 {
	out := make([]float64, n)
	for _, t := range times {
		if k := floorDiv(t-m.window.Start, int64(time.Second)); k >= 0 && k < n {
			out[k]++
		}
	}
	return out
}

// queueNote says how far the queue grew and when it was empty again.
func (m *Measured) queueNote() string {
	said := func(id, before string) string {
		q := m.Result.Quantity(id, detect.Scope{})
		switch {
		case q == nil:
			return ""
		case q.Value == nil:
			return before + " not known: " + q.Why
		}
		return before + " " + q.Display
	}
	return said("queue.peak", "At most") + " waited; " + said("queue.drain", "empty after the load's end after") + "."
}

// queueFigures adds the queue of each run that had one.
func (d *document) queueFigures() {
	n := 0
	for _, m := range d.runs {
		if !m.hasQueue() || n >= maxTimelines {
			continue
		}
		if f, ok := m.queueFigure(); ok {
			n++
			f.ID = fmt.Sprintf("queue-%d", n)
			d.Figures = append(d.Figures, f)
		}
	}
}
