package runs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"headroom/internal/pattern"
	"headroom/runs/internal/table"
)

// CreateOptions says how a run is written.
type CreateOptions struct {
	// ID names the run; "" derives it from the first start and the sources'
	// digests, as docs/format/run.md says. It consists of letters, digits,
	// ".", "_" and "-", begins with a letter or digit, and has at most 128.
	ID string
	// Tool is written as the Parquet files' creator: a name and a version, as
	// in "headroom 1.2.0"; further words are left out, so that the files do not
	// depend on the platform. "" is "headroom".
	Tool string
}

// Writer writes one run. Rows are appended in any order and streamed to a
// temporary sibling of the final folder; memory does not grow with the run. The
// strings of a row are kept for a while after it was appended: they must be
// strings, not views of a buffer that is used again. A Writer is used by one
// goroutine.
type Writer struct {
	path string // final folder
	tmp  string // temporary sibling; "" once it is renamed or removed
	opt  CreateOptions

	manifest Manifest
	span     span

	recording *os.File // the lock of a run that is recorded live; nil for others
	flushedAt int64    // of the last flush, µs since the Unix epoch
	onDisk    map[string]staged

	samples    *table.Writer[Sample]
	points     *table.Writer[Point]
	activity   *table.Writer[Activity]
	markers    *table.Writer[Marker]
	histograms *table.Writer[Histogram]
	benchmarks *table.Writer[Benchmark]
	snapshots  map[string]*snapshotTable // by view
}

// ErrClosed is returned by a Writer after Commit or Abort.
var ErrClosed = errors.New("the run's writer is closed")

// idPattern is what a run may be called, so that its id can be a file name.
var idPattern = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// Create begins a run that Commit will rename to path. The folder that will
// hold path must exist, path itself must not.
func Create(path string, opt CreateOptions) (*Writer, error) {
	path = filepath.Clean(path)
	tmp, err := temporary(path)
	if err != nil {
		return nil, err
	}
	if opt.ID != "" && !idPattern.MatchString(opt.ID) {
		return nil, fmt.Errorf("run id %q: want letters, digits, \".\", \"_\" or \"-\", at most 128, the first a letter or digit", opt.ID)
	}
	if opt.Tool == "" {
		opt.Tool = "headroom"
	}
	if err := checkAbsent(path); err != nil {
		return nil, err
	}
	if err := os.Mkdir(tmp, 0o777); errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("run %s: %s exists: the run is being written, or its writer died; if so, seal it with headroom runs recover, or remove that folder", path, tmp)
	} else if err != nil {
		return nil, fmt.Errorf("run %s: %w", path, err)
	}
	return writerIn(path, tmp, opt), nil
}

// temporary returns the folder in which the run at path is written: a hidden
// sibling.
func temporary(path string) (string, error) {
	base := filepath.Base(path)
	if base == "." || base == ".." || base == string(filepath.Separator) {
		return "", fmt.Errorf("run %s: not a name for a new folder", path)
	}
	return filepath.Join(filepath.Dir(path), "."+base+".headroom-writing"), nil
}

func writerIn(path, tmp string, opt CreateOptions) *Writer {
	return &Writer{
		path: path, tmp: tmp, opt: opt,
		samples:    table.NewWriter(samplesTable, filepath.Join(tmp, samplesTable.Name), opt.Tool),
		points:     table.NewWriter(pointsTable, filepath.Join(tmp, pointsTable.Name), opt.Tool),
		activity:   table.NewWriter(activityTable, filepath.Join(tmp, activityTable.Name), opt.Tool),
		markers:    table.NewWriter(markersTable, filepath.Join(tmp, markersTable.Name), opt.Tool),
		histograms: table.NewWriter(histogramsTable, filepath.Join(tmp, histogramsTable.Name), opt.Tool),
		benchmarks: table.NewWriter(benchmarksTable, filepath.Join(tmp, benchmarksTable.Name), opt.Tool),
		snapshots:  map[string]*snapshotTable{},
	}
}

// checkAbsent returns an error if there is anything at path.
func checkAbsent(path string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return fmt.Errorf("run %s: exists; a run is never overwritten, choose another name", path)
	case errors.Is(err, os.ErrNotExist):
		return nil
	}
	return fmt.Errorf("run %s: %w", path, err)
}

// Manifest returns the manifest that Commit will write; the caller fills in
// everything but Schema, ID, State, First, Last and Tables. (A recovering
// writer may set State to Partial; every other value becomes Sealed.)
func (w *Writer) Manifest() *Manifest { return &w.manifest }

