package stat_test

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

func p(t testing.TB, s string) stat.P {
	t.Helper()
	v, err := stat.ParseP(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestParseP(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"0", "p0"}, {"1", "p100"}, {"1.000", "p100"}, {".5", "p50"}, {"0.999", "p99.9"}, {"99.9%", "p99.9"},
		{"100%", "p100"}, {"99/100", "p99"}, {"1/3", "p(1/3)"}, {"0.000000000000000001", "p0.0000000000000001"},
	} {
		if got := p(t, c.in).String(); got != c.want {
			t.Errorf("ParseP(%q) = %s, want %s", c.in, got, c.want)
		}
	}
	for _, bad := range []string{
		"", ".", "-0.5", "+0.5", "1.01", "101%", "5e-1", "0x1", "0.5.5", "NaN", "1/0", "3/2", "1/2/3", "-1/2",
		"0.0000000000000000001", "1/1000000000000000001", "99999999999999999999", "%",
	} {
		if got, err := stat.ParseP(bad); err == nil {
			t.Errorf("ParseP(%q) = %v, want an error", bad, got)
		}
	}
	if p(t, "0.5") != p(t, "50%") || p(t, "0.5") != p(t, "7/14") || p(t, "0.5") != stat.P50 || p(t, "0") != (stat.P{}) {
		t.Error("equal probabilities differ")
	}
	if got := p(t, "0.07").Float(); got != 0.07 {
		t.Errorf("Float of 0.07 is %v", got)
	}
}

// The float trap (R 4.2.2's own type 1 is one rank too high at these).
func TestRankIsExact(t *testing.T) {
	for _, c := range []struct {
		p       string
		n, want int
	}{
		{"0.07", 100, 7}, {"0.55", 100, 55}, {"0.14", 50, 7}, {"0.28", 50, 14}, {"0.56", 50, 28},
		{"0", 10, 1}, {"1", 10, 10}, {"0.99", 1, 1}, {"0.999", 1000, 999}, {"0.99", 0, 0},
		{"0.999999999999999999", math.MaxInt, 9223372036854775798},
	} {
		if got := stat.Rank(p(t, c.p), c.n); got != c.want {
			t.Errorf("Rank(%s, %d) = %d, want %d", c.p, c.n, got, c.want)
		}
	}
}

// NIST/SEMATECH e-Handbook of Statistical Methods, 7.2.6.2 (percentiles): the
// 90th percentile of twelve gauge readings is 95.1981 by (n+1)p; the same page's
// method of spreadsheets, (n-1)p, gives 95.1957.
func TestNISTHandbook(t *testing.T) {
	x := []float64{95.1772, 95.1567, 95.1937, 95.1959, 95.1442, 95.0610, 95.1591, 95.1195, 95.1065, 95.0925, 95.1990, 95.1682}
	slices.Sort(x)
	r6, err6 := stat.QuantileR6(x, stat.P90)
	r7, err7 := stat.QuantileR7(x, stat.P90)
	if err6 != nil || err7 != nil || math.Abs(r6-95.19807) > 1e-9 || math.Abs(r7-95.19568) > 1e-9 {
		t.Errorf("R-6 %v (%v), R-7 %v (%v); want 95.19807 and 95.19568", r6, err6, r7, err7)
	}
}

