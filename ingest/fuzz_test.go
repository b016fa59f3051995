package ingest

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"headroom/runs"
)

// What is said of hostile files: as little as may be; a start, so that what bears
// no time is placed; and an interval, so that rows of which each bears none are.
var (
	bare   = Options{Zone: time.UTC, Rejected: []string{"429"}}
	placed = Options{Zone: time.UTC, Rejected: []string{"429"}, Start: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)}
	paced  = Options{Zone: time.UTC, Rejected: []string{"429"}, Start: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), Interval: time.Second}
)

// fuzzImporter reads hostile text, beginning with the inputs of the cases. Nothing
// panics, the same text gives the same rows, every row can be stored, and what is
// refused is refused with a reason.
func fuzzImporter(f *testing.F, im *Importer, opt Options) {
	addCases(f, im, &opt)
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
		checkLoad(t, in, r)
	})
}

// addCases adds the inputs of an importer's cases, and takes their mapping.
func addCases(f *testing.F, im *Importer, opt *Options) {
	cases, err := filepath.Glob(filepath.Join("testdata", im.Name, "*.txtar"))
	if err != nil || len(cases) == 0 {
		f.Fatalf("no cases of %s: %v", im.Name, err)
	}
	for _, path := range cases {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		_, files := parseArchive(string(text))
		for _, file := range files {
			if file.name == "mapping.yaml" && opt.Map == nil {
				maps, err := ReadMappings(file.name, []byte(file.text))
				if err != nil {
					f.Fatal(err)
				}
				opt.Map = maps[0]
			}
			if strings.HasPrefix(file.name, "input") {
				f.Add([]byte(file.text))
			}
		}
	}
}

// checkLoad checks what analyses of load rely on.
func checkLoad(t *testing.T, in *Input, r *rows) {
	t.Helper()
	for i := range r.samples {
		checkSample(t, &r.samples[i])
	}
	for _, h := range r.histograms {
		if h.Low > h.High || h.Count <= 0 || h.Length < 0 || h.Scenario == "" || !utf8.ValidString(h.Op) {
			t.Errorf("histogram %+v", h)
		}
	}
	for _, b := range r.benchmarks {
		if b.Name == "" || b.Unit == "" || b.Procs < 1 || b.Repeat < 0 || b.Iterations < 0 || b.Value-b.Value != 0 ||
			!utf8.ValidString(b.Name+b.Package+b.Unit+b.Config) || b.Config != "" && !json.Valid([]byte(b.Config)) {
			t.Errorf("benchmark %+v", b)
		}
	}
	for _, s := range in.Meta.Summaries {
		for name, v := range s.Values {
			if v-v != 0 || !utf8.ValidString(name+s.Of) {
				t.Errorf("summary %q: %q = %v", s.Of, name, v)
			}
		}
	}
	for _, c := range in.Meta.Claims {
		if _, ok := rational(c); !ok {
			t.Errorf("claim %q is no number", c)
		}
	}
}

// checkSample checks what the samples table relies on.
func checkSample(t *testing.T, s *runs.Sample) {
	t.Helper()
	outcomes := []runs.Outcome{runs.OK, runs.Failed, runs.Rejected, runs.Timeout, runs.Dropped, runs.Skipped}
	switch {
	case !slices.Contains(outcomes, s.Outcome), s.Scenario == "", s.Events < 0, s.StartNS != runs.Missing && (s.StartNS < 0 || s.StartNS > 999),
		!s.Outcome.Sent() && s.Service != runs.Missing, s.Tags != "" && !json.Valid([]byte(s.Tags)),
		!utf8.ValidString(s.Scenario + s.Op + s.Status + s.Target + s.Error + s.Worker + s.ID + s.Tags), s.Wait > maxDuration, s.Service > maxDuration:
		t.Errorf("sample %+v", *s)
	}
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
