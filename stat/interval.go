package stat

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// Interval is a confidence interval of a quantile, as 1-based ranks into the
// ascending sample: [x(Lo), x(Hi)]. A rank of 0 means that the sample is too
// small to bound that side; it is printed as such.
type Interval struct {
	Lo, Hi   int
	Coverage float64 // probability of holding the quantile, at least what was asked
}

// slack lets a tail that equals alpha/2 count as not above it, although its
// float64 may be off in the last digits (n = 2, p = 1/2, 50 %: both are 1/4).
const slack = 1 + 1e-12

// QuantileInterval returns the equal-tailed, distribution-free confidence
// interval of the p-quantile of n independent values at the confidence conf.
// With B binomial(n, p) and alpha = 1 - conf, Lo is the largest l with
// P(B ≤ l-1) ≤ alpha/2 and Hi the smallest u with P(B ≥ u) ≤ alpha/2 (David &
// Nagaraja, section 7.1). p and conf must lie strictly between 0 and 1.
//
// Latencies within a run are not independent, so the interval is a lower bound
// of the uncertainty: label it "sampling only".
func QuantileInterval(n int, p, conf P) (Interval, error) {
	if n <= 0 {
		return Interval{}, ErrNoSamples
	}
	if !inside(p) || !inside(conf) {
		return Interval{}, fmt.Errorf("interval of %v at confidence %v: both must lie strictly between 0 and 1", p, conf)
	}
	tail := conf.complement().Float() / 2 * slack
	lo := sort.Search(n, func(k int) bool { return atMost(k, n, p) > tail })
	hi := 1 + sort.Search(n, func(k int) bool { return atLeast(k+1, n, p) <= tail })

	iv := Interval{Lo: lo, Coverage: 1}
	if lo > 0 {
		iv.Coverage -= atMost(lo-1, n, p)
	}
	if hi <= n {
		iv.Hi = hi
		iv.Coverage -= atLeast(hi, n, p)
	}
	return iv, nil
}

func inside(p P) bool { return p.num > 0 && p.num < p.den() }

// atMost returns P(B ≤ k) for B binomial(n, p), 0 ≤ k < n, 0 < p < 1. The tail
// is an incomplete beta function of 1-p, which is taken from the exact fraction
// so that nothing cancels for p near 1. Measured against 60-digit sums, it is
// within 1e-10 up to a million values and within 3e-9 at a hundred million.
func atMost(k, n int, p P) float64 {
	return mathext.RegIncBeta(float64(n-k), float64(k+1), p.complement().Float())
}

// atLeast returns P(B ≥ k) for B binomial(n, p), 1 ≤ k ≤ n, 0 < p < 1.
func atLeast(k, n int, p P) float64 {
	return mathext.RegIncBeta(float64(k), float64(n-k+1), p.Float())
}

// Sides says how the error of a confidence statement is shared out.
type Sides int

// The sides.
const (
	OneSided Sides = 1 // all of alpha on the side asked about
	TwoSided Sides = 2 // alpha/2 on each
)

// MinSamples returns the least n whose maximum is an upper confidence bound of
// the p-quantile: p^n ≤ alpha (OneSided) or alpha/2 (TwoSided). It is 0 if no
// number of samples is enough (p or conf is 1).
func MinSamples(p, conf P, sides Sides) int {
	alpha := conf.complement().Float() / float64(sides)
	switch {
	case p.num == p.den() || alpha <= 0:
		return 0
	case p.num == 0:
		return 1
	}
	n := math.Log(alpha) / math.Log1p(-p.complement().Float())
	return max(1, int(math.Ceil(n/slack)))
}

// Proportion returns the Clopper-Pearson interval of the probability of
// success after k successes in n trials: each end is a bound at 1 - alpha/2 if
// TwoSided, at 1 - alpha if OneSided (then use the one end that was asked for).
// It is conservative: it covers at least conf whatever the true probability.
func Proportion(k, n int, conf P, sides Sides) (lo, hi float64, err error) {
	if n <= 0 {
		return 0, 0, ErrNoSamples
	}
	if k < 0 || k > n || !inside(conf) {
		return 0, 0, fmt.Errorf("%d of %d at confidence %v: want 0 to %d successes and a confidence strictly between 0 and 1", k, n, conf, n)
	}
	tail := conf.complement().Float() / float64(sides)
	lo, hi = 0, 1
	if k > 0 {
		lo = mathext.InvRegIncBeta(float64(k), float64(n-k+1), tail)
	}
	if k < n {
		hi = mathext.InvRegIncBeta(float64(k+1), float64(n-k), 1-tail)
	}
	return lo, hi, nil
}
