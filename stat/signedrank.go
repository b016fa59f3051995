package stat

import (
	"fmt"
	"math"
	"slices"
)

// SignedRank is Wilcoxon's analysis of differences that are symmetric about
// their median under the hypothesis (Wilcoxon 1945; Hodges & Lehmann 1963).
type SignedRank struct {
	// Shift is the Hodges-Lehmann estimate: the median of the Walsh averages
	// (d_i + d_j)/2, i ≤ j.
	Shift float64
	// Bounds is the distribution-free interval of the shift, [W(k), W(N+1-k)]
	// of the N sorted Walsh averages; nil if there are too few differences.
	Bounds   *Bounds
	Coverage float64 // of the bounds; at least the confidence asked for
	// P is two-sided and exact, over the ranks as they are: ties have mid-ranks,
	// differences of 0 are left out.
	P float64
}

// SignedRanks analyses 1 to 1,000 finite differences at the confidence conf.
func SignedRanks(d []float64, conf P) (SignedRank, error) {
	if err := finite(d); err != nil {
		return SignedRank{}, err
	}
	if len(d) > maxPairs || !inside(conf) {
		return SignedRank{}, fmt.Errorf("%d differences at confidence %v: want at most %d, and a confidence strictly between 0 and 1", len(d), conf, maxPairs)
	}
	walsh := make([]float64, 0, len(d)*(len(d)+1)/2)
	for i := range d {
		for j := i; j < len(d); j++ {
			walsh = append(walsh, d[i]/2+d[j]/2)
		}
	}
	slices.Sort(walsh)
	n := len(walsh)
	s := SignedRank{Shift: walsh[(n-1)/2]/2 + walsh[n/2]/2, P: signedRankP(d)}

	untied := make([]int, len(d))
	for i := range untied {
		untied[i] = i + 1
	}
	tail := conf.complement().Float() / 2 * slack
	k, below, sum := 0, 0.0, 0.0 // below is P(V ≤ k-1)
	for _, p := range subsetSums(untied) {
		if sum += p; sum > tail {
			break
		}
		k, below = k+1, sum
	}
	if k > 0 {
		s.Bounds = &Bounds{walsh[k-1], walsh[n-k]}
		s.Coverage = 1 - 2*below
	}
	return s, nil
}

// signedRankP returns the two-sided p of the sum of the ranks of positive
// differences.
func signedRankP(d []float64) float64 {
	var size []float64
	var positive []bool
	for _, v := range d {
		if v != 0 {
			size, positive = append(size, math.Abs(v)), append(positive, v > 0)
		}
	}
	doubled := make([]int, len(size)) // mid-ranks are halves: count in halves
	plus, minus := 0, 0
	for i, r := range midRanks(size) {
		doubled[i] = int(2 * r)
		if positive[i] {
			plus += doubled[i]
		} else {
			minus += doubled[i]
		}
	}
	p := 0.0
	for _, q := range subsetSums(doubled)[:min(plus, minus)+1] {
		p += q
	}
	return math.Min(1, 2*p)
}

// subsetSums returns the probability of each sum of the weights, each of which
// is in or out with probability 1/2.
func subsetSums(weights []int) []float64 {
	total := 0
	for _, w := range weights {
		total += w
	}
	p := make([]float64, total+1)
	p[0] = 1
	top := 0
	for _, w := range weights {
		top += w
		for s := top; s >= 0; s-- {
			v := p[s] / 2
			if s >= w {
				v += p[s-w] / 2
			}
			p[s] = v
		}
	}
	return p
}

// midRanks returns the rank of each value from 1, ties sharing the mean of
// theirs.
func midRanks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	ranks := make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			ranks[k] = float64(i+1+j) / 2
		}
		i = j
	}
	return ranks
}

// tieSizes returns how many values share each value that occurs more than once.
func tieSizes(x []float64) []float64 {
	sorted := slices.Sorted(slices.Values(x))
	var sizes []float64
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		if j-i > 1 {
			sizes = append(sizes, float64(j-i))
		}
		i = j
	}
	return sizes
}
