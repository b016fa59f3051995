package stat

import (
	"slices"
	"testing"
)

// When the pivots keep failing the rest is sorted: right, and not quadratic.
func TestSelectWithoutDepth(t *testing.T) {
	x := make([]int64, 5000)
	for i := range x {
		x[i] = int64(i*7919) % 5003
	}
	want := slices.Sorted(slices.Values(x))
	for depth := range 3 {
		y := slices.Clone(x)
		selectRanks(y, 0, []int{1, 2500, 4999}, depth)
		for _, r := range []int{1, 2500, 4999} {
			if y[r-1] != want[r-1] {
				t.Errorf("depth %d, rank %d: %d, want %d", depth, r, y[r-1], want[r-1])
			}
		}
	}
}
