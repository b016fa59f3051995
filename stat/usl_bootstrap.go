package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// USLBootstrap is how far the fit of a sweep can be trusted, by drawing its
// residuals anew.
type USLBootstrap struct {
	USLIntervals // 95 %
	// Peak is the 95 % interval of the model's peak over the draws that have
	// one; nil if none has. NoPeak is the share of draws without one.
	Peak   *Bounds
	NoPeak float64
	// Beyond is the share of draws whose peak lies beyond the largest measured N.
	Beyond float64
}

// Bootstrap draws the relative residuals with replacement, inflated by
// sqrt(n/(n-3)), adds them to the fit and fits again (Efron 1979). It needs at
// least 5 steps. 1,000 draws are usual; r.Block is 1.
func (u USL) Bootstrap(r Resampling) (USLBootstrap, error) {
	if len(u.N) < MinUSLIntervals || r.Draws < 1 || r.Draws > maxDraws || r.Block != 1 {
		return USLBootstrap{}, fmt.Errorf("bootstrap of %d steps with %d draws in blocks of %d: want at least %d steps, 1 to %d draws, blocks of 1",
			len(u.N), r.Draws, r.Block, MinUSLIntervals, maxDraws)
	}
	inflate := math.Sqrt(float64(len(u.N)) / float64(len(u.N)-3))
	relative := make([]float64, len(u.N))
	top := 0.0
	for i, n := range u.N {
		relative[i] = inflate * u.Residuals[i] / u.At(n)
		top = max(top, n)
	}
	var gamma, alpha, beta, peak []float64
	beyond := 0
	rng, x := r.source(), make([]float64, len(u.N))
	for range r.Draws {
		u.draw(rng, x, relative)
		c := descend(u.N, x, linearStart(u.N, x))
		gamma, alpha, beta = append(gamma, c.Gamma), append(alpha, c.Alpha), append(beta, c.Beta)
		if n, _, ok := (USL{Gamma: c.Gamma, Alpha: c.Alpha, Beta: c.Beta}).ModelPeak(); ok {
			peak = append(peak, n)
			if n > top {
				beyond++
			}
		}
	}
	b := USLBootstrap{Beyond: float64(beyond) / float64(r.Draws), NoPeak: 1 - float64(len(peak))/float64(r.Draws)}
	b.Gamma, b.Alpha, b.Beta = middle95(gamma), middle95(alpha), middle95(beta)
	if len(peak) > 0 {
		p := middle95(peak)
		b.Peak = &p
	}
	return b, nil
}

// draw fills x with the fit and residuals drawn anew; a throughput stays
// positive.
func (u USL) draw(rng *rand.Rand, x, relative []float64) {
	for i, n := range u.N {
		x[i] = u.At(n) * max(1e-6, 1+relative[rng.IntN(len(relative))])
	}
}

var (
	p2half  = mustP("0.025")
	p97half = mustP("0.975")
)

// middle95 returns the 2.5 % and 97.5 % points of draws, of which there is one
// at least. It reorders them.
func middle95(draws []float64) Bounds {
	q, err := Quantiles(draws, p2half, p97half)
	if err != nil {
		return Bounds{math.NaN(), math.NaN()}
	}
	return Bounds{q[0], q[1]}
}
