package stat

import (
	"math"
	"slices"
)

// Holm returns the p values of one family adjusted for there being several
// (Holm 1979): reject where the adjusted value is at most alpha, and the chance
// of any false rejection stays below alpha. The order is kept. A NaN (a test
// that could not be made) stays NaN and does not count.
func Holm(p []float64) []float64 {
	var order []int
	adjusted := make([]float64, len(p))
	for i, v := range p {
		adjusted[i] = v
		if !isNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	least := 0.0
	for k, i := range order {
		least = math.Max(least, math.Min(1, p[i]*float64(len(order)-k)))
		adjusted[i] = least
	}
	return adjusted
}
