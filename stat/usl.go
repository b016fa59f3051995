package stat

import (
	"fmt"
	"math"
	"slices"
)

// USL is a fit of the Universal Scalability Law (Gunther 2007) to a sweep:
//
//	X(N) = Gamma·N / (1 + Alpha·(N-1) + Beta·N·(N-1))
//
// Gamma is the throughput of one, Alpha the share that is serialised
// (contention), Beta the cost of agreement between each two (coherency).
type USL struct {
	Gamma, Alpha, Beta float64
	RSS, R2            float64 // residual sum of squares in X; share of the variance explained
	N, X               []float64
	Residuals          []float64 // X less the fit
	Start              Coefficients
	// SE and Intervals (95 %, Student's t with n-3 degrees of freedom) are nil
	// with 4 points or fewer, or where a coefficient lies at its bound.
	SE        *Coefficients
	Intervals *USLIntervals
}

// Coefficients are the three of the law.
type Coefficients struct{ Gamma, Alpha, Beta float64 }

// USLIntervals are intervals of the coefficients.
type USLIntervals struct{ Gamma, Alpha, Beta Bounds }

// The least numbers of different N for a fit, and for its intervals.
const (
	MinUSL          = 4
	MinUSLIntervals = 5
)

// noEffect is below what a coefficient can be told from 0.
const noEffect = 1e-9

// FitUSL fits the law by least squares in X, with Alpha and Beta held within 0
// to 1 and Gamma above 0: from the linear regression of N/X on 1, N-1 and
// N(N-1), by damped Gauss-Newton steps. It needs 4 different N of at least 1 and
// positive throughputs. The caller refuses steps that are not one curve, such
// as those whose contention differs.
func FitUSL(n, x []float64) (USL, error) {
	if err := finite(n, x); err != nil {
		return USL{}, err
	}
	if len(n) != len(x) {
		return USL{}, fmt.Errorf("%d N and %d throughputs: want as many of each", len(n), len(x))
	}
	for i := range n {
		if n[i] < 1 || x[i] <= 0 {
			return USL{}, fmt.Errorf("step %d has N %v and throughput %v: want N of at least 1 and a positive throughput", i+1, n[i], x[i])
		}
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(n))); len(distinct) < MinUSL {
		return USL{}, fmt.Errorf("%d different N: the law needs at least %d", len(distinct), MinUSL)
	}
	start := linearStart(n, x)
	c := descend(n, x, start)
	u := USL{Gamma: c.Gamma, Alpha: c.Alpha, Beta: c.Beta, N: slices.Clone(n), X: slices.Clone(x), Start: start}
	_, variance := moments(x)
	for i := range n {
		r := x[i] - c.at(n[i])
		u.Residuals = append(u.Residuals, r)
		u.RSS += r * r
	}
	u.R2 = 1 - u.RSS/(variance*float64(len(x)-1))
	u.setErrors(c)
	return u, nil
}

// At returns the throughput of the law at n.
func (u USL) At(n float64) float64 { return Coefficients{u.Gamma, u.Alpha, u.Beta}.at(n) }

func (c Coefficients) at(n float64) float64 {
	return c.Gamma * n / (1 + c.Alpha*(n-1) + c.Beta*n*(n-1))
}

// Asymptote returns the throughput that the law without coherency tends to,
// Gamma/Alpha. ok is false where nothing is serialised: there is no limit.
func (u USL) Asymptote() (x float64, ok bool) {
	if u.Alpha <= noEffect {
		return 0, false
	}
	return u.Gamma / u.Alpha, true
}

// ModelPeak returns where the fitted curve is highest, sqrt((1-Alpha)/Beta), and
// its throughput there. ok is false where the curve has no peak. It is a figure
// of the model: what may be printed is Peak.
func (u USL) ModelPeak() (n, x float64, ok bool) {
	if u.Beta <= noEffect || u.Alpha >= 1 {
		return 0, 0, false
	}
	n = math.Sqrt((1 - u.Alpha) / u.Beta)
	return n, u.At(n), true
}

// PeakStatus says what may be said of a peak.
type PeakStatus string

// The statuses.
const (
	PeakInside  PeakStatus = "model peak within the sweep"
	PeakOutside PeakStatus = "model peak lies outside the sweep"
	PeakUnsure  PeakStatus = "no peak shown: the interval of the coherency holds 0"
	PeakNone    PeakStatus = "the model has no peak"
)

// Peak returns the peak of the curve if it may be printed: it lies within the
// measured N, and the interval of Beta excludes 0. A fit never tells a peak that
// the sweep did not pass.
func (u USL) Peak() (n, x float64, status PeakStatus) {
	n, x, ok := u.ModelPeak()
	switch {
	case !ok:
		return 0, 0, PeakNone
	case n > slices.Max(u.N):
		return 0, 0, PeakOutside
	case u.Intervals == nil || u.Intervals.Beta.Lo <= 0:
		return 0, 0, PeakUnsure
	}
	return n, x, PeakInside
}

// setErrors adds standard errors and intervals from the curvature at the
// minimum.
func (u *USL) setErrors(c Coefficients) {
	df := float64(len(u.N) - 3)
	if len(u.N) < MinUSLIntervals || c.Alpha <= 0 || c.Alpha >= 1 || c.Beta <= 0 || c.Beta >= 1 {
		return
	}
	jtj, _ := normalEquations(u.N, u.X, c)
	var se [3]float64
	for k := range se {
		var e [3]float64
		e[k] = 1
		column, ok := solve3(jtj, e)
		if !ok || !(column[k] > 0) {
			return
		}
		se[k] = math.Sqrt(column[k] * u.RSS / df)
	}
	t := studentQuantile(0.95, df)
	around := func(v, se float64) Bounds { return Bounds{v - t*se, v + t*se} }
	u.SE = &Coefficients{se[0], se[1], se[2]}
	u.Intervals = &USLIntervals{around(c.Gamma, se[0]), around(c.Alpha, se[1]), around(c.Beta, se[2])}
}
