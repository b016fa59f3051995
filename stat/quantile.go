package stat

import "math/bits"

// Number is a type whose values can be ranked.
type Number interface{ ~int | ~int64 | ~float64 }

// Method names a definition of the sample quantile, with its version. A figure
// that is a quantile carries the name.
type Method string

// The methods. NearestRank is headroom's own; the others are for comparison
// with tools that interpolate.
const (
	// NearestRank is x(k), k = max(1, ceil(p·n)): type 1 of Hyndman & Fan, the
	// inverse of the empirical distribution function; DuckDB's quantile_disc.
	NearestRank Method = "nearest-rank@1"
	// R7 is linear at position (n-1)·p from the first value: type 7; k6,
	// NumPy, spreadsheets, DuckDB's quantile_cont.
	R7 Method = "R-7@1"
	// R6 is linear at position (n+1)·p, held within the sample: type 6;
	// commons-math LEGACY and so the JMeter report.
	R6 Method = "R-6@1"
)

// Quantile returns the nearest-rank p-quantile of sorted, which must be
// ascending (as slices.Sort leaves it, NaN first).
func Quantile[T Number](sorted []T, p P) (T, error) {
	if err := checkSorted(sorted); err != nil {
		return 0, err
	}
	return sorted[Rank(p, len(sorted))-1], nil
}

// QuantileR7 returns the p-quantile of sorted by R-7.
func QuantileR7[T Number](sorted []T, p P) (float64, error) {
	if err := checkSorted(sorted); err != nil {
		return 0, err
	}
	return interpolate(sorted, p, len(sorted)-1, 0), nil
}

// QuantileR6 returns the p-quantile of sorted by R-6.
func QuantileR6[T Number](sorted []T, p P) (float64, error) {
	if err := checkSorted(sorted); err != nil {
		return 0, err
	}
	return interpolate(sorted, p, len(sorted)+1, -1), nil
}

// interpolate returns the value at position p·span + offset from the first,
// linear between neighbours and held within the sample. The position is split
// into whole and fraction with integers, so that only the last step rounds.
func interpolate[T Number](sorted []T, p P, span, offset int) float64 {
	hi, lo := bits.Mul64(p.num, uint64(span))
	whole, rest := bits.Div64(hi, lo, p.den())
	i := int(whole) + offset
	switch {
	case i < 0:
		return float64(sorted[0])
	case i >= len(sorted)-1:
		return float64(sorted[len(sorted)-1])
	}
	below, above := float64(sorted[i]), float64(sorted[i+1])
	if rest == 0 {
		return below // whatever lies above, infinity included
	}
	return below + (above-below)*float64(rest)/float64(p.den())
}

// checkSorted refuses what has no quantile. In ascending order NaN comes first,
// so one look is enough.
func checkSorted[T Number](sorted []T) error {
	if len(sorted) == 0 {
		return ErrNoSamples
	}
	if isNaN(sorted[0]) {
		return ErrNaN
	}
	return nil
}

func isNaN[T Number](x T) bool { return x != x }
