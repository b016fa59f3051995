package analyze

import (
	"fmt"
	"math"
)

// Gap is how much slower one arm was than another.
type Gap struct {
	Slower, Faster float64 // events/s
	// ForeignSlower and ForeignFaster are the foreign CPU that each arm's host
	// carried, in any unit they share; nil if not recorded.
	ForeignSlower, ForeignFaster *float64
}

// Share returns the part of the faster arm's throughput that the slower lacks.
func (g Gap) Share() float64 { return (g.Faster - g.Slower) / g.Faster }

// AtLeast reports whether the observed gap bounds the true one from below: the
// premise is that foreign load only slows the product, so the faster arm must
// have carried at least as much of it (DETECTION 7.5). why says why not.
func (g Gap) AtLeast() (ok bool, why string) {
	switch {
	case g.ForeignSlower == nil || g.ForeignFaster == nil:
		return false, "the contention of both arms was not recorded"
	case *g.ForeignFaster < *g.ForeignSlower:
		return false, "the faster arm had the quieter host"
	}
	return true, ""
}

// Claim states the gap: a lower bound in whole percent, rounded down, or that
// the arms are not comparable.
func (g Gap) Claim() string {
	if ok, _ := g.AtLeast(); !ok {
		return "not comparable"
	}
	return fmt.Sprintf("at least %.0f %%", math.Floor(g.Share()*100*(1+1e-12)))
}

// LeastAttainableP is the least two-sided p value that n pairs can reach in a
// sign-flip test: all of them in one direction, 2/2^n.
func LeastAttainableP(n int) float64 { return math.Min(1, 2/math.Pow(2, float64(n))) }

// fewestPairs is how many pairs a two-sided test at 5 % needs.
const fewestPairs = 6
