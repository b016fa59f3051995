package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/runs"
)

// fitted is a run of points to be fitted: "x y" or "x y group", with a budget of
// 0.5 s.
func fitted(t *testing.T, points ...string) *analyze.Measured {
	t.Helper()
	return load(t, 0, func(w *runs.Writer, m *runs.Manifest) {
		m.Sources, m.Load = nil, runs.Load{}
		for _, p := range points {
			f := append(strings.Fields(p), "")
			s := runs.Snapshot{View: "fit_usage", Source: "usage.csv", Time: runs.Missing,
				Columns: []string{"x", "y", "group", "x_name", "y_name", "y_unit", "group_name", "budget"},
				Values:  []string{f[0], f[1], f[2], "events", "latency", "s", "rows", "0.5"}}
			if err := w.Snapshot(&s); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestFitsNameThreeCosts(t *testing.T) {
	for _, c := range []struct {
		name                                 string
		points                               []string
		average, marginal, origin, intercept any
		r2, crossed                          any
		linear                               analyze.Outcome
	}{
		// y = 0.1 + 0.01 x: Σxy = 3.0+1.0… = 0.11+0.24+0.39+0.56 = 1.3; Σxx = 30.
		{"with an intercept", []string{"1 0.11", "2 0.12", "3 0.13", "4 0.14"}, 0.035, 0.01, 1.3 / 30, 0.1, 1.0, "beyond twice the largest", analyze.Pass},
		{"through the origin", []string{"1 0.1", "2 0.2", "3 0.3", "4 0.4"}, 0.1, 0.1, 0.1, 0.0, 1.0, 5.0, analyze.Pass},
		{"a square", []string{"1 0.01", "2 0.04", "3 0.09", "4 0.16", "5 0.25", "6 0.36"}, 0.06, 0.07, 0.0484615384615385, -0.0933333333333333, 5145.0 / 5369, 8.476190476190476, analyze.Fail},
		{"flat", []string{"1 0.1", "2 0.1", "3 0.1", "4 0.1"}, 0.025, 0.0, 1.0 / 30, 0.1, "not a finite number", "does not rise", analyze.Unknown},
		{"three points", []string{"1 0.1", "2 0.2", "3 0.3"}, 0.1, 0.1, 0.1, 0.0, 1.0, 5.0, analyze.Unknown},
		{"one size", []string{"1 0.1", "1 0.2"}, nil, "x", "x", "x", "x", nil, analyze.Unknown},
		{"a point without its size", []string{"1 0.1", "NaN 0.2"}, nil, "lacks its x or its y", "lacks", "lacks", "lacks", nil, analyze.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := fitted(t, c.points...)
			for id, want := range map[string]any{"average": c.average, "marginal": c.marginal, "through_origin": c.origin, "r2": c.r2, "budget_crossed_at": c.crossed} {
				expect(t, m, "fit.usage."+id, want)
			}
			if want, ok := c.intercept.(float64); ok {
				q := m.Result.Quantity("fit.usage.intercept", whole)
				if d := *q.Value - want; d > 1e-12 || d < -1e-12 {
					t.Errorf("intercept %v, want %v", *q.Value, want)
				}
			}
			gate(t, m, "linear", c.linear)
		})
	}
}

// Groups are in the order of their numbers; a p99 takes a hundred points.
func TestFitsOfGroups(t *testing.T) {
	var points []string
	for i := range 100 {
		points = append(points, fmt.Sprintf("%d %g 20", i+1, float64(i+1)/1000))
	}
	m := fitted(t, append([]string{"10 0.010 5", "20 0.020 5", "30 0.030 5"}, points...)...)
	expect(t, m, "fit.usage.group.1.x_mean", 20.0)
	expect(t, m, "fit.usage.group.1.p50", 0.020)
	expect(t, m, "fit.usage.group.1.p99", "100")
	expect(t, m, "fit.usage.group.1.max", 0.030)
	expect(t, m, "fit.usage.group.2.x_mean", 50.5)
	expect(t, m, "fit.usage.group.2.p50", 0.050)
	expect(t, m, "fit.usage.group.2.p99", 0.099)
	c := document(t, m)
	if len(c.Figures) == 0 || c.Figures[0].Kind != "cost-fit" || len(c.Figures[0].Panels) != 2 || len(c.Figures[0].Panels[1].Series[0].Y) != 103 {
		t.Errorf("no figure of the fit with its residuals")
	}
	if c.Outcome != analyze.Pass {
		t.Errorf("the document of a linear cost is %s", c.Outcome)
	}
	if len(c.Caveats) == 0 || strings.Contains(strings.Join(c.Caveats, " "), "benchmark") {
		t.Errorf("it does not show %q", c.Caveats)
	}
}
