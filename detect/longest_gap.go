package detect

import "slices"

// LongestGap returns the longest distance between neighbours of ts, in ns, and
// where it begins; 0 and 0 for fewer than two. It sorts ts.
func LongestGap(ts []int64) (longest, at int64) {
	slices.Sort(ts)
	for i := 1; i < len(ts); i++ {
		if d := ts[i] - ts[i-1]; d > longest {
			longest, at = d, ts[i-1]
		}
	}
	return longest, at
}
