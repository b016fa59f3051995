package runtest

import (
	"math"
)

// factor makes requests take so many times as long.
func (b *builder) factor(s *statement) {
	by := s.number("by", "-")
	b.each(s, func(q *request) { q.times(by) })
}

// ramp is a factor that grows evenly from 1.
func (b *builder) ramp(s *statement) {
	by := s.number("by", "-")
	at, length := s.duration("at", "-"), s.duration("for", "-")
	b.each(s, func(q *request) { q.times(1 + (by-1)*float64(q.start-at)/float64(max(length, 1))) })
}

// settle is a slow beginning that dies away: at the start requests take so many
// times as long, and the excess falls to 1/e of it with each tau.
func (b *builder) settle(s *statement) {
	by, tau := s.number("by", "-"), s.duration("tau", "-")
	if tau <= 0 {
		s.fail("tau must be positive")
		return
	}
	for i := range b.requests {
		q := &b.requests[i]
		q.times(1 + (by-1)*math.Exp(-float64(q.start)/float64(tau)))
	}
}

// modulate makes each second's requests take e^x times as long, where x is an
// autoregressive series of order one with mean 0 and the given standard deviation:
// the neighbours of a slow second are slow as well.
func (b *builder) modulate(s *statement) {
	phi, sd := s.number("phi", "-"), s.number("sd", "-")
	if s.err != nil || phi < 0 || phi >= 1 || sd < 0 {
		s.fail("want 0 <= phi < 1 and sd >= 0")
		return
	}
	xs := make([]float64, b.length()/1e9+1)
	x := sd * b.rnd.NormFloat64()
	for k := range xs {
		xs[k] = math.Exp(x)
		x = phi*x + sd*math.Sqrt(1-phi*phi)*b.rnd.NormFloat64()
	}
	for i := range b.requests {
		q := &b.requests[i]
		q.times(xs[min(max(q.start/1e9, 0), int64(len(xs)-1))])
	}
}

func (q *request) times(by float64) { q.service = int64(math.Round(float64(q.service) * by)) }
