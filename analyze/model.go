package analyze

import (
	"context"
	"iter"
	"math"
	"strconv"

	"headroom/detect"
	"headroom/runs"
	"headroom/runs/ordered"
	"headroom/stat"
)

// loadModel is what paces the load, and how that is known.
type loadModel struct {
	Model runs.LoadModel
	From  string
	// As says whose loads are of the kind where it was only supposed: neither the
	// file says so nor who gave it.
	As string
}

// leastToTell is how many samples it takes to tell a load model from them.
const leastToTell = 100

// modelOf takes the declared load model, or tells it from the samples
// (DETECTION 2.1): requests that were due and dropped exist in an open loop
// only; workers that begin within a millisecond of their own last reply are a
// closed loop; gaps between starts that are constant, whatever the latency, are
// a schedule. No other place tells it.
func modelOf(m *runs.Manifest, scenarios []*detect.Requests) loadModel {
	if m.Load.Model == runs.OpenLoop || m.Load.Model == runs.ClosedLoop {
		if as := m.Load.ModelAs; as != "" {
			return loadModel{Model: m.Load.Model, From: "as " + as + " are", As: as}
		}
		return loadModel{Model: m.Load.Model, From: "declared"}
	}
	for _, r := range scenarios {
		if len(r.Dropped)+len(r.Skipped) > 0 {
			return loadModel{Model: runs.OpenLoop, From: "requests were due and not sent"}
		}
	}
	main := largest(scenarios)
	switch {
	case main == nil:
		return loadModel{Model: runs.UnknownLoop, From: "too few samples to tell"}
	case inReply(main):
		return loadModel{Model: runs.ClosedLoop, From: "each worker starts when its last request ends"}
	case onSchedule(main):
		return loadModel{Model: runs.OpenLoop, From: "requests start at constant intervals, whatever their latency"}
	}
	return loadModel{Model: runs.UnknownLoop, From: "not declared, and the samples do not show it"}
}

// LoadModel says what paces the load of a run, open, closed or unknown, and how
// that is known. It is what every analysis of the run takes; the samples are read
// only where nobody declared it.
func LoadModel(ctx context.Context, run *runs.Run) (model runs.LoadModel, from string, err error) {
	manifest := run.Manifest()
	if declared := modelOf(manifest, nil); declared.Model != runs.UnknownLoop {
		return declared.Model, declared.From, nil
	}
	space := ordered.OfRun(run, heldRows)
	defer space.Close()
	scenarios, err := detect.Load(ctx, run, manifest.Load.Basis == "response", space)
	if err != nil {
		return runs.UnknownLoop, "", err
	}
	told := modelOf(manifest, scenarios)
	return told.Model, told.From, space.Err()
}

// inReply reports whether nearly every request begins as its worker's last one ends.
func inReply(r *detect.Requests) bool {
	share, ok := followsOwnReply(r)
	return ok && share > 0.9
}

// onSchedule reports whether requests begin at constant intervals that are not their
// own latency's: neither is that as steady, nor do the intervals grow with it, as
// those of a worker do that pauses after each reply.
func onSchedule(r *detect.Requests) bool {
	return steadySpacing(r) && !steadyLatency(r) && gapsFollowLatency(r) <= 0.5
}

// followsOwnReply returns the share of starts within 1 ms after the same
// worker's previous end. ok is false where the source names no workers.
func followsOwnReply(r *detect.Requests) (share float64, ok bool) {
	last := map[int64]int64{} // end, by worker
	follows, of := 0, 0
	for c := range r.Chunks() {
		workers := c.Labels(detect.ByWorker)
		for i, start := range c.Start {
			worker := workers[i]
			if r.Name(worker) == "" {
				return 0, false
			}
			if end, seen := last[worker]; seen {
				of++
				if d := start - end; d >= -1e6 && d <= 1e6 {
					follows++
				}
			}
			last[worker] = c.End(i)
		}
	}
	if of == 0 {
		return 0, false
	}
	return float64(follows) / float64(of), true
}

// steadySpacing reports whether nine tenths of the gaps between starts lie
// within a tenth of their median.
func steadySpacing(r *detect.Requests) bool {
	near, of := nearMedian(func(yield func([]int64) bool) {
		var gaps []int64
		last, any := int64(0), false
		for c := range r.Chunks() {
			gaps = gaps[:0]
			for _, start := range c.Start {
				if any {
					gaps = append(gaps, start-last)
				}
				last, any = start, true
			}
			if !yield(gaps) {
				return
			}
		}
	}, 1)
	return of > 0 && near*10 >= of*9
}

// nearMedian counts the values, which can be read several times, that lie within a
// tenth of their median; none if that is below least.
func nearMedian(values iter.Seq[[]int64], least int64) (near, of int) {
	s := stat.NewSelection(heldValues)
	for part := range values {
		s.Add(part...)
	}
	if of = s.N(); of == 0 {
		return 0, 0
	}
	upper := of/2 + 1
	if err := s.FindIn(values, upper); err != nil || s.At(upper) < least {
		return 0, of
	}
	median := s.At(upper)
	for part := range values {
		for _, v := range part {
			if math.Abs(float64(v-median)) <= float64(median)/10 {
				near++
			}
		}
	}
	return near, of
}

// steadyLatency reports whether nine tenths of the latencies lie within a tenth of
// their median: workers that wait for such replies are as steady as a schedule.
func steadyLatency(r *detect.Requests) bool {
	near, of := nearMedian(r.Latencies(detect.AnyOutcome), math.MinInt64)
	return near*10 >= of*9
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
