package analyze

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// metricDepth is how many jobs wait, as the system itself counts them.
const metricDepth = "queue.depth"

// jobsOf returns the scenarios that are declared to be the jobs of a queue.
func jobsOf(m *runs.Manifest) map[string]bool {
	out := map[string]bool{}
	for _, s := range m.Load.Jobs {
		out[s] = true
	}
	return out
}

// readDepth scans the depth of the queue over the whole recording: a queue
// drains after the window has ended.
func readDepth(ctx context.Context, run *runs.Run) (series, error) {
	var out series
	err := run.ScanPoints(ctx, []string{metricDepth}, runs.Range{}, func(p *runs.Point) error {
		out = append(out, point{p.Nanos(), p.Value, p.Entity})
		return nil
	})
	slices.SortStableFunc(out, func(a, b point) int { return compare(a.t, b.t) })
	return out, err
}

// recorded is the time from a scenario's first start to past its last end.
func (m *Measured) recorded(r *detect.Requests) detect.Span {
	s := m.window.Span
	if first, last, ok := r.Extent(); ok {
		s.Start, s.End = min(s.Start, first), max(s.End, last+1)
	}
	return s
}

// hasQueue reports whether anything was recorded, or declared, of a queue.
func (m *Measured) hasQueue() bool { return len(m.jobs) > 0 || len(m.depth) > 0 }

// queue returns what the jobs and the depth of a queue say (DETECTION 9.7). The
// waiting and processing of jobs stand as wait.* and service.* of their scenario.
func (m *Measured) queue() []Quantity {
	if !m.hasQueue() {
		return nil
	}
	var of []*detect.Requests
	for _, r := range m.scenarios {
		if m.jobs[r.Scenario] {
			of = append(of, r)
		}
	}
	jobs := detect.JobsOf(of)
	from := From{Tables: []string{"samples"}, Method: "jobs@1", Window: m.window.text()}
	give := func(id string, v float64, unit string, from From) Quantity {
		return quantity(id, detect.Scope{}, v, unit, int64(jobs.N), from)
	}
	var out []Quantity
	if len(m.jobs) > 0 {
		out = append(out, give("queue.processed", float64(jobs.Done), "1", from))
	}
	if jobs.N > 0 {
		out = append(out, give("queue.last_end", float64(max(jobs.LastDone-m.window.End, 0))/1e9, "s", from))
	}
	out = append(out, m.depths(jobs, from)...)
	return append(out, m.paces(jobs, of, from)...)
}

// paces returns how many jobs came by the second of the window, and how many were
// begun by the second while at least one waited: as many as the workers take, whatever
// comes. A queue grows where more come.
func (m *Measured) paces(jobs detect.Jobs, of []*detect.Requests, from From) []Quantity {
	if jobs.N == 0 || m.window.Len() <= 0 {
		return nil
	}
	came := int64(0)
	for _, r := range of {
		for c := range r.Chunks() {
			for _, start := range c.Start {
				if m.window.Contains(start) {
					came++
				}
			}
		}
	}
	arrivals := quantity("queue.arrivals", detect.Scope{}, float64(came)/(float64(m.window.Len())/1e9), "jobs/s", came, from)
	if why := m.lacking(nil); why != "" {
		arrivals = withhold(arrivals, why)
	}
	from.Method = "begun-while-waiting@1"
	served := quantity("queue.served", detect.Scope{}, 0, "jobs/s", int64(jobs.Served), from)
	if jobs.Busy < leastBusy {
		return []Quantity{arrivals, withhold(served, "jobs waited for less than a second together: how many are served at most is not known")}
	}
	return []Quantity{arrivals, quantity(served.ID, served.Scope, float64(jobs.Served)/(float64(jobs.Busy)/1e9), served.Unit, int64(jobs.Served), from)}
}

// leastBusy is for how long jobs must have waited, in ns, for the pace of their workers
// to be told.
const leastBusy = int64(time.Second)

