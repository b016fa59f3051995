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
	sources map[string]*recorded
	samples int64
	dropped int64
	recent  []int64 // latencies of samples that were streamed since the last status, ns, at most recentMax
	since   int64   // how many these are
}

// recorded is what one source has given so far.
type recorded struct {
	format        string // of a log or of samples, once it is known
	rows, samples int64
	first, last   int64 // of their stamps, µs
}

// span writes into the line of a source from when to when its rows are.
func (r *recorded) span(s *runs.Source) {
	if r.first > 0 {
		s.First, s.Last = stamp(time.UnixMicro(r.first)), stamp(time.UnixMicro(r.last))
	}
}

// recentMax bounds the latencies kept for the live line.
const recentMax = 20_000

func newRecorder(w *runs.Writer) *recorder {
	return &recorder{w: w, failed: make(chan struct{}), sources: map[string]*recorded{}}
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

// flush makes everything so far certain to be on disk. interim writes into the
// manifest what is else written at the end, for the run that is left should this
// flush be the last.
func (r *recorder) flush(now time.Time, interim func(*runs.Manifest)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	m := r.w.Manifest()
	final := *m
	m.Sources, m.Snapshots = slices.Clone(m.Sources), slices.Clone(m.Snapshots)
	m.Notes, m.NotCollected = slices.Clone(m.Notes), slices.Clone(m.NotCollected)
	interim(m)
	r.err = r.w.Flush(now.UnixMicro())
	*m = final
	if r.err != nil {
		close(r.failed)
	}
	return r.err
}

// of returns what a source has given; the lock is held.
func (r *recorder) of(source string) *recorded {
	s := r.sources[source]
	if s == nil {
		s = &recorded{}
		r.sources[source] = s
	}
	return s
}

// is says of what format a source is.
func (r *recorder) is(source, format string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of(source).format = format
}

// count counts a row of a source; the lock is held.
func (r *recorder) count(source string, at int64) {
	s := r.of(source)
	s.rows++
	if at == runs.Missing {
		return
	}
	if s.first == 0 || at < s.first {
		s.first = at
	}
	s.last = max(s.last, at)
}

// manifest changes the manifest under the lock.
func (r *recorder) manifest(change func(*runs.Manifest)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(r.w.Manifest())
}

// Sample and its like store a row; see runs.Writer.
func (r *recorder) Sample(s *runs.Sample) error { return r.sampleOf("", s, false) }

// sampleOf stores a sample that came from a source, streamed while the load runs
// or not.
func (r *recorder) sampleOf(source string, s *runs.Sample, streamed bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count(source, s.Start)
	r.of(source).samples++
	r.samples++
	if s.Outcome == runs.Dropped {
		r.dropped++
	}
	if streamed {
		r.since++
		if ns, ok := s.Latency(); ok && len(r.recent) < recentMax {
			r.recent = append(r.recent, ns)
		}
	}
	return r.locked(func(w *runs.Writer) error { return w.Sample(s) })
}

func (r *recorder) row(source string, at int64, write func(*runs.Writer) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count(source, at)
	return r.locked(write)
}

func (r *recorder) Point(p *runs.Point) error {
	return r.row(p.Source, p.Time, func(w *runs.Writer) error { return w.Point(p) })
}
func (r *recorder) Activity(a *runs.Activity) error {
	return r.row(a.Source, a.Time, func(w *runs.Writer) error { return w.Activity(a) })
}
func (r *recorder) Marker(m *runs.Marker) error {
	return r.row(m.Source, m.Time, func(w *runs.Writer) error { return w.Marker(m) })
}
func (r *recorder) Histogram(h *runs.Histogram) error {
	return r.row(h.Source, h.Start, func(w *runs.Writer) error { return w.Histogram(h) })
}
func (r *recorder) Benchmark(b *runs.Benchmark) error {
	return r.do(func(w *runs.Writer) error { return w.Benchmark(b) })
}
func (r *recorder) Snapshot(s *runs.Snapshot) error {
	return r.row(s.Source, s.Time, func(w *runs.Writer) error { return w.Snapshot(s) })
}

// takeRecent fills in what the samples that were streamed since the last status
// say, if any can be, and forgets them. Nearest rank, as everywhere.
func (r *recorder) takeRecent(s *Status, streamed bool, elapsed time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Samples, s.Dropped = r.samples, r.dropped
	if elapsed > 0 && streamed {
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
