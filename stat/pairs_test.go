package stat_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

// near reports whether two figures agree to a relative error of 1e-9.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b))
}

// Hollander & Wolfe (1973), p. 29: depression scores before and after, as in
// R's wilcox.test, which prints V = 40 and one-sided p 0.01953; the book has an
// estimate of -0.46 and the interval (-0.786, -0.010).
func TestSignedRanksDepression(t *testing.T) {
	before := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	after := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	d := make([]float64, len(before))
	for i := range d {
		d[i] = after[i] - before[i]
	}
	got, err := stat.SignedRanks(d, stat.P95)
	if err != nil || got.Bounds == nil {
		t.Fatal(got, err)
	}
	if !near(got.P, 2*10.0/512) || math.Abs(got.Shift - -0.46) > 1e-12 {
		t.Errorf("p %v, shift %v", got.P, got.Shift)
	}
	if math.Abs(got.Bounds.Lo - -0.786) > 1e-12 || math.Abs(got.Bounds.Hi - -0.010) > 1e-12 || math.Abs(got.Coverage-0.961) > 5e-4 {
		t.Errorf("bounds %v cover %v", *got.Bounds, got.Coverage)
	}
}

// Six pairs are the first that can reach p < 0.05, and the first with an
// interval (DETECTION 7.2).
func TestLeastPairs(t *testing.T) {
	for n := 1; n <= 7; n++ {
		var before, after []float64
		for i := range n {
			before, after = append(before, 100), append(after, 110+float64(i))
		}
		got, err := stat.ComparePairs(before, after)
		if err != nil {
			t.Fatal(err)
		}
		least := math.Min(1, math.Pow(2, 1-float64(n)))
		if got.LeastP != least || got.SignFlip != least || !near(got.SignTest, least) || got.Rank.P != least || got.Wins != n {
			t.Errorf("%d pairs: %+v", n, got)
		}
		if enough := n >= stat.MinPairs; (got.LeastP < 0.05) != enough || (got.Rank.Bounds != nil) != enough {
			t.Errorf("%d pairs: least p %v, bounds %v", n, got.LeastP, got.Rank.Bounds)
		}
		if (got.T != nil) != (n > 1) {
			t.Errorf("%d pairs: t interval %v", n, got.T)
		}
	}
}

func TestPairsWithoutADifference(t *testing.T) {
	got, err := stat.ComparePairs([]float64{5, 7, 9}, []float64{5, 7, 9})
	if err != nil || got.SignFlip != 1 || got.SignTest != 1 || got.Rank.P != 1 || got.GeoMean != 1 || got.Wins+got.Losses != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPairsRefused(t *testing.T) {
	for name, c := range map[string][2][]float64{
		"none": {}, "unequal": {{1, 2}, {1}}, "zero": {{1, 2}, {1, 0}}, "negative": {{-1}, {1}},
		"not a number": {{1}, {math.NaN()}}, "infinite": {{1}, {math.Inf(1)}},
		"too many": {make([]float64, 1001), make([]float64, 1001)},
	} {
		if got, err := stat.ComparePairs(c[0], c[1]); err == nil {
			t.Errorf("%s: %+v, want an error", name, got)
		}
	}
	many := make([]float64, 17)
	for i := range many {
		many[i] = float64(i + 1)
	}
	if got, err := stat.ComparePairs(many, many); err != nil || !math.IsNaN(got.SignFlip) {
		t.Errorf("17 pairs: sign-flip p %v, %v; want none", got.SignFlip, err)
	}
}

// Swapping before and after inverts every ratio and keeps every p; a factor on
// each pair (a host that drifts) changes nothing.
func TestPairsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		values := rapid.SliceOfN(rapid.Float64Range(1, 1000), n, n)
		before, after := values.Draw(t, "before"), values.Draw(t, "after")
		a, errA := stat.ComparePairs(before, after)
		b, errB := stat.ComparePairs(after, before)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if !near(a.GeoMean, 1/b.GeoMean) || !near(a.Rank.Shift, 1/b.Rank.Shift) || a.Wins != b.Losses {
			t.Fatalf("%+v became %+v", a, b)
		}
		if !near(a.SignFlip, b.SignFlip) || a.SignTest != b.SignTest || !near(a.Rank.P, b.Rank.P) {
			t.Fatalf("p changed: %+v became %+v", a, b)
		}
		if a.SignFlip < a.LeastP || a.Rank.P < a.LeastP || a.SignFlip > 1 {
			t.Fatalf("p below the least, or above 1: %+v", a)
		}
		if c := a.Rank.Bounds; c != nil && (!c.Holds(a.Rank.Shift) || a.Rank.Coverage < 0.95) {
			t.Fatalf("the interval %v of coverage %v does not hold %v", *c, a.Rank.Coverage, a.Rank.Shift)
		}
		scaled := [2][]float64{}
		for i := range n {
			f := math.Pow(2, float64(rapid.IntRange(-3, 3).Draw(t, "factor"))) // exact
			scaled[0], scaled[1] = append(scaled[0], before[i]*f), append(scaled[1], after[i]*f)
		}
		c, err := stat.ComparePairs(scaled[0], scaled[1])
		if err != nil || !near(a.GeoMean, c.GeoMean) || c.Wins != a.Wins {
			t.Fatalf("%+v became %+v (%v)", a, c, err)
		}
	})
}
