package stat

import (
	"fmt"
	"math"
)

// Equivalence says whether two samples have been shown to be equal within a
// margin, by two one-sided Welch tests on logarithms (Schuirmann 1987). A
// difference that is not significant is no equality.
type Equivalence struct {
	Ratio    float64 // geometric mean of b over that of a
	Interval Bounds  // of the ratio, at 1 - 2·alpha
	DF       float64 // Welch's degrees of freedom; 0 if neither sample varies
	PLower   float64 // against a ratio of 1/(1+margin) or less
	PUpper   float64 // against a ratio of 1+margin or more
	P        float64 // the larger of the two
	Shown    bool    // P ≤ alpha: the interval lies within [1/(1+margin), 1+margin]
}

// String is the verdict in words.
func (e Equivalence) String() string {
	if e.Shown {
		return "equivalent within margin"
	}
	return "not shown equivalent"
}

// TestEquivalence tests two samples of at least 2 positive values each. Margin
// is relative and positive (0.05 for medians, 0.10 for p99), alpha the level of
// each one-sided test (0.05).
func TestEquivalence(a, b []float64, margin, alpha float64) (Equivalence, error) {
	if len(a) < 2 || len(b) < 2 {
		return Equivalence{}, fmt.Errorf("samples of %d and %d values: equivalence needs at least 2 each", len(a), len(b))
	}
	if !(margin > 0) || !(alpha > 0 && alpha < 0.5) {
		return Equivalence{}, fmt.Errorf("margin %v at alpha %v: want a positive margin and an alpha between 0 and 0.5", margin, alpha)
	}
	la, err := logs(a)
	if err != nil {
		return Equivalence{}, err
	}
	lb, err := logs(b)
	if err != nil {
		return Equivalence{}, err
	}
	ma, va := moments(la)
	mb, vb := moments(lb)
	va, vb = va/float64(len(a)), vb/float64(len(b))
	d, se, edge := mb-ma, math.Sqrt(va+vb), math.Log1p(margin)
	e := Equivalence{Ratio: math.Exp(d), Interval: Bounds{math.Exp(d), math.Exp(d)}}
	if se == 0 { // constants: the ratio is what it is
		e.PLower, e.PUpper = certain(d > -edge), certain(d < edge)
	} else {
		e.DF = (va + vb) * (va + vb) / (va*va/float64(len(a)-1) + vb*vb/float64(len(b)-1))
		half := studentQuantile(1-2*alpha, e.DF) * se
		e.Interval = Bounds{d - half, d + half}.exp()
		e.PLower = studentAbove((d+edge)/se, e.DF)
		e.PUpper = studentAbove((edge-d)/se, e.DF)
	}
	e.P = math.Max(e.PLower, e.PUpper)
	e.Shown = e.P <= alpha
	return e, nil
}

func certain(yes bool) float64 {
	if yes {
		return 0
	}
	return 1
}
