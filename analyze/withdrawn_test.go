package analyze_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/runs"
)

// A withdrawn run passes no gate that counts its samples, and says why.
func TestWithdrawnRunPassesNothing(t *testing.T) {
	kept := load(t, 6000, nil)
	if v := verdictOf(kept, "samples"); v.Outcome != analyze.Pass {
		t.Fatalf("the run as it was: %+v", v)
	}
	withdrawn := reread(t, "withdrawn", `{"kind":"withdrawn","at":"2026-08-17T12:00:00Z","text":"throttled"}`)
	if v := verdictOf(withdrawn, "samples"); v.Outcome != analyze.Unknown || !strings.Contains(v.Why, "2026-08-17T12:00:00Z: throttled") {
		t.Errorf("withdrawn: %+v", v)
	}
	if got := withdrawn.Result.Run.Withdrawn; got != "2026-08-17T12:00:00Z: throttled" {
		t.Errorf("run.withdrawn is %q", got)
	}
	for name, want := range map[string]string{
		`{"kind":"note","at":"2026-08-17T12:00:00Z","text":"a quiet day"}`: "",
		`{"kind":`: "whether the run was withdrawn is not known: notes.jsonl:1: not a note",
	} {
		m := reread(t, "other", name)
		if v := verdictOf(m, "samples"); v.Outcome != analyze.Pass {
			t.Errorf("%s: %+v", name, v)
		}
		if got := strings.Join(m.Result.Warnings, "\n"); !strings.Contains(got, want) || want == "" && strings.Contains(got, "withdrawn") {
			t.Errorf("%s: warnings %q", name, got)
		}
	}
}

// reread measures the run of load with these notes.
func reread(t *testing.T, id, notes string) *analyze.Measured {
	t.Helper()
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6000 {
		s := runs.NewSample()
		s.Start, s.Scenario, s.Outcome, s.Service = start.UnixMicro()+int64(i)*10000, "default", runs.OK, 10e6
		if err := w.Sample(&s); err != nil {
			t.Fatal(err)
		}
	}
	run, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(run.Path(), "notes.jsonl"), []byte(notes+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := analyze.Measure(t.Context(), run, analyze.Protocol{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func verdictOf(m *analyze.Measured, gate string) analyze.Verdict {
	for _, v := range m.Result.Verdicts {
		if v.Gate == gate {
			return v
		}
	}
	return analyze.Verdict{}
}

// What a document was asked is asked again the same way: limits that nobody gave
// stay unset.
func TestAskedSurvivesJSON(t *testing.T) {
	p := analyze.Protocol{
		P99Limit: 100 * time.Millisecond, FleetRates: []float64{60}, Params: map[string]float64{"freeze.worst": 0.2},
		WindowStart: start, WindowEnd: start.Add(time.Minute), Warmup: time.Second,
	}
	c, err := analyze.Combine([]*analyze.Measured{loadWith(t, 6000, p, nil)}, p)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var read analyze.Capacity
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if got, ok, err := read.Asked(); !ok || err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("asked %+v, %v, %v; want %+v", got, ok, err, p)
	}
	if _, ok, err := (&analyze.Capacity{}).Asked(); ok || err != nil {
		t.Errorf("a document without rules: %v, %v", ok, err)
	}
}
