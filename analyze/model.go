package analyze

import (
	"math"
	"slices"
	"strconv"

	"headroom/detect"
	"headroom/runs"
)

// loadModel is what paces the load, and how that is known.
type loadModel struct {
	Model runs.LoadModel
	From  string
}

// modelOf takes the declared load model, or tells it from the samples
// (DETECTION 2.1): requests that were due and dropped exist in an open loop
// only; workers that begin within a millisecond of their own last reply are a
// closed loop; gaps between starts that are constant, whatever the latency, are
// a schedule.
func modelOf(m *runs.Manifest, scenarios []*detect.Requests) loadModel {
	if m.Load.Model == runs.OpenLoop || m.Load.Model == runs.ClosedLoop {
		return loadModel{m.Load.Model, "declared"}
	}
	var main *detect.Requests
	for _, r := range scenarios {
		if len(r.Dropped)+len(r.Skipped) > 0 {
			return loadModel{runs.OpenLoop, "requests were due and not sent"}
		}
		if main == nil || len(r.Rows) > len(main.Rows) {
			main = r
		}
	}
	if main == nil || len(main.Rows) < 100 {
		return loadModel{runs.UnknownLoop, "too few samples to tell"}
	}
	if share, ok := followsOwnReply(main); ok && share > 0.9 {
		return loadModel{runs.ClosedLoop, "each worker starts when its last request ends"}
	}
	if steadySpacing(main) && !steadyLatency(main) {
		return loadModel{runs.OpenLoop, "requests start at constant intervals, whatever their latency"}
	}
	return loadModel{runs.UnknownLoop, "not declared, and the samples do not show it"}
}

// followsOwnReply returns the share of starts within 1 ms after the same
// worker's previous end. ok is false where the source names no workers.
func followsOwnReply(r *detect.Requests) (share float64, ok bool) {
	last := map[string]int64{}
	follows, of := 0, 0
	for i := range r.Rows {
		q := &r.Rows[i]
		worker := r.Worker(q)
		if worker == "" {
			return 0, false
		}
		if end, seen := last[worker]; seen {
			of++
			if d := q.Start - end; d >= -1e6 && d <= 1e6 {
				follows++
			}
		}
		last[worker] = q.End()
	}
	if of == 0 {
		return 0, false
	}
	return float64(follows) / float64(of), true
}

// steadySpacing reports whether nine tenths of the gaps between starts lie
// within a tenth of their median.
func steadySpacing(r *detect.Requests) bool {
	gaps := make([]int64, 0, len(r.Rows))
	for i := 1; i < len(r.Rows); i++ {
		gaps = append(gaps, r.Rows[i].Start-r.Rows[i-1].Start)
	}
	sorted := slices.Clone(gaps)
	slices.Sort(sorted)
	median := sorted[len(sorted)/2]
	if median == 0 {
		return false
	}
	near := 0
	for _, g := range gaps {
		if math.Abs(float64(g-median)) <= float64(median)/10 {
			near++
		}
	}
	return near*10 >= len(gaps)*9
}

// steadyLatency reports whether nine tenths of the latencies lie within a tenth of
// their median: workers that wait for such replies are as steady as a schedule.
func steadyLatency(r *detect.Requests) bool {
	var ns []int64
	for i := range r.Rows {
		if l, ok := r.Latency(&r.Rows[i]); ok {
			ns = append(ns, l)
		}
	}
	if len(ns) == 0 {
		return true
	}
	slices.Sort(ns)
	median := ns[len(ns)/2]
	near := 0
	for _, l := range ns {
		if math.Abs(float64(l-median)) <= float64(median)/10 {
			near++
		}
	}
	return near*10 >= len(ns)*9
}

// names of labels that set how many requests are in flight, and how many are
// offered a second.
var (
	concurrencyLabels = []string{"concurrency", "clients", "vus", "connections", "threads", "workers"}
	rateLabels        = []string{"rate", "offered", "target", "rps"}
)

// labelled returns the first of the named labels that is a positive number.
func labelled(labels map[string]string, names []string) (name string, v float64) {
	for _, name := range names {
		if v, err := strconv.ParseFloat(labels[name], 64); err == nil && v > 0 {
			return name, v
		}
	}
	return "", 0
}

// offered returns the requests offered a second to a unit, 0 if not declared.
func (m *Measured) offered(u *unit) float64 {
	if _, v := labelled(u.labels, rateLabels); v > 0 {
		return v
	}
	return m.manifest.Load.Rate
}

// concurrency returns how many workers a unit has, 0 if not declared.
func (m *Measured) concurrency(u *unit) int {
	if _, v := labelled(u.labels, concurrencyLabels); v > 0 {
		return int(v)
	}
	return m.manifest.Load.Concurrency
}
