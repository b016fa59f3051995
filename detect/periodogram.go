package detect

import "math"

// LombScargle returns the power of a period in a series, 0 to 1: the classical
// periodogram of unevenly spaced values (Lomb 1976, Scargle 1982) with the mean
// removed, over the sum of squares. t and period share a unit; t and y have one
// length.
//
// A pulse train of period T has power at T/2, T/3 … too, often more: the longest
// period of such a family is the one to report. Under autocorrelation the
// white-noise significance does not hold; shuffle whole blocks.
func LombScargle(t, y []float64, period float64) float64 {
	if len(y) == 0 || period <= 0 {
		return 0
	}
	mean := 0.0
	for _, v := range y {
		mean += v
	}
	mean /= float64(len(y))
	w := 2 * math.Pi / period
	var s2, c2 float64
	for _, x := range t {
		s, c := math.Sincos(2 * w * x)
		s2, c2 = s2+s, c2+c
	}
	tau := math.Atan2(s2, c2) / (2 * w) // makes sine and cosine orthogonal over t
	var yc, ys, cc, ss, yy float64
	for i, x := range t {
		s, c := math.Sincos(w * (x - tau))
		v := y[i] - mean
		yc, ys, cc, ss, yy = yc+v*c, ys+v*s, cc+c*c, ss+s*s, yy+v*v
	}
	if yy == 0 {
		return 0
	}
	power := 0.0
	if cc > 0 {
		power += yc * yc / cc
	}
	if ss > 0 {
		power += ys * ys / ss
	}
	return power / yy
}
