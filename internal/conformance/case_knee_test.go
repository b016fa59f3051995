package conformance

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/stat"
)

// caseKnee looks at each sweep of the case: where throughput stops growing is between
// two steps, whatever their order in the file; what one setting gave several times
// counts by its median; a step in which nothing succeeded is left out; a line has no
// knee, and two points tell nothing.
func caseKnee(t *testing.T, dir string) {
	for _, c := range []struct {
		name       string
		last, next float64 // 0: none
		why        string
	}{
		{"line", 16, 0, "not reached up to 16: throughput still grew there, to at least 1,600 per s"},
		{"retro", 16, 32, ""},
		{"repeats", 16, 32, ""},
		{"two", 0, 0, "not evaluable"},
		{"failed", 16, 32, ""},
	} {
		s := analyze.FindKnee(summaryRows(t, filepath.Join(dir, "input."+c.name+".csv")), 1)
		g := s.Growth()
		at := func(i int) float64 {
			if i < 0 {
				return 0
			}
			return s.Steps[i].N
		}
		equal(t, c.name+": last step that throughput grew to", at(g.Last), c.last)
		equal(t, c.name+": the step after it", at(g.Next), c.next)
		if !strings.HasPrefix(g.Why, c.why) || (g.Why == "") != (c.why == "") {
			t.Errorf("%s: %q, want %q", c.name, g.Why, c.why)
		}
		switch c.name {
		case "line":
			equal(t, "line", s.Statement(), "no knee found up to 16")
		case "retro":
			equal(t, "retro: best", s.Steps[s.Sustained].N, 16)
			equal(t, "retro: falls", analyze.Percent(1 - *s.Steps[2].Throughput / *s.Steps[1].Throughput), "28.4 %")
		case "repeats":
			for i, median := range []float64{720, 1510, 1500, 1500} {
				equal(t, index("repeats: median", i), *s.Steps[i].Throughput, median)
			}
			equal(t, "repeats: spread at 8", *s.Steps[0].Repeats, stat.Bounds{Lo: 640, Hi: 800})
		}
	}
}

// summaryRows reads a sweep of one row a step, in any order. A step without a p99 had
// no request that succeeded.
func summaryRows(t *testing.T, path string) []analyze.SweepStep {
	t.Helper()
	f, err := os.Open(path)
	noError(t, path, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	noError(t, path, err)
	var out []analyze.SweepStep
	for _, r := range rows[1:] {
		n, err1 := strconv.ParseFloat(r[0], 64)
		x, err2 := strconv.ParseFloat(r[1], 64)
		noError(t, path, err1)
		noError(t, path, err2)
		s := analyze.SweepStep{N: n, Throughput: &x}
		if p99, err := strconv.ParseFloat(r[2], 64); err == nil {
			p99 /= 1000
			s.P99 = &p99
		} else if x == 0 {
			s.Errors = 1
		}
		out = append(out, s)
	}
	return out
}
