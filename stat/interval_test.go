package stat_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

func TestQuantileInterval(t *testing.T) {
	for _, c := range []struct {
		p, conf  string
		n        int
		lo, hi   int
		coverage float64 // from tails summed term by term with 60 digits
	}{
		{"0.5", "0.95", 5, 0, 0, 1},                     // too few for either side
		{"0.5", "0.95", 6, 1, 6, 0.96875},               // David & Nagaraja: 1 - 2/2^6
		{"0.5", "0.5", 2, 1, 2, 0.5},                    // the tails are exactly alpha/2
		{"0.01", "0.95", 368, 1, 9, 0.9624158204108587}, // the mirror of p99
		{"0.999", "0.95", 720_000, 719_227, 719_333, 0.951889542015738428},
		{"0.99", "0.95", 720_000, 712_634, 712_966, 0.950724903998413832},
		{"0.99", "0.99", 120_000, 118_710, 118_889, 0.990592400353379132},
	} {
		iv, err := stat.QuantileInterval(c.n, p(t, c.p), p(t, c.conf))
		if err != nil || iv.Lo != c.lo || iv.Hi != c.hi || math.Abs(iv.Coverage-c.coverage) > 1e-10 {
			t.Errorf("n %d, p %s at %s: %+v, %v; want %d..%d covering %v", c.n, c.p, c.conf, iv, err, c.lo, c.hi, c.coverage)
		}
	}
	if _, err := stat.QuantileInterval(0, stat.P50, stat.P95); !errors.Is(err, stat.ErrNoSamples) {
		t.Errorf("of nothing: %v", err)
	}
	for _, edge := range []string{"0", "1"} {
		if _, err := stat.QuantileInterval(10, p(t, edge), stat.P95); err == nil {
			t.Errorf("p = %s has no interval", edge)
		}
		if _, err := stat.QuantileInterval(10, stat.P50, p(t, edge)); err == nil {
			t.Errorf("confidence %s is no confidence", edge)
		}
	}
}

// The ranks follow the definition, checked with exact fractions.
func TestQuantileIntervalProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		pq := big.NewRat(rapid.Int64Range(1, 199).Draw(t, "p/200"), 200)
		conf := big.NewRat(rapid.SampledFrom([]int64{50, 75, 90, 95, 99}).Draw(t, "conf"), 100)
		if rapid.Bool().Draw(t, "tie") { // a tail that is exactly alpha/2
			n = n%7 + 1
			tail := exactCDF(n, pq)[rapid.IntRange(0, n-1).Draw(t, "k")]
			if tie := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).Add(tail, tail)); tie.Sign() > 0 {
				conf = tie
			}
		}
		v, errP := stat.ParseP(pq.RatString())
		c, errC := stat.ParseP(conf.RatString())
		iv, err := stat.QuantileInterval(n, v, c)
		if err := errors.Join(errP, errC, err); err != nil {
			t.Fatal(err)
		}
		half := new(big.Rat).Sub(big.NewRat(1, 1), conf)
		half.Quo(half, big.NewRat(2, 1))
		cdf := exactCDF(n, pq)
		lo, hi := 0, n+1
		for l := 1; l <= n; l++ {
			if cdf[l-1].Cmp(half) <= 0 {
				lo = l
			}
		}
		for u := n; u >= 1; u-- {
			if new(big.Rat).Sub(big.NewRat(1, 1), cdf[u-1]).Cmp(half) <= 0 {
				hi = u
			}
		}
		if hi > n {
			hi = 0
		}
		if iv.Lo != lo || iv.Hi != hi {
			t.Fatalf("ranks %d..%d, want %d..%d", iv.Lo, iv.Hi, lo, hi)
		}
		if want, _ := conf.Float64(); iv.Coverage < want-1e-12 {
			t.Fatalf("covers %v, less than %v", iv.Coverage, want)
		}
	})
}

// exactCDF returns P(B ≤ k) for k from 0 to n, B binomial(n, p).
func exactCDF(n int, p *big.Rat) []*big.Rat {
	q := new(big.Rat).Sub(big.NewRat(1, 1), p)
	cdf, sum := make([]*big.Rat, n+1), new(big.Rat)
	for k := range cdf {
		term := new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k)))
		for i := range n {
			if i < k {
				term.Mul(term, p)
			} else {
				term.Mul(term, q)
			}
		}
		sum.Add(sum, term)
		cdf[k] = new(big.Rat).Set(sum)
	}
	return cdf
}

