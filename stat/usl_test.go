package stat_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

func law(c stat.Coefficients, n []float64) (x []float64) {
	for _, v := range n {
		x = append(x, c.Gamma*v/(1+c.Alpha*(v-1)+c.Beta*v*(v-1)))
	}
	return x
}

var doubling = []float64{1, 2, 4, 8, 16, 32, 64}

// A curve without noise gives back its coefficients, whatever the unit of
// throughput and the order of the steps.
func TestFitUSLRecoversTheLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := stat.Coefficients{
			Gamma: rapid.Float64Range(1, 1e5).Draw(t, "gamma"),
			Alpha: rapid.Float64Range(0, 0.5).Draw(t, "alpha"),
			Beta:  rapid.Float64Range(0, 0.01).Draw(t, "beta"),
		}
		n := rapid.Permutation(doubling).Draw(t, "order")
		u, err := stat.FitUSL(n, law(c, n))
		if err != nil || math.Abs(u.Gamma/c.Gamma-1) > 1e-6 || math.Abs(u.Alpha-c.Alpha) > 1e-6 || math.Abs(u.Beta-c.Beta) > 1e-8 {
			t.Fatalf("%+v became %+v, %v", c, u, err)
		}
	})
}

// Hostile and noisy sweeps stay within the bounds of the law.
func TestFitUSLStaysInBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(4, 9).Draw(t, "steps")
		var n []float64
		for i := range k {
			n = append(n, float64(1+i*rapid.IntRange(1, 20).Draw(t, "gap")*(i+1)))
		}
		x := rapid.SliceOfN(rapid.Float64Range(1e-3, 1e6), k, k).Draw(t, "x")
		u, err := stat.FitUSL(n, x)
		if err != nil {
			return // fewer than four different N
		}
		if !(u.Gamma > 0) || !(u.Alpha >= 0 && u.Alpha <= 1) || !(u.Beta >= 0 && u.Beta <= 1) || math.IsNaN(u.RSS) {
			t.Fatalf("%+v", u)
		}
		if at, _, status := u.Peak(); status == stat.PeakInside && at > maxOf(n) {
			t.Fatalf("a peak at %v beyond the sweep to %v", at, maxOf(n))
		}
	})
}

