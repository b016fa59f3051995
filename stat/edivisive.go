package stat

import (
	"fmt"
	"math"
)

// maxSplit bounds the series that one E-divisive split looks at; its memory
// grows with the square.
const maxSplit = 1024

// Split is the best place to cut a series in two.
type Split struct {
	At int // first index of the new segment
	// To is where the comparison ended: the right side may stop early, so that a
	// level that returns does not hide its beginning.
	To int
	Q  float64 // the divergence of the two sides
}

// BestSplit returns the cut (tau, kappa) with the greatest energy divergence
// Q between series[:tau] and series[tau:kappa] (Matteson & James 2014, alpha =
// 1); the first of equals. It takes 2 to 1,024 finite values.
func BestSplit(series []float64) (Split, error) {
	if err := finite(series); err != nil {
		return Split{}, err
	}
	if len(series) < 2 || len(series) > maxSplit {
		return Split{}, fmt.Errorf("split of %d values: want 2 to %d", len(series), maxSplit)
	}
	return bestSplit(series), nil
}

func bestSplit(z []float64) Split {
	n := len(z)
	// upTo[k][i] is the sum of the distances of z[k] to z[0..i-1].
	upTo := make([][]float64, n)
	for k := range upTo {
		upTo[k] = make([]float64, n+1)
		for i, v := range z {
			upTo[k][i+1] = upTo[k][i] + math.Abs(z[k]-v)
		}
	}
	best := Split{Q: math.Inf(-1)}
	var left float64 // distances within z[:tau]
	for tau := 1; tau < n; tau++ {
		left += upTo[tau-1][tau-1]
		var across, right float64 // between the sides; within z[tau:kappa]
		for kappa := tau + 1; kappa <= n; kappa++ {
			last := upTo[kappa-1]
			across += last[tau]
			right += last[kappa-1] - last[tau]
			if q := divergence(across, left, right, float64(tau), float64(kappa-tau)); q > best.Q {
				best = Split{At: tau, To: kappa, Q: q}
			}
		}
	}
	return best
}

// divergence is the scaled energy statistic from the sums of distances between
// and within the sides of n and m values.
func divergence(across, left, right, n, m float64) float64 {
	q := 2 * across / (n + m)
	if n > 1 {
		q -= 2 * m * left / ((n + m) * (n - 1))
	}
	if m > 1 {
		q -= 2 * n * right / ((n + m) * (m - 1))
	}
	return q
}
