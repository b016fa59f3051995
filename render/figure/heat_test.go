package figure

import (
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
)

// TestHeatLevels: every count has a level, a single request is seen, the levels
// grow with the count, and the legend names the least count of each that is used.
func TestHeatLevels(t *testing.T) {
	h := &heat{Heat: &analyze.Heat{X: []float64{0}, DX: 1, Edges: []float64{1, 2, 3, 4, 5}, Counts: []int64{0, 1, 100, 10_000}, Unit: "requests"}, most: 10_000}
	if h.level(0) != 0 || h.level(1) != 1 || h.level(10_000) != len(heatLevels) {
		t.Errorf("levels %d, %d, %d", h.level(0), h.level(1), h.level(10_000))
	}
	for n := int64(2); n <= 10_000; n++ {
		if d := h.level(n) - h.level(n-1); d < 0 || d > 1 {
			t.Fatalf("level %d of %d after %d of %d", h.level(n), n, h.level(n-1), n-1)
		}
	}
	for level := 1; level <= len(heatLevels); level++ {
		n := h.least(level)
		if h.level(n) != level || n > 1 && h.level(n-1) == level {
			t.Errorf("%d is not the least count of level %d", n, level)
		}
	}
	var names []string
	for _, e := range h.legend() {
		names = append(names, e.name)
	}
	if want := []string{"1+ requests", "40+", "1585+"}; !slices.Equal(names, want) {
		t.Errorf("legend %q, want %q", names, want)
	}
	for _, p := range [][2]ink{{"h1", "h2"}, {"h2", "h3"}, {"h3", "h4"}, {"h4", "h5"}, {inkBack, "h1"}} {
		var light, dark [2]string
		for _, q := range palette {
			for i := range p {
				if q.name == p[i] {
					light[i], dark[i] = q.light, q.dark
				}
			}
		}
		for _, c := range [][2]string{light, dark} {
			if got := contrast(t, c[0], c[1]); got < 1.1 {
				t.Errorf("%s and %s: contrast %.2f", p[0], p[1], got)
			}
		}
	}
}

// TestHeatHostile: a grid that does not fit together is left out, never drawn
// wrongly, and panics nothing.
func TestHeatHostile(t *testing.T) {
	nan := 0.0
	nan /= nan
	for _, h := range []*analyze.Heat{
		{}, {X: []float64{0}, DX: 1, Edges: []float64{1, 2}, Counts: []int64{1, 2}}, {X: []float64{0}, DX: 0, Edges: []float64{1, 2}, Counts: []int64{1}},
		{X: []float64{nan}, DX: 1, Edges: []float64{1, 2}, Counts: []int64{1}}, {X: []float64{0}, DX: 1, Edges: []float64{-1, 0}, Counts: []int64{-5}},
	} {
		d, err := Draw(analyze.Figure{ID: "x", X: analyze.Axis{Unit: "s"}, Y: []analyze.Axis{{Unit: "s"}}, Panels: []analyze.Panel{{
			Heat: h, Series: []analyze.Series{{Name: "a", Mark: "line", X: []float64{0, 1}, Y: []float64{1, 2}}}}}})
		if err != nil || strings.Contains(d.File(), `class="f-h`) {
			t.Errorf("%+v: %v, drawn %v", h, err, strings.Contains(d.File(), `class="f-h`))
		}
	}
}

// TestStack: series are put on each other place by place, one that has no value at
// a place adds nothing there, and of many places the tallest stays.
func TestStack(t *testing.T) {
	in := []analyze.Series{
		{Name: "a", Mark: "stack", X: []float64{0, 1, 2}, Y: []float64{1, 2, 3}},
		{Name: "line", Mark: "line", X: []float64{0}, Y: []float64{9}},
		{Name: "b", Mark: "stack", X: []float64{0, 2}, Y: []float64{4, 5}},
	}
	out, floors := cumulated(in)
	if !slices.Equal(out[0].Y, []float64{1, 2, 3}) || !slices.Equal(out[2].Y, []float64{5, 8}) || !slices.Equal(floors[2], []float64{1, 3}) || out[1].Y[0] != 9 {
		t.Errorf("tops %v and %v, floors %v", out[0].Y, out[2].Y, floors)
	}
	var long analyze.Series
	long.Mark = "stack"
	for k := range 10 * maxStacked {
		y := 1.0
		if k == 1234 {
			y = 50
		}
		long.X, long.Y = append(long.X, float64(k)), append(long.Y, y)
	}
	out, _ = cumulated([]analyze.Series{long})
	if n := len(out[0].X); n != maxStacked || slices.Max(out[0].Y) != 50 || out[0].X[0] != 0 {
		t.Errorf("%d places, highest %v", n, slices.Max(out[0].Y))
	}
}
