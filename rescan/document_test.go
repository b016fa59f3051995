package rescan

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/runs"
)

// publish makes the capacity.json of runs, changed by edit.
func publish(t testing.TB, file string, p analyze.Protocol, edit func(*analyze.Capacity), paths ...string) {
	t.Helper()
	var ms []*analyze.Measured
	for _, path := range paths {
		run, err := runs.Open(path)
		must(t, err)
		m, err := analyze.Measure(t.Context(), run, p)
		must(t, err)
		ms = append(ms, m)
	}
	c, err := analyze.Combine(ms, p)
	must(t, err)
	if edit != nil {
		edit(c)
	}
	text, err := json.Marshal(c)
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(file), 0o777))
	must(t, os.WriteFile(file, text, 0o666))
}

// site is an archive of two runs, one with a freeze, and a document of both.
func site(t testing.TB, edit func(*analyze.Capacity)) (dir string, opt Options) {
	t.Helper()
	dir = t.TempDir()
	write(t, filepath.Join(dir, "runs/c8"), "c8", func(m *runs.Manifest) { m.Labels = map[string]string{"concurrency": "8"} },
		"run 12s 50/s p50=8ms seed=1", "freeze at=5s for=400ms")
	write(t, filepath.Join(dir, "runs/c16"), "c16", func(m *runs.Manifest) { m.Labels = map[string]string{"concurrency": "16"} },
		"run 12s 90/s p50=30ms seed=2")
	file := filepath.Join(dir, "site/2026/capacity.json")
	publish(t, file, analyze.Protocol{P99Limit: 300 * time.Millisecond}, edit, filepath.Join(dir, "runs/c8"), filepath.Join(dir, "runs/c16"))
	found, err := Documents(filepath.Join(dir, "site"))
	must(t, err)
	if len(found) != 1 || found[0] != filepath.Join("2026", "capacity.json") {
		t.Fatalf("documents %q", found)
	}
	return dir, Options{Against: []Document{{Name: "site/2026/capacity.json", Path: file}}}
}

// A document of runs that did not change is unchanged, by the rules it was made
// by, from the cache as well as measured.
func TestPublishedDocumentIsUnchanged(t *testing.T) {
	dir, opt := site(t, nil)
	for pass := range 2 {
		r, done := scan(t, filepath.Join(dir, "runs"), opt)
		d := r.Documents[0]
		if r.Outcome != Unchanged || d.Outcome != Unchanged || d.Quantities.Unchanged == 0 || d.Quantities.Of() != d.Quantities.Unchanged ||
			d.Verdicts.Of() != d.Verdicts.Unchanged || d.Sentences.Unchanged == 0 || d.Findings.Unchanged == 0 {
			t.Fatalf("pass %d: %s, %+v", pass+1, r.Outcome, d)
		}
		if pass == 1 && done.Measured != 0 {
			t.Errorf("second pass measured %d", done.Measured)
		}
		if !strings.Contains(d.Statement, "Nothing that was published changes.") {
			t.Errorf("statement %q", d.Statement)
		}
	}
}

// Numbers that the runs do not bear are named, old → new, and so is a finding
// that was not published, one that is not there, and one that is another.
func TestStaleDocumentIsNamed(t *testing.T) {
	dir, opt := site(t, func(c *analyze.Capacity) {
		for i := range c.Quantities {
			if q := &c.Quantities[i]; q.ID == "sweep.sustained.throughput" {
				*q.Value, q.Display = 123, "123 requests/s"
			}
		}
		for i := range c.Results {
			for j := range c.Results[i].Findings {
				c.Results[i].Findings[j].Measures["worst"] = 9
			}
		}
		c.Outcome = analyze.Fail
	})
	r, _ := scan(t, filepath.Join(dir, "runs"), opt)
	d := r.Documents[0]
	if r.Outcome != Changed || d.Outcome != Changed || d.Quantities.Changed != 1 || d.Findings.Changed == 0 || d.Findings.New+d.Findings.Gone != 0 {
		t.Fatalf("%s, %+v", r.Outcome, d)
	}
	change := d.Own.Quantities.Changed[0]
	if change.ID != "sweep.sustained.throughput" || change.Old != "123 requests/s" || change.New == change.Old || change.New == "" {
		t.Errorf("change %+v", change)
	}
	if want := "sweep.sustained.throughput"; !strings.Contains(d.Statement, want) || !strings.Contains(d.Statement, "123 requests/s → "+change.New) ||
		!strings.Contains(d.Statement, "The document is stale.") {
		t.Errorf("statement %q", d.Statement)
	}
}

