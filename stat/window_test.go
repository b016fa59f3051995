package stat_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

func TestBucketIndex(t *testing.T) {
	for _, c := range []struct{ t, anchor, width, want int64 }{
		{0, 0, 10, 0}, {9, 0, 10, 0}, {10, 0, 10, 1}, {-1, 0, 10, -1}, {-10, 0, 10, -1}, {-11, 0, 10, -2}, {5, 7, 10, -1}, {17, 7, 10, 1},
	} {
		if got := stat.BucketIndex(c.t, c.anchor, c.width); got != c.want {
			t.Errorf("BucketIndex(%d, %d, %d) = %d, want %d", c.t, c.anchor, c.width, got, c.want)
		}
	}
}

func TestBucketIndexProperty(t *testing.T) {
	wide := rapid.Int64Range(-1<<40, 1<<40)
	rapid.Check(t, func(t *rapid.T) {
		at, anchor, width := wide.Draw(t, "t"), wide.Draw(t, "anchor"), rapid.Int64Range(1, 1<<30).Draw(t, "width")
		k := stat.BucketIndex(at, anchor, width)
		if begin := anchor + k*width; at < begin || at >= begin+width {
			t.Fatalf("%d is not in bucket %d, [%d, %d)", at, k, begin, begin+width)
		}
	})
}

func TestInFlightProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.SliceOfN(rapid.Int64Range(0, 50), 0, 40).Draw(t, "start")
		end := make([]int64, len(start))
		for i, s := range start {
			end[i] = s + rapid.Int64Range(0, 20).Draw(t, "length")
		}
		at := []int64{-1, 0, 10, 25, 50, 80}
		want := make([]int, len(at))
		for k, instant := range at {
			for i := range start {
				if start[i] <= instant && instant < end[i] {
					want[k]++
				}
			}
		}
		if got := stat.InFlight(start, end, at); !slices.Equal(got, want) {
			t.Fatalf("in flight %v, want %v", got, want)
		}
	})
}
