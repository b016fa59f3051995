package stat_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

func histogram(t testing.TB, r stat.Resolution, values ...int64) *stat.Histogram {
	t.Helper()
	h, err := stat.NewHistogram(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range values {
		if err := h.Record(v, 1); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// The figures of HistogramTest in HdrHistogram's own (Java) test suite, for
// three digits, in units of 1 and of 1,024.
func TestEquivalentAsHdrHistogram(t *testing.T) {
	const hour = 3600 * 1000 * 1000
	for _, unit := range []int64{1, 1024} {
		r := stat.Resolution{Lowest: unit, Highest: hour, Digits: 3}
		for v, want := range map[int64]int64{1: 1, 2500: 2, 8191: 4, 8192: 8, 10000: 8} {
			if got := r.Equivalent(v * unit).Width(); got != want*unit {
				t.Errorf("unit %d: width at %d is %d, want %d", unit, v, got, want*unit)
			}
		}
		for v, want := range map[int64]int64{10007: 10000, 10009: 10008} {
			if got := r.Equivalent(v * unit).Low; got != want*unit {
				t.Errorf("unit %d: lowest equivalent of %d is %d, want %d", unit, v, got, want*unit)
			}
		}
		for v, want := range map[int64]int64{8180: 8183, 8191: 8191, 8193: 8199, 9995: 9999, 10007: 10007, 10008: 10015} {
			if got := r.Equivalent(v * unit).High; got != want*unit+unit-1 {
				t.Errorf("unit %d: highest equivalent of %d is %d, want %d", unit, v, got, want*unit+unit-1)
			}
		}
	}
}

func TestResolutionIsChecked(t *testing.T) {
	for _, bad := range []stat.Resolution{
		{}, {1, 1, 3}, {0, 100, 3}, {-1, 100, 3}, {1, -100, 3}, {1, 100, 0}, {1, 100, 6}, {100, 199, 2},
		{1, math.MaxInt64, 5}, {1 << 60, math.MaxInt64, 3},
	} {
		if _, err := stat.NewHistogram(bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
	for _, good := range []stat.Resolution{{1, 2, 1}, {1, 3_600_000_000, 5}, {1000, 3_600_000_000_000, 3}, {1, math.MaxInt64, 3}} {
		histogram(t, good, 0, good.Lowest, good.Highest)
	}
}

func TestHistogramRefuses(t *testing.T) {
	r := stat.Resolution{Lowest: 1, Highest: 1000, Digits: 2}
	h := histogram(t, r)
	if _, err := h.Quantile(stat.P50); !errors.Is(err, stat.ErrNoSamples) {
		t.Errorf("quantile of nothing: %v", err)
	}
	if _, err := h.Mean(); !errors.Is(err, stat.ErrNoSamples) {
		t.Errorf("mean of nothing: %v", err)
	}
	for _, c := range []struct{ v, n int64 }{{-1, 1}, {1001, 1}, {5, -1}, {5, math.MaxInt64}} {
		if err := h.Record(c.v, c.n); err == nil {
			t.Errorf("%d × %d was recorded", c.n, c.v)
		}
	}
	if h.N() != 0 || h.Buckets() != nil {
		t.Errorf("refused values were counted: %d, %v", h.N(), h.Buckets())
	}
	other := histogram(t, stat.Resolution{Lowest: 1, Highest: 1000, Digits: 3}, 7)
	if err := h.Merge(other); err == nil {
		t.Error("histograms of different buckets merged")
	}
	full := histogram(t, r)
	if err := full.Record(9, 1<<50); err != nil {
		t.Fatal(err)
	}
	if err := full.Record(9, 1); err == nil {
		t.Error("a count beyond the greatest total was accepted")
	}
	if err := full.Merge(histogram(t, r, 1)); err == nil {
		t.Error("a merge beyond the greatest total was accepted")
	}
}

// 1,007 values: hdrhistogram-go itself answers p90 one rank low (0.9·1007 =
// 906.3, which it rounds to 906).
func TestHistogramRankIsTheCeiling(t *testing.T) {
	h := histogram(t, stat.Resolution{Lowest: 1, Highest: 10_000, Digits: 3})
	for v := range int64(1007) {
		if err := h.Record(v+1, 1); err != nil {
			t.Fatal(err)
		}
	}
	if q, err := h.Quantile(stat.P90); q.High != 907 || q.Low != 907 || err != nil {
		t.Errorf("p90 of 1..1007 is %+v, %v, want 907", q, err)
	}
	if m, err := h.Mean(); math.Abs(m-504) > 1e-9 || err != nil {
		t.Errorf("mean of 1..1007 is %v, %v, want 504", m, err)
	}
}

func TestBuckets(t *testing.T) {
	h := histogram(t, stat.Resolution{Lowest: 1, Highest: 10_000, Digits: 1}, 3, 3, 70, 71)
	want := []stat.Bucket{
		{Equivalent: stat.Equivalent{Low: 3, High: 3}, Count: 2},
		{Equivalent: stat.Equivalent{Low: 68, High: 71}, Count: 2},
	}
	if got := h.Buckets(); !slices.Equal(got, want) {
		t.Errorf("buckets %+v, want %+v", got, want)
	}
}

var resolutions = rapid.SampledFrom([]stat.Resolution{{1, 1 << 40, 1}, {1, 1 << 40, 2}, {1, 1 << 40, 3}, {1000, 1 << 40, 2}, {7, 1 << 41, 3}})

// exact ≤ reported < exact·(1 + 10^-digits), or within a unit of the lowest.
func TestHistogramQuantileProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := resolutions.Draw(t, "resolution")
		x := rapid.SliceOfN(rapid.Int64Range(0, rapid.SampledFrom([]int64{100, 1 << 20, 1 << 40}).Draw(t, "spread")), 1, 200).Draw(t, "x")
		h, err := stat.NewHistogram(r)
		if err != nil {
			t.Fatal(err)
		}
		// Large counts as well: the rank must survive the library's floats.
		times := rapid.SampledFrom([]int64{1, 3, 1 << 42}).Draw(t, "times")
		for _, v := range x {
			if err := h.Record(v, times); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(x)
		a := anyP.Draw(t, "p")
		exact := x[(stat.Rank(a, len(x)*int(times))-1)/int(times)]
		q, err := h.Quantile(a)
		if err != nil || q != r.Equivalent(exact) || q.Low > exact || q.High < exact {
			t.Fatalf("%v is %+v, %v; exactly it is %d in %+v", a, q, err, exact, r.Equivalent(exact))
		}
		if off := float64(q.High - exact); off >= max(float64(r.Lowest), float64(exact)*math.Pow(10, -float64(r.Digits))) && off > 0 {
			t.Fatalf("%v is %d, more than the stated error above %d", a, q.High, exact)
		}
		for _, b := range h.Buckets() {
			if b.Equivalent != r.Equivalent(b.Low) {
				t.Fatalf("the library's bucket %+v is %+v by arithmetic", b, r.Equivalent(b.Low))
			}
		}
	})
}

func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := resolutions.Draw(t, "resolution")
		draw := func(name string) []int64 { return rapid.SliceOfN(rapid.Int64Range(0, 1<<40), 0, 50).Draw(t, name) }
		a, b, c := draw("a"), draw("b"), draw("c")
		all := func(parts ...[]int64) *stat.Histogram {
			h, err := stat.NewHistogram(r)
			for _, v := range slices.Concat(parts...) {
				if err == nil {
					err = h.Record(v, 1)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			return h
		}
		merge := func(into, from *stat.Histogram) *stat.Histogram {
			if err := into.Merge(from); err != nil {
				t.Fatal(err)
			}
			return into
		}
		pooled := all(a, b, c).Buckets()
		left := merge(merge(all(a), all(b)), all(c)).Buckets()
		right := merge(all(a), merge(all(b), all(c))).Buckets()
		turned := merge(all(c), merge(all(b), all(a))).Buckets()
		if !slices.Equal(left, pooled) || !slices.Equal(right, pooled) || !slices.Equal(turned, pooled) {
			t.Fatalf("merged %v, %v, %v; pooled %v", left, right, turned, pooled)
		}
	})
}
