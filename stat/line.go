package stat

import (
	"fmt"
	"math"
)

// Line is an ordinary least-squares line through points, for costs that grow
// with size. Three figures answer three questions and are named apart: the
// average cost y/x at a point, the marginal cost (Slope), and the slope of a
// line forced through the origin.
type Line struct {
	N                int
	Slope, Intercept float64
	ThroughOrigin    float64 // slope of the line through the origin; NaN if all x are 0
	R2               float64 // 1 - residual/total sum of squares; NaN if y does not vary
	Residuals        []float64
	X                Bounds // the range of x: do not extrapolate beyond twice its end
	// SlopeSE and the bounds (Student's t, n-2 degrees of freedom, 95 %) need 3
	// points: nil bounds and a NaN below.
	SlopeSE         float64
	SlopeBounds     *Bounds
	InterceptBounds *Bounds
}

// FitLine fits a line to 2 or more finite points, not all of one x.
func FitLine(x, y []float64) (Line, error) {
	if err := checkPoints(x, y); err != nil {
		return Line{}, err
	}
	n := float64(len(x))
	mx, vx := moments(x)
	my, vy := moments(y)
	sxx := vx * (n - 1)
	l := Line{N: len(x), X: Bounds{x[0], x[0]}, SlopeSE: math.NaN()}
	var sxy, xx, xy float64
	for i := range x {
		sxy += (x[i] - mx) * (y[i] - my)
		xx += x[i] * x[i]
		xy += x[i] * y[i]
		l.X = Bounds{min(l.X.Lo, x[i]), max(l.X.Hi, x[i])}
	}
	l.Slope, l.ThroughOrigin = sxy/sxx, xy/xx
	l.Intercept = my - l.Slope*mx
	var rss float64
	for i := range x {
		r := y[i] - l.At(x[i])
		l.Residuals = append(l.Residuals, r)
		rss += r * r
	}
	l.R2 = 1 - rss/(vy*(n-1))
	if l.N > 2 {
		s2, t := rss/(n-2), studentQuantile(0.95, n-2)
		l.SlopeSE = math.Sqrt(s2 / sxx)
		seI := math.Sqrt(s2 * (1/n + mx*mx/sxx))
		l.SlopeBounds = &Bounds{l.Slope - t*l.SlopeSE, l.Slope + t*l.SlopeSE}
		l.InterceptBounds = &Bounds{l.Intercept - t*seI, l.Intercept + t*seI}
	}
	return l, nil
}

// At returns the line's value at x.
func (l Line) At(x float64) float64 { return l.Intercept + l.Slope*x }

// Crossing returns the x at which a rising line reaches y. ok is false if the
// line does not rise, or if x lies beyond twice the largest x that was measured:
// the line says nothing there.
func (l Line) Crossing(y float64) (x float64, ok bool) {
	if !(l.Slope > 0) {
		return 0, false
	}
	x = (y - l.Intercept) / l.Slope
	return x, x <= 2*l.X.Hi && x >= 0
}

// Linearity says whether points may be called linear.
type Linearity struct {
	Linear bool
	Why    string // what supports it, or what is against it
}

// Linearity judges the line: linear is claimed only with at least 4 points, an
// R² of at least 0.98, and no curvature. Curvature is an F test against the
// quadratic at 5 %, unless the power of growth (log-log slope) lies within 0.9
// to 1.1. With 3 points the most that can be said is "consistent with".
func (l Line) Linearity(x, y []float64) Linearity {
	power := PowerOfGrowth(x, y)
	switch {
	case l.N < 3:
		return Linearity{Why: fmt.Sprintf("%d points: any line fits", l.N)}
	case l.R2 < 0.98 || isNaN(l.R2):
		return Linearity{Why: fmt.Sprintf("R² is %.3f, less than 0.98", l.R2)}
	case l.N == 3:
		return Linearity{Why: "consistent with linear (1 residual degree of freedom)"}
	}
	if p, ok := curvatureP(l, x, dot(y, y)); ok && p <= 0.05 && !(power >= 0.9 && power <= 1.1) {
		return Linearity{Why: fmt.Sprintf("a curve fits better (F test, p %.2g)", p)}
	}
	return Linearity{Linear: true, Why: fmt.Sprintf("R² %.4f over %d points", l.R2, l.N)}
}

// PowerOfGrowth returns the slope of ln y over ln x: 1 for what grows in
// proportion, 2 for a square. It is NaN unless all values are positive and x
// varies.
func PowerOfGrowth(x, y []float64) float64 {
	lx, errX := logs(x)
	ly, errY := logs(y)
	if errX != nil || errY != nil {
		return math.NaN()
	}
	l, err := FitLine(lx, ly)
	if err != nil {
		return math.NaN()
	}
	return l.Slope
}

// curvatureP returns the p of the F test of a quadratic term against the line.
// ok is false with fewer than 4 points or without three different x. Total is the
// sum of squares of y, to know rounding errors by. The term is x² made orthogonal to 1 and x, so that one projection is the whole fit.
func curvatureP(l Line, x []float64, total float64) (p float64, ok bool) {
	df := float64(l.N - 3)
	if df < 1 {
		return 0, false
	}
	centre, half := (l.X.Lo+l.X.Hi)/2, (l.X.Hi-l.X.Lo)/2
	scaled, square := make([]float64, len(x)), make([]float64, len(x))
	for i, v := range x {
		scaled[i] = (v - centre) / half
		square[i] = scaled[i] * scaled[i]
	}
	bent, err := FitLine(scaled, square)
	if err != nil {
		return 0, false
	}
	q := bent.Residuals
	qq, rss := dot(q, q), dot(l.Residuals, l.Residuals)
	if qq < 1e-12 {
		return 0, false // the term cannot be told from the line
	}
	explained := dot(q, l.Residuals) * dot(q, l.Residuals) / qq
	left := rss - explained
	switch {
	case rss <= 1e-24*total: // rounding errors of an exact line
		return 1, true
	case left <= 1e-12*rss: // an exact curve
		return 0, true
	}
	return studentTwoSided(math.Sqrt(explained/(left/df)), df), true // F(1, df) is t²
}
