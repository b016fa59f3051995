package stat

import "math"

// Per returns amount per unit: a cost per event, a share of a denominator, a
// rate per second. ok is false where units is not positive or either is not
// finite: the quotient is then unknown, not 0 and not infinite.
func Per(amount, units float64) (q float64, ok bool) {
	q = amount / units
	if !(units > 0) || math.IsInf(units, 0) || math.IsInf(q, 0) || isNaN(q) {
		return 0, false
	}
	return q, true
}
