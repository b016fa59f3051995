package detect

import (
	"math"
	"slices"
	"time"
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
	ends := make([]int64, 0, len(r.Rows))
	longest := int64(0)
	for i := range r.Rows {
		if _, ok := r.Latency(&r.Rows[i]); ok {
			ends = append(ends, r.Rows[i].End())
			longest = max(longest, r.Rows[i].End()-r.Rows[i].Start)
		}
	}
	slices.Sort(ends)
	rate := medianRate(ends)
	var out []Gap
	for i := 1; i < len(ends); i++ {
		g := ends[i] - ends[i-1]
		if missing := rate * seconds(g); g > least && missing >= gapExpected {
			gap := Gap{Span: Span{ends[i-1], ends[i]}, Missing: missing}
			gap.count(r, longest)
			out = append(out, gap)
		}
	}
	return out
}

// count fills in what was sent and in flight.
func (g *Gap) count(r *Requests, longest int64) {
	from := r.Starting(Span{g.Start - longest, g.End})
	for i := range from.Rows {
		q := &from.Rows[i]
		sent := q.Start
		if q.Wait != math.MinInt64 && q.Wait > 0 {
			sent += q.Wait
		}
		if sent > g.Start && sent < g.Start+g.Len()/2 {
			g.Starts++
		}
		if q.Start > g.Start && q.Start < g.End {
			g.Due++
		} else if q.End() >= g.End && sent <= g.Start {
			g.InFlight++
		}
	}
	g.Due += len(within(r.Dropped, g.Span)) + len(within(r.Skipped, g.Span))
}

// medianRate is the median number of instants (ascending) in a second, of the
// seconds from the first to the last.
func medianRate(ts []int64) float64 {
	if len(ts) < 2 {
		return 0
	}
	n := (ts[len(ts)-1] - ts[0]) / int64(time.Second)
	if n < 3 {
		return 0
	}
	counts := make([]int, n)
	for _, t := range ts {
		if k := (t - ts[0]) / int64(time.Second); k < n {
			counts[k]++
		}
	}
	slices.Sort(counts)
	return float64(counts[n/2])
}

// sentTimes returns when each request was sent, and when one was due and given
// up, ascending: the signs of life of the generator.
func sentTimes(r *Requests) []int64 {
	out := make([]int64, 0, len(r.Rows)+len(r.Dropped)+len(r.Skipped))
	for i := range r.Rows {
		t := r.Rows[i].Start
		if w := r.Rows[i].Wait; w > 0 {
			t += w
		}
		out = append(out, t)
	}
	out = append(append(out, r.Dropped...), r.Skipped...)
	slices.Sort(out)
	return out
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
	sent := sentTimes(r)
	rate := medianRate(sent)
	flights := make([]Span, 0, len(r.Rows))
	longest, most := int64(0), 0
	for i := range r.Rows {
		s := r.Rows[i].Start
		if w := r.Rows[i].Wait; w > 0 {
			s += w
		}
		flights = append(flights, Span{s, r.Rows[i].End()})
		longest = max(longest, flights[i].Len())
	}
	slices.SortFunc(flights, func(a, b Span) int { return compare(a.Start, b.Start) })
	var out []Pause
	for i := 1; i < len(sent); i++ {
		g := Span{sent[i-1], sent[i]}
		missing := rate * seconds(g.Len())
		if g.Len() <= least || missing < expected {
			continue
		}
		if most == 0 {
			most = mostInFlight(flights)
		}
		p := Pause{Span: g, Missing: missing}
		from, _ := slices.BinarySearchFunc(flights, g.Start-longest, func(f Span, t int64) int { return compare(f.Start, t) })
		middle := g.Start + g.Len()/2
		for ; from < len(flights) && flights[from].Start <= middle; from++ {
			if flights[from].End >= middle {
				p.Busy++
			}
		}
		if p.Busy >= most && most > 1 {
			continue
		}
		after := len(within(sent, Span{g.End, g.End + tick}))
		if usual := rate * seconds(tick); usual > 0 {
			p.Burst = float64(after) / usual
		}
		out = append(out, p)
	}
	return out
}

// mostInFlight is the largest number of requests in flight at once.
func mostInFlight(flights []Span) int {
	ends := make([]int64, len(flights))
	for i, f := range flights {
		ends[i] = f.End
	}
	slices.Sort(ends)
	most, done := 0, 0
	for i, f := range flights { // in order of start
		for done < len(ends) && ends[done] <= f.Start {
			done++
		}
		most = max(most, i+1-done)
	}
	return most
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
