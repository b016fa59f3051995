package stat_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

func TestSplitThirds(t *testing.T) {
	start := []int64{0, 19_999_999, 20_000_000, 39_999_999, 40_000_000, 60_000_000, 60_000_001}
	latency := []int64{1, 2, 30, 40, 500, 600, 700}
	got, err := stat.SplitThirds(start, latency, 0, 60_000_000, stat.P99)
	if want := (stat.Thirds{N: [3]int{2, 2, 3}, Quantile: [3]int64{2, 40, 700}}); got != want || err != nil {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if _, err := stat.SplitThirds(start[:4], latency[:4], 0, 60_000_000, stat.P99); !errors.Is(err, stat.ErrNoSamples) {
		t.Errorf("an empty third: %v", err)
	}
	for name, f := range map[string]func() (stat.Thirds, error){
		"no window":         func() (stat.Thirds, error) { return stat.SplitThirds(start, latency, 0, 0, stat.P99) },
		"other lengths":     func() (stat.Thirds, error) { return stat.SplitThirds(start, latency[1:], 0, 9, stat.P99) },
		"before the window": func() (stat.Thirds, error) { return stat.SplitThirds(start, latency, 1, 60_000_000, stat.P99) },
	} {
		if got, err := f(); err == nil {
			t.Errorf("%s: %+v, want an error", name, got)
		}
	}
}

func TestDriftSide(t *testing.T) {
	for _, c := range []struct {
		first, last int64
		limit       float64
		want        stat.Side
		ok          bool
	}{
		{8000, 10_000, 1.25, stat.Within, true}, {8000, 10_001, 1.25, stat.Above, true},
		{10_000, 8000, 1.25, stat.Within, true}, {10_000, 7999, 1.25, stat.Below, true},
		{10, 11, 1.1, stat.Within, true}, {11, 10, 1.1, stat.Within, true}, // 1.1 is no binary fraction
		{30, 39, 1.3, stat.Within, true}, {19, 10, 1.9, stat.Within, true}, // nor are these
		{5, 0, 1.25, stat.Below, true}, {0, 5, 1.25, stat.Within, false}, {0, 0, 1.25, stat.Within, false},
	} {
		got, ok := stat.Thirds{Quantile: [3]int64{c.first, 0, c.last}}.Side(c.limit)
		if got != c.want || ok != c.ok {
			t.Errorf("%d then %d, limit %v: %v, %v; want %v, %v", c.first, c.last, c.limit, got, ok, c.want, c.ok)
		}
	}
}

// Moving a run in time, or listing its samples in another order, changes nothing.
func TestThirdsDoNotDependOnTheClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const length = 900
		n := rapid.IntRange(1, 40).Draw(t, "n")
		shift := rapid.Int64Range(-1<<60, 1<<60).Draw(t, "shift")
		var start, moved, latency []int64
		for i := range n * 3 {
			start = append(start, int64(i%3)*length/3+rapid.Int64Range(0, length/3-1).Draw(t, "start"))
			moved = append(moved, start[i]+shift)
			latency = append(latency, rapid.Int64Range(0, 1000).Draw(t, "latency"))
		}
		a, errA := stat.SplitThirds(start, latency, 0, length, stat.P99)
		b, errB := stat.SplitThirds(moved, latency, shift, length, stat.P99)
		if a != b || errA != nil || errB != nil || a.N != [3]int{n, n, n} {
			t.Fatalf("%+v (%v) became %+v (%v)", a, errA, b, errB)
		}
	})
}
