package stat

import "slices"

// BucketIndex returns the index of the half-open bucket [anchor + k·width,
// anchor + (k+1)·width) that holds t: floor((t - anchor) / width), before the
// anchor as well. Width must be positive.
func BucketIndex(t, anchor, width int64) int64 {
	k, rest := (t-anchor)/width, (t-anchor)%width
	if rest < 0 {
		k--
	}
	return k
}

// InFlight returns how many intervals [start[i], end[i]) hold each instant of
// at. Start and end have one length; no end is before its start.
func InFlight(start, end, at []int64) []int {
	started, ended := slices.Sorted(slices.Values(start)), slices.Sorted(slices.Values(end))
	n := make([]int, len(at))
	for i, t := range at {
		n[i] = upTo(started, t) - upTo(ended, t)
	}
	return n
}

// upTo returns how many of the ascending values are at most t.
func upTo(sorted []int64, t int64) int {
	i, _ := slices.BinarySearchFunc(sorted, t, func(v, t int64) int {
		if v <= t {
			return -1
		}
		return 1
	})
	return i
}
