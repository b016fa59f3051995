package stat

import (
	"fmt"
	"math"
)

// Growth is what a counter added over a series of readings.
type Growth struct {
	Amount float64
	// Resets counts the readings that are lower than the one before.
	Resets int
	// LowerBound says that a counter restarted: what it counted between the last
	// reading and the restart is lost.
	LowerBound bool
}

// CounterGrowth adds up what a counter grew by. Modulus is where it wraps to 0
// (4294967296 for 32 bits), 0 if it does not: a fall is then a restart, and the
// new reading is what was counted since. ok is false with fewer than two
// readings: they say nothing. A negative or not finite reading, or one at or
// above the modulus, is an error. Whole counts are exact up to 2^53.
func CounterGrowth(readings []float64, modulus float64) (g Growth, ok bool, err error) {
	if modulus < 0 || math.IsInf(modulus, 0) || isNaN(modulus) {
		return Growth{}, false, fmt.Errorf("modulus %v: want a positive number, or 0 for a counter that does not wrap", modulus)
	}
	for i, v := range readings {
		if !(v >= 0) || math.IsInf(v, 1) || modulus > 0 && v >= modulus {
			return Growth{}, false, fmt.Errorf("reading %d of %d is %v: want a count of 0 or more, below where it wraps", i+1, len(readings), v)
		}
		if i == 0 {
			continue
		}
		step := v - readings[i-1]
		if step < 0 {
			g.Resets++
			if modulus > 0 {
				step += modulus
			} else {
				step, g.LowerBound = v, true
			}
		}
		g.Amount += step
	}
	return g, len(readings) > 1, nil
}

// Note says in words what the amount does not hold; it is empty if nothing is
// missing.
func (g Growth) Note() string {
	if !g.LowerBound {
		return ""
	}
	return "lower bound: what was counted between the last reading and the reset is lost"
}
