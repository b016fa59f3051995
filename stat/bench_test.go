package stat_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"headroom/stat"
)

// Selecting the printed quantiles against sorting for them.
func BenchmarkQuantiles(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]int64, 100_000)
	for i := range x {
		x[i] = int64(1e6 * (1 + r.ExpFloat64()))
	}
	y := make([]int64, len(x))
	b.Run("select", func(b *testing.B) {
		for b.Loop() {
			copy(y, x)
			if _, err := stat.Quantiles(y, stat.P50, stat.P90, stat.P95, stat.P99, stat.P999); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sort", func(b *testing.B) {
		for b.Loop() {
			copy(y, x)
			slices.Sort(y)
		}
	})
}
