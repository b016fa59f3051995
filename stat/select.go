package stat

import (
	"fmt"
	"math/bits"
	"slices"
)

// Quantiles returns the nearest-rank quantiles of x for each p, in the order
// asked. It reorders x, copies nothing and does not sort it: the cost is linear
// for a few quantiles.
func Quantiles[T Number](x []T, ps ...P) ([]T, error) {
	ranks := make([]int, len(ps))
	for i, p := range ps {
		ranks[i] = Rank(p, len(x))
	}
	q := make([]T, len(ps))
	if ints, ok := any(x).([]int64); ok && len(x) >= manyInts && ranksOfMany(ints, ranks, any(q).([]int64)) {
		return q, nil
	}
	if err := Select(x, ranks...); err != nil {
		return nil, err
	}
	for i, r := range ranks {
		q[i] = x[r-1]
	}
	return q, nil
}

// Select reorders x so that for each rank r (1-based, in any order) x[r-1] is
// what sorting would have put there, all before it no greater and all after it
// no less. The same x gives the same order on every call.
func Select[T Number](x []T, ranks ...int) error {
	if len(x) == 0 {
		return ErrNoSamples
	}
	if slices.ContainsFunc(x, isNaN[T]) {
		return ErrNaN
	}
	for _, r := range ranks {
		if r < 1 || r > len(x) {
			return fmt.Errorf("rank %d of %d values: want 1 to %d", r, len(x), len(x))
		}
	}
	sorted := slices.Clone(ranks)
	slices.Sort(sorted)
	selectRanks(x, 0, sorted, 2*bits.Len(uint(len(x))))
	return nil
}

// smallEnough is the length below which sorting is quicker than selecting.
const smallEnough = 32

// selectRanks is quickselect for several ascending ranks at once. x begins
// offset values into the whole; depth bounds the number of bad pivots before
// the rest is sorted (introselect), so that no input is quadratic.
func selectRanks[T Number](x []T, offset int, ranks []int, depth int) {
	for len(ranks) > 0 {
		if len(x) <= smallEnough || depth == 0 {
			slices.Sort(x)
			return
		}
		depth--
		lt, gt := partition(x, pivot(x))
		// Ranks that fall on the pivot's own values are done.
		left, _ := slices.BinarySearch(ranks, offset+lt+1)
		right, _ := slices.BinarySearch(ranks, offset+gt+1)
		selectRanks(x[:lt], offset, ranks[:left], depth)
		x, offset, ranks = x[gt:], offset+gt, ranks[right:]
	}
}

// pivot returns the median of three medians of three, spread over x.
func pivot[T Number](x []T) T {
	step := len(x) / 9
	at := func(i int) T { return median3(x[i*step], x[(i+1)*step], x[(i+2)*step]) }
	return median3(at(0), at(3), at(6))
}

func median3[T Number](a, b, c T) T { return max(min(a, b), min(max(a, b), c)) }

// partition reorders x into values below v, equal to v and above v, and returns
// where the second and the third part begin. Equal values stay together, since
// latencies repeat.
func partition[T Number](x []T, v T) (lt, gt int) {
	i, gt := 0, len(x)
	for i < gt {
		switch {
		case x[i] < v:
			x[lt], x[i] = x[i], x[lt]
			lt++
			i++
		case x[i] > v:
			gt--
			x[gt], x[i] = x[i], x[gt]
		default:
			i++
		}
	}
	return lt, gt
}
