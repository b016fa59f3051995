package runs

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.Mkdir(taken, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, id, want string
	}{
		{taken, "", "exists; a run is never overwritten"},
		{filepath.Join(dir, "none", "run"), "", "no such file"},
		{".", "", "not a name for a new folder"},
		{"/", "", "not a name for a new folder"},
		{filepath.Join(dir, "run"), "../x", `run id "../x"`},
		{filepath.Join(dir, "run"), ".x", `run id ".x"`},
		{filepath.Join(dir, "run"), strings.Repeat("x", 129), "at most 128"},
	} {
		if _, err := Create(c.path, CreateOptions{ID: c.id}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Create(%q, id %q): %v, want %q", c.path, c.id, err, c.want)
		}
	}
	if names := list(t, dir); len(names) != 1 {
		t.Errorf("a refused Create left %v", names)
	}
}

func TestCreateBesideALiveWriter(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	if _, err := Create(w.path, CreateOptions{}); err == nil || !strings.Contains(err.Error(), "is being written, or its writer died") {
		t.Errorf("second Create: %v", err)
	}
	s := sampleAt(1, 1)
	if err := w.Sample(&s); err != nil {
		t.Fatal(err)
	}
	commit(t, w)
}

func TestAbort(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	writeSamples(t, w, manySamples(5000))
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if names := list(t, filepath.Dir(w.path)); len(names) != 0 {
		t.Errorf("Abort left %v", names)
	}
	if err := w.Abort(); err != nil {
		t.Errorf("second Abort: %v", err)
	}
	s := sampleAt(1, 1)
	for name, err := range map[string]error{
		"Sample": w.Sample(&s), "Point": w.Point(&Point{Kind: Gauge}), "Activity": w.Activity(&Activity{}), "Marker": w.Marker(&Marker{}), "Histogram": w.Histogram(&Histogram{}),
		"Benchmark": w.Benchmark(&Benchmark{}),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s after Abort: %v", name, err)
		}
	}
	if _, err := w.Commit(); !errors.Is(err, ErrClosed) {
		t.Errorf("Commit after Abort: %v", err)
	}
}

func TestAbortAfterCommit(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	r := commit(t, w)
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(r.Path()); err != nil {
		t.Errorf("Abort after Commit removed the run: %v", err)
	}
}

