package stat_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

// small draws series of whole numbers, so that sums are exact.
func small(lo, hi int) *rapid.Generator[[]float64] {
	return rapid.SliceOfN(rapid.Map(rapid.IntRange(-9, 9), func(i int) float64 { return float64(i) }), lo, hi)
}

// BestSplit is the greatest Q of the definition, summed pair by pair.
func TestBestSplitByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := small(2, 14).Draw(t, "series")
		got, err := stat.BestSplit(z)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for tau := 1; tau < len(z); tau++ {
			for kappa := tau + 1; kappa <= len(z); kappa++ {
				best = max(best, divergence(z[:tau], z[tau:kappa]))
			}
		}
		if at := divergence(z[:got.At], z[got.At:got.To]); math.Abs(got.Q-best) > 1e-9 || math.Abs(at-best) > 1e-9 {
			t.Fatalf("%+v (Q there %v), the best is %v", got, at, best)
		}
	})
}

func divergence(x, y []float64) float64 {
	n, m := float64(len(x)), float64(len(y))
	mean := func(a, b []float64, pairs float64) (s float64) {
		for i, v := range a {
			for j, w := range b {
				if &a[0] != &b[0] || i < j {
					s += math.Abs(v - w)
				}
			}
		}
		return s / max(pairs, 1)
	}
	e := 2*mean(x, y, n*m) - mean(x, x, n*(n-1)/2) - mean(y, y, m*(m-1)/2)
	return n * m / (n + m) * e
}

// OptimalPartition has the least objective of all partitions.
func TestOptimalPartitionByEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := small(1, 9).Draw(t, "series")
		penalty := rapid.Float64Range(0.1, 40).Draw(t, "penalty")
		got, err := stat.OptimalPartition(z, penalty)
		if err != nil {
			t.Fatal(err)
		}
		objective := func(at []int) float64 {
			sum, from := penalty*float64(len(at)), 0
			for _, to := range append(slices.Clone(at), len(z)) {
				var mean float64
				for _, v := range z[from:to] {
					mean += v / float64(to-from)
				}
				for _, v := range z[from:to] {
					sum += (v - mean) * (v - mean)
				}
				from = to
			}
			return sum
		}
		best := math.Inf(1)
		for set := range 1 << (len(z) - 1) {
			var at []int
			for i := 1; i < len(z); i++ {
				if set>>(i-1)&1 == 1 {
					at = append(at, i)
				}
			}
			best = min(best, objective(at))
		}
		if math.Abs(got.Objective-best) > 1e-9 || math.Abs(objective(got.At)-best) > 1e-9 {
			t.Fatalf("%+v, the best is %v", got, best)
		}
	})
}

// levels is a series of a little noise around given levels, 20 values each.
func levels(means ...float64) []float64 {
	var z []float64
	for _, m := range means {
		for i := range 20 {
			z = append(z, m+float64(i*i*3%11-4)/25)
		}
	}
	return z
}

func TestChangePoints(t *testing.T) {
	for _, c := range []struct {
		name   string
		series []float64
		want   []int
	}{
		{"one level", levels(22), nil},
		{"a step", levels(22, 31, 31), []int{20}},
		{"there and back", levels(22, 31, 22), []int{20, 40}},
		{"steps over several windows", levels(10, 10, 10, 14, 14, 14, 9), []int{60, 120}},
		{"less than 5 %", levels(100, 104), nil},
		{"constant", make([]float64, 30), nil},
	} {
		got, err := stat.ChangePoints(c.series, stat.PublishedChange)
		var at []int
		for _, p := range got {
			at = append(at, p.At)
			if p.P >= stat.PublishedChange.MaxP || p.Magnitude() <= stat.PublishedChange.MinMagnitude {
				t.Errorf("%s: %+v does not satisfy the rule", c.name, p)
			}
		}
		if err != nil || !slices.Equal(at, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, at, err, c.want)
		}
	}
	got, err := stat.ChangePoints(levels(22, 31), stat.PublishedChange)
	if err != nil || len(got) != 1 || math.Abs(got[0].Before-22) > 0.1 || math.Abs(got[0].After-31) > 0.1 {
		t.Errorf("levels of the step: %+v, %v", got, err)
	}
}

