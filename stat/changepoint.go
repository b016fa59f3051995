package stat

import (
	"fmt"
	"math"
	"slices"
)

// ChangePoint is a place where the level of a series changed. It describes; it
// fails nothing, for under autocorrelation the method finds too many.
type ChangePoint struct {
	At            int     // first index of the new level
	Before, After float64 // means of the segments on both sides
	P             float64 // two-sided Student t between them
}

// Magnitude is the relative change, seen from the smaller mean; 0 if either is
// 0.
func (c ChangePoint) Magnitude() float64 {
	if c.Before == 0 || c.After == 0 {
		return 0
	}
	return max(math.Abs(c.After/c.Before-1), math.Abs(c.Before/c.After-1))
}

// ChangeRule says what counts as a change.
type ChangeRule struct {
	Window       int     // values that are looked at together; windows overlap by half
	MaxP         float64 // greatest p that counts
	MinMagnitude float64 // least relative change that counts, exclusive
}

// PublishedChange is the rule for a run of some sixty 10-second values.
var PublishedChange = ChangeRule{Window: 60, MaxP: 0.001, MinMagnitude: 0.05}

// ChangePoints finds the changes of level in a series, in order (Hunter: Fleming
// et al. 2023; Apache Otava): it splits by E-divisive at ten times the p asked
// for, then drops the weakest change until all that are left satisfy the rule.
// The same series gives the same answer: nothing is drawn. It takes 3 to 4,096
// finite values.
func ChangePoints(series []float64, rule ChangeRule) ([]ChangePoint, error) {
	if err := finite(series); err != nil {
		return nil, err
	}
	if len(series) < 3 || len(series) > maxSeries || rule.Window < 2 || rule.Window > maxSplit || !(rule.MaxP > 0 && rule.MaxP < 1) {
		return nil, fmt.Errorf("change points of %d values by %+v: want 3 to %d values, a window of 2 to %d and a p between 0 and 1", len(series), rule, maxSeries, maxSplit)
	}
	weak := rule.MaxP
	switch {
	case weak < 0.05:
		weak *= 10
	case weak < 0.5:
		weak *= 2
	}
	var at []int
	for from := 0; from < len(series); {
		found := divide(series[from:min(from+rule.Window, len(series))], weak)
		next := from + max(1, rule.Window/2)
		for _, k := range found {
			if k += from; !slices.Contains(at, k) {
				at = append(at, k)
			}
			next = max(next, k)
		}
		from = next
	}
	slices.Sort(at)
	return strongest(series, at, rule), nil
}

// divide splits a window at its best place, as long as that is significant.
func divide(window []float64, maxP float64) []int {
	cuts := []int{0, len(window)}
	for {
		best, segment := Split{Q: math.Inf(-1)}, -1
		for i := range len(cuts) - 1 {
			if part := window[cuts[i]:cuts[i+1]]; len(part) > 1 {
				if s := bestSplit(part); s.Q > best.Q {
					s.At += cuts[i]
					best, segment = s, i
				}
			}
		}
		if segment < 0 || !(compareLevels(window[cuts[segment]:best.At], window[best.At:cuts[segment+1]]).P <= maxP) {
			return cuts[1 : len(cuts)-1]
		}
		cuts = slices.Insert(cuts, segment+1, best.At)
	}
}

// strongest drops the weakest of the cuts until the rule holds for all.
func strongest(series []float64, at []int, rule ChangeRule) []ChangePoint {
	for {
		points := make([]ChangePoint, len(at))
		weakest, faintest := -1, -1
		for i := range at {
			from, to := 0, len(series)
			if i > 0 {
				from = at[i-1]
			}
			if i+1 < len(at) {
				to = at[i+1]
			}
			points[i] = compareLevels(series[from:at[i]], series[at[i]:to])
			points[i].At = at[i]
			if weakest < 0 || points[i].P > points[weakest].P {
				weakest = i
			}
			if faintest < 0 || points[i].Magnitude() < points[faintest].Magnitude() {
				faintest = i
			}
		}
		switch {
		case len(at) == 0:
			return nil
		case points[weakest].P >= rule.MaxP:
			at = slices.Delete(at, weakest, weakest+1)
		case points[faintest].Magnitude() <= rule.MinMagnitude:
			at = slices.Delete(at, faintest, faintest+1)
		default:
			return points
		}
	}
}

// compareLevels compares the means of two segments by Student's t with a pooled
// variance that is built from population deviations, as Otava does. P is 1 where
// fewer than three values leave nothing to judge by.
func compareLevels(left, right []float64) ChangePoint {
	n, m := float64(len(left)), float64(len(right))
	population := func(x []float64) (mean, variance float64) {
		mean, variance = moments(x)
		if len(x) < 2 {
			return mean, 0
		}
		return mean, variance * float64(len(x)-1) / float64(len(x))
	}
	ml, vl := population(left)
	mr, vr := population(right)
	c := ChangePoint{Before: ml, After: mr, P: 1}
	df := n + m - 2
	if df <= 0 || ml == mr {
		return c
	}
	pooled := ((n-1)*vl + (m-1)*vr) / df
	c.P = studentTwoSided((ml-mr)/math.Sqrt(pooled*(1/n+1/m)), df)
	return c
}

// LevelTest returns the p of a cut of a series in two by the test of
// ChangePoints.
func LevelTest(series []float64, at int) (float64, error) {
	if err := finite(series); err != nil {
		return 0, err
	}
	if at < 1 || at >= len(series) {
		return 0, fmt.Errorf("cut at %d of %d values: want one inside", at, len(series))
	}
	return compareLevels(series[:at], series[at:]).P, nil
}
