package analyze_test

import (
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/runs"
)

// What was recorded over a part of the window rules nothing out of the rest.
func TestEliminationOfAThinRecord(t *testing.T) {
	for _, c := range []struct {
		points int
		want   string
	}{
		{20, "5 % | ruled out, on average"},
		{5, "5 % | could not look: recorded over "},
	} {
		m := load(t, 2000, func(w *runs.Writer, m *runs.Manifest) {
			points(t, w, "disk.busy", runs.Gauge, "sda", c.points, constant(0.05))
			m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:20Z", Declared: true}
		})
		m.Result.Run.ID = "a"
		d, err := analyze.Document(analyze.Study{
			File: "study.yaml", Contention: analyze.Warn, Reconciliation: analyze.Warn,
			Configurations: []analyze.StudyConfiguration{{Name: "a", Protocol: analyze.Protocol{Name: "run", Required: []string{"failed"}}}},
		}, [][]*analyze.Measured{{m}})
		if err != nil {
			t.Fatal(err)
		}
		if got := table(d, "elimination"); !strings.Contains(got, c.want) {
			t.Errorf("%d points: want %q in\n%s", c.points, c.want, got)
		}
	}
}
