package stat_test

import (
	"errors"
	"iter"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

// parts gives values in parts of three, as often as is wanted.
func parts(x []int64) iter.Seq[[]int64] { return slices.Chunk(x, 3) }

// Whatever the values and however few may be held, a Selection finds what sorting
// puts at a rank.
func TestSelectionEqualsSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]*rapid.Generator[int64]{
			rapid.Int64Range(0, 3), rapid.Int64Range(-1000, 1000), rapid.Int64Range(1_000_000, 1_010_000),
			rapid.Int64Range(-1<<40, 1<<50), rapid.Int64(), rapid.SampledFrom([]int64{5_000_000, 5_000_001, math.MinInt64, math.MaxInt64, -1, 0}),
		}).Draw(t, "kind")
		x := rapid.SliceOfN(value, 1, 2000).Draw(t, "x")
		ranks := rapid.SliceOfN(rapid.IntRange(1, len(x)), 0, 8).Draw(t, "ranks")
		s := stat.NewSelection(rapid.SampledFrom([]int{1, 20, 300, 5000}).Draw(t, "room"))
		for _, v := range x {
			s.Add(v)
		}
		if err := s.FindIn(parts(x), ranks...); err != nil {
			t.Fatal(err)
		}
		sorted := slices.Sorted(slices.Values(x))
		for _, r := range ranks {
			if got := s.At(r); got != sorted[r-1] {
				t.Fatalf("rank %d of %d is %d, want %d", r, len(x), got, sorted[r-1])
			}
		}
		if s.N() != len(x) || s.Max() != sorted[len(x)-1] {
			t.Fatalf("%d values up to %d, want %d up to %d", s.N(), s.Max(), len(x), sorted[len(x)-1])
		}
	})
}

// Many values of a few kinds, as clocks of a coarse tick give: the number of
// readings is bounded, and few values are held.
func TestSelectionReadsFewTimes(t *testing.T) {
	x := make([]int64, 200_000)
	for i := range x {
		x[i] = 5_000_000 + int64(i%7)*1000
	}
	s := stat.NewSelection(100)
	s.Add(x...)
	readings := 1
	if err := s.Find(1, len(x)/2, len(x)); err != nil {
		t.Fatal(err)
	}
	for s.More() {
		readings++
		s.Again(x...)
		if err := s.Done(); err != nil {
			t.Fatal(err)
		}
	}
	if s.At(1) != 5_000_000 || s.At(len(x)/2) != 5_003_000 || s.At(len(x)) != 5_006_000 {
		t.Errorf("least %d, median %d, greatest %d", s.At(1), s.At(len(x)/2), s.At(len(x)))
	}
	if readings > 4 {
		t.Errorf("the values were read %d times", readings)
	}
	if s.Mean() < 5_002_900 || s.Mean() > 5_003_000 {
		t.Errorf("mean %v, want just under 5003000", s.Mean())
	}
}

// Quantiles of many integers are found by their cells where that is quicker, and are
// those of sorting in any case.
func TestQuantilesOfMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]*rapid.Generator[int64]{
			rapid.Int64Range(0, 100), rapid.Int64Range(1_000_000, 9_000_000), rapid.Int64Range(-3, 1<<62), rapid.Just(int64(7_000_001)),
		}).Draw(t, "kind")
		few := rapid.SliceOfN(value, 50, 50).Draw(t, "x")
		x := slices.Repeat(few, 60)
		for i := range x {
			x[i] += int64(i / 1000)
		}
		sorted := slices.Sorted(slices.Values(x))
		got, err := stat.Quantiles(x, stat.P99, stat.P50, stat.P999)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range []stat.P{stat.P99, stat.P50, stat.P999} {
			if want := sorted[stat.Rank(p, len(x))-1]; got[i] != want {
				t.Fatalf("%v is %d, want %d", p, got[i], want)
			}
		}
	})
}

func TestQuantilesOf(t *testing.T) {
	x := make([]int64, 1000)
	for i := range x {
		x[i] = int64(999 - i)
	}
	got, err := stat.QuantilesOf(parts(x), 10, stat.P99, stat.P50)
	if err != nil || got[0] != 989 || got[1] != 499 {
		t.Errorf("p99 and p50 of 0 to 999: %v, %v", got, err)
	}
	if _, err := stat.QuantilesOf(parts(nil), 10, stat.P50); !errors.Is(err, stat.ErrNoSamples) {
		t.Errorf("of nothing: %v", err)
	}
	s := stat.NewSelection(10)
	s.Add(7)
	if err := s.Find(2); err == nil {
		t.Error("rank 2 of one value is no error")
	}
	s = stat.NewSelection(1)
	for v := range int64(100) {
		s.Add(1_000_000 + 2*v)
	}
	if err := s.FindIn(parts([]int64{1_000_000}), 50); err == nil {
		t.Error("other values in the second reading are no error")
	}
}

func BenchmarkSelection(b *testing.B) {
	x := make([]int64, 1_000_000)
	random := uint32(1)
	for i := range x {
		random = random*1664525 + 1013904223 // Numerical Recipes
		x[i] = 1_000_000 + int64(random>>9)
	}
	for b.Loop() {
		if _, err := stat.QuantilesOf(slices.Chunk(x, 4096), 1<<16, stat.P50, stat.P90, stat.P95, stat.P99, stat.P999); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/value")
}

func BenchmarkSortForQuantiles(b *testing.B) {
	x := make([]int64, 1_000_000)
	y := make([]int64, len(x))
	random := uint32(1)
	for i := range x {
		random = random*1664525 + 1013904223 // Numerical Recipes
		x[i] = 1_000_000 + int64(random>>9)
	}
	for b.Loop() {
		copy(y, x)
		slices.Sort(y)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/value")
}
