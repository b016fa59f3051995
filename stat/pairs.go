package stat

import (
	"fmt"
	"math"
	"slices"
)

// MinPairs is the least number of pairs with which a two-sided test at 5 % can
// succeed at all: 2/2^6 = 0.031. With fewer, print the ratios and "in all n
// pairs", but no p value.
const MinPairs = 6

// maxPairs bounds the work on hostile input: Walsh averages grow with the
// square.
const maxPairs = 1000

// maxFlips is the most pairs whose sign patterns are enumerated (2^16).
const maxFlips = 16

// Pairs compares interleaved pairs of one figure, before and after a change.
// The pair is the unit: only ratios within pairs count, so a host that drifts
// between pairs does not matter.
type Pairs struct {
	N       int
	Ratios  []float64 // after/before, in the order of the pairs
	GeoMean float64   // exp of the mean log ratio
	Median  float64   // exp of the median log ratio
	Wins    int       // pairs with after > before
	Losses  int       // pairs with after < before
	// T is the 95 % interval of the geometric mean by Student's t over log
	// ratios; nil for one pair. Print it from 3 pairs on.
	T *Bounds
	// Rank is the signed-rank analysis of the ratios: its shift and bounds are
	// ratios as well.
	Rank SignedRank
	// SignFlip is the exact two-sided p of the mean log ratio over all sign
	// patterns; NaN for more than 16 pairs. SignTest counts wins only.
	SignFlip, SignTest float64
	LeastP             float64 // the least p that so many pairs can reach: 2/2^n
}

// ComparePairs compares before[i] with after[i]. The values must be positive
// and finite, as many of each, at most 1,000.
func ComparePairs(before, after []float64) (Pairs, error) {
	if len(before) != len(after) || len(before) > maxPairs {
		return Pairs{}, fmt.Errorf("%d values before and %d after: want pairs, at most %d", len(before), len(after), maxPairs)
	}
	b, err := logs(before)
	if err != nil {
		return Pairs{}, fmt.Errorf("before: %w", err)
	}
	d, err := logs(after)
	if err != nil {
		return Pairs{}, fmt.Errorf("after: %w", err)
	}
	p := Pairs{N: len(d), LeastP: math.Min(1, math.Pow(2, 1-float64(len(d))))}
	for i := range d {
		d[i] -= b[i]
		p.Ratios = append(p.Ratios, after[i]/before[i])
		switch {
		case after[i] > before[i]:
			p.Wins++
		case after[i] < before[i]:
			p.Losses++
		default:
			d[i] = 0
		}
	}
	mean, variance := moments(d)
	p.GeoMean = math.Exp(mean)
	if p.N > 1 {
		half := studentQuantile(0.95, float64(p.N-1)) * math.Sqrt(variance/float64(p.N))
		t := Bounds{mean - half, mean + half}.exp()
		p.T = &t
	}
	median, err := Median(slices.Clone(d))
	if err != nil {
		return Pairs{}, err
	}
	p.Median = math.Exp(median)
	if p.Rank, err = SignedRanks(d, P95); err != nil {
		return Pairs{}, err
	}
	p.Rank.Shift = math.Exp(p.Rank.Shift)
	if p.Rank.Bounds != nil {
		ratio := p.Rank.Bounds.exp()
		p.Rank.Bounds = &ratio
	}
	p.SignFlip, p.SignTest = signFlip(d), signTest(p.Wins, p.Losses)
	return p, nil
}

// signFlip returns the share of the 2^n patterns of signs whose sum of
// differences is at least as far from 0 as the one seen (Fisher 1935).
func signFlip(d []float64) float64 {
	if len(d) > maxFlips {
		return math.NaN()
	}
	var sum, size float64
	for _, v := range d {
		sum += v
		size += math.Abs(v)
	}
	far := math.Abs(sum) - 1e-12*size // equal sums may differ in the last digits
	as := 0
	for pattern := range 1 << len(d) {
		var s float64
		for i, v := range d {
			if pattern>>i&1 == 1 {
				v = -v
			}
			s += v
		}
		if math.Abs(s) >= far {
			as++
		}
	}
	return float64(as) / float64(int(1)<<len(d))
}

// signTest returns the two-sided binomial p of so many wins and losses; ties
// have been left out.
func signTest(wins, losses int) float64 {
	n := wins + losses
	if n == 0 {
		return 1
	}
	return math.Min(1, 2*atMost(min(wins, losses), n, P50))
}
