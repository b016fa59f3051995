package stat

import (
	"fmt"
	"math"
)

// TokenBucket is a rate limiter of one source: it lets Burst requests pass at
// once and Refill a second after.
type TokenBucket struct{ Burst, Refill float64 }

// Limited is what a limiter lets pass of a steady offer.
type Limited struct {
	Passed, Refused float64 // requests of all sources
	// EmptyAt is when the buckets run dry, s; nil if they do not in that time.
	EmptyAt *float64
	// Before and After are the rates that pass before and after that, 1/s. The
	// mean hides the first, which builds the queue.
	Before, After float64
}

// Limit returns what passes when each of sources offers rate requests a second
// for seconds, from full buckets: min(rate·T, Burst + Refill·T) of each.
func (b TokenBucket) Limit(sources int, rate, seconds float64) (Limited, error) {
	if err := finite([]float64{b.Burst, b.Refill, rate, seconds}); err != nil {
		return Limited{}, err
	}
	if sources < 1 || b.Burst < 0 || b.Refill < 0 || rate < 0 || seconds <= 0 {
		return Limited{}, fmt.Errorf("%d sources at %v/s for %v s against %+v: want a source, a time, and nothing negative", sources, rate, seconds, b)
	}
	n := float64(sources)
	passed := n * math.Min(rate*seconds, b.Burst+b.Refill*seconds)
	l := Limited{Passed: passed, Refused: n*rate*seconds - passed, Before: n * rate, After: n * rate}
	if rate > b.Refill {
		if at := b.Burst / (rate - b.Refill); at < seconds {
			l.EmptyAt, l.After = &at, n*b.Refill
		}
	}
	return l, nil
}
