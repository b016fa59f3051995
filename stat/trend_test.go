package stat_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

// Hollander & Wolfe (1973), p. 187: quality of tuna, as in R's cor.test:
// Kendall's T is 26 of 36 pairs, tau 0.4444; Spearman's rho is 0.6 and its p
// 0.0968.
var (
	tunaX = []float64{44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1}
	tunaY = []float64{2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8}
)

func TestTrendOfTuna(t *testing.T) {
	order := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, tunaX[a]-tunaX[b])) })
	var y []float64
	for _, i := range order {
		y = append(y, tunaY[i])
	}
	got, err := stat.FindTrend(y)
	if err != nil || got.S != 26-10 || !near(got.Var, 92) {
		t.Errorf("%+v, %v; want S 16 of variance 92", got, err)
	}
}

func TestSpearmanOfTuna(t *testing.T) {
	rho, p, ok, err := stat.Spearman(tunaX, tunaY)
	if err != nil || !ok || !near(rho, 0.6) || math.Abs(p-0.0968) > 5e-5 {
		t.Errorf("rho %v, p %v, %v, %v; want 0.6 and 0.0968", rho, p, ok, err)
	}
}

func TestSpearmanEdges(t *testing.T) {
	rising := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	rho, p, ok, err := stat.Spearman(rising, rising)
	if rho != 1 || p != 0 || !ok || err != nil {
		t.Errorf("12 in order: %v, %v, %v, %v", rho, p, ok, err)
	}
	// 2 of the 3! orders are perfect: three repeats show nothing.
	if rho, p, _, _ := stat.Spearman(rising[:3], []float64{9, 5, 1}); rho != -1 || !near(p, 1.0/3) {
		t.Errorf("3 in reverse: rho %v, p %v", rho, p)
	}
	if _, _, ok, err := stat.Spearman(rising[:3], []float64{1, 1, 1}); ok || err != nil {
		t.Errorf("constant: %v, %v", ok, err)
	}
	if _, _, _, err := stat.Spearman(rising[:2], rising[:2]); err == nil {
		t.Error("of 2: want an error")
	}
}

// Reversing time turns the sign; a monotone transform changes no rank.
func TestTrendProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 30), func(i int) float64 { return float64(i) }), 3, 40).Draw(t, "y")
		a, err := stat.FindTrend(y)
		if err != nil {
			t.Fatal(err)
		}
		if a.Factor < 1 || a.P <= 0 || a.P > 1 || a.PCorrected < a.P-1e-12 {
			t.Fatalf("%+v", a)
		}
		if !a.Line.SlopeBounds.Holds(a.Line.Slope) {
			t.Fatalf("the interval %v does not hold the slope %v", a.Line.SlopeBounds, a.Line.Slope)
		}
		back := slices.Clone(y)
		slices.Reverse(back)
		b, errB := stat.FindTrend(back)
		squares := slices.Clone(y)
		for i := range squares {
			squares[i] *= squares[i]
		}
		c, errC := stat.FindTrend(squares)
		if errB != nil || errC != nil || b.S != -a.S || !near(b.Line.Slope, -a.Line.Slope) || c.S != a.S || c.Var != a.Var || c.P != a.P {
			t.Fatalf("%+v, reversed %+v (%v), squared %+v (%v)", a, b, errB, c, errC)
		}
	})
}

func TestTrendEdges(t *testing.T) {
	if got, err := stat.FindTrend([]float64{7, 7, 7, 7}); err != nil || got.P != 1 || got.S != 0 || got.Factor != 1 || got.Line.Slope != 0 {
		t.Errorf("constant: %+v, %v", got, err)
	}
	for name, y := range map[string][]float64{"short": {1, 2}, "none": nil, "NaN": {1, math.NaN(), 2}, "long": make([]float64, 5000)} {
		if got, err := stat.FindTrend(y); err == nil {
			t.Errorf("%s: %+v, want an error", name, got)
		}
	}
	if _, err := stat.FitTheilSen([]float64{1, 1}, []float64{1, 2}, stat.P95); err == nil {
		t.Error("one x: want an error")
	}
}

// One outlier among points on a line does not move it.
func TestTheilSenIgnoresAnOutlier(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5, 6, 7}, []float64{3, 5, 7, 900, 11, 13, 15}
	l, err := stat.FitTheilSen(x, y, stat.P95)
	if err != nil || !near(l.Slope, 2) || !near(l.Centre, 1) || !near(l.At(10), l.Intercept+20) {
		t.Errorf("%+v, %v", l, err)
	}
}

// The critical value of r at 5 % with 10 degrees of freedom is 0.576 in every
// table; 12 ranks reach 0.580 and 0.573.
func TestSpearmanOfManyRanks(t *testing.T) {
	for _, c := range []struct {
		swaps       [][2]int
		rho         float64
		significant bool
	}{
		{[][2]int{{1, 8}, {9, 12}, {2, 3}, {4, 5}}, 1 - 120.0/286, true},
		{[][2]int{{1, 7}, {3, 8}}, 1 - 122.0/286, false},
	} {
		x, y := rising(12), rising(12)
		for _, s := range c.swaps {
			y[s[0]-1], y[s[1]-1] = y[s[1]-1], y[s[0]-1]
		}
		if rho, p, ok, err := stat.Spearman(x, y); err != nil || !ok || !near(rho, c.rho) || (p <= 0.05) != c.significant || math.Abs(p-0.05) > 0.003 {
			t.Errorf("rho %v, p %v, %v, %v; want %v", rho, p, ok, err, c.rho)
		}
	}
}
