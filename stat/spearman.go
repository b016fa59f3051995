package stat

import (
	"fmt"
	"math"
)

// maxPermuted is the most values whose orders are all tried (9! = 362,880).
const maxPermuted = 9

// Spearman returns the rank correlation of x and y, and its two-sided p: over
// all orders of the ranks for up to 9 points, by Student's t with n-2 degrees of
// freedom beyond. It tells whether a figure went with the order of the repeats.
// It needs at least 3 points; ok is false where either has one value only.
func Spearman(x, y []float64) (rho, p float64, ok bool, err error) {
	if err := finite(x, y); err != nil {
		return 0, 0, false, err
	}
	if len(x) != len(y) || len(x) < 3 {
		return 0, 0, false, fmt.Errorf("rank correlation of %d and %d values: want as many of each, at least 3", len(x), len(y))
	}
	rx, ry := centredRanks(x), centredRanks(y)
	sxx, syy, sxy := dot(rx, rx), dot(ry, ry), dot(rx, ry)
	if sxx == 0 || syy == 0 {
		return 0, 0, false, nil
	}
	n := float64(len(x))
	rho = max(-1, min(1, sxy/math.Sqrt(sxx*syy)))
	if len(x) <= maxPermuted {
		return rho, permutationP(rx, ry, sxy), true, nil
	}
	return rho, studentTwoSided(rho*math.Sqrt((n-2)/(1-rho*rho)), n-2), true, nil
}

// centredRanks returns the mid-ranks less their mean, doubled: whole numbers,
// so that sums of products compare exactly.
func centredRanks(x []float64) []float64 {
	r := midRanks(x)
	for i := range r {
		r[i] = 2*r[i] - float64(len(x)+1)
	}
	return r
}

func dot(a, b []float64) float64 {
	var s float64
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// permutationP returns the share of orders of b whose product with a is at
// least as far from 0 as seen (Heap's algorithm). It reorders b.
func permutationP(a, b []float64, seen float64) float64 {
	as, all := 0, 0
	count := func() {
		all++
		if math.Abs(dot(a, b)) >= math.Abs(seen) {
			as++
		}
	}
	count()
	turn := make([]int, len(b))
	for i := 0; i < len(b); {
		if turn[i] >= i {
			turn[i] = 0
			i++
			continue
		}
		j := 0
		if i%2 == 1 {
			j = turn[i]
		}
		b[i], b[j] = b[j], b[i]
		count()
		turn[i]++
		i = 0
	}
	return float64(as) / float64(all)
}
