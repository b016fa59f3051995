package stat_test

import (
	"math"
	"strings"
	"testing"

	"headroom/stat"
)

// NIST Statistical Reference Datasets, "Norris": certified to 15 digits.
func TestFitLineNorris(t *testing.T) {
	y := []float64{0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1, 668.8, 339.3, 448.9, 10.8,
		557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2, 117.6, 228.9, 668.4, 449.2, 0.2}
	x := []float64{0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5, 666.9, 338.0, 447.5, 11.6,
		556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1, 118.3, 229.2, 669.1, 448.9, 0.5}
	l, err := stat.FitLine(x, y)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"slope", l.Slope, 1.00211681802045}, {"intercept", l.Intercept, -0.262323073774029},
		{"standard error", l.SlopeSE, 0.429796848199937e-3}, {"R²", l.R2, 0.999993745883712},
	} {
		if math.Abs(c.got-c.want) > 1e-10*math.Abs(c.want) {
			t.Errorf("%s is %v, NIST certifies %v", c.what, c.got, c.want)
		}
	}
	if got := l.Linearity(x, y); !got.Linear {
		t.Errorf("%+v", got)
	}
}

func TestLinearity(t *testing.T) {
	for _, c := range []struct {
		name   string
		x, y   []float64
		linear bool
		why    string
	}{
		{"two points", []float64{1, 2}, []float64{1, 2}, false, "any line fits"},
		{"three points", []float64{110, 125, 195}, []float64{332, 354, 523}, false, "consistent with linear (1 residual degree of freedom)"},
		{"exact", []float64{1, 2, 3, 4}, []float64{12, 14, 16, 18}, true, "R²"},
		{"flat", []float64{1, 2, 3, 4}, []float64{5, 5, 5, 5}, false, "R²"},
		{"scattered", []float64{1, 2, 3, 4}, []float64{5, 1, 9, 2}, false, "less than 0.98"},
		{"all but proportional", []float64{1, 2, 3, 4, 5}, []float64{1, 2.07, 3.17, 4.29, 5.42}, true, "R²"}, // x^1.05
		{"curved", []float64{10, 11, 12, 13, 14, 15, 16}, []float64{100, 121, 144, 169, 196, 225, 256}, false, "a curve fits better"},
	} {
		l, err := stat.FitLine(c.x, c.y)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Linearity(c.x, c.y); got.Linear != c.linear || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: %+v, want %v because %q", c.name, got, c.linear, c.why)
		}
	}
}

func TestCrossing(t *testing.T) {
	l, err := stat.FitLine([]float64{100, 200}, []float64{10, 20})
	if err != nil {
		t.Fatal(err)
	}
	if x, ok := l.Crossing(39); !near(x, 390) || !ok {
		t.Errorf("39 at %v, %v", x, ok)
	}
	if x, ok := l.Crossing(41); ok { // beyond twice what was measured
		t.Errorf("41 at %v: want no answer", x)
	}
	falling, err := stat.FitLine([]float64{1, 2}, []float64{2, 1})
	if _, ok := falling.Crossing(0); ok || err != nil {
		t.Errorf("a falling line crosses nothing: %v", err)
	}
	if !math.IsNaN(l.SlopeSE) || l.SlopeBounds != nil || l.InterceptBounds != nil {
		t.Errorf("two points have no interval: %+v", l)
	}
}

func TestFitLineRefused(t *testing.T) {
	for name, c := range map[string][2][]float64{"none": {}, "one x": {{1, 1}, {1, 2}}, "unequal": {{1, 2}, {1}}, "NaN": {{1, 2}, {1, math.NaN()}}} {
		if got, err := stat.FitLine(c[0], c[1]); err == nil {
			t.Errorf("%s: %+v, want an error", name, got)
		}
	}
}

func TestPowerOfGrowth(t *testing.T) {
	if got := stat.PowerOfGrowth([]float64{1, 2, 4}, []float64{3, 12, 48}); !near(got, 2) {
		t.Errorf("a square grows by the power %v", got)
	}
	if got := stat.PowerOfGrowth([]float64{0, 1}, []float64{1, 2}); !math.IsNaN(got) {
		t.Errorf("0 has no logarithm: %v", got)
	}
}

func TestPer(t *testing.T) {
	if q, ok := stat.Per(965, 25); q != 38.6 || !ok {
		t.Errorf("%v, %v", q, ok)
	}
	for _, c := range [][2]float64{{1, 0}, {1, -1}, {math.NaN(), 1}, {math.Inf(1), 1}, {1, math.NaN()}, {1, math.Inf(1)}, {1e308, 1e-308}} {
		if q, ok := stat.Per(c[0], c[1]); ok {
			t.Errorf("%v: %v, want nothing", c, q)
		}
	}
}
