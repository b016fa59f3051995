package stat_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

// One comparison: equivalence is shown exactly when the interval lies within
// the margin; swapping the arms inverts the ratio and keeps the verdict.
func TestEquivalenceProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(90, 110), 2, 8)
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		margin := rapid.Float64Range(0.01, 0.3).Draw(t, "margin")
		x, errX := stat.TestEquivalence(a, b, margin, 0.05)
		y, errY := stat.TestEquivalence(b, a, margin, 0.05)
		if errX != nil || errY != nil {
			t.Fatal(errX, errY)
		}
		if x.Shown != y.Shown || !near(x.Ratio, 1/y.Ratio) || math.Abs(x.P-y.P) > 1e-9 {
			t.Fatalf("%+v, swapped %+v", x, y)
		}
		inside := x.Interval.Lo >= 1/(1+margin) && x.Interval.Hi <= 1+margin
		if edge := math.Abs(x.P-0.05) < 1e-9; inside != x.Shown && !edge {
			t.Fatalf("interval %v, margin %v, shown %v", x.Interval, margin, x.Shown)
		}
	})
}

func TestEquivalenceOfConstants(t *testing.T) {
	for _, c := range []struct {
		b, margin float64
		want      bool
	}{{100, 0.05, true}, {104, 0.05, true}, {106, 0.05, false}, {90, 0.05, false}} {
		got, err := stat.TestEquivalence([]float64{100, 100}, []float64{c.b, c.b, c.b}, c.margin, 0.05)
		if err != nil || got.Shown != c.want || !near(got.Ratio, c.b/100) {
			t.Errorf("100 and %v: %+v, %v; want %v", c.b, got, err, c.want)
		}
	}
}

func TestEquivalenceRefused(t *testing.T) {
	good := []float64{1, 2, 3}
	for name, f := range map[string]func() (stat.Equivalence, error){
		"one value": func() (stat.Equivalence, error) { return stat.TestEquivalence(good[:1], good, 0.05, 0.05) },
		"margin":    func() (stat.Equivalence, error) { return stat.TestEquivalence(good, good, 0, 0.05) },
		"alpha":     func() (stat.Equivalence, error) { return stat.TestEquivalence(good, good, 0.05, 0.5) },
		"zero":      func() (stat.Equivalence, error) { return stat.TestEquivalence(good, []float64{0, 1}, 0.05, 0.05) },
	} {
		if got, err := f(); err == nil {
			t.Errorf("%s: %+v, want an error", name, got)
		}
	}
}

func load(v float64) *float64 { return &v }

func TestOneSidedGap(t *testing.T) {
	for _, c := range []struct {
		slower, faster float64
		fs, ff         *float64
		want           string
	}{
		{2622, 3385, load(1671), load(4832), "at least 22 %"},
		{0.9, 1, load(0), load(0), "at least 10 %"}, // 1 - 0.9 is a little less in float64
		{0.7, 1, load(0), load(0), "at least 30 %"}, {99, 100, load(1), load(2), "at least 1 %"},
		{100, 100, load(1), load(1), "at least 0 %"}, {0, 5, load(1), load(1), "at least 100 %"},
		{1, 2, load(2), load(1), "not comparable"}, {1, 2, nil, load(1), "not comparable"}, {1, 2, load(1), nil, "not comparable"},
	} {
		if got, err := stat.OneSidedGap(c.slower, c.faster, c.fs, c.ff); err != nil || got.String() != c.want {
			t.Errorf("%v, %v: %v, %v; want %s", c.slower, c.faster, got, err, c.want)
		}
	}
	for _, c := range [][2]float64{{2, 1}, {-1, 1}, {0, 0}, {math.NaN(), 1}, {1, math.Inf(1)}} {
		if got, err := stat.OneSidedGap(c[0], c[1], nil, nil); err == nil {
			t.Errorf("%v: %v, want an error", c, got)
		}
	}
}

// A lower bound is never above what it bounds.
func TestOneSidedGapNeverRoundsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		faster := rapid.Int64Range(1, 100_000).Draw(t, "faster")
		slower := rapid.Int64Range(0, faster).Draw(t, "slower")
		got, err := stat.OneSidedGap(float64(slower), float64(faster), nil, nil)
		if err != nil || int64(got.AtLeast)*faster > 100*(faster-slower) || int64(got.AtLeast+1)*faster <= 100*(faster-slower) {
			t.Fatalf("%d of %d: %+v, %v", slower, faster, got, err)
		}
	})
}

// Holm (1979), as R's p.adjust prints it.
func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{0.01, 0.02, 0.03, 0.04}, []float64{0.04, 0.06, 0.06, 0.06}},
		{[]float64{0.04, 0.01, 0.5}, []float64{0.08, 0.03, 0.5}},
		{[]float64{0.9, 0.8}, []float64{1, 1}}, {nil, nil},
		{[]float64{0.03, math.NaN(), 0.02}, []float64{0.04, math.NaN(), 0.04}},
	} {
		got := stat.Holm(c.p)
		if len(got) != len(c.want) {
			t.Fatalf("%v: %v", c.p, got)
		}
		for i, v := range c.want {
			if !near(got[i], v) && !(math.IsNaN(got[i]) && math.IsNaN(v)) {
				t.Errorf("%v: %v, want %v", c.p, got, c.want)
			}
		}
	}
}
