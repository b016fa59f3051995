package stat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Bounds is an interval of values, both ends included. A nil *Bounds means that
// the sample gives none.
type Bounds struct{ Lo, Hi float64 }

// Holds reports whether v lies within the bounds.
func (b Bounds) Holds(v float64) bool { return b.Lo <= v && v <= b.Hi }

func (b Bounds) exp() Bounds { return Bounds{math.Exp(b.Lo), math.Exp(b.Hi)} }

// finite refuses samples that are empty or hold what is not a finite number.
func finite(samples ...[]float64) error {
	for _, x := range samples {
		if len(x) == 0 {
			return ErrNoSamples
		}
		for i, v := range x {
			switch {
			case isNaN(v):
				return ErrNaN
			case math.IsInf(v, 0):
				return fmt.Errorf("value %d of %d is infinite: want finite numbers", i+1, len(x))
			}
		}
	}
	return nil
}

// logs returns the logarithms of x, which must be positive and finite.
func logs(x []float64) ([]float64, error) {
	if err := finite(x); err != nil {
		return nil, err
	}
	out := make([]float64, len(x))
	for i, v := range x {
		if v <= 0 {
			return nil, fmt.Errorf("value %v is not positive: a ratio needs positive values", v)
		}
		out[i] = math.Log(v)
	}
	return out, nil
}

// moments returns the mean and the unbiased variance of x; the variance of one
// value is NaN. Two passes, so that nothing cancels.
func moments(x []float64) (mean, variance float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	var squares float64
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return mean, squares / float64(len(x)-1)
}

// studentTwoSided returns P(|T| ≥ |t|) of Student's t with df degrees of
// freedom, as an incomplete beta function: tails keep their relative accuracy.
func studentTwoSided(t, df float64) float64 {
	if math.IsInf(t, 0) {
		return 0
	}
	return mathext.RegIncBeta(df/2, 0.5, df/(df+t*t))
}

// studentAbove returns P(T ≥ t).
func studentAbove(t, df float64) float64 {
	half := studentTwoSided(t, df) / 2
	if t < 0 {
		return 1 - half
	}
	return half
}

// studentQuantile returns the t with P(|T| ≤ t) = conf, 0 < conf < 1.
func studentQuantile(conf, df float64) float64 {
	x := mathext.InvRegIncBeta(df/2, 0.5, 1-conf)
	return math.Sqrt(df * (1 - x) / x)
}

// normalTwoSided returns P(|Z| ≥ |z|) of the standard normal distribution.
func normalTwoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// normalQuantile returns the z with P(|Z| ≤ z) = conf.
func normalQuantile(conf float64) float64 { return math.Sqrt2 * math.Erfinv(conf) }
