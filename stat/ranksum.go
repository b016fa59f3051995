package stat

import (
	"errors"
	"fmt"
	"math"
	"slices"

	moremath "github.com/aclements/go-moremath/stats"
)

// RankSum compares two unpaired samples a and b by ranks (Mann & Whitney
// 1947), as benchstat does.
type RankSum struct {
	N [2]int  // values of a, of b
	U float64 // pairs with a > b, ties counted half
	// P is twice the smaller tail: exact over the mid-ranks for up to 50 values a
	// side without ties, 25 with; the normal approximation beyond. It is
	// benchstat's, except with ties between samples of different sizes, where
	// benchstat's depends on which sample comes first.
	P float64
	// PNormal is the normal approximation with correction for ties and
	// continuity, which R and SciPy print for samples with ties.
	PNormal float64
	Ties    bool // some value occurs more than once
	// Shift is the Hodges-Lehmann estimate of how much b lies above a: the
	// median of all b_j - a_i.
	Shift float64
	// Delta is Cliff's delta, P(b > a) - P(b < a): -1 to 1.
	Delta float64
}

// maxDifferences bounds the pairs of two samples whose differences are listed.
const maxDifferences = 1 << 22

// CompareRanks compares two samples of finite values.
func CompareRanks(a, b []float64) (RankSum, error) {
	if err := finite(a, b); err != nil {
		return RankSum{}, err
	}
	if len(a) > maxDifferences/len(b) {
		return RankSum{}, fmt.Errorf("samples of %d and %d values: want at most %d pairs", len(a), len(b), maxDifferences)
	}
	r := RankSum{N: [2]int{len(a), len(b)}}
	diffs := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			diffs = append(diffs, y-x)
			switch {
			case x > y:
				r.U++
			case x == y:
				r.U += 0.5
			}
		}
	}
	n, m := float64(len(a)), float64(len(b))
	r.Delta = 1 - 2*r.U/(n*m)
	var err error
	if r.Shift, err = Median(diffs); err != nil {
		return RankSum{}, err
	}
	ties := tieSizes(slices.Concat(a, b))
	r.Ties = len(ties) > 0
	below, err := lowerTail(a, b)
	if errors.Is(err, moremath.ErrSamplesEqual) {
		r.P, r.PNormal = 1, 1 // one value throughout: nothing tells them apart
		return r, nil
	}
	if err != nil {
		return RankSum{}, err
	}
	above, err := lowerTail(b, a)
	if err != nil {
		return RankSum{}, err
	}
	r.P = math.Min(1, 2*math.Min(below, above))
	var tied float64
	for _, t := range ties {
		tied += t*t*t - t
	}
	sd := math.Sqrt(n * m / 12 * (n + m + 1 - tied/((n+m)*(n+m-1))))
	z := (math.Abs(r.U-n*m/2) - 0.5) / sd
	r.PNormal = math.Min(1, math.Erfc(z/math.Sqrt2))
	return r, nil
}

// lowerTail returns the chance of a U of a over b as low as the one seen. The
// upper tail is that of b over a: with ties the distribution is not symmetric.
func lowerTail(a, b []float64) (float64, error) {
	test, err := moremath.MannWhitneyUTest(a, b, moremath.LocationLess)
	if err != nil {
		return 0, err
	}
	return test.P, nil
}

// MinRankSum returns the least n with which CompareRanks of n values a side can
// reach a p of at most alpha: 2/C(2n, n). It is 4 for 5 %, as benchstat warns.
func MinRankSum(alpha float64) int {
	ways := 1.0 // C(2n, n)
	for n := 1; n <= 500; n++ {
		ways *= 2 * (2 - 1/float64(n))
		if 2/ways <= alpha {
			return n
		}
	}
	return 0
}

// MedianInterval returns the median of a sample with the interval that
// benchstat prints beside it: the shortest ranks that cover conf. The interval
// is nil below 6 values at 95 %; confidence is what it covers.
func MedianInterval(x []float64, conf P) (median float64, iv *Bounds, confidence float64, err error) {
	if err := finite(x); err != nil {
		return 0, nil, 0, err
	}
	if !inside(conf) {
		return 0, nil, 0, fmt.Errorf("confidence %v: want one strictly between 0 and 1", conf)
	}
	sorted := slices.Sorted(slices.Values(x))
	ci := moremath.QuantileCI(len(sorted), 0.5, conf.Float())
	if median, err = Median(slices.Clone(sorted)); err != nil {
		return 0, nil, 0, err
	}
	if ci.LoOrder < 1 || ci.HiOrder > len(sorted) {
		return median, nil, 0, nil
	}
	return median, &Bounds{sorted[ci.LoOrder-1], sorted[ci.HiOrder-1]}, ci.Confidence, nil
}

// GeoMean returns the geometric mean of positive values, as benchstat's last
// row.
func GeoMean(x []float64) (float64, error) {
	l, err := logs(x)
	if err != nil {
		return 0, err
	}
	mean, _ := moments(l)
	return math.Exp(mean), nil
}