// Against all that follows, the beginning of a short spell is weak (p 0.004);
// once its end is found as well, both are strong.
func TestWeakCutsGrowStrong(t *testing.T) {
	z := levels(22, 22, 22)
	for i := 35; i < 40; i++ {
		z[i] += 3
	}
	if p, err := stat.LevelTest(z, 35); err != nil || p <= stat.PublishedChange.MaxP {
		t.Fatalf("p %v, %v: want a weak cut", p, err)
	}
	got, err := stat.ChangePoints(z, stat.PublishedChange)
	if err != nil || len(got) != 2 || got[0].At != 35 || got[1].At != 40 {
		t.Errorf("%+v, %v; want 35 and 40", got, err)
	}
}

// A change must exceed the least magnitude; 16 to 17 is exactly a sixteenth.
func TestLeastMagnitudeIsExclusive(t *testing.T) {
	var z []float64
	for i := range 40 {
		z = append(z, 16+float64(i/20))
	}
	for least, want := range map[float64]int{1.0 / 16: 0, 0.06: 1} {
		got, err := stat.ChangePoints(z, stat.ChangeRule{Window: 40, MaxP: 0.001, MinMagnitude: least})
		if err != nil || len(got) != want {
			t.Errorf("more than %v: %+v, %v; want %d", least, got, err, want)
		}
	}
}

// The unit of a series does not matter.
func TestChangePointsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := small(3, 70).Draw(t, "series")
		for i := range z {
			z[i] += 20
		}
		rule := stat.ChangeRule{Window: rapid.IntRange(2, 40).Draw(t, "window"), MaxP: 0.01}
		scaled := slices.Clone(z)
		for i := range scaled {
			scaled[i] *= 1024 // exact
		}
		a, errA := stat.ChangePoints(z, rule)
		b, errB := stat.ChangePoints(scaled, rule)
		if errA != nil || errB != nil || len(a) != len(b) {
			t.Fatalf("%+v (%v) became %+v (%v)", a, errA, b, errB)
		}
		for i := range a {
			if a[i].At != b[i].At || a[i].At < 1 || a[i].At >= len(z) || i > 0 && a[i].At <= a[i-1].At {
				t.Fatalf("%+v became %+v", a, b)
			}
		}
	})
}

func TestChangePointsRefused(t *testing.T) {
	good := levels(1, 2)
	for name, f := range map[string]func() error{
		"split of one":      func() error { _, err := stat.BestSplit(good[:1]); return err },
		"split of too many": func() error { _, err := stat.BestSplit(make([]float64, 2000)); return err },
		"two values":        func() error { _, err := stat.ChangePoints(good[:2], stat.PublishedChange); return err },
		"no window":         func() error { _, err := stat.ChangePoints(good, stat.ChangeRule{MaxP: 0.1}); return err },
		"no p":              func() error { _, err := stat.ChangePoints(good, stat.ChangeRule{Window: 9}); return err },
		"NaN": func() error {
			_, err := stat.ChangePoints([]float64{1, math.NaN(), 2}, stat.PublishedChange)
			return err
		},
		"cut at the end":     func() error { _, err := stat.LevelTest(good, len(good)); return err },
		"no penalty":         func() error { _, err := stat.OptimalPartition(good, 0); return err },
		"penalty of two":     func() error { _, err := stat.LevelPenalty(good[:2]); return err },
		"partition of none":  func() error { _, err := stat.OptimalPartition(nil, 1); return err },
		"partition too long": func() error { _, err := stat.OptimalPartition(make([]float64, 5000), 1); return err },
	} {
		if f() == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

// The penalty knows the noise, not the changes: a step moves it little.
func TestLevelPenalty(t *testing.T) {
	// Differences 1, 2, 3, 4: their median absolute deviation is 1.
	if got, err := stat.LevelPenalty([]float64{0, 1, 3, 6, 10}); err != nil || !near(got, 3*1.482602218505602*1.482602218505602/2*math.Log(5)) {
		t.Errorf("%v, %v", got, err)
	}
	z := levels(10, 10, 10)
	flat, err := stat.LevelPenalty(z)
	if err != nil || flat <= 0 {
		t.Fatal(flat, err)
	}
	step, err := stat.LevelPenalty(levels(10, 10, 500))
	if err != nil || math.Abs(step-flat) > 0.05*flat {
		t.Errorf("%v became %v, %v", flat, step, err)
	}
	if p, err := stat.OptimalPartition(levels(10, 10, 500), step); err != nil || !slices.Equal(p.At, []int{40}) {
		t.Errorf("%+v, %v", p, err)
	}
	if zero, err := stat.LevelPenalty(make([]float64, 9)); zero != 0 || err != nil {
		t.Errorf("constant: %v, %v", zero, err)
	}
}
