package stat

import (
	"slices"
	"testing"
)

// Each rank alone, so that no other rank's work hides a mistake at the edge of a
// part, and with its mirror in falling order.
func TestSelectEachRank(t *testing.T) {
	x := make([]int64, 300)
	for i := range x {
		x[i] = int64(i*i*7919) % 211 // with repeats
	}
	want := slices.Sorted(slices.Values(x))
	for r := 1; r <= len(x); r++ {
		for _, ranks := range [][]int{{r}, {max(r, 301-r), min(r, 301-r)}} {
			y := slices.Clone(x)
			if err := Select(y, ranks...); err != nil {
				t.Fatal(err)
			}
			for _, k := range ranks {
				if y[k-1] != want[k-1] {
					t.Fatalf("of ranks %v, %d is %d, want %d", ranks, k, y[k-1], want[k-1])
				}
			}
		}
	}
}

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
		if depth == 0 && !slices.IsSorted(y) {
			t.Error("depth 0 went on selecting")
		}
		for _, r := range []int{1, 2500, 4999} {
			if y[r-1] != want[r-1] {
				t.Errorf("depth %d, rank %d: %d, want %d", depth, r, y[r-1], want[r-1])
			}
		}
	}
}
