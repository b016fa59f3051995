package ingest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMetricsDocumented fails for a metric or a kind of marker that the cases
// bring forth and docs/format/metrics.md does not name.
func TestMetricsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "format", "metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	page, missing := string(text), map[string]bool{}
	check := func(name string) {
		if !strings.Contains(page, "`"+name+"`") && !missing[name] {
			missing[name] = true
			t.Errorf("%s is not in docs/format/metrics.md", name)
		}
	}
	checkCases(t, check, Vmstat, Loadavg, ProcStat, ProcPidStat, PS, PostgresCSVLog, PostgresLog, PgbenchAggregate, Sysbench, YCSBOutput,
		BenchBaseWindows, HammerDB, OpenMessaging)
	for _, m := range pgMessages {
		if m.kind != "" {
			check(m.kind)
		}
	}
}

// checkCases checks every metric and kind of marker that the cases of importers
// bring forth.
func checkCases(t *testing.T, check func(name string), importers ...*Importer) {
	t.Helper()
	opt := Options{Zone: time.UTC, Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Interval: time.Second}
	for _, im := range importers {
		seen := 0
		paths, _ := filepath.Glob(filepath.Join("testdata", im.Name, "*.txtar"))
		for _, path := range paths {
			archive, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, files := parseArchive(string(archive))
			for _, f := range files {
				if !strings.HasPrefix(f.name, "input") {
					continue
				}
				_, r, _ := tryText(im, f.name, f.text, opt) // what is refused has rows before
				for _, p := range r.points {
					check(p.Metric)
				}
				for _, m := range r.markers {
					check(m.Kind)
				}
				seen += len(r.points) + len(r.markers)
			}
		}
		if seen == 0 {
			t.Errorf("the cases of %s bring forth nothing", im.Name)
		}
	}
}
