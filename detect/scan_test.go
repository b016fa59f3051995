package detect

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"headroom/internal/runtest"
	"headroom/runs"
	"headroom/runs/ordered"
)

// everything is a run with all that detectors read, in several row groups.
const everything = `run 115s 900/s p50=8ms p99=16ms seed=1 scenario=write target=a
run 115s 300/s p50=8ms p99=16ms seed=2 scenario=read target=b
freeze at=40s for=400ms every=31s until=110s
drops at=70s for=2s every=100ms
points metric=disk.queue value=2
counter metric=disk.busy_seconds value=0.3 unit=s
points metric=a.metric.of.nobody value=1
marker at=41s every=31s until=110s kind=postgres.checkpoint.complete longest=0.3
sessions n=4 wait=Lock:tuple
`

// sealed writes a synthetic run as one that was recorded.
func sealed(t *testing.T, script string) (*runs.Run, *runtest.Run) {
	t.Helper()
	c, err := runtest.Parse("everything", script)
	if err != nil {
		t.Fatal(err)
	}
	made, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{ID: "r"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := made.Put(w); err != nil {
		t.Fatal(err)
	}
	run, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return run, made
}

// lookAt reads a run for the detectors, applies them, and returns what was read.
func lookAt(t *testing.T, run *runs.Run, window Span, ds []*Detector) (*runs.Reads, []*Requests) {
	t.Helper()
	var reads runs.Reads
	ctx := reads.Count(t.Context())
	requests, err := Load(ctx, run, false, ordered.NewSpace(0))
	if err != nil {
		t.Fatal(err)
	}
	evidence, err := ReadEvidence(ctx, run, window, Metrics(ds))
	if err != nil {
		t.Fatal(err)
	}
	p := Pass{Window: window, Requests: requests, Evidence: evidence}
	for _, d := range ds {
		if _, err := d.Apply(p, nil); err != nil {
			t.Fatal(err)
		}
	}
	return &reads, requests
}

// All detectors together read each column that they need of each table once, in
// every row group, and no column twice: counted where columns are decoded. Ten
// detectors more read nothing more.
func TestEachColumnIsReadOnce(t *testing.T) {
	run, made := sealed(t, everything)
	window := Span{made.Start, made.End}
	reads, _ := lookAt(t, run, window, All)
	got := reads.Columns()
	groups := got["samples.start"].Chunks
	if groups < 2 {
		t.Fatalf("the run has %d row groups of samples: one tells too little", groups)
	}
	for name, n := range got {
		if n.Most != 1 {
			t.Errorf("%s is read %d times", name, n.Most)
		}
	}
	for _, c := range columns {
		if n := got["samples."+string(c)]; n.Chunks != groups {
			t.Errorf("samples.%s is read in %d of %d row groups", c, n.Chunks, groups)
		}
	}
	for _, name := range []string{"points.metric", "points.value", "points.time", "markers.kind", "markers.attrs", "activity.wait", "activity.state"} {
		if got[name].Chunks != 1 {
			t.Errorf("%s is read in %d row groups, want its one", name, got[name].Chunks)
		}
	}
	for name := range got {
		if of, isSample := strings.CutPrefix(name, "samples."); isSample && !slices.Contains(columns, runs.Column(of)) {
			t.Errorf("%s is read, and no detector needs it", name)
		}
	}
	more, _ := lookAt(t, run, window, append(slices.Clone(All), tenMore(t)...))
	if again := more.Columns(); !reflect.DeepEqual(got, again) || more.Total() != reads.Total() {
		t.Errorf("with ten detectors more %d chunks are read, without them %d", more.Total(), reads.Total())
	}
	t.Logf("%d detectors read %d columns, %d chunks, each once", len(All), len(got), reads.Total())
}

// tenMore are detectors of a user, over every input.
func tenMore(t *testing.T) []*Detector {
	t.Helper()
	var out []*Detector
	for i := range 10 {
		body := []string{
			"input: samples\nwindow: {kind: sliding, length: 2s}\nwhen: p99 > limit\nparams: {limit: {default: 1, unit: s, doc: x}}",
			"input: samples\nrows: outcome == \"ok\"\ngroup: op\nwindow: {kind: run}\nwhen: n < 3",
			"input: points\nmetrics: [a.metric.of.nobody]\nwhen: last > 3",
			"input: markers\nkinds: [postgres.]\nwindow: {kind: sliding, length: 10s}\nwhen: n > 5",
			"input: sessions\nwhen: blocked > 8",
		}[i%5]
		d, err := ParseDetector("own.yaml", []byte(fmt.Sprintf("name: own-%c\ndoc: X. Cannot see the rest.\n%s\n", 'a'+i, body)))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

// What is read of a run is what its samples say in memory, whatever the order of
// scenarios in the file.
func TestLoadIsCollect(t *testing.T) {
	run, made := sealed(t, everything)
	got, err := Load(t.Context(), run, false, ordered.NewSpace(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]*Requests{Collect(made.Samples, false), byScenario(made.Samples)} {
		if len(got) != len(want) {
			t.Fatalf("%d scenarios, want %d", len(got), len(want))
		}
		for i, r := range want {
			if got[i].Scenario != r.Scenario || got[i].Len() != r.Len() || !slices.Equal(got[i].Dropped, r.Dropped) {
				t.Fatalf("scenario %s with %d requests, want %s with %d", got[i].Scenario, got[i].Len(), r.Scenario, r.Len())
			}
			as, bs := got[i].collected(), r.collected()
			for k := range bs {
				a, b := &as[k], &bs[k]
				if a.Start != b.Start || a.Service != b.Service || a.outcome != b.outcome || got[i].Target(a) != r.Target(b) {
					t.Fatalf("request %d of %s: %+v, want %+v", k, r.Scenario, *a, *b)
				}
			}
		}
	}
}

// byScenario collects each scenario alone: the plain way to the same answer.
func byScenario(samples []runs.Sample) (out []*Requests) {
	parts := map[string][]runs.Sample{}
	for _, s := range samples {
		parts[s.Scenario] = append(parts[s.Scenario], s)
	}
	for _, name := range []string{"default", "read", "write"} {
		if len(parts[name]) > 0 {
			out = append(out, Collect(parts[name], false)...)
		}
	}
	return out
}
