package capture

import (
	"slices"
	"sync"
	"time"

	"headroom/runs"
)

// recorder is the run being written, shared by all collectors. It implements
// ingest.Destination's rows.
type recorder struct {
	mu  sync.Mutex
	w   *runs.Writer
	err error // of a write: the disk is full, say; nothing is recorded after it

	failed  chan struct{} // closed at the first error
	rows    map[string]int64
	samples int64
	dropped int64
	recent  []int64 // latencies since the last status, ns, at most recentMax
	since   int64   // samples since the last status
}

// recentMax bounds the latencies kept for the live line.
const recentMax = 20_000

func newRecorder(w *runs.Writer) *recorder {
	return &recorder{w: w, failed: make(chan struct{}), rows: map[string]int64{}}
}

// do runs a write under the lock and keeps the first error.
func (r *recorder) do(write func(*runs.Writer) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.locked(write)
}

func (r *recorder) locked(write func(*runs.Writer) error) error {
	if r.err != nil {
		return r.err
	}
	return write(r.w)
}

// flush makes everything so far certain to be on disk.
func (r *recorder) flush(now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	if r.err = r.w.Flush(now.UnixMicro()); r.err != nil {
		close(r.failed)
	}
	return r.err
}

// manifest changes the manifest under the lock.
func (r *recorder) manifest(change func(*runs.Manifest)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(r.w.Manifest())
}

// Sample and its like store a row; see runs.Writer.
func (r *recorder) Sample(s *runs.Sample) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.samples++
	r.since++
	if s.Outcome == runs.Dropped {
		r.dropped++
	}
	if ns, ok := s.Latency(); ok && len(r.recent) < recentMax {
		r.recent = append(r.recent, ns)
	}
	return r.locked(func(w *runs.Writer) error { return w.Sample(s) })
}

func (r *recorder) row(source string, write func(*runs.Writer) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows[source]++
	return r.locked(write)
}

func (r *recorder) Point(p *runs.Point) error {
	return r.row(p.Source, func(w *runs.Writer) error { return w.Point(p) })
}
func (r *recorder) Activity(a *runs.Activity) error {
	return r.row(a.Source, func(w *runs.Writer) error { return w.Activity(a) })
}
func (r *recorder) Marker(m *runs.Marker) error {
	return r.row(m.Source, func(w *runs.Writer) error { return w.Marker(m) })
}
func (r *recorder) Histogram(h *runs.Histogram) error {
	return r.row(h.Source, func(w *runs.Writer) error { return w.Histogram(h) })
}
func (r *recorder) Benchmark(b *runs.Benchmark) error {
	return r.do(func(w *runs.Writer) error { return w.Benchmark(b) })
}
func (r *recorder) Snapshot(s *runs.Snapshot) error {
	return r.row(s.Source, func(w *runs.Writer) error { return w.Snapshot(s) })
}

// takeRecent fills in what the samples since the last status say, and forgets
// them. Nearest rank, as everywhere.
func (r *recorder) takeRecent(s *Status, elapsed time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Samples, s.Dropped = r.samples, r.dropped
	if elapsed > 0 && r.samples > 0 {
		rate := float64(r.since) / elapsed.Seconds()
		s.Rate = &rate
	}
	if n := len(r.recent); n > 0 {
		slices.Sort(r.recent)
		p99 := float64(r.recent[(n*99+99)/100-1]) / 1e9
		s.P99 = &p99
	}
	r.recent, r.since = r.recent[:0], 0
}
