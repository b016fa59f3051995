package analyze_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/runs"
)

// A rate is printed in what the load counts: requests, where nobody said what an event
// is; events, where a request carries several. Requests stay requests.
func TestRatesAreInWhatWasCounted(t *testing.T) {
	for _, c := range []struct {
		name   string
		events int64
		unit   string
	}{{"requests", 1, "requests/s"}, {"batches", 10, "events/s"}} {
		run := func(arm, repeat string, n int) *analyze.Measured {
			return load(t, 0, func(w *runs.Writer, m *runs.Manifest) {
				for i := range n {
					s := runs.NewSample()
					s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.UnixMicro()+int64(i)*20e6/int64(n), "default", runs.OK, 5e6, c.events
					if err := w.Sample(&s); err != nil {
						t.Fatal(err)
					}
				}
				m.Labels, m.Load.Rate = map[string]string{"arm": arm, "repeat": repeat}, 100
				m.Sources[0].SHA256, m.Sources[0].Samples = arm+repeat+fmt.Sprint(c.events), int64(n)
				m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:20Z", Declared: true}
			})
		}
		doc := document(t, run("control", "1", 2000), run("control", "2", 2010), run("treatment", "1", 2100), run("treatment", "2", 2110))
		want := map[string]string{
			"arms.throughput.median": c.unit, "arms.throughput.shift": c.unit, "delivered": c.unit, "throughput": c.unit,
			"throughput.requests": "requests/s", "offered": "requests/s",
		}
		seen := map[string]bool{}
		for _, q := range slices.Concat(doc.Quantities, doc.Results[0].Quantities) {
			if unit := want[q.ID]; unit != "" {
				seen[q.ID] = true
				if !strings.HasSuffix(q.Display, " "+unit) {
					t.Errorf("%s: %s is %q, want it in %s: %s", c.name, q.ID, q.Display, unit, q.Why)
				}
			}
		}
		if len(seen) != len(want) {
			t.Errorf("%s: of %v there is only %v", c.name, want, seen)
		}
	}
}
