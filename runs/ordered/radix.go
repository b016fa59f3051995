package ordered

import (
	"cmp"
	"math/bits"
	"slices"
)

// Pair is an instant, or another key, and what it belongs to.
type Pair struct{ Key, Value int64 }

const (
	digit    = 11  // bits sorted by at a time
	radixFew = 256 // below this comparing is quicker
)

// sortPairs sorts pairs by key; equal keys stay in their order. It uses tmp, which
// it returns, longer if that was needed. Keys are sorted by the bits in which they
// differ from the least.
func sortPairs(pairs, tmp []Pair) []Pair {
	sorted := true
	low, high := pairs[0].Key, pairs[0].Key
	for i, p := range pairs {
		sorted = sorted && (i == 0 || pairs[i-1].Key <= p.Key)
		low, high = min(low, p.Key), max(high, p.Key)
	}
	if sorted {
		return tmp
	}
	if len(pairs) < radixFew {
		slices.SortStableFunc(pairs, func(a, b Pair) int { return cmp.Compare(a.Key, b.Key) })
		return tmp
	}
	tmp = slices.Grow(tmp[:0], len(pairs))[:len(pairs)]
	from, to := pairs, tmp
	differ := bits.Len64(uint64(high) - uint64(low))
	for shift := 0; shift < differ; shift += digit {
		scatter(from, to, uint64(low), shift)
		from, to = to, from
	}
	if &from[0] != &pairs[0] {
		copy(pairs, from)
	}
	return tmp
}

// scatter is one pass of a radix sort, by the digit that begins at bit shift.
func scatter(from, to []Pair, low uint64, shift int) {
	const mask = 1<<digit - 1
	var next [1 << digit]int32
	for _, p := range from {
		next[(uint64(p.Key)-low)>>shift&mask]++
	}
	sum := int32(0)
	for d, n := range next {
		next[d] = sum
		sum += n
	}
	for _, p := range from {
		d := (uint64(p.Key) - low) >> shift & mask
		to[next[d]] = p
		next[d]++
	}
}