// A write that fails must come back as an error, from the row or from Commit,
// and leave nothing behind.
func TestFailedWriteLeavesNothing(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	// A file in the place of the table's folder: no part can be made.
	if err := os.WriteFile(filepath.Join(w.tmp, "samples"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var failed error
	for _, s := range manySamples(5000) {
		if err := w.Sample(&s); err != nil {
			failed = err
		}
	}
	if failed == nil {
		t.Error("no row reported the failure")
	}
	if _, err := w.Commit(); err == nil {
		t.Error("Commit succeeded")
	}
	if names := list(t, filepath.Dir(w.path)); len(names) != 0 {
		t.Errorf("a failed Commit left %v", names)
	}
}

func TestCommitDoesNotReplace(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	if err := os.Mkdir(w.path, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(); err == nil || !strings.Contains(err.Error(), "never overwritten") {
		t.Errorf("Commit: %v", err)
	}
	if names := list(t, filepath.Dir(w.path)); len(names) != 1 {
		t.Errorf("found %v, want the folder that was there", names)
	}
}

func TestRowsRefused(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	bad := func(change func(*Sample)) error {
		s := sampleAt(1, 1)
		change(&s)
		return w.Sample(&s)
	}
	point := func(change func(*Point)) error {
		p := Point{Time: 1, Metric: "m", Kind: Gauge}
		change(&p)
		return w.Point(&p)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{bad(func(s *Sample) { s.Outcome = "" }), `samples: row 1: outcome ""`},
		{bad(func(s *Sample) { s.StartNS = 1000 }), "start_ns is 1000"},
		{bad(func(s *Sample) { s.StartNS = -1 }), "start_ns is -1"},
		{bad(func(s *Sample) { s.Events = Missing }), "events is -9"},
		{bad(func(s *Sample) { s.Start = math.MaxInt64 / 1000 }), "column start: 9223372036854775 µs lies outside"},
		{bad(func(s *Sample) { s.Start = Missing }), "lies outside"},
		{bad(func(s *Sample) { s.Tags = `{"a":"` + strings.Repeat("x", 17<<10) + `"}` }), "column tags: holds 17416 bytes"},
		{point(func(p *Point) { p.Value = math.NaN() }), "points: row 1: column value: NaN is not a finite number"},
		{point(func(p *Point) { p.Value = math.Inf(-1) }), "-Inf is not a finite number"},
		{point(func(p *Point) { p.Resolution = Missing }), "column resolution: is missing"},
		{point(func(p *Point) { p.Kind = "" }), `points: row 1: kind ""`},
		{point(func(p *Point) { p.TimeNS = 1000 }), "time_ns is 1000"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got %v, want %q", c.err, c.want)
		}
	}
	if r := commit(t, w); len(r.Manifest().Tables) != 0 || r.Manifest().First != "" {
		t.Errorf("refused rows left a trace: %+v", r.Manifest())
	}
}

func TestTextIsBoundedUTF8(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	long := strings.Repeat("é", 20_000)
	s := sampleAt(1, 1)
	s.Error, s.Op = long, "a\xffb"
	writeSamples(t, w, []Sample{s})
	if err := w.Marker(&Marker{Message: "x" + long, Detail: long, Duration: Missing, PID: Missing}); err != nil {
		t.Fatal(err)
	}
	got, err := readAll(commit(t, w), Range{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		max  int
	}{{got.Samples[0].Error, 16 << 10}, {got.Markers[0].Detail, 16 << 10}, {got.Markers[0].Message, MaxMessage}} {
		if len(c.text) > c.max || len(c.text) < c.max-4 || !utf8.ValidString(c.text) || !strings.HasSuffix(c.text, "…") {
			t.Errorf("cut to %d bytes ending in %q, want at most %d, marked", len(c.text), c.text[len(c.text)-6:], c.max)
		}
	}
	if got.Samples[0].Op != "a\uFFFDb" {
		t.Errorf("invalid UTF-8 became %q", got.Samples[0].Op)
	}
}

func TestRaw(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	f, err := w.Raw("samples.json.zst")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, "original"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "..", "a/b", "samples.json.zst", "a\nb"} {
		if _, err := w.Raw(name); err == nil {
			t.Errorf("Raw(%q) succeeded", name)
		}
	}
	r := commit(t, w)
	if got, err := os.ReadFile(filepath.Join(r.Path(), "raw", "samples.json.zst")); err != nil || string(got) != "original" {
		t.Errorf("raw file: %q, %v", got, err)
	}
}

// manySamples returns n samples, one every 500 µs.
func manySamples(n int) []Sample {
	samples := make([]Sample, n)
	for i := range samples {
		samples[i] = sampleAt(1_700_000_000_000_000+int64(i)*500, int64(i)*7919%50_000_000)
	}
	return samples
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// What a writer holds does not grow with the run, even where every row brings a
// text of its own.
func TestWriterMemoryIsBounded(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	live := func() uint64 {
		runtime.GC()
		runtime.GC() // empties the pools as well
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := live()
	for i := range 400_000 {
		s := sampleAt(1_700_000_000_000_000+int64(i), int64(i))
		s.ID, s.Error = fmt.Sprintf("%036d", i), fmt.Sprintf("connection %d refused", i)
		if err := w.Sample(&s); err != nil {
			t.Fatal(err)
		}
		if i%100_000 == 99_999 {
			if held := int64(live() - before); held > 40<<20 {
				t.Errorf("after %d rows %d MiB are held", i+1, held>>20)
			}
		}
	}
}