// Sample appends a row; s may be reused after the call. It is an error if the
// outcome is not one of the six, StartNS is outside 0..999, Events is negative
// or the start lies outside the years 1677 to 2262.
func (w *Writer) Sample(s *Sample) error {
	if w.tmp == "" {
		return ErrClosed
	}
	if err := s.check(); err != nil {
		return fmt.Errorf("samples: row %d: %w", w.samples.Rows()+1, err)
	}
	if err := w.samples.Append(s); err != nil {
		return err
	}
	w.span.sample(s)
	return nil
}

// check reports what makes a sample unfit to be stored.
func (s *Sample) check() error {
	switch s.Outcome {
	case OK, Failed, Rejected, Timeout, Dropped, Skipped:
	default:
		return fmt.Errorf("outcome %q: want ok, failed, rejected, timeout, dropped or skipped", s.Outcome)
	}
	if s.StartNS != Missing && (s.StartNS < 0 || s.StartNS > 999) {
		return fmt.Errorf("start_ns is %d: want 0 to 999", s.StartNS)
	}
	if s.Events < 0 {
		return fmt.Errorf("events is %d: want 0 or more", s.Events)
	}
	return nil
}

// Point appends a row; p may be reused after the call. It is an error if the
// kind is not one of the three, TimeNS is outside 0..999, the value is not a
// finite number, or the time lies outside the years 1677 to 2262.
func (w *Writer) Point(p *Point) error {
	if err := p.check(); err != nil {
		return fmt.Errorf("points: row %d: %w", w.points.Rows()+1, err)
	}
	return add(w, w.points, p, p.Time)
}

// check reports what makes a point unfit to be stored.
func (p *Point) check() error {
	switch p.Kind {
	case Gauge, Counter, Delta:
	default:
		return fmt.Errorf("kind %q: want gauge, counter or delta", p.Kind)
	}
	if p.TimeNS < 0 || p.TimeNS > 999 {
		return fmt.Errorf("time_ns is %d: want 0 to 999", p.TimeNS)
	}
	return nil
}

// Activity appends a row; a may be reused after the call.
func (w *Writer) Activity(a *Activity) error { return add(w, w.activity, a, a.Time) }

// Marker appends a row; m may be reused after the call. A message longer than
// MaxMessage is cut.
func (w *Writer) Marker(m *Marker) error {
	if len(m.Message) > MaxMessage {
		short := *m
		short.Message = table.Cut(strings.ToValidUTF8(m.Message, "\uFFFD"), MaxMessage)
		m = &short
	}
	return add(w, w.markers, m, m.Time)
}

// Histogram appends a row; h may be reused after the call.
func (w *Writer) Histogram(h *Histogram) error { return add(w, w.histograms, h, h.Start) }

// add appends a row of a table other than samples.
func add[R any](w *Writer, t *table.Writer[R], row *R, at int64) error {
	if w.tmp == "" {
		return ErrClosed
	}
	if err := t.Append(row); err != nil {
		return err
	}
	w.span.other(at)
	return nil
}

// Raw returns a file of the run's raw folder to which the caller copies an
// original; it must be closed before Commit. The name is a base name, and is
// refused if it was given before.
func (w *Writer) Raw(name string) (io.WriteCloser, error) {
	if w.tmp == "" {
		return nil, ErrClosed
	}
	if err := checkBase(name); err != nil {
		return nil, fmt.Errorf("raw file: %w", err)
	}
	if err := os.Mkdir(filepath.Join(w.tmp, "raw"), 0o777); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(w.tmp, "raw", name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	return rawFile{f}, nil
}

// rawFile is on disk once it is closed.
type rawFile struct{ *os.File }

func (f rawFile) Close() error {
	err := f.Sync()
	if e := f.File.Close(); err == nil {
		err = e
	}
	return err
}

// Abort removes the temporary folder. After Commit it does nothing.
func (w *Writer) Abort() error {
	if w.tmp == "" {
		return nil
	}
	tmp := w.tmp
	w.close()
	return os.RemoveAll(tmp)
}

// close lets go of every file; the writer is of no use then.
func (w *Writer) close() {
	for _, t := range w.tables() {
		t.Abort()
	}
	if w.recording != nil {
		w.recording.Close() // and with it, the lock
	}
	w.tmp = ""
}

// span is what a run covers in time.
type span struct {
	samples     bool  // there is a sample
	first, last int64 // first start and last end of the samples, µs
	others      bool  // there is a row of another table
	otherFirst  int64 // the first instant of those, µs
}

func (p *span) sample(s *Sample) {
	end, _ := SplitNanos(EndNanos(s.Start, s.StartNS, s.Wait, s.Service))
	end = max(end, s.Start)
	if !p.samples {
		p.samples, p.first, p.last = true, s.Start, end
		return
	}
	p.first = min(p.first, s.Start)
	p.last = max(p.last, end)
}

func (p *span) other(t int64) {
	if !p.others || t < p.otherFirst {
		p.others, p.otherFirst = true, t
	}
}
