package ingest

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"headroom/runs"
)

func FuzzVmstat(f *testing.F)           { fuzzTelemetry(f, Vmstat) }
func FuzzLoadavg(f *testing.F)          { fuzzTelemetry(f, Loadavg) }
func FuzzProcStat(f *testing.F)         { fuzzTelemetry(f, ProcStat) }
func FuzzProcPidStat(f *testing.F)      { fuzzTelemetry(f, ProcPidStat) }
func FuzzPS(f *testing.F)               { fuzzTelemetry(f, PS) }
func FuzzPostgresCSVLog(f *testing.F)   { fuzzTelemetry(f, PostgresCSVLog) }
func FuzzPostgresLog(f *testing.F)      { fuzzTelemetry(f, PostgresLog) }
func FuzzPsqlCounts(f *testing.F)       { fuzzTelemetry(f, PsqlCounts) }
func FuzzPostgresActivity(f *testing.F) { fuzzTelemetry(f, PostgresActivity) }

// fuzzTelemetry reads hostile text, beginning with the inputs of the cases: no
// importer panics, what it makes of a text is the same each time and can be
// stored, and what one recognises, it reads or refuses with a reason.
func fuzzTelemetry(f *testing.F, im *Importer) {
	paths, err := filepath.Glob(filepath.Join("testdata", im.Name, "*.txtar"))
	if err != nil || len(paths) == 0 {
		f.Fatalf("no cases of %s: %v", im.Name, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		_, files := parseArchive(string(text))
		for _, file := range files {
			if strings.HasPrefix(file.name, "input") {
				f.Add([]byte(file.text))
			}
		}
	}
	opt := Options{Zone: time.UTC, Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Interval: time.Second}
	f.Fuzz(func(t *testing.T, data []byte) {
		im.Sniff(data[:min(len(data), HeadSize)])
		in, r, err := tryText(im, "input", string(data), opt)
		_, again, errAgain := tryText(im, "input", string(data), opt)
		if (err == nil) != (errAgain == nil) || !reflect.DeepEqual(r, again) {
			t.Error("the same text gave other rows")
		}
		if err != nil && err.Error() == "" {
			t.Error("refused without a reason")
		}
		checkStorable(t, in, r)
	})
}

// checkStorable checks what the tables rely on.
func checkStorable(t *testing.T, in *Input, r *rows) {
	t.Helper()
	for _, p := range r.points {
		if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) || p.Metric == "" || p.Unit == "" || p.Resolution < 0 {
			t.Errorf("point %+v", p)
		}
	}
	for _, m := range r.markers {
		if len(m.Message) > runs.MaxMessage || !utf8.ValidString(m.Message+m.Detail+m.Attrs) || m.Kind == "" {
			t.Errorf("marker %+v", m)
		}
		if m.Attrs != "" && !json.Valid([]byte(m.Attrs)) {
			t.Errorf("attributes %q", m.Attrs)
		}
		if m.Duration < 0 && m.Duration != runs.Missing {
			t.Errorf("duration %d of %q", m.Duration, m.Message)
		}
	}
	for _, a := range r.activity {
		if !utf8.ValidString(a.Query + a.State + a.User) {
			t.Errorf("activity %+v", a)
		}
	}
	for _, note := range in.Meta.Notes {
		if !utf8.ValidString(note) || bytes.ContainsRune([]byte(note), 0) {
			t.Errorf("note %q", note)
		}
	}
}