func maxOf(x []float64) float64 {
	m := x[0]
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

// noisy is a sweep with a repeatable relative error of a few percent.
func noisy(c stat.Coefficients, n []float64) []float64 {
	x := law(c, n)
	for i := range x {
		x[i] *= 1 + 0.02*float64(i*5%7-3)/3
	}
	return x
}

func TestUSLPeak(t *testing.T) {
	peaked := stat.Coefficients{Gamma: 120, Alpha: 0.03, Beta: 0.0008} // highest at 34.8
	for _, c := range []struct {
		name string
		law  stat.Coefficients
		n    []float64
		want stat.PeakStatus
	}{
		{"past the peak", peaked, doubling, stat.PeakInside},
		{"ends before the peak", peaked, []float64{1, 2, 4, 8, 16}, stat.PeakOutside},
		{"four steps have no intervals", peaked, []float64{1, 8, 32, 64}, stat.PeakUnsure},
		{"no coherency", stat.Coefficients{Gamma: 500, Alpha: 0.05}, doubling, stat.PeakNone},
	} {
		x := law(c.law, c.n)
		if c.want == stat.PeakInside {
			x = noisy(c.law, c.n)
		}
		u, err := stat.FitUSL(c.n, x)
		if err != nil {
			t.Fatal(err)
		}
		at, _, status := u.Peak()
		if status != c.want || (at > 0) != (c.want == stat.PeakInside) {
			t.Errorf("%s: %v at %v, want %v", c.name, status, at, c.want)
		}
	}
	u, err := stat.FitUSL(doubling, law(stat.Coefficients{Gamma: 100}, doubling))
	if _, ok := u.Asymptote(); ok || err != nil {
		t.Errorf("what scales linearly has no limit: %v", err)
	}
}

// The bootstrap covers the truth, is repeatable, and says how often there is no
// peak within the sweep.
func TestUSLBootstrap(t *testing.T) {
	truth := stat.Coefficients{Gamma: 120, Alpha: 0.03, Beta: 0.0008}
	u, err := stat.FitUSL(doubling, noisy(truth, doubling))
	if err != nil {
		t.Fatal(err)
	}
	draws := stat.Resampling{Draws: 1000, Seed: 7, Block: 1}
	a, errA := u.Bootstrap(draws)
	b, errB := u.Bootstrap(draws)
	if errA != nil || errB != nil || a.Peak == nil || *a.Peak != *b.Peak || a.USLIntervals != b.USLIntervals {
		t.Fatalf("not repeatable: %+v (%v), %+v (%v)", a, errA, b, errB)
	}
	if !a.Gamma.Holds(truth.Gamma) || !a.Alpha.Holds(truth.Alpha) || !a.Beta.Holds(truth.Beta) || !a.Peak.Holds(34.82) {
		t.Errorf("%+v, peak %v: want the truth %+v inside", a.USLIntervals, *a.Peak, truth)
	}
	if a.NoPeak != 0 || a.Beyond > 0.05 {
		t.Errorf("no peak in %v, beyond in %v of the draws of a sweep past its peak", a.NoPeak, a.Beyond)
	}
	short := []float64{1, 2, 4, 8, 16}
	v, err := stat.FitUSL(short, noisy(truth, short))
	if err != nil {
		t.Fatal(err)
	}
	c, err := v.Bootstrap(draws)
	if err != nil || c.NoPeak+c.Beyond < 0.5 {
		t.Errorf("a sweep that ends before its peak: none %v, beyond %v, %v", c.NoPeak, c.Beyond, err)
	}
	if _, err := u.Bootstrap(stat.Resampling{Draws: 0, Block: 1}); err == nil {
		t.Error("no draws: want an error")
	}
}

func TestFitUSLRefused(t *testing.T) {
	for name, c := range map[string][2][]float64{
		"three N": {{1, 2, 4, 4, 2}, {1, 2, 3, 3, 2}}, "N below 1": {{0, 1, 2, 4}, {1, 1, 1, 1}}, "no throughput": {{1, 2, 4, 8}, {1, 2, 0, 4}},
		"unequal": {{1, 2, 4, 8}, {1, 2, 3}}, "none": {}, "NaN": {{1, 2, 4, 8}, {1, 2, math.NaN(), 4}},
	} {
		if u, err := stat.FitUSL(c[0], c[1]); err == nil {
			t.Errorf("%s: %+v, want an error", name, u)
		}
	}
}

// Satopaa et al. (2011), figure 2: y = -1/(x+0.1) + 5 over ten points of 0 to 1
// has its knee at 0.22.
func TestKneedlePaper(t *testing.T) {
	var x, y []float64
	for i := range 10 {
		x = append(x, float64(i)/9)
		y = append(y, 5-1/(float64(i)/9+0.1))
	}
	got, err := stat.Kneedle(x, y, stat.Curve{Sensitivity: 1})
	if err != nil || got.Knee == nil || math.Abs(*got.Knee-0.2222) > 1e-3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// The answer does not depend on the units of either axis.
func TestKneedleScaleFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := small(3, 20).Draw(t, "y")
		c := stat.Curve{Convex: rapid.Bool().Draw(t, "convex"), Decreasing: rapid.Bool().Draw(t, "decreasing"), Sensitivity: 1, Online: true}
		var x, x2, y2 []float64
		for i, v := range y {
			x, x2, y2 = append(x, float64(i)), append(x2, 8*float64(i)), append(y2, v*4)
		}
		a, errA := stat.Kneedle(x, y, c)
		b, errB := stat.Kneedle(x2, y2, c)
		if errA != nil || errB != nil || len(a.All) != len(b.All) {
			t.Fatalf("%+v (%v) became %+v (%v)", a, errA, b, errB)
		}
		for i := range a.All {
			if a.All[i]*8 != b.All[i] {
				t.Fatalf("%v became %v", a.All, b.All)
			}
		}
	})
}

func TestKneedleRefused(t *testing.T) {
	if got, err := stat.Kneedle([]float64{1, 2, 3}, []float64{5, 5, 5}, stat.Curve{Sensitivity: 1}); err != nil || got.Knee != nil {
		t.Errorf("flat: %+v, %v", got, err)
	}
	for name, c := range map[string][2][]float64{"one x": {{1, 1}, {1, 2}}, "not ascending": {{1, 3, 2}, {1, 2, 3}}, "none": {}} {
		if _, err := stat.Kneedle(c[0], c[1], stat.Curve{Sensitivity: 1}); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

// As kneed: a point as high as its neighbour counts as a maximum, and behind a
// local minimum the curve only has to fall below the diagonal.
func TestKneedleRules(t *testing.T) {
	for _, c := range []struct {
		above []float64 // the diagonal
		want  float64
	}{
		{[]float64{0, 0.5, 0.5, 0.125, 0}, 2},
		{[]float64{0, 0.0625, -0.03125, -0.015625, 0, 0, 0, 0, 0}, 1},
	} {
		var x, y []float64
		for i, d := range c.above {
			x, y = append(x, float64(i)), append(y, d+float64(i)/float64(len(c.above)-1))
		}
		got, err := stat.Kneedle(x, y, stat.Curve{Sensitivity: 1})
		if err != nil || got.Knee == nil || *got.Knee != c.want {
			t.Errorf("%v: %+v, %v; want %v", c.above, got, err, c.want)
		}
	}
}
