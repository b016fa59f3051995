package stat_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

// Hollander & Wolfe (1973), p. 69: permeability of membranes at term and at 12
// to 26 weeks, as in R's wilcox.test, which prints W = 35, one-sided p 0.1272
// and a difference in location of 0.305.
func TestCompareRanksPermeability(t *testing.T) {
	term := []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	weeks := []float64{1.15, 0.88, 0.90, 0.74, 1.21}
	got, err := stat.CompareRanks(term, weeks)
	if err != nil || got.U != 35 || math.Abs(got.P-2*0.1272) > 1e-4 || math.Abs(got.Shift - -0.305) > 1e-12 || got.Ties {
		t.Errorf("%+v, %v", got, err)
	}
	if want := 1 - 2*35.0/50; !near(got.Delta, want) {
		t.Errorf("delta %v, want %v", got.Delta, want)
	}
}

func TestCompareRanksEdges(t *testing.T) {
	got, err := stat.CompareRanks([]float64{5, 5}, []float64{5, 5, 5})
	if err != nil || got.P != 1 || got.PNormal != 1 || got.Delta != 0 || got.Shift != 0 {
		t.Errorf("one value throughout: %+v, %v", got, err)
	}
	for name, c := range map[string][2][]float64{"empty": {{1}, nil}, "NaN": {{1}, {math.NaN()}}, "infinite": {{math.Inf(1)}, {1}}} {
		if got, err := stat.CompareRanks(c[0], c[1]); err == nil {
			t.Errorf("%s: %+v, want an error", name, got)
		}
	}
	big := make([]float64, 5000)
	if _, err := stat.CompareRanks(big, big); err == nil {
		t.Error("25 million pairs are refused")
	}
}

// benchstat: "need >= 4 samples to detect a difference at alpha level 0.05".
func TestMinRankSum(t *testing.T) {
	for alpha, want := range map[float64]int{0.05: 4, 0.01: 5, 0.001: 7, 0: 0} {
		if got := stat.MinRankSum(alpha); got != want {
			t.Errorf("alpha %v: %d a side, want %d", alpha, got, want)
		}
	}
}

// A monotone transform keeps ranks; swapping the samples keeps p.
func TestCompareRanksProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 9), func(i int) float64 { return float64(i) }), 1, 6)
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		x, errX := stat.CompareRanks(a, b)
		y, errY := stat.CompareRanks(b, a)
		if errX != nil || errY != nil {
			t.Fatal(errX, errY)
		}
		if !near(x.P, y.P) || !near(x.PNormal, y.PNormal) || x.Delta != -y.Delta && !near(x.Delta, -y.Delta) || !near(x.Shift, -y.Shift) || x.U+y.U != float64(len(a)*len(b)) {
			t.Fatalf("%+v, swapped %+v", x, y)
		}
		exp := func(v []float64) (out []float64) {
			for _, w := range v {
				out = append(out, math.Exp(w))
			}
			return out
		}
		z, err := stat.CompareRanks(exp(a), exp(b))
		if err != nil || z.U != x.U || z.P != x.P || z.Delta != x.Delta {
			t.Fatalf("%+v became %+v (%v)", x, z, err)
		}
		if want := splitsP(a, b, x.U); !near(x.P, want) {
			t.Fatalf("p %v, over all splits %v", x.P, want)
		}
		if x.P <= 0 || x.P > 1 || x.PNormal <= 0 || x.PNormal > 1 {
			t.Fatalf("p is no probability: %+v", x)
		}
	})
}

// splitsP returns twice the smaller tail of U over all splits of the pooled
// values.
func splitsP(a, b []float64, seen float64) float64 {
	pool := append(slices.Clone(a), b...)
	below, above, all := 0, 0, 0
	for set := range uint(1) << len(pool) {
		if bits.OnesCount(set) != len(a) {
			continue
		}
		u := 0.0
		for i, x := range pool {
			for j, y := range pool {
				if set>>i&1 == 0 || set>>j&1 == 1 {
					continue
				}
				switch {
				case x > y:
					u++
				case x == y:
					u += 0.5
				}
			}
		}
		all++
		if u <= seen {
			below++
		}
		if u >= seen {
			above++
		}
	}
	return math.Min(1, 2*float64(min(below, above))/float64(all))
}

// benchstat's interval of a median: none below 6 values, then the ranks 1 to 6,
// and 2 to 9 of 10.
func TestMedianInterval(t *testing.T) {
	x := []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	for _, c := range []struct {
		n      int
		want   *stat.Bounds
		median float64
		covers float64
	}{{5, nil, 8, 0}, {6, &stat.Bounds{Lo: 5, Hi: 10}, 7.5, 1 - 2.0/64}, {10, &stat.Bounds{Lo: 2, Hi: 9}, 5.5, 1 - 2*11.0/1024}} {
		median, iv, covers, err := stat.MedianInterval(x[:c.n], stat.P95)
		if err != nil || median != c.median || (iv == nil) != (c.want == nil) || iv != nil && *iv != *c.want || math.Abs(covers-c.covers) > 1e-12 {
			t.Errorf("%d values: %v, %v covering %v, %v; want %v, %v covering %v", c.n, median, iv, covers, err, c.median, c.want, c.covers)
		}
	}
	if x[0] != 10 {
		t.Error("the sample was reordered")
	}
	if _, _, _, err := stat.MedianInterval(nil, stat.P95); err == nil {
		t.Error("of nothing: want an error")
	}
}

// What benchstat of 2026-09-08 printed for these times in ns: 104.0n ± 3 % and
// 104.0n ± 2 %, p=0.541; 102.0n ± 3 % and 103.0n ± 2 %, p=0.575.
func TestBenchstatPrints(t *testing.T) {
	type arm struct {
		x      []float64
		median float64
		within int // percent
	}
	for _, c := range []struct {
		a, b arm
		p    float64
	}{
		{arm{[]float64{101, 105, 105, 101, 102, 105, 103, 105, 100, 105}, 104, 3}, arm{[]float64{101, 104, 103, 106, 102, 102, 104, 106, 106, 104}, 104, 2}, 0.541},
		{arm{[]float64{103, 101, 101, 101, 105, 103}, 102, 3}, arm{[]float64{101, 101, 102, 106, 101, 103, 101, 103, 104, 106, 104}, 103, 2}, 0.575},
	} {
		for _, a := range []arm{c.a, c.b} {
			median, iv, _, err := stat.MedianInterval(a.x, stat.P95)
			if err != nil || median != a.median || iv == nil {
				t.Fatalf("%v: %v, %v, %v", a.x, median, iv, err)
			}
			if got := math.Round(100 * max(median-iv.Lo, iv.Hi-median) / median); int(got) != a.within {
				t.Errorf("%v: ± %v %%, benchstat has %d %%", a.x, got, a.within)
			}
		}
		got, err := stat.CompareRanks(c.a.x, c.b.x)
		if err != nil || math.Abs(got.P-c.p) > 5e-4 {
			t.Errorf("p %v, %v; benchstat has %v", got.P, err, c.p)
		}
	}
}

func TestGeoMean(t *testing.T) {
	if got, err := stat.GeoMean([]float64{1, 10, 100}); err != nil || !near(got, 10) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := stat.GeoMean([]float64{1, 0}); err == nil {
		t.Error("of 0: want an error")
	}
}