// depths returns the peak and the drain, by the depth that the system recorded,
// else by the jobs.
func (m *Measured) depths(jobs detect.Jobs, byJobs From) []Quantity {
	peak, drain := quantity("queue.peak", detect.Scope{}, 0, "1", -1, byJobs), quantity("queue.drain", detect.Scope{}, 0, "s", -1, byJobs)
	if len(m.depth) == 0 {
		if why := m.died("queue depth"); why != "" {
			return []Quantity{withhold(peak, why), withhold(drain, why)}
		}
		if jobs.N == 0 {
			return []Quantity{withhold(peak, "no job and no depth of the queue was recorded"), withhold(drain, "no job and no depth of the queue was recorded")}
		}
		peak = quantity("queue.peak", detect.Scope{}, float64(jobs.Peak), "1", int64(jobs.N), byJobs)
		ns := max(jobs.LastBegun-jobs.LastCame, 0) // none waited if the last that came was begun at once
		drain = quantity("queue.drain", detect.Scope{}, float64(ns)/1e9, "s", int64(jobs.N), byJobs)
		return []Quantity{peak, drain}
	}
	from := From{Tables: []string{"points"}, Method: "depth@1", Window: m.window.text()}
	n := int64(len(m.depth))
	highest := slices.MaxFunc(m.depth, func(a, b point) int { return cmp.Compare(a.v, b.v) })
	peak = quantity("queue.peak", detect.Scope{}, highest.v, "1", n, from)
	drain = quantity("queue.drain", detect.Scope{}, 0, "s", n, from)
	if why := m.depthHole(); why != "" {
		return []Quantity{peak, withhold(drain, why)}
	}
	for _, p := range m.depth {
		if p.t >= m.window.End && p.v == 0 {
			return []Quantity{peak, quantity("queue.drain", detect.Scope{}, float64(p.t-m.window.End)/1e9, "s", n, from)}
		}
	}
	end := m.depth[len(m.depth)-1]
	why := fmt.Sprintf("the queue was never seen empty after the load: the last depth, at %s, is %s", detect.Instant(end.t), Count(int64(end.v)))
	if end.t < m.window.End {
		why = "the depth of the queue was not recorded after the load"
	}
	return []Quantity{peak, withhold(drain, why)}
}

// depthHole says where the depth of the queue was not recorded between the start of
// the window and the first time that the queue was seen empty after its end, "" if
// it was throughout: the queue may have been empty before, or the two clocks differ.
func (m *Measured) depthHole() string {
	if len(m.depth) < 2 {
		return ""
	}
	gaps := make([]float64, 0, len(m.depth)-1)
	for i := 1; i < len(m.depth); i++ {
		gaps = append(gaps, float64(m.depth[i].t-m.depth[i-1].t))
	}
	hole := int64(usualGaps * medianOf(gaps)) // two looks in a row are missing
	last := m.window.Start
	for _, p := range m.depth {
		if p.t-last >= hole {
			return fmt.Sprintf("the depth of the queue was not recorded from %s to %s", detect.Instant(last), detect.Instant(p.t))
		}
		last = max(last, p.t)
		if p.t >= m.window.End && p.v == 0 {
			break
		}
	}
	return ""
}

// died says that something was to be recorded and was not, "" if not.
func (m *Measured) died(what string) string {
	for _, a := range m.manifest.NotCollected {
		if a.What == what && a.Why == runs.CollectorDied {
			return what + " was to be recorded and is not there"
		}
	}
	return ""
}

// accepted counts the requests of the load that ended well, in the window or not.
func (m *Measured) accepted() (n int64) {
	for _, r := range m.scenarios {
		if m.probes[r.Scenario] {
			continue
		}
		for c := range r.Chunks() {
			for i := range c.Start {
				if c.OK(i) {
					n++
				}
			}
		}
	}
	return n
}

var processed = &Gate{
	Name: "processed",
	Doc: `Every accepted request was processed.

As many jobs of the queue ended well as requests of the load were accepted, both over the
whole recording: a job ends when it does, and not in the window. Applies where the jobs of
a queue were declared. A job that is missing fails, as one too many does; unknown where no
job was recorded.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		if len(m.jobs) == 0 {
			return nil
		}
		accepted := m.accepted()
		q := m.Result.Quantity("queue.processed", detect.Scope{})
		v := &Verdict{Want: "= " + Count(accepted) + " accepted", Outcome: Unknown}
		switch {
		case q == nil || q.N == nil || *q.N == 0:
			v.Why = "no job of the queue was recorded"
		case m.lacking(nil) != "":
			v.Why = m.lacking(nil)
		default:
			v.Got, v.Display, v.Outcome = *q.Value, q.Display, Fail
			if *q.Value == float64(accepted) {
				v.Outcome = Pass
			}
		}
		return v
	},
}

var drained = &Gate{
	Name: "drained",
	Doc: `The queue was empty soon after the load ended.

From the end of the load to the first recorded depth of zero, or, where only jobs were
recorded, from the last arrival to the last start (default at most 10 s). A queue that is
still not empty when its record ends fails once the limit has passed, and is unknown
before; so is one whose depth was not recorded for three times its usual step, between the
start of the window and when it was seen empty.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		if !m.hasQueue() {
			return nil
		}
		v := bar{atMost, inSeconds(m.protocol.DrainMax), "s", ""}.judge(m.Result.Quantity("queue.drain", detect.Scope{}))
		if n := len(m.depth); v.Outcome == Unknown && m.depthHole() == "" && n > 0 && m.depth[n-1].t-m.window.End > int64(m.protocol.DrainMax) {
			v.Outcome = Fail // it is proven that it took longer, though not how long
		}
		return v
	},
}