// Wilks (1941): 59 samples for the 95th percentile at 95 %, 29 for the 90th,
// 299 for the 99th, one-sided.
func TestMinSamples(t *testing.T) {
	for _, c := range []struct {
		p, conf string
		sides   stat.Sides
		want    int
	}{
		{"0.95", "0.95", stat.OneSided, 59}, {"0.9", "0.95", stat.OneSided, 29}, {"0.99", "0.95", stat.OneSided, 299},
		{"0.99", "0.95", stat.TwoSided, 368}, {"0.999", "0.95", stat.TwoSided, 3688}, {"0.5", "0.95", stat.TwoSided, 6},
		{"0.5", "0.75", stat.OneSided, 2}, {"0.9", "0.19", stat.OneSided, 2}, {"0.9", "0.271", stat.OneSided, 3}, // p^n is exactly alpha
		{"0.7", "0.51", stat.OneSided, 2}, {"0.3", "0.9919", stat.OneSided, 4}, {"0.6", "0.784", stat.OneSided, 3},
		{"0.999999", "0.95", stat.OneSided, 2_995_731},
		{"0", "0.95", stat.OneSided, 1}, {"1", "0.95", stat.OneSided, 0}, {"0.5", "1", stat.OneSided, 0},
	} {
		if got := stat.MinSamples(p(t, c.p), p(t, c.conf), c.sides); got != c.want {
			t.Errorf("MinSamples(%s, %s, %d) = %d, want %d", c.p, c.conf, c.sides, got, c.want)
		}
	}
}

func TestSupport(t *testing.T) {
	const unbounded = "no upper bound at 95 %"
	for _, c := range []struct {
		p    string
		n    int
		ok   bool
		note string // a part of it; "" for none at all
	}{
		{"0.9", 9, false, "p90 needs at least 10 samples, there are 9"}, {"0.9", 10, true, unbounded},
		{"0.95", 19, false, "20"}, {"0.95", 20, true, unbounded}, {"0.95", 71, true, unbounded}, {"0.95", 72, true, ""},
		{"0.99", 99, false, "100"}, {"0.99", 100, true, unbounded}, {"0.99", 367, true, unbounded}, {"0.99", 368, true, ""},
		{"0.999", 999, false, "1,000"}, {"0.999", 1000, true, unbounded}, {"0.999", 3687, true, unbounded}, {"0.999", 3688, true, ""},
		{"0.9999", 9_999, false, "10,000"}, {"0.9999", 10_000, true, unbounded},
		{"0.5", 1, false, "2"}, {"0.5", 5, true, unbounded}, {"0.5", 6, true, ""},
		{"0.97", 33, false, "34"}, {"0.97", 34, true, unbounded}, // 1/0.03 is no whole number
		{"1", 1, true, ""}, {"0", 1, true, ""}, {"0.01", 99, false, "100"}, {"0.01", 100, true, "no lower bound at 95 %"},
		{"1", 0, false, "no samples"}, {"0.5", -1, false, "no samples"},
	} {
		ok, note := stat.Support(p(t, c.p), c.n)
		if ok != c.ok || !strings.Contains(note, c.note) || (c.note == "") != (note == "") {
			t.Errorf("Support(%s, %d) = %v, %q; want %v, %q", c.p, c.n, ok, note, c.ok, c.note)
		}
	}
}

// A figure without a warning has an interval that is bounded on both sides.
func TestSupportAgreesWithInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SampledFrom([]stat.P{stat.P50, stat.P90, stat.P95, stat.P99, stat.P999}).Draw(t, "p")
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		ok, note := stat.Support(v, n)
		iv, err := stat.QuantileInterval(n, v, stat.P95)
		if err != nil {
			t.Fatal(err)
		}
		if silent := ok && note == ""; silent != (iv.Hi != 0) {
			t.Fatalf("Support(%v, %d) = %v, %q, the interval is %+v", v, n, ok, note, iv)
		}
	})
}

// R's manual of binom.test: 682 of 925 has the interval 0.7076683 to 0.7654066.
func TestProportion(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		sides  stat.Sides
		lo, hi float64
	}{
		{682, 925, stat.TwoSided, 0.7076683, 0.7654066},
		{5, 5, stat.OneSided, 0.5492803, 1}, // 0.05^(1/5)
		{0, 5, stat.OneSided, 0, 0.4507197},
	} {
		lo, hi, err := stat.Proportion(c.k, c.n, stat.P95, c.sides)
		if err != nil || math.Abs(lo-c.lo) > 5e-8 || math.Abs(hi-c.hi) > 5e-8 {
			t.Errorf("%d of %d: %v to %v, %v; want %v to %v", c.k, c.n, lo, hi, err, c.lo, c.hi)
		}
	}
	if _, _, err := stat.Proportion(0, 0, stat.P95, stat.TwoSided); !errors.Is(err, stat.ErrNoSamples) {
		t.Errorf("0 of 0: %v", err)
	}
	for _, k := range []int{-1, 6} {
		if _, _, err := stat.Proportion(k, 5, stat.P95, stat.TwoSided); err == nil {
			t.Errorf("%d of 5 is no error", k)
		}
	}
}
