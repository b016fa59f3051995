package conformance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/ingest"
	"headroom/runs"
)

// injection is what was done to a recorded system, and when.
type injection struct {
	kind       string
	start, end time.Time
}

// TestRecorded makes one run of everything recorded beside a real load and
// looks for what was done to the system. injections.txt is never an input.
func TestRecorded(t *testing.T) {
	root := dataFolder(t, "HEADROOM_RECORDED", "recorded")
	sheets, err := filepath.Glob(filepath.Join(root, "*", "injections.txt"))
	if err != nil || len(sheets) == 0 {
		t.Fatalf("no recordings (*/injections.txt) in %s: %v", root, err)
	}
	for _, sheet := range sheets {
		dir := filepath.Dir(sheet)
		t.Run(filepath.Base(dir), func(t *testing.T) { recorded(t, dir, readInjections(t, sheet)) })
	}
}

func readInjections(t *testing.T, path string) []injection {
	t.Helper()
	b, err := os.ReadFile(path)
	noError(t, path, err)
	var out []injection
	for line := range strings.Lines(string(b)) {
		var i injection
		var start, end float64
		if _, err := fmt.Sscan(line, &i.kind, &start, &end); err != nil {
			t.Fatalf("%s: %q: %v", path, line, err)
		}
		i.start, i.end = time.UnixMicro(int64(start*1e6)), time.UnixMicro(int64(end*1e6))
		out = append(out, i)
	}
	return out
}

// parts are the files that a run is made of; others of the folder (the console,
// the application's own log, snapshots of views) are read by later formats.
var parts = []struct {
	name string
	role ingest.Role
}{
	{"k6.json.gz", ingest.Evidence}, {"k6-summary.json", ingest.Evidence}, {"vmstat.txt", ingest.Evidence}, {"loadavg.log", ingest.Evidence},
	{"activity.csv.gz", ingest.Evidence}, {"postgresql.csv", ingest.Evidence},
	{"before.counts.csv", ingest.Before}, {"after.counts.csv", ingest.After},
}

func recorded(t *testing.T, dir string, injected []injection) {
	req := ingest.Request{Reconcile: map[string]string{"rows": "events_sent", "quantity": "quantity_sent"}}
	for _, p := range parts {
		if _, err := os.Stat(filepath.Join(dir, p.name)); err == nil {
			req.Files = append(req.Files, ingest.File{Path: filepath.Join(dir, p.name), Role: p.role})
		}
	}
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{})
	noError(t, "create", err)
	defer w.Abort()
	_, err = ingest.Ingest(context.Background(), req, w)
	noError(t, "ingest", err)
	run, err := w.Commit()
	noError(t, "commit", err)
	m, err := analyze.Measure(context.Background(), run, analyze.Protocol{})
	noError(t, "measure", err)

	load := mainScenario(m.Result)
	found := func(i injection) bool {
		return slices.ContainsFunc(m.Result.Findings, func(f analyze.Finding) bool {
			start, err1 := time.Parse(time.RFC3339Nano, f.Start)
			end, err2 := time.Parse(time.RFC3339Nano, f.End)
			noError(t, "finding", err1)
			noError(t, "finding", err2)
			return f.Detector == "freeze" && f.Scope.Scenario == load && start.Before(i.end) && end.After(i.start)
		})
	}
	stops := 0
	for _, i := range injected {
		switch i.kind {
		case "server_stop", "table_lock":
			stops++
			if !found(i) {
				t.Errorf("%s at %s is not found", i.kind, i.start.UTC().Format(time.RFC3339Nano))
			}
		}
	}
	equal(t, "stops injected", stops > 0, true)
	for gate, want := range map[string]analyze.Outcome{"dropped": analyze.Fail, "reconciled": analyze.Pass} {
		for _, v := range m.Result.Verdicts {
			if v.Gate == gate {
				equal(t, gate, v.Outcome, want)
			}
		}
	}
	c, err := analyze.Combine([]*analyze.Measured{m}, analyze.Protocol{})
	noError(t, "combine", err)
	marked := 0
	for _, f := range c.Figures {
		if f.Kind == "timeline" {
			for _, s := range f.Panels[0].Spans {
				if s.Kind == "freeze" {
					marked++
				}
			}
		}
	}
	equal(t, "freezes marked on the timeline", marked >= stops, true)
	t.Logf("answered %d of %d ids", toldApart(t, m.Result, injected), len(injected))
}
