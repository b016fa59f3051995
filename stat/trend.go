package stat

import (
	"fmt"
	"math"
	"slices"
)

// maxSeries bounds statistics over all pairs of a series.
const maxSeries = 4096

// Trend is a monotone trend of a series of equal steps: the Mann-Kendall test
// (Mann 1945, Kendall 1975) and the Theil-Sen line.
type Trend struct {
	N int
	// S is the number of pairs that rise less those that fall; Var its variance
	// under no trend, corrected for ties.
	S      int
	Var    float64
	Z, P   float64 // with correction for continuity; P is two-sided
	Factor float64 // inflation of Var by autocorrelation (Hamed & Rao 1998), at least 1
	// ZCorrected and PCorrected use Var times Factor: for values taken from
	// within one run use these.
	ZCorrected, PCorrected float64
	Line                   TheilSen // over x = 0, 1, ... n-1
}

// FindTrend tests a series of 3 to 4,096 finite values.
func FindTrend(y []float64) (Trend, error) {
	if err := finite(y); err != nil {
		return Trend{}, err
	}
	if len(y) < 3 || len(y) > maxSeries {
		return Trend{}, fmt.Errorf("trend of %d values: want 3 to %d", len(y), maxSeries)
	}
	x := make([]float64, len(y))
	for i := range x {
		x[i] = float64(i)
	}
	line, err := FitTheilSen(x, y, P95)
	if err != nil {
		return Trend{}, err
	}
	t := Trend{N: len(y), Line: line, Var: kendallVar(y)}
	for i := range y {
		for j := i + 1; j < len(y); j++ {
			switch {
			case y[j] > y[i]:
				t.S++
			case y[j] < y[i]:
				t.S--
			}
		}
	}
	t.Factor = hamedRao(y, line.Slope)
	t.Z, t.P = kendallZ(t.S, t.Var)
	t.ZCorrected, t.PCorrected = kendallZ(t.S, t.Var*t.Factor)
	return t, nil
}

// kendallVar returns the variance of Kendall's S for values with ties.
func kendallVar(y []float64) float64 {
	term := func(n float64) float64 { return n * (n - 1) * (2*n + 5) }
	v := term(float64(len(y)))
	for _, t := range tieSizes(y) {
		v -= term(t)
	}
	return v / 18
}

func kendallZ(s int, variance float64) (z, p float64) {
	if s == 0 || variance <= 0 {
		return 0, 1
	}
	z = float64(s)
	z -= math.Copysign(1, z)
	z /= math.Sqrt(variance)
	return z, normalTwoSided(z)
}

// hamedRao returns by how much autocorrelation inflates the variance of S: over
// the ranks of the series without its trend, lags 1 to n/4, and only those that
// are significant at 5 %.
func hamedRao(y []float64, slope float64) float64 {
	detrended := make([]float64, len(y))
	for i, v := range y {
		detrended[i] = v - slope*float64(i)
	}
	r := midRanks(detrended)
	n := float64(len(r))
	mean, _ := moments(r)
	var all float64
	for i := range r {
		r[i] -= mean
		all += r[i] * r[i]
	}
	if all == 0 {
		return 1
	}
	sum, limit := 0.0, normalQuantile(0.95)/math.Sqrt(n)
	for k := 1; k <= len(r)/4; k++ {
		var c float64
		for i := k; i < len(r); i++ {
			c += r[i] * r[i-k]
		}
		if rho, m := c/all, n-float64(k); math.Abs(rho) > limit {
			sum += m * (m - 1) * (m - 2) * rho
		}
	}
	return math.Max(1, 1+2*sum/(n*(n-1)*(n-2)))
}

// TheilSen is a line through points that outliers do not move: the median of
// the slopes between all pairs (Theil 1950, Sen 1968).
type TheilSen struct {
	Slope     float64
	Intercept float64 // median(y) - Slope·median(x), which Sen and SciPy take
	// Centre is the other intercept in use, the median of y - Slope·x: half of the
	// points lie above the line through it. Costs are stated with it.
	Centre float64
	// SlopeBounds is Sen's interval of the slope, from the variance of Kendall's
	// S; it assumes independent values.
	SlopeBounds Bounds
}

// At returns the line's value at x.
func (l TheilSen) At(x float64) float64 { return l.Intercept + l.Slope*x }

// FitTheilSen fits a line to 2 to 4,096 points, not all of one x, with the
// slope's interval at the confidence conf.
func FitTheilSen(x, y []float64, conf P) (TheilSen, error) {
	if err := checkPoints(x, y); err != nil {
		return TheilSen{}, err
	}
	if len(x) > maxSeries || !inside(conf) {
		return TheilSen{}, fmt.Errorf("line through %d points at confidence %v: want at most %d, and a confidence strictly between 0 and 1", len(x), conf, maxSeries)
	}
	var slopes []float64
	for i := range x {
		for j := range i {
			if dx := x[i] - x[j]; dx != 0 {
				slopes = append(slopes, (y[i]-y[j])/dx)
			}
		}
	}
	slices.Sort(slopes)
	n := len(slopes)
	l := TheilSen{Slope: slopes[(n-1)/2]/2 + slopes[n/2]/2}
	mx, err := Median(slices.Clone(x))
	if err != nil {
		return TheilSen{}, err
	}
	my, err := Median(slices.Clone(y))
	if err != nil {
		return TheilSen{}, err
	}
	l.Intercept = my - l.Slope*mx
	rest := make([]float64, len(x))
	for i := range x {
		rest[i] = y[i] - l.Slope*x[i]
	}
	if l.Centre, err = Median(rest); err != nil {
		return TheilSen{}, err
	}

	v := kendallVar(y)
	for _, t := range tieSizes(x) {
		v -= t * (t - 1) * (2*t + 5) / 18
	}
	c := normalQuantile(conf.Float()) * math.Sqrt(max(0, v))
	lo := int(math.RoundToEven((float64(n)-c)/2)) - 1
	hi := int(math.RoundToEven((float64(n) + c) / 2))
	l.SlopeBounds = Bounds{slopes[min(max(lo, 0), n-1)], slopes[max(min(hi, n-1), 0)]}
	return l, nil
}

// checkPoints refuses what no line can be fitted to.
func checkPoints(x, y []float64) error {
	if err := finite(x, y); err != nil {
		return err
	}
	if len(x) != len(y) {
		return fmt.Errorf("%d x values and %d y values: want points", len(x), len(y))
	}
	if slices.Min(x) == slices.Max(x) {
		return fmt.Errorf("all %d points have x = %v: a line needs at least two different x", len(x), x[0])
	}
	return nil
}
