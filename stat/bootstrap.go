package stat

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// maxDraws bounds the draws of a bootstrap.
const maxDraws = 100_000

// Resampling says how a bootstrap was drawn; it is printed with the result,
// which it makes repeatable.
type Resampling struct {
	Draws int    // 1 to 100,000
	Seed  uint64 // from the run's identity, never from a clock
	Block int    // values that are drawn together; 1 if they are independent
}

func (r Resampling) source() *rand.Rand { return rand.New(rand.NewPCG(r.Seed, uint64(r.Draws))) }

// MedianRatio is the ratio of the median of the last third of a series to that
// of the first.
type MedianRatio struct {
	Ratio float64
	// Lower and Upper are the 5 % and 95 % points of the bootstrap: one-sided
	// bounds at 95 %.
	Lower, Upper float64
	// P is the share of draws in which the last third is not above the first,
	// (1+c)/(draws+1): never 0.
	P float64
}

// RatioOfMedians compares the last third of a series (10-second p99s) with the
// first by a moving-block bootstrap (Künsch 1989): blocks of neighbouring
// values are drawn with replacement within each third, so that the correlation
// of neighbours stays. A third must hold at least two blocks, and all values be
// positive. Thirds are of the count, the middle one taking the remainder.
//
// Under the correlation found within runs the lower bound exceeds 1 in a tenth
// to a sixth of runs without drift (measured): it never fails a run alone.
func RatioOfMedians(series []float64, r Resampling) (MedianRatio, error) {
	n := len(series) / 3
	if r.Block < 1 || n < 2*r.Block || r.Draws < 1 || r.Draws > maxDraws {
		return MedianRatio{}, fmt.Errorf("bootstrap of thirds of %d values in blocks of %d, %d draws: want two blocks in a third, and 1 to %d draws", n, r.Block, r.Draws, maxDraws)
	}
	if _, err := logs(series); err != nil {
		return MedianRatio{}, err
	}
	first, last := series[:n], series[len(series)-n:]
	median := func(x []float64) float64 { // positive, so never an error
		m, _ := Median(x)
		return m
	}
	m := MedianRatio{Ratio: median(slices.Clone(last)) / median(slices.Clone(first))}
	rng := r.source()
	ratios := make([]float64, r.Draws)
	a, b := make([]float64, n), make([]float64, n)
	below := 0
	for i := range ratios {
		drawBlocks(rng, a, first, r.Block)
		drawBlocks(rng, b, last, r.Block)
		ratios[i] = median(b) / median(a)
		if ratios[i] <= 1 {
			below++
		}
	}
	q, err := Quantiles(ratios, p5, P95)
	if err != nil {
		return MedianRatio{}, err
	}
	m.Lower, m.Upper = q[0], q[1]
	m.P = float64(1+below) / float64(1+r.Draws)
	return m, nil
}

var p5 = mustP("0.05")

// drawBlocks fills to with blocks of from, the last one cut.
func drawBlocks(rng *rand.Rand, to, from []float64, block int) {
	for k := 0; k < len(to); k += block {
		at := rng.IntN(len(from) - block + 1)
		copy(to[k:], from[at:at+block])
	}
}
