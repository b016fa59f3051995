package stat

import (
	"fmt"
)

// Thirds is a latency quantile in each third of a window: the statistic of
// drift.
type Thirds struct {
	N        [3]int   // samples
	Quantile [3]int64 // nearest rank, in the unit of the latencies
}

// SplitThirds returns the p-quantile of the latencies in each third of the
// window that begins at from and lasts length, by start. Thirds are of the
// duration, not of the count: a start at exactly 1/3 belongs to the second, one
// at the end or past it to the last. Start and latency have one length; starts
// and window share a unit. A start before the window, or a third without
// samples, is an error.
func SplitThirds(start, latency []int64, from, length int64, p P) (Thirds, error) {
	if length <= 0 || len(start) != len(latency) {
		return Thirds{}, fmt.Errorf("thirds of a window of length %d over %d starts and %d latencies: want a positive length and as many of each",
			length, len(start), len(latency))
	}
	var part [3][]int64
	for i, s := range start {
		k, err := thirdAt(s, from, length)
		if err != nil {
			return Thirds{}, err
		}
		part[k] = append(part[k], latency[i])
	}
	var t Thirds
	for k, x := range part {
		q, err := Quantiles(x, p)
		if err != nil {
			return Thirds{}, fmt.Errorf("third %d of 3: %w", k+1, err)
		}
		t.N[k], t.Quantile[k] = len(x), q[0]
	}
	return t, nil
}

// thirdAt returns the third of the window that a start belongs to.
func thirdAt(start, from, length int64) (int, error) {
	if start < from {
		return 0, fmt.Errorf("start %d lies before the window, which begins at %d", start, from)
	}
	return thirdOf(uint64(start)-uint64(from), uint64(length)), nil
}

// thirdOf returns min(2, floor(3·t/length)), in integers: 3·t is at least k·length
// if t is at least k·length/3, rounded up.
func thirdOf(t, length uint64) int {
	switch {
	case t >= (2*length+2)/3:
		return 2
	case t >= (length+2)/3:
		return 1
	}
	return 0
}

// Ratio returns the quantile of the last third over that of the first. ok is
// false if the first is not positive: there is nothing to compare with.
func (t Thirds) Ratio() (ratio float64, ok bool) {
	if t.Quantile[0] <= 0 {
		return 0, false
	}
	return float64(t.Quantile[2]) / float64(t.Quantile[0]), true
}

// Side says on which side of a band a ratio lies.
type Side int

// The sides of a band.
const (
	Below  Side = -1
	Within Side = 0 // a bound itself is within
	Above  Side = 1
)

// Side compares the ratio of the thirds with the band [1/limit, limit], limit
// at least 1: Above if the last third exceeds limit times the first, Below if
// the first exceeds limit times the last. A ratio exactly at a bound is within:
// both the quotient and the limit are then the float64 nearest to one number.
// ok is false as in Ratio.
func (t Thirds) Side(limit float64) (side Side, ok bool) {
	ratio, ok := t.Ratio()
	switch {
	case !ok:
		return Within, false
	case ratio > limit:
		return Above, true
	case float64(t.Quantile[0])/float64(t.Quantile[2]) > limit: // +Inf if the last is 0
		return Below, true
	}
	return Within, true
}
