package analyze_test

import (
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// TestReplicas counts and shares out what two replicas served, and fails a run of
// which a third, which was to serve, served nothing.
func TestReplicas(t *testing.T) {
	for _, expected := range [][]string{nil, {"a", "b"}, {"a", "b", "c"}} {
		r := recording{id: "r", every: 20 * time.Millisecond, service: 5 * time.Millisecond}
		r.edit = func(w *runs.Writer, m *runs.Manifest) {
			for i := range 200 { // beside 3,000 that do not say who served them
				s := runs.NewSample()
				s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.Add(time.Duration(i)*time.Millisecond).UnixMicro(), "default", runs.OK, 5e6, 1
				if s.Target = "a"; i%20 == 0 {
					s.Target = "b"
				}
				if err := w.Sample(&s); err != nil {
					t.Fatal(err)
				}
			}
			m.Sources[0].Samples += 200
			m.Load.Targets = expected
		}
		m := r.measured(t, analyze.Protocol{})
		scope := detect.Scope{Scenario: "default"}
		for id, want := range map[string]float64{"replica.a.served": 190, "replica.a.share": 0.95, "replica.b.served": 10, "replica.b.share": 0.05} {
			if q := m.Result.Quantity(id, scope); q == nil || q.Value == nil || *q.Value != want {
				t.Errorf("%s: %+v, want %v", id, q, want)
			}
		}
		c := combined(t, analyze.Protocol{}, m)
		want := analyze.Pass
		if len(expected) == 3 {
			want = analyze.Fail
		}
		if c.Outcome != want {
			t.Errorf("%v were to serve: %s, want %s", expected, c.Outcome, want)
		}
		for _, lack := range c.Caveats {
			if strings.Contains(lack, "or a replica") {
				t.Errorf("two replicas served, and the document says %q", lack)
			}
		}
	}
}
