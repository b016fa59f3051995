package analyze

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"headroom/detect"
	"headroom/runs"
	"headroom/stat"
)

// TestLawCurve: the line of a law ends where the sweep did, and passes through what
// the law says there.
func TestLawCurve(t *testing.T) {
	u, err := stat.FitUSL([]float64{1, 2, 4, 8, 16, 32}, []float64{100, 190, 340, 560, 800, 950})
	if err != nil {
		t.Fatal(err)
	}
	s := lawCurve(&u)
	last := len(s.X) - 1
	if math.Abs(s.X[0]-1) > 1e-9 || math.Abs(s.X[last]-32) > 1e-9 || math.Abs(s.Y[last]-u.At(32)) > 1e-6 || !slices.IsSorted(s.X) {
		t.Errorf("from %v to %v, ends at %v", s.X[0], s.X[last], s.Y[last])
	}
	if s := lawCurve(nil); s.X != nil {
		t.Error("a curve without a law")
	}
}

// repeatCells are repeats of one configuration with the given p99s, in s.
func repeatCells(p99 ...float64) []*cell {
	var cells []*cell
	for i, v := range p99 {
		m := &Measured{manifest: &runs.Manifest{}}
		m.Result.Run.ID = fmt.Sprint("r", i+1)
		for id, x := range map[string]float64{"throughput": 100 + float64(i), "latency.p99": v, "latency.max": 2 * v} {
			m.Result.Quantities = append(m.Result.Quantities, quantity(id, detect.Scope{}, x, "s", -1, From{}))
		}
		cells = append(cells, &cell{m: m})
	}
	return cells
}

// TestSeriesFigure: a repeat that did not pass is drawn apart, and is in no median.
func TestSeriesFigure(t *testing.T) {
	g := &group{cells: repeatCells(0.1, 0.2, 0.9)}
	d := &document{Capacity: &Capacity{}}
	outcomes := []Outcome{Pass, Pass, Fail}
	f := d.seriesFigure(g, outcomes, Summarize(repeatsOf(g.cells, outcomes), seriesIDs))
	p := f.Panels[1]
	if !slices.Equal(p.Series[0].Y, []float64{0.1, 0.2}) || !slices.Equal(p.Series[1].X, []float64{3}) || len(p.Lines) != 1 || math.Abs(p.Lines[0].Y-0.15) > 1e-12 {
		t.Errorf("p99: %+v", p)
	}
}

// TestPairsFigure: the ratio is that within the pair; a pair without one side has
// none.
func TestPairsFigure(t *testing.T) {
	c := repeatCells(0.1, 0.1, 0.1, 0.1)
	for i, arm := range []string{"before", "after", "before", "after"} {
		c[i].labels = map[string]string{"arm": arm}
	}
	c[3].m.Result.Quantities = nil
	d := &document{Capacity: &Capacity{}}
	f := d.pairsFigure("arm", []cellPair{{1, c[0], c[1]}, {2, c[2], c[3]}})
	ratio := f.Panels[1].Series[0]
	if !slices.Equal(ratio.X, []float64{1}) || math.Abs(ratio.Y[0]-1.01) > 1e-12 || len(f.Panels[0].Series[0].X) != 2 || len(f.Panels[0].Series[1].X) != 1 {
		t.Errorf("%+v", f.Panels)
	}
}

// TestQueueFigure counts by hand: three jobs come in the first second of a load of
// two, one worker takes one second for each, so that two wait, then one, then none.
func TestQueueFigure(t *testing.T) {
	m := &Measured{manifest: &runs.Manifest{}, jobs: map[string]bool{"mail": true}}
	second := int64(time.Second)
	m.window.Start, m.window.End = 1000*second, 1002*second
	var rows []detect.Request
	for i := range int64(3) {
		rows = append(rows, detect.Request{Start: m.window.Start, Wait: i * second, Service: second - 1})
	}
	m.scenarios = []*detect.Requests{detect.NewRequests("mail", false, rows...)}
	f := m.queueFigure()
	if f == nil || !slices.Equal(f.Panels[0].Series[0].Y, []float64{2, 1, 0}) || !slices.Equal(f.Panels[1].Series[1].Y, []float64{1, 1, 1}) {
		t.Fatalf("%+v", f)
	}
	if s := f.Panels[0].Spans[0]; s.X0 != 2 {
		t.Errorf("the load ends at %v", s.X0)
	}
	m.jobs, m.depth = nil, series{{t: m.window.Start, v: 5}, {t: m.window.Start + 3*second, v: 0}}
	f = m.queueFigure()
	if f == nil || !slices.Equal(f.Panels[0].Series[0].Y, []float64{5, 0}) || len(f.Panels) != 1 {
		t.Errorf("by depth: %+v", f)
	}
}
func TestScaleOf(t *testing.T) {
	tests := []struct {
		name string
		y    []float64
		want string
	}{
		{"near each other", []float64{0.020, 0.022}, ""},
		{"ten times", []float64{0.1, 1}, ""},
		{"more than ten times", []float64{0.1, 1.01}, "log"},
		{"zero has no logarithm", []float64{0, 1}, ""},
		{"none", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := scaleOf(Panel{Series: []Series{{Y: test.y}}}); got != test.want {
				t.Errorf("scale %q, want %q", got, test.want)
			}
		})
	}
}
