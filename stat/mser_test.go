package stat_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

func TestFindWarmUp(t *testing.T) {
	for _, c := range []struct {
		name      string
		values    []float64
		truncate  int
		unsettled bool
	}{
		{"constant", make([]float64, 60), 0, false},
		{"a slow start", append([]float64{90, 90, 90, 90, 90, 50, 50, 50, 50, 50}, levels(10, 10)...), 2, false},
		{"ever rising", rising(60), 6, true},
	} {
		w, err := stat.FindWarmUp(c.values, 5)
		if err != nil || w.Truncate != c.truncate || w.Unsettled != c.unsettled || w.Values != 5*w.Truncate || w.Batches != len(c.values)/5 {
			t.Errorf("%s: %+v, %v; want %d", c.name, w, err, c.truncate)
		}
	}
	for name, f := range map[string]func() (stat.WarmUp, error){
		"short": func() (stat.WarmUp, error) { return stat.FindWarmUp(make([]float64, 19), 5) },
		"batch": func() (stat.WarmUp, error) { return stat.FindWarmUp(make([]float64, 19), 0) },
		"NaN":   func() (stat.WarmUp, error) { return stat.FindWarmUp([]float64{1, math.NaN(), 1, 1}, 1) },
	} {
		if w, err := f(); err == nil {
			t.Errorf("%s: %+v, want an error", name, w)
		}
	}
}

func rising(n int) (y []float64) {
	for i := range n {
		y = append(y, float64(i))
	}
	return y
}

// The level and the unit of a series do not move its warm-up.
func TestWarmUpScaleFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := small(20, 80).Draw(t, "y")
		var other []float64
		for _, v := range y {
			other = append(other, 8*v) // exact
		}
		a, errA := stat.FindWarmUp(y, 5)
		b, errB := stat.FindWarmUp(other, 5)
		if errA != nil || errB != nil || a.Truncate != b.Truncate || a.Truncate > a.Batches/2 {
			t.Fatalf("%+v (%v) became %+v (%v)", a, errA, b, errB)
		}
	})
}

func TestRatioOfMedians(t *testing.T) {
	r := stat.Resampling{Draws: 999, Seed: 1, Block: 4}
	steady, err := stat.RatioOfMedians(levels(20, 20, 20), r)
	if err != nil || steady.Lower > 1 || steady.Upper < 1 || steady.P < 0.05 {
		t.Errorf("steady: %+v, %v", steady, err)
	}
	drift, err := stat.RatioOfMedians(levels(20, 24, 28), r)
	if err != nil || math.Abs(drift.Ratio-1.4) > 0.02 || drift.Lower <= 1.25 || drift.P != 1.0/1000 {
		t.Errorf("drift: %+v, %v", drift, err)
	}
	again, err := stat.RatioOfMedians(levels(20, 24, 28), r)
	if err != nil || again != drift {
		t.Errorf("not repeatable: %+v, %+v, %v", drift, again, err)
	}
	r.Seed = 2
	if other, err := stat.RatioOfMedians(small20(), r); err != nil || other.Lower > other.Ratio || other.Upper < other.Ratio {
		t.Errorf("%+v, %v", other, err)
	}
	for name, f := range map[string]func() (stat.MedianRatio, error){
		"short":    func() (stat.MedianRatio, error) { return stat.RatioOfMedians(levels(1)[:20], r) },
		"draws":    func() (stat.MedianRatio, error) { return stat.RatioOfMedians(levels(1, 1), stat.Resampling{Block: 1}) },
		"block":    func() (stat.MedianRatio, error) { return stat.RatioOfMedians(levels(1, 1), stat.Resampling{Draws: 9}) },
		"negative": func() (stat.MedianRatio, error) { return stat.RatioOfMedians(levels(1, -1), r) },
	} {
		if m, err := f(); err == nil {
			t.Errorf("%s: %+v, want an error", name, m)
		}
	}
}

// small20 is a series of 60 values with repeatable noise.
func small20() (z []float64) {
	for i := range 60 {
		z = append(z, 20+float64(i*i*7%13))
	}
	return z
}

// Microseconds or milliseconds, the ratio and its bounds are the same.
func TestRatioOfMediansScaleFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 999), func(i int) float64 { return float64(i) }), 24, 60).Draw(t, "y")
		var other []float64
		for _, v := range y {
			other = append(other, v*1024) // exact
		}
		r := stat.Resampling{Draws: 50, Seed: rapid.Uint64().Draw(t, "seed"), Block: 4}
		a, errA := stat.RatioOfMedians(y, r)
		b, errB := stat.RatioOfMedians(other, r)
		if errA != nil || errB != nil || a != b || a.Lower > a.Upper || a.P <= 0 || a.P > 1 {
			t.Fatalf("%+v (%v) became %+v (%v)", a, errA, b, errB)
		}
	})
}
