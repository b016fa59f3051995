package stat

import (
	"math"
	"slices"
)

// linearStart solves N/X = (1 + a(N-1) + bN(N-1))/g as a linear regression, and
// brings the coefficients within their bounds.
func linearStart(n, x []float64) Coefficients {
	top := slices.Max(n)
	scale := [3]float64{1, 1 / top, 1 / (top * top)} // columns of one size
	var a [3][3]float64
	var b [3]float64
	for i := range n {
		row := [3]float64{scale[0], (n[i] - 1) * scale[1], n[i] * (n[i] - 1) * scale[2]}
		for j := range row {
			b[j] += row[j] * n[i] / x[i]
			for k := range row {
				a[j][k] += row[j] * row[k]
			}
		}
	}
	if c, ok := solve3(a, b); ok && c[0] > 0 {
		return Coefficients{1 / c[0], c[1] * scale[1] / c[0], c[2] * scale[2] / c[0]}.bounded()
	}
	// The regression can put the single throughput below 0: begin from the
	// smallest step instead.
	least := 0
	for i := range n {
		if n[i] < n[least] {
			least = i
		}
	}
	return Coefficients{Gamma: x[least] / n[least], Alpha: 0.01, Beta: 1e-4}
}

func (c Coefficients) bounded() Coefficients {
	return Coefficients{c.Gamma, min(1, max(0, c.Alpha)), min(1, max(0, c.Beta))}
}

// descend minimises the squared residuals by Levenberg-Marquardt steps. A
// coefficient at its bound that the gradient pushes outwards is held there, and
// the others are solved for.
func descend(n, x []float64, c Coefficients) Coefficients {
	const rounds = 500
	rss, damp := squares(n, x, c), 1e-3
	for range rounds {
		a, g := normalEquations(n, x, c)
		hold := [3]bool{false, c.Alpha <= 0 && g[1] < 0 || c.Alpha >= 1 && g[1] > 0, c.Beta <= 0 && g[2] < 0 || c.Beta >= 1 && g[2] > 0}
		next, ok := Coefficients{}, false
		for ; damp < 1e12; damp *= 10 {
			step, solved := dampedStep(a, g, damp, hold)
			next = Coefficients{c.Gamma + step[0], c.Alpha + step[1], c.Beta + step[2]}.bounded()
			if ok = solved && next.Gamma > 0 && squares(n, x, next) <= rss; ok {
				break
			}
		}
		if !ok {
			return c
		}
		was := rss
		c, rss, damp = next, squares(n, x, next), max(damp/10, 1e-12)
		if was-rss <= 1e-15*was {
			return c
		}
	}
	return c
}

func squares(n, x []float64, c Coefficients) (sum float64) {
	for i := range n {
		r := x[i] - c.at(n[i])
		sum += r * r
	}
	return sum
}

// normalEquations returns JᵀJ and Jᵀr of the residuals at c, in the order
// Gamma, Alpha, Beta.
func normalEquations(n, x []float64, c Coefficients) (a [3][3]float64, g [3]float64) {
	for i := range n {
		d := 1 + c.Alpha*(n[i]-1) + c.Beta*n[i]*(n[i]-1)
		fit := c.Gamma * n[i] / d
		j := [3]float64{n[i] / d, -fit * (n[i] - 1) / d, -fit * n[i] * (n[i] - 1) / d}
		for k := range j {
			g[k] += j[k] * (x[i] - fit)
			for l := range j {
				a[k][l] += j[k] * j[l]
			}
		}
	}
	return a, g
}

// dampedStep solves (A + damp·diag A)·step = g over the coefficients that are
// not held.
func dampedStep(a [3][3]float64, g [3]float64, damp float64, hold [3]bool) ([3]float64, bool) {
	for k := range g {
		a[k][k] *= 1 + damp
		if !hold[k] {
			continue
		}
		for l := range g {
			a[k][l], a[l][k] = 0, 0
		}
		a[k][k], g[k] = 1, 0
	}
	return solve3(a, g)
}

// solve3 solves a symmetric, positive 3×3 system, scaled by its diagonal. ok is
// false if it is singular.
func solve3(a [3][3]float64, b [3]float64) (x [3]float64, ok bool) {
	var s [3]float64
	for k := range s {
		if !(a[k][k] > 0) {
			return x, false
		}
		s[k] = 1 / math.Sqrt(a[k][k])
	}
	for k := range s {
		b[k] *= s[k]
		for l := range s {
			a[k][l] *= s[k] * s[l]
		}
	}
	for k := range s { // elimination; the diagonal stays positive
		if a[k][k] < 1e-14 {
			return x, false
		}
		for l := k + 1; l < 3; l++ {
			f := a[l][k] / a[k][k]
			for m := k; m < 3; m++ {
				a[l][m] -= f * a[k][m]
			}
			b[l] -= f * b[k]
		}
	}
	for k := 2; k >= 0; k-- {
		x[k] = b[k]
		for l := k + 1; l < 3; l++ {
			x[k] -= a[k][l] * x[l]
		}
		x[k] /= a[k][k]
	}
	for k := range x {
		x[k] *= s[k]
	}
	return x, true
}
