package analyze_test

import (
	"fmt"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// passes is a run of passes of a clean-up every 300 s, and of the rows that were
// left as they were counted: "seconds rows value".
func passes(t *testing.T, id string, removed []float64, left []string, declared string) *analyze.Measured {
	t.Helper()
	return measured(t, id, analyze.Protocol{}, func(w *runs.Writer) {
		for i, v := range removed {
			p := runs.Point{Time: start.UnixMicro() + int64(i)*300e6, Metric: "prune.removed", Kind: runs.Delta, Value: v, Unit: "1"}
			if err := w.Point(&p); err != nil {
				t.Fatal(err)
			}
		}
		sampled(t, w, "nonces", left...)
		claims(declared)(w.Manifest())
	})
}

func TestPassesKeepUp(t *testing.T) {
	for _, c := range []struct {
		name     string
		removed  []float64
		declared string
		atLimit  any
		bound    any // rows/s
		keepsUp  analyze.Outcome
	}{
		{"every pass at its maximum", []float64{10000, 10000, 10000}, "prune.limit=10000 prune.interval=300", 3.0, 10000.0 / 300, analyze.Fail},
		{"none at its maximum", []float64{9999, 9000, 0}, "prune.limit=10000 prune.interval=300", 0.0, 10000.0 / 300, analyze.Pass},
		{"the last came back short", []float64{10000, 10000, 500}, "prune.limit=10000 prune.interval=300", 2.0, 10000.0 / 300, analyze.Pass},
		{"the last at its maximum", []float64{500, 10000, 10000}, "prune.limit=10000 prune.interval=300", 2.0, 10000.0 / 300, analyze.Unknown},
		{"one pass of a series, at its maximum", []float64{10000}, "prune.limit=10000 prune.interval=300", 1.0, 10000.0 / 300, analyze.Fail},
		{"the interval as it was seen", []float64{10000, 10000, 10000}, "prune.limit=10000", 3.0, 10000.0 / 300, analyze.Fail},
		{"no maximum declared", []float64{10000, 10000, 10000}, "prune.interval=300", "was not declared", nil, analyze.Unknown},
		{"more than the maximum", []float64{10001, 10000, 10000}, "prune.limit=10000 prune.interval=300", "pass 1 removed 10001 rows", nil, analyze.Unknown},
		{"no count", []float64{0.5, 10000, 10000}, "prune.limit=10000 prune.interval=300", "which is no count", nil, analyze.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := passes(t, "passes", c.removed, nil, c.declared)
			expect(t, m, "prune.passes", float64(len(c.removed)))
			expect(t, m, "prune.passes_at_limit", c.atLimit)
			expect(t, m, "prune.bound", c.bound)
			gate(t, m, "keeps-up", c.keepsUp)
			gate(t, m, "cleared", "")
		})
	}
	m := passes(t, "passes", nil, []string{"0 rows 5"}, "prune.limit=10000 prune.interval=300")
	gate(t, m, "keeps-up", "")
}

func TestBacklogIsCleared(t *testing.T) {
	for _, c := range []struct {
		name    string
		removed []float64
		left    []string
		cleared analyze.Outcome
	}{
		{"nothing left", []float64{25000}, []string{"-1 rows 25000", "2 rows 0"}, analyze.Pass},
		{"rows left", []float64{10000}, []string{"-1 rows 25000", "2 rows 15000"}, analyze.Fail},
		{"not counted after", []float64{10000}, []string{"-1 rows 25000"}, analyze.Unknown},
		{"not counted before", []float64{10000}, []string{"2 rows 0"}, analyze.Unknown},
		{"not counted", []float64{10000}, nil, analyze.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := passes(t, "once", c.removed, c.left, "prune.limit=640000")
			gate(t, m, "cleared", c.cleared)
			gate(t, m, "keeps-up", "")
		})
	}
}

// The load is 100 requests/s of 20 events: each leaves a row, and a pass every
// 300 s removes 10,000. 30,000 arrive between passes; 33.3 rows/s are 666.7 events/s.
func TestArrivalsAgainstTheBound(t *testing.T) {
	busy := load(t, 1000, func(w *runs.Writer, m *runs.Manifest) {
		m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:10Z", Declared: true}
	})
	falling := passes(t, "falling", []float64{10000, 10000, 10000}, nil, "prune.limit=10000 prune.interval=300 prune.rows_per_request=1")
	c := document(t, busy, falling)
	of := detect.Scope{Run: "falling"}
	for id, want := range map[string]float64{"prune.arrivals": 100, "prune.keeps_up_below": 10000.0 / 300, "prune.growth_per_pass": 20000} {
		found := false
		for _, q := range c.Quantities {
			if q.ID == id && q.Scope == of {
				found = true
				if q.Value == nil || *q.Value != want {
					t.Errorf("%s: %v, want %v", id, q.Display, want)
				}
			}
		}
		if !found {
			t.Errorf("no %s of %v", id, of)
		}
	}
	if c.Outcome != analyze.Fail {
		t.Errorf("the document is %s, want fail: its clean-up does not keep up", c.Outcome)
	}
	c = document(t, falling)
	for _, q := range c.Quantities {
		if q.ID == "prune.arrivals" && (q.Value != nil || q.Why == "") {
			t.Errorf("arrivals without a load: %s", q.Display)
		}
	}
	if got := fmt.Sprintf("%d %s", len(c.Configurations), c.Configurations[0].Outcome); got != "1 fail" {
		t.Errorf("configurations of passes alone: %s", got)
	}
}
