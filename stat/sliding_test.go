package stat_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"headroom/stat"
)

// However values come and go, a window finds what sorting it puts at a rank.
func TestSlidingEqualsSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]*rapid.Generator[int64]{
			rapid.Int64Range(0, 3), rapid.Int64Range(5_000_000, 5_400_000), rapid.Int64Range(0, 1<<62),
		}).Draw(t, "kind")
		s := stat.NewSliding()
		var held []int64
		for range rapid.IntRange(1, 400).Draw(t, "steps") {
			if len(held) > 0 && rapid.IntRange(0, 2).Draw(t, "pop") == 0 {
				s.Pop()
				held = held[1:]
			} else {
				v := value.Draw(t, "v")
				s.Push(v)
				held = append(held, v)
			}
			if len(held) == 0 || rapid.Bool().Draw(t, "not asked") {
				continue
			}
			rank := rapid.IntRange(1, len(held)).Draw(t, "rank")
			if want := slices.Sorted(slices.Values(held))[rank-1]; s.At(rank) != want || s.Len() != len(held) {
				t.Fatalf("rank %d of %v is %d, want %d", rank, held, s.At(rank), want)
			}
		}
	})
}
