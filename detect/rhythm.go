package detect

import (
	"math"
	"math/rand/v2"
	"slices"

	"headroom/stat"
)

// Rhythm is the answer to: do these events recur at regular gaps?
type Rhythm struct {
	Events    int
	MedianGap float64    // s; NaN with fewer than two events
	Quartiles [2]float64 // s, of the gaps
	Greenwood float64    // sum of g² over (sum of g)²: small is regular
	OnBeat    float64    // share of gaps within a quarter beat of 1, 2 or 3 beats, a beat being the median gap
	PGreen    float64    // p value of Greenwood; 1 when not tested
	PBeat     float64    // p value of OnBeat; 1 when not tested
	Tested    bool       // false: fewer than six events
	Rhythmic  bool
}

// The rhythm test's constants (DETECTION 4.3).
const (
	rhythmEvents = 6     // fewest events that are tested
	rhythmDraws  = 9999  // of the null, so that the smallest p is 0.0001
	rhythmAlpha  = 0.005 // each of two statistics, 1 % in all
)

var quarter, threeQuarters = probability("0.25"), probability("0.75")

// TestRhythm compares the gaps between onsets (seconds, ascending) with random
// placement of as many gaps of the same total, each at least as long as the
// dead time (events cannot overlap) or the least gap, whichever is less:
// gaps = d + Dirichlet(1, …, 1)·(span − N·d). The statistics are Greenwood's
// (1946, J. R. Stat. Soc. 109:85) and the share on the beat; the draws come
// from a fixed seed, so that the same events give the same p.
func TestRhythm(onsets []float64, deadTime float64) Rhythm {
	r := Rhythm{Events: len(onsets), MedianGap: math.NaN(), Quartiles: [2]float64{math.NaN(), math.NaN()}, PGreen: 1, PBeat: 1}
	if len(onsets) < 2 {
		return r
	}
	gaps := make([]float64, len(onsets)-1)
	total, least := 0.0, math.Inf(1)
	for i := range gaps {
		gaps[i] = onsets[i+1] - onsets[i]
		total += gaps[i]
		least = min(least, gaps[i])
	}
	sorted := slices.Clone(gaps)
	slices.Sort(sorted)
	r.MedianGap = r7(sorted, stat.P50)
	r.Quartiles = [2]float64{r7(sorted, quarter), r7(sorted, threeQuarters)}
	r.Greenwood, r.OnBeat = greenwood(gaps), onBeat(gaps, r.MedianGap)
	if len(onsets) < rhythmEvents || total <= 0 {
		return r
	}
	r.Tested = true
	r.PGreen, r.PBeat = null(len(gaps), total, min(deadTime, least), r.Greenwood, r.OnBeat)
	r.Rhythmic = r.PGreen <= rhythmAlpha || r.PBeat <= rhythmAlpha
	return r
}

// null draws n gaps of the total many times and returns the shares, (1+c)/(M+1),
// at least as regular as the observed statistics.
func null(n int, total, dead, green, beat float64) (pGreen, pBeat float64) {
	rnd := rand.New(rand.NewPCG(uint64(n), 0x68656164726f6f6d))
	gaps, scratch := make([]float64, n), make([]float64, n)
	free := total - float64(n)*dead
	cGreen, cBeat := 0, 0
	for range rhythmDraws {
		sum := 0.0
		for i := range gaps {
			gaps[i] = rnd.ExpFloat64()
			sum += gaps[i]
		}
		for i := range gaps {
			gaps[i] = dead + gaps[i]/sum*free
		}
		if greenwood(gaps) <= green {
			cGreen++
		}
		copy(scratch, gaps)
		slices.Sort(scratch)
		if onBeat(gaps, r7(scratch, stat.P50)) >= beat {
			cBeat++
		}
	}
	return float64(1+cGreen) / (rhythmDraws + 1), float64(1+cBeat) / (rhythmDraws + 1)
}

func greenwood(gaps []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, g := range gaps {
		sum += g
		squares += g * g
	}
	return squares / (sum * sum)
}

func onBeat(gaps []float64, beat float64) float64 {
	on := 0
	for _, g := range gaps {
		for k := 1.0; k <= 3; k++ {
			if math.Abs(g/beat-k) <= 0.25 {
				on++
				break
			}
		}
	}
	return float64(on) / float64(len(gaps))
}

// r7 is the R-7 quantile of sorted, finite, non-empty values.
func r7(sorted []float64, p stat.P) float64 {
	v, err := stat.QuantileR7(sorted, p)
	if err != nil {
		return math.NaN()
	}
	return v
}

// probability reads a constant of this package.
func probability(text string) stat.P {
	p, err := stat.ParseP(text)
	if err != nil {
		panic(err)
	}
	return p
}
