package analyze_test

import (
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/runs"
)

// TestRunOfPointsHasItsTime: a run that holds no request, but rows with stamps, is
// not said to be of no time.
func TestRunOfPointsHasItsTime(t *testing.T) {
	for _, c := range []struct {
		first, last string
		want        string
	}{
		{"2026-09-21T14:13:20Z", "2026-09-21T14:14:19Z", "from the first reading to the last"},
		{"", "", "nothing that was recorded of it has a time"},
	} {
		m := measured(t, "points", analyze.Protocol{}, func(w *runs.Writer) {
			man := w.Manifest()
			man.Load = runs.Load{Model: runs.ClosedLoop, Tool: "pgbench", Basis: "request"}
			man.Sources = []runs.Source{{File: "agg.log", Format: "pgbench-aggregate", First: c.first, Last: c.last, Rows: 5}}
		})
		if !slices.ContainsFunc(m.Result.Warnings, func(w string) bool { return strings.Contains(w, c.want) }) {
			t.Errorf("%q: warnings %q, want %q", c.first, m.Result.Warnings, c.want)
		}
		if got, want := m.Result.Run.Start, strings.Replace(c.first, "20Z", "20.000000Z", 1); got != want {
			t.Errorf("the run starts at %q, want %q", got, want)
		}
	}
}
