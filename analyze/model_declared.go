package analyze

import (
	"fmt"
	"math"

	"headroom/detect"
	"headroom/runs"
)

// contradicted says that the samples show another load model than the one declared,
// or supposed of its tool
// (DETECTION 2.1), and which of the two is used; "" if they agree or nobody can
// tell. What was declared is used: samples can look like the other kind by chance.
func contradicted(declared loadModel, scenarios []*detect.Requests) string {
	if declared.From != "declared" && declared.As == "" {
		return ""
	}
	seen := ""
	switch declared.Model {
	case runs.ClosedLoop:
		seen = scheduleSeen(scenarios)
	case runs.OpenLoop:
		if main := largest(scenarios); main != nil && inReply(main) && !steadySpacing(main) {
			seen = "each worker starts when its last request ends, as in a closed loop"
		}
	}
	if seen == "" {
		return ""
	}
	if declared.As != "" {
		other := runs.OpenLoop
		if declared.Model == runs.OpenLoop {
			other = runs.ClosedLoop
		}
		return fmt.Sprintf("taken to be %s loop, as %s are, but %s: if the samples are right, ingest it with --load-model %s", declared.Model, declared.As, seen, other)
	}
	return fmt.Sprintf("declared as %s loop, but %s: taken as declared; if the samples are right, declare the other", declared.Model, seen)
}

// scheduleSeen says what shows that a schedule paced the load, "" if nothing does.
func scheduleSeen(scenarios []*detect.Requests) string {
	for _, r := range scenarios {
		if n := len(r.Dropped) + len(r.Skipped); n > 0 {
			return countText(n, "request") + " due and not sent exist in an open loop only"
		}
	}
	if main := largest(scenarios); main != nil && !inReply(main) && onSchedule(main) {
		return "requests start at constant intervals, whatever their latency, as in an open loop"
	}
	return ""
}

// largest is the scenario with the most requests, nil if none has enough to tell a
// load model from.
func largest(scenarios []*detect.Requests) *detect.Requests {
	var main *detect.Requests
	for _, r := range scenarios {
		if r.Len() >= leastToTell && (main == nil || r.Len() > main.Len()) {
			main = r
		}
	}
	return main
}

// gapsFollowLatency is the correlation of the gaps between starts with the latency
// of the request before, 0 where either does not vary: a worker that pauses for a
// constant time after each reply starts almost evenly, and later after a slow reply.
func gapsFollowLatency(r *detect.Requests) float64 {
	var n, mx, my, xx, yy, xy float64
	var start, latency int64
	any := false
	for c := range r.Chunks() {
		for i, s := range c.Start {
			if any { // Welford: the sums of squares of nanoseconds would lose their last digits
				x, y := float64(s-start), float64(latency)
				n++
				dx, dy := x-mx, y-my
				mx, my = mx+dx/n, my+dy/n
				xx, yy, xy = xx+dx*(x-mx), yy+dy*(y-my), xy+dx*(y-my)
			}
			start, latency, any = s, c.End(i)-s, true
		}
	}
	if xx <= 0 || yy <= 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}