// People report a wrong percentile when only the definition differs: each
// answer is right under its own name (expected values by exact fractions).
func TestDefinitionsDiffer(t *testing.T) {
	upTo100 := make([]float64, 100)
	for i := range upTo100 {
		upTo100[i] = float64(i + 1)
	}
	ones := func(n int) []float64 { // and a slowest one of 8,000 s, in ms
		return append(slices.Repeat([]float64{1}, n-1), 8_000_000)
	}
	for _, c := range []struct {
		name            string
		x               []float64
		p               string
		nearest, r7, r6 float64
	}{
		{"1 to 100", upTo100, "0.95", 95, 95.05, 95.95},
		{"1 to 100", upTo100, "0.99", 99, 99.01, 99.99},
		{"one slow of 1,001", ones(1001), "0.99", 1, 1, 1},
		{"one slow of 1,001", ones(1001), "0.999", 1, 1, 7_984_000.002},
		{"one slow of 100", ones(100), "0.99", 1, 80_000.99, 7_920_000.01},
		{"one value", []float64{7}, "0.99", 7, 7, 7},
	} {
		nearest, err := stat.Quantile(c.x, p(t, c.p))
		r7, err7 := stat.QuantileR7(c.x, p(t, c.p))
		r6, err6 := stat.QuantileR6(c.x, p(t, c.p))
		if errors.Join(err, err7, err6) != nil || nearest != c.nearest || math.Abs(r7-c.r7) > 1e-6 || math.Abs(r6-c.r6) > 1e-6 {
			t.Errorf("%s, p %s: %v, %v, %v; want %v, %v, %v", c.name, c.p, nearest, r7, r6, c.nearest, c.r7, c.r6)
		}
	}
}

func TestNoQuantile(t *testing.T) {
	if _, err := stat.Quantile([]int64{}, stat.P50); !errors.Is(err, stat.ErrNoSamples) {
		t.Errorf("of nothing: %v", err)
	}
	if _, err := stat.Quantiles[float64](nil, stat.P50); !errors.Is(err, stat.ErrNoSamples) {
		t.Errorf("of nothing, unsorted: %v", err)
	}
	nan := []float64{1, math.NaN(), 2}
	if _, err := stat.Quantiles(nan, stat.P50); !errors.Is(err, stat.ErrNaN) {
		t.Errorf("NaN, unsorted: %v", err)
	}
	slices.Sort(nan)
	for _, f := range []func([]float64, stat.P) (float64, error){stat.Quantile[float64], stat.QuantileR7[float64], stat.QuantileR6[float64]} {
		if _, err := f(nan, stat.P50); !errors.Is(err, stat.ErrNaN) {
			t.Errorf("NaN: %v", err)
		}
	}
	for _, r := range []int{0, 4} {
		if err := stat.Select([]int64{1, 2, 3}, r); err == nil {
			t.Errorf("rank %d of 3 is no error", r)
		}
	}
}

// A dropped request is slower than any other: quantiles stay finite below it.
func TestInfiniteLatency(t *testing.T) {
	x := []float64{1, 2, math.Inf(1)}
	if q, err := stat.QuantileR7(x, stat.P50); q != 2 || err != nil {
		t.Errorf("R-7 median of 1, 2, +Inf is %v, %v", q, err)
	}
}

// Property tests draw probabilities as decimals, since that is what users write.
var anyP = rapid.Custom(func(t *rapid.T) stat.P {
	v, err := stat.ParseP(big.NewRat(int64(rapid.IntRange(0, 100_000).Draw(t, "p")), 100_000).FloatString(5))
	if err != nil {
		t.Fatal(err)
	}
	return v
})

var someValues = rapid.SliceOfN(rapid.Int64Range(-50, 1000), 1, 300)

func TestRankProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		num := rapid.Int64Range(0, 1_000_000).Draw(t, "num")
		n := rapid.IntRange(1, math.MaxInt).Draw(t, "n")
		v, err := stat.ParseP(big.NewRat(num, 1_000_000).FloatString(6))
		if err != nil {
			t.Fatal(err)
		}
		want, rest := new(big.Int).DivMod(new(big.Int).Mul(big.NewInt(num), big.NewInt(int64(n))), big.NewInt(1_000_000), new(big.Int))
		if rest.Sign() > 0 {
			want.Add(want, big.NewInt(1))
		}
		if want.Sign() == 0 {
			want.SetInt64(1)
		}
		if got := stat.Rank(v, n); int64(got) != want.Int64() {
			t.Fatalf("Rank(%v, %d) = %d, want %v", v, n, got, want)
		}
	})
}

func TestSelectEqualsSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Int64Range(0, rapid.SampledFrom([]int64{3, 1000, 1 << 40}).Draw(t, "spread")), 1, 400).Draw(t, "x")
		switch rapid.IntRange(0, 3).Draw(t, "shape") {
		case 1:
			slices.Sort(x)
		case 2:
			slices.Sort(x)
			slices.Reverse(x)
		}
		ranks := rapid.SliceOfN(rapid.IntRange(1, len(x)), 0, 6).Draw(t, "ranks")
		sorted := slices.Sorted(slices.Values(x))
		if err := stat.Select(x, ranks...); err != nil {
			t.Fatal(err)
		}
		for _, r := range ranks {
			if x[r-1] != sorted[r-1] {
				t.Fatalf("rank %d is %d, want %d", r, x[r-1], sorted[r-1])
			}
			if slices.Max(x[:r]) != x[r-1] || slices.Min(x[r-1:]) != x[r-1] {
				t.Fatalf("rank %d does not part the values", r)
			}
		}
		if slices.Sort(x); !slices.Equal(x, sorted) {
			t.Fatal("values were lost")
		}
	})
}

func TestQuantileProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := someValues.Draw(t, "x")
		slices.Sort(x)
		a, b := anyP.Draw(t, "a"), anyP.Draw(t, "b")
		if a.Float() > b.Float() {
			a, b = b, a
		}
		qa, _ := stat.Quantile(x, a)
		qb, _ := stat.Quantile(x, b)
		r7, _ := stat.QuantileR7(x, a)
		r6, _ := stat.QuantileR6(x, a)
		if qa > qb {
			t.Fatalf("%v is %d, %v is %d: not monotone", a, qa, b, qb)
		}
		lo, hi := float64(x[0]), float64(x[len(x)-1])
		for _, q := range []float64{float64(qa), r7, r6} {
			if q < lo || q > hi {
				t.Fatalf("%v of values from %v to %v is %v", a, lo, hi, q)
			}
		}
		// Nearest rank commutes with any monotone transform; here one that is not linear.
		cubed := make([]float64, len(x))
		for i, v := range x {
			cubed[i] = math.Pow(float64(v), 3)
		}
		if q, _ := stat.Quantile(cubed, a); q != math.Pow(float64(qa), 3) {
			t.Fatalf("%v of cubes is %v, cube of %v is %v", a, q, a, math.Pow(float64(qa), 3))
		}
		// And with thresholds, from counts alone.
		limit := rapid.Int64Range(-60, 1010).Draw(t, "limit")
		above := 0
		for _, v := range x {
			if v > limit {
				above++
			}
		}
		if got := stat.QuantileAbove(a, len(x), above); got != (qa > limit) {
			t.Fatalf("%v of %d values, %d above %d: QuantileAbove is %v, the quantile %d", a, len(x), above, limit, got, qa)
		}
	})
}

func TestMedianAndSummary(t *testing.T) {
	for _, c := range []struct {
		x    []int64
		want float64
	}{{[]int64{7}, 7}, {[]int64{9, 1}, 5}, {[]int64{3, 1, 2}, 2}, {[]int64{4, 1, 3, 2}, 2.5}} {
		if got, err := stat.Median(c.x); got != c.want || err != nil {
			t.Errorf("median of %v is %v, %v, want %v", c.x, got, err, c.want)
		}
	}
	if m, err := stat.Median([]float64{math.MaxFloat64, math.MaxFloat64}); m != math.MaxFloat64 || err != nil {
		t.Errorf("median of two huge values is %v, %v", m, err)
	}
	x := []float64{41.6, 45.3, 49.3, 49.3}
	x[0], x[3] = x[3], x[0]
	s, err := stat.Summarize(x)
	if want := (stat.Summary{N: 4, Median: 47.3, Min: 41.6, Max: 49.3, LowMedian: 45.3}); math.Abs(s.Median-want.Median) > 1e-12 || s.LowMedian != want.LowMedian || s.Min != want.Min || s.Max != want.Max || s.N != 4 || err != nil {
		t.Errorf("summary %+v, %v, want %+v", s, err, want)
	}
	if x[0] != 49.3 || x[3] != 41.6 {
		t.Errorf("Summarize reordered its input: %v", x)
	}
	if _, err := stat.Summarize(nil); !errors.Is(err, stat.ErrNoSamples) {
		t.Errorf("summary of nothing: %v", err)
	}
}
