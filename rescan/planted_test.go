package rescan

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/internal/runtest"
	"headroom/runs"
)

// write makes a run at path, and the folders above it, of the language of
// package runtest.
func write(t testing.TB, path, id string, edit func(*runs.Manifest), lines ...string) {
	t.Helper()
	c, err := runtest.Parse(id, strings.Join(lines, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	made, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	w, err := runs.Create(path, runs.CreateOptions{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := made.Put(w); err != nil {
		t.Fatal(err)
	}
	m := w.Manifest()
	m.Load.Model, m.Load.DropsKnown = runs.OpenLoop, true
	m.Sources = []runs.Source{{File: "load.csv", Format: "generic-csv", SHA256: id}}
	if edit != nil {
		edit(m)
	}
	if _, err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

// detector parses one written by a user.
func detector(t testing.TB, text string) *detect.Detector {
	t.Helper()
	d, err := detect.ParseDetector("own.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// pool is a detector of somebody's own, of points that not every run has.
const pool = `
name: pool-full
version: %d
doc: |
  The pool of connections was nearly full.
  Cannot see: what lies between two points.
input: points
metrics: [pool.used]
window: {kind: row}
when: last > limit
merge: 1500ms
severity: warning
params:
  limit: {default: %g, unit: "1", doc: connections}
measures: {used: max}
message: the pool was nearly full
`

// plant writes an archive of n runs in three folders, and returns the finding
// that pool must bring in each: what is planted follows from the number of the
// run alone. A point stands for the second before it.
func plant(t testing.TB, dir string, n int) (truth map[string]string) {
	t.Helper()
	truth = map[string]string{}
	for i := range n {
		name := fmt.Sprintf("%c/run-%03d", 'a'+rune(i%3), i)
		lines := []string{fmt.Sprintf("run 6s 20/s p50=8ms p99=16ms seed=%d", i+1)}
		switch i % 5 {
		case 0: // full for a second, at a second that varies
			at := 1 + i%4
			lines = append(lines, "points metric=pool.used value=10 step=1s",
				fmt.Sprintf("points metric=pool.used value=95 step=1s from=%ds until=%ds entity=b", at, at+2))
			truth[name] = fmt.Sprintf("new 00:00:%02d-00:00:%02d used=95", at-1, at+1)
		case 1: // never full
			lines = append(lines, "points metric=pool.used value=50 step=1s")
		case 2: // not recorded
			truth[name] = "could not look"
		case 3: // two different spells
			lines = append(lines, "points metric=pool.used value=10 step=1s",
				"points metric=pool.used value=91 step=1s from=1s until=2s entity=b",
				"points metric=pool.used value=99 step=1s from=4s until=5s entity=c")
			truth[name] = "new 00:00:00-00:00:01 used=91, new 00:00:03-00:00:04 used=99"
		case 4: // a freeze, which is known already, and a pool at its limit but not over it
			lines = append(lines, "freeze at=2s for=300ms", "points metric=pool.used value=90 step=1s")
		}
		write(t, filepath.Join(dir, filepath.FromSlash(name)), fmt.Sprintf("run-%03d", i), nil, lines...)
	}
	return truth
}

// scan scans an archive and remembers the scan.
func scan(t testing.TB, dir string, opt Options) (*Report, Progress) {
	t.Helper()
	s, r := scanOnly(t, dir, opt)
	defer s.Close()
	if err := s.Remember(); err != nil {
		t.Fatal(err)
	}
	return r, s.Done()
}

func scanOnly(t testing.TB, dir string, opt Options) (*Scanner, *Report) {
	t.Helper()
	a, err := List(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if opt.Program == "" {
		opt.Program = "test"
	}
	s, err := New(a, opt)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Scan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}

// changesOf writes what changed in each run as the truth is written.
func changesOf(r *Report) map[string]string {
	out := map[string]string{}
	for _, run := range r.Runs {
		var parts []string
		if len(run.Blind) > 0 {
			parts = append(parts, "could not look")
		}
		for _, c := range run.Against {
			for _, f := range c.Findings.New {
				parts = append(parts, "new "+f.Start[11:19]+"-"+f.End[11:19]+fmt.Sprintf(" used=%g", f.Measures["used"]))
			}
			for _, f := range c.Findings.Gone {
				parts = append(parts, "gone "+f.Start[11:19]+"-"+f.End[11:19]+fmt.Sprintf(" used=%g", f.Measures["used"]))
			}
			for range c.Findings.Changed {
				parts = append(parts, "changed")
			}
			if n := len(c.Quantities.Changed) + len(c.Verdicts.Changed) + len(c.Quantities.CouldNotLook); n > 0 {
				parts = append(parts, fmt.Sprintf("%d figures", n))
			}
		}
		if len(parts) > 0 {
			out[run.Path] = strings.Join(parts, ", ")
		}
	}
	return out
}

func wantChanges(t *testing.T, what string, r *Report, want map[string]string) {
	t.Helper()
	got := changesOf(r)
	for path, w := range want {
		if got[path] != w {
			t.Errorf("%s: %s: %q, want %q", what, path, got[path], w)
		}
	}
	for path, g := range got {
		if want[path] == "" {
			t.Errorf("%s: %s: %q, want nothing", what, path, g)
		}
	}
}

// Two hundred runs, and a detector that did not exist when they were scanned:
// every planted change is found and no other; what was measured once is not
// measured again; raising the limit takes away what it must.
func TestNewDetectorAgainstPlantedTruth(t *testing.T) {
	dir := t.TempDir()
	truth := plant(t, dir, 200)
	first, done := scan(t, dir, Options{Jobs: 2})
	if first.Outcome != Unchanged || first.Baseline != "none" || done.Measured != 200 {
		t.Fatalf("first scan: %s against %s, %+v", first.Outcome, first.Baseline, done)
	}
	opt := Options{Protocol: analyze.Protocol{Detectors: []*detect.Detector{detector(t, fmt.Sprintf(pool, 1, 90.0))}}, Only: []string{"pool-full"}, Jobs: 2}
	for pass := range 2 {
		r, done := scan(t, dir, opt)
		wantChanges(t, fmt.Sprintf("pass %d", pass+1), r, truth)
		if r.Outcome != Changed || r.Baseline != "previous scan" {
			t.Errorf("pass %d: %s against %s", pass+1, r.Outcome, r.Baseline)
		}
		wantDiffers(t, r, "without pool-full")
		want := Progress{Measured: 200, Of: 200}
		if pass == 1 {
			want = Progress{Cached: 200, Of: 200}
		}
		if done != want {
			t.Errorf("pass %d: %+v, want %+v", pass+1, done, want)
		}
	}

	opt.Protocol.Detectors = []*detect.Detector{detector(t, fmt.Sprintf(pool, 2, 93.0))}
	r, _ := scan(t, dir, opt)
	for path, was := range truth {
		switch {
		case strings.Contains(was, "used=91"):
			truth[path] = "gone 00:00:00-00:00:01 used=91"
		case was != "could not look":
			delete(truth, path)
		}
	}
	wantChanges(t, "a higher limit", r, truth)
	wantDiffers(t, r, "pool-full version 1, now 2")
}

// wantDiffers wants every run to say in what the scan before was made otherwise.
func wantDiffers(t *testing.T, r *Report, want string) {
	t.Helper()
	for _, run := range r.Runs {
		for _, c := range run.Against {
			if c.Differs != want {
				t.Fatalf("%s: the scan before was made %q, want %q", run.Path, c.Differs, want)
			}
		}
	}
}
