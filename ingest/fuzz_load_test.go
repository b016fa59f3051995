package ingest

import (
	"encoding/json"
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

func FuzzK6JSON(f *testing.F)           { fuzzLoad(f, K6JSON) }
func FuzzK6CSV(f *testing.F)            { fuzzLoad(f, K6CSV) }
func FuzzK6Summary(f *testing.F)        { fuzzLoad(f, K6Summary) }
func FuzzPgbenchLog(f *testing.F)       { fuzzLoad(f, PgbenchLog) }
func FuzzPgbenchAggregate(f *testing.F) { fuzzLoad(f, PgbenchAggregate) }
func FuzzPgbenchOutput(f *testing.F)    { fuzzLoad(f, PgbenchOutput) }
func FuzzGenericCSV(f *testing.F)       { fuzzLoad(f, GenericCSV) }
func FuzzGenericJSONL(f *testing.F)     { fuzzLoad(f, GenericJSONL) }
func FuzzGenericLogfmt(f *testing.F)    { fuzzLoad(f, GenericLogfmt) }
func FuzzExitStatus(f *testing.F)       { fuzzLoad(f, ExitStatus) }

// fuzzLoad reads hostile text, beginning with the inputs of the cases. Nothing
// panics, the same text gives the same rows, and every row can be stored.
func fuzzLoad(f *testing.F, im *Importer) {
	fuzzLoadWith(f, im, Options{Zone: time.UTC, Rejected: []string{"429"}})
}

func fuzzLoadWith(f *testing.F, im *Importer, opt Options) {
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
	f.Fuzz(func(t *testing.T, data []byte) {
		im.Sniff(data[:min(len(data), HeadSize)])
		in, r, err := tryText(im, "input", string(data), opt)
		_, again, errAgain := tryText(im, "input", string(data), opt)
		if (err == nil) != (errAgain == nil) || !reflect.DeepEqual(r, again) {
			t.Error("the same text gave other rows")
		}
		checkStorable(t, in, r)
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
	})
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