// What cannot be looked at is told apart from what changed: a run that is gone,
// one that was withdrawn, a document that is no document.
func TestWhatCannotBeLookedAt(t *testing.T) {
	dir, opt := site(t, nil)
	run, err := runs.Open(filepath.Join(dir, "runs/c16"))
	must(t, err)
	must(t, run.Withdraw(time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), "throttled"))
	r, _ := scan(t, filepath.Join(dir, "runs"), opt)
	d := r.Documents[0]
	// The withdrawn run carries the answer no more; the other one's figures do, with
	// no bound that they had not before.
	carried := false
	for _, change := range d.Own.Quantities.Changed {
		carried = carried || change.ID == "sweep.sustained.concurrency" && change.Old == "16" && change.New == "8"
		if strings.Contains(change.New, "at-least") {
			t.Errorf("changed by a withdrawal: %+v", change)
		}
	}
	if !carried {
		t.Errorf("the withdrawn run carries the answer: %+v", d.Own.Quantities.Changed)
	}
	if d.Verdicts.CouldNotLook == 0 || d.Runs[1].Withdrawn == "" ||
		!strings.Contains(d.Statement, "Run c16 was withdrawn, 2026-09-01T00:00:00Z: throttled.") {
		t.Errorf("withdrawn: %s, %+v", d.Outcome, d)
	}

	if r.Outcome != Changed || d.Outcome != Changed || !strings.Contains(d.Statement, "The document is stale.") {
		t.Errorf("withdrawn: the archive %s, the document %s", r.Outcome, d.Outcome)
	}

	must(t, os.RemoveAll(filepath.Join(dir, "runs/c16")))
	must(t, os.WriteFile(filepath.Join(dir, "other.json"), []byte(`{"schema":"other/1"}`), 0o666))
	opt.Against = append(opt.Against, Document{Name: "other.json", Path: filepath.Join(dir, "other.json")})
	r, _ = scan(t, filepath.Join(dir, "runs"), opt)
	d = r.Documents[0]
	if r.Outcome != CouldNotLook || d.Outcome != CouldNotLook || d.Quantities.Changed != 0 || d.Quantities.Unchanged == 0 || d.Quantities.CouldNotLook == 0 ||
		!strings.Contains(d.Statement, "Run c16: it is missing from the archive.") {
		t.Errorf("missing: %s, %+v", r.Outcome, d)
	}
	if x := d.Own.Verdicts.CouldNotLook; len(x) == 0 || x[0].Why != "1 of 2 runs cannot be measured: missing from the archive, or not as sealed" {
		t.Errorf("missing: the document's own verdicts %+v", x)
	}
	if other := r.Documents[1]; other.Outcome != CouldNotLook || !strings.Contains(other.Error, `schema "other/1"`) {
		t.Errorf("no document: %+v", other)
	}
}

// A document of a study cannot be made again here; that one of its runs was
// withdrawn since makes it stale all the same.
func TestWithdrawnRunOfAStudy(t *testing.T) {
	dir, opt := site(t, func(c *analyze.Capacity) { c.Study = &analyze.StudyInfo{} })
	if r, _ := scan(t, filepath.Join(dir, "runs"), opt); r.Outcome != CouldNotLook {
		t.Fatalf("before: %s", r.Outcome)
	}
	run, err := runs.Open(filepath.Join(dir, "runs/c16"))
	must(t, err)
	must(t, run.Withdraw(time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), "throttled"))
	r, _ := scan(t, filepath.Join(dir, "runs"), opt)
	if d := r.Documents[0]; r.Outcome != Changed || d.Outcome != Changed || !strings.Contains(d.Statement, "The document is stale.") {
		t.Errorf("after: the archive %s, %+v", r.Outcome, d)
	}
	for _, run := range r.Runs {
		if got, want := run.Against[0].Withdrawn, run.ID == "c16"; got != want {
			t.Errorf("%s: withdrawn since: %v, want %v", run.ID, got, want)
		}
	}
}
