package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/runs"
)

// Two walls, each shown by runs of its own: what is ruled out of one by how idle the
// disk was in its run says nothing of the other, in whose run it was at its limit.
func TestEliminationOfEachWall(t *testing.T) {
	run := func(name string, extra int, busy float64, freezes ...int) *analyze.Measured {
		m := load(t, 2000+extra, func(w *runs.Writer, m *runs.Manifest) {
			for _, s := range freezes {
				slow(t, w, s)
			}
			points(t, w, "disk.busy", runs.Gauge, "sda", 20, constant(busy))
			m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:20Z", Declared: true}
			m.Sources[0].SHA256, m.Labels = fmt.Sprint("w", name), map[string]string{"run": name}
		})
		m.Result.Run.ID = name
		return m
	}
	configuration := func(name, protocol string) analyze.StudyConfiguration {
		return analyze.StudyConfiguration{Name: name, Protocol: analyze.Protocol{Name: protocol, Required: []string{"failed"}}}
	}
	figure := func(id, run string) []analyze.NamedOperand {
		return []analyze.NamedOperand{{As: "so many", Operand: analyze.Operand{ID: id, Run: run}}}
	}
	s := analyze.Study{
		File: "study.yaml", Contention: analyze.Warn, Reconciliation: analyze.Warn,
		Configurations: []analyze.StudyConfiguration{configuration("calm", "run"), configuration("full", "run"), configuration("stock", "repeats"), configuration("tuned", "repeats"), configuration("floor", "denominator")},
		Arms:           []analyze.StudyArms{{Name: "lock", Control: "stock", Treatment: "tuned", Tests: "lock"}},
		Denominators:   []analyze.StudyDenominator{{Name: "alone", Of: "calm", By: "floor", What: "the database"}},
		First: analyze.StudyFirst{Ranked: []analyze.StudyRanked{
			{What: "the row", Figures: figure("latency.p99", "calm")},
			{What: "the disk", Figures: figure("latency.p99", "full")},
			{What: "the lock", Figures: figure("arms.lock.control.freeze.seconds.total", "")},
			{What: "the database alone", Figures: figure("headroom.alone.share", "")},
			{What: "nothing there", Figures: figure("latency.p99", "no such run")},
		}},
	}
	c, err := analyze.Document(s, [][]*analyze.Measured{
		{run("calm", 0, 0.05)}, {run("full", 1, 0.97)}, {run("s1", 2, 0.5, 5, 15), run("s2", 3, 0.5, 7)}, {run("t1", 4, 0.5, 9), run("t2", 5, 0.5, 11, 18)}, {run("floor", 6000, 0.2)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]struct{ has, lacks []string }{
		"elimination.1": {[]string{"disk sda | how busy it was, on average over the window | 5 % | ruled out, on average", "Of 1 run: calm."}, []string{"97 %", "stock against tuned", "Vacuum"}},
		"elimination.2": {[]string{"disk sda | how busy it was, on average over the window | 97 % | held to blame: at its limit", "Of 1 run: full."}, []string{"5 %", "stock against tuned"}},
		"elimination.3": {[]string{"lock | stock against tuned | ", "did not replicate", "disk sda | how busy it was, on average over the window | 50 %", "Of 4 runs: "}, []string{"97 %"}},
		"elimination.4": {[]string{"share of the database | throughput over that of the component by itself (calm of floor) | 100 % | not ruled out", "Of 2 runs: "}, []string{"97 %", "stock against tuned"}},
		"elimination":   {[]string{"97 %", "lock | stock against tuned | ", "share of the database | "}, nil},
	} {
		got := table(c, id)
		for _, x := range want.has {
			if !strings.Contains(got, x) {
				t.Errorf("%s has no %q:\n%s", id, x, got)
			}
		}
		for _, x := range want.lacks {
			if strings.Contains(got, x) {
				t.Errorf("%s has %q, which is of other runs:\n%s", id, x, got)
			}
		}
	}
	if got := table(c, "elimination.5"); got != "" {
		t.Errorf("a wall that no run shows has a table:\n%s", got)
	}
}
