package analyze

import (
	"fmt"
	"time"

	"headroom/detect"
)

// longestQueue bounds the seconds of a queue that are drawn.
const longestQueue = 7 * 24 * 3600

// queueFigure draws how many jobs waited, through the load and after it until the
// queue was empty, and how many came and were done in each second; nil where neither
// jobs nor a depth were recorded. It reads the jobs, and so belongs before they are
// released.
func (m *Measured) queueFigure() *Figure {
	end := m.window.End
	for _, r := range m.scenarios {
		if _, last, ok := r.Extent(); m.jobs[r.Scenario] && ok {
			end = max(end, last)
		}
	}
	for _, p := range m.depth {
		end = max(end, p.t)
	}
	n := (end - m.window.Start + int64(time.Second) - 1) / int64(time.Second)
	if !m.hasQueue() || n < 2 || n > longestQueue {
		return nil
	}
	jobs := m.jobsBySecond(n)
	if jobs.n+len(m.depth) == 0 {
		return nil
	}
	load := m.onAxis(m.window.End)
	f := &Figure{
		Kind: "queue", Title: m.setting() + ": jobs that waited",
		X:      Axis{Label: "time since the window's start", Unit: "s", Scale: "time", Start: m.window.begin()},
		Y:      []Axis{{Label: "waiting", Unit: "jobs"}},
		Panels: []Panel{{Series: []Series{m.waitingLine(jobs)}, Spans: []Span{{X0: load, X1: load, Kind: "step", Label: "load ends"}}}},
	}
	if jobs.n > 0 {
		f.Y = append(f.Y, Axis{Label: "jobs", Unit: "jobs/s"})
		f.Panels = append(f.Panels, Panel{Series: []Series{bySecondLine("came", "other", jobs.came), bySecondLine("done", "throughput", jobs.done)}})
	}
	most := "a number that is not known"
	if q := m.Result.Quantity("queue.peak", detect.Scope{}); q != nil && q.Value != nil {
		most = q.Display
	}
	f.Alt = fmt.Sprintf("Jobs that waited, at most %s; the load ended after %s.", most, Display(load, "s"))
	f.Notes = append(f.Notes, m.queueNote())
	return f
}

// waitingLine is how many jobs waited: by the depth that the system recorded, else
// by the jobs at the end of each second, those that came less those that began.
func (m *Measured) waitingLine(jobs jobSeconds) Series {
	depth := Series{Name: "waiting", Mark: "steps", Role: "other"}
	for _, p := range m.depth {
		depth.X, depth.Y = append(depth.X, m.onAxis(p.t)), append(depth.Y, p.v)
	}
	if len(m.depth) > 0 {
		return depth
	}
	waiting := jobs.before
	for k := range jobs.came {
		waiting += jobs.came[k] - jobs.begun[k]
		depth.X, depth.Y = append(depth.X, float64(k+1)), append(depth.Y, waiting)
	}
	return depth
}

// jobSeconds counts the jobs of a queue by second of the window and after it.
type jobSeconds struct {
	n                 int     // all jobs
	before            float64 // that waited when the window began
	came, begun, done []float64
}

func (m *Measured) jobsBySecond(n int64) jobSeconds {
	s := jobSeconds{came: make([]float64, n), begun: make([]float64, n), done: make([]float64, n)}
	at := func(t int64) int64 { return min(floorDiv(t-m.window.Start, int64(time.Second)), n-1) }
	for _, r := range m.scenarios {
		if !m.jobs[r.Scenario] {
			continue
		}
		for c := range r.Chunks() {
			for i, came := range c.Start {
				s.n++
				if k := at(came); k >= 0 {
					s.came[k]++
				} else {
					s.before++
				}
				if k := at(c.Sent(i)); k >= 0 {
					s.begun[k]++
				} else {
					s.before--
				}
				if k := at(c.End(i)); k >= 0 {
					s.done[k]++
				}
			}
		}
	}
	return s
}

func bySecondLine(name, role string, counts []float64) Series {
	s := Series{Name: name, Mark: "steps", Role: role, Y: counts}
	for k := range counts {
		s.X = append(s.X, float64(k))
	}
	return s
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
	text := said("queue.peak", "At most") + " waited; " + said("queue.drain", "empty after the load's end after") + "."
	arrivals, served := m.Result.Quantity("queue.arrivals", detect.Scope{}), m.Result.Quantity("queue.served", detect.Scope{})
	if arrivals != nil && arrivals.Value != nil && served != nil && served.Value != nil {
		text += " " + arrivals.Display + " came on average, and while any waited " + served.Display + " were begun."
	}
	return text
}

// queueFigures adds the queue of each run that had one.
func (d *document) queueFigures() {
	n := 0
	for _, m := range d.runs {
		if m.queueing == nil || n >= maxTimelines {
			continue
		}
		n++
		f := *m.queueing
		f.ID = fmt.Sprintf("queue-%d", n)
		d.Figures = append(d.Figures, f)
	}
}
