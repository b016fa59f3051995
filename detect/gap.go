package detect

import (
	"slices"
	"time"

	"headroom/runs/ordered"
)

// Gap is a stretch in which nothing happened that happens all the time.
type Gap struct {
	Span
	Missing  float64 // how many were to be expected in it at the run's rate
	InFlight int     // requests begun before it and not ended
	Starts   int     // requests sent in its first half: what thaws a freeze may send a burst
	Due      int     // requests that were due within it: sent, dropped or skipped, or sent late
}

// gapExpected is the least number of missing completions: a gap in a Poisson
// stream with so many missing has probability e^-20.
const gapExpected = 20

// CompletionGaps returns the stretches longer than least between consecutive
// ends of requests in which at least 20 completions are missing, going by the
// median rate of the run's seconds (DETECTION 4.2).
func CompletionGaps(r *Requests, least int64) []Gap {
	var pace pace
	var long []Span
	longest := r.ends(true, func(ps []ordered.Pair) { long = pace.follow(ps, least, long) })
	rate := pace.rate()
	var out []Gap
	for _, s := range long {
		if missing := rate * seconds(s.Len()); missing >= gapExpected {
			gap := Gap{Span: s, Missing: missing}
			gap.count(r, longest)
			out = append(out, gap)
		}
	}
	return out
}

// count fills in what was sent and in flight.
func (g *Gap) count(r *Requests, longest int64) {
	from := r.between(Span{plus(g.Start, -longest), g.End})
	for c := range from.Chunks() {
		for i, start := range c.Start {
			sent := c.Sent(i)
			if sent > g.Start && sent < g.Start+g.Len()/2 {
				g.Starts++
			}
			if start > g.Start && start < g.End {
				g.Due++
			} else if c.End(i) >= g.End && sent <= g.Start {
				g.InFlight++
			}
		}
	}
	g.Due += len(within(r.Dropped, g.Span)) + len(within(r.Skipped, g.Span))
}

// pace counts instants, which come in ascending order, by the second since the first.
type pace struct {
	first, last int64
	any         bool
	second      int64 // the current one
	n           int   // in it
	counts      []int // of the seconds before it that hold any
}

// follow counts instants, and appends to long the stretches between neighbours that
// are longer than least.
func (p *pace) follow(ts []ordered.Pair, least int64, long []Span) []Span {
	for _, t := range ts {
		switch {
		case !p.any:
			p.first, p.any = t.Key, true
		case t.Key-p.last > least:
			long = append(long, Span{p.last, t.Key})
		}
		p.last = t.Key
		if k := (t.Key - p.first) / int64(time.Second); k != p.second {
			p.counts = append(p.counts, p.n)
			p.second, p.n = k, 0
		}
		p.n++
	}
	return long
}

// rate is the median number of instants in a second, of the full seconds from the
// first to the last; 0 if there are fewer than three.
func (p *pace) rate() float64 {
	n := p.second // the last second is none in full
	if n < 3 {
		return 0
	}
	slices.Sort(p.counts)
	empty := n - int64(len(p.counts)) // and none of them was counted
	if n/2 < empty {
		return 0
	}
	return float64(p.counts[n/2-empty])
}

// Pause is a stretch in which the generator sent nothing.
type Pause struct {
	Span
	Missing float64 // starts that were to be expected
	Burst   float64 // starts in the tenth of a second after it, over the usual number
	Busy    int     // requests in flight in its middle
}

// Pauses returns the stretches longer than least without a sign of life of the
// generator, in which at least expected starts are missing.
//
// A closed loop stands still with its server: a pause with as many requests in
// flight as ever (every worker waits for a reply) is the server's and left out.
func Pauses(r *Requests, least int64, expected float64) []Pause {
	out, _ := pauses(r, least, expected)
	return out
}

// pauses returns the pauses, and how many signs of life a second usually has.
func pauses(r *Requests, least int64, expected float64) (out []Pause, rate float64) {
	var pace pace
	var long []Span
	r.sent(func(ps []ordered.Pair) { long = pace.follow(ps, least, long) })
	rate = pace.rate()
	most := 0
	for _, g := range long {
		missing := rate * seconds(g.Len())
		if missing < expected {
			continue
		}
		if most == 0 {
			most, _ = r.peak(func(c *Chunk, i int) (int64, bool) { return c.Sent(i), true })
		}
		p := Pause{Span: g, Missing: missing, Busy: r.busyAt(g.Start + g.Len()/2)}
		if p.Busy >= most && most > 1 {
			continue
		}
		if usual := rate * seconds(tick); usual > 0 {
			p.Burst = float64(r.sentIn(Span{g.End, g.End + tick})) / usual
		}
		out = append(out, p)
	}
	return out, rate
}

// busyAt counts the requests that were sent and had not ended at an instant.
func (r *Requests) busyAt(t int64) (n int) {
	for c := range r.between(Span{plus(t, -r.extent.longest), t + 1}).Chunks() {
		for i := range c.Start {
			if c.Sent(i) <= t && c.End(i) >= t {
				n++
			}
		}
	}
	return n
}

// sentIn counts the signs of life of the generator in a span.
func (r *Requests) sentIn(s Span) int {
	n := len(within(r.Dropped, s)) + len(within(r.Skipped, s))
	for c := range r.between(Span{plus(s.Start, -r.extent.delay), s.End}).Chunks() {
		for i := range c.Start {
			if s.Contains(c.Sent(i)) {
				n++
			}
		}
	}
	return n
}

// pausesOf are the pauses that can explain a freeze of the requests.
func pausesOf(r *Requests, window Span) []Span {
	var out []Span
	for _, p := range Pauses(r, pauseLeast, pauseExpected) {
		if p.End > window.Start && p.Start < window.End {
			out = append(out, p.Span)
		}
	}
	return out
}
