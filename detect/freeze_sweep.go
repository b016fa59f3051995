package detect

import (
	"math"
	"slices"
	"time"
)

// Sweep is the outcome of the rule at every phase of the grid at once.
type Sweep struct {
	// Expected is the mean number of seconds that a grid at a random phase
	// flags.
	Expected float64
	// Episodes are the freezes within the components of the union of all flagged
	// windows, in order of time.
	Episodes []Episode
}

// Episode is one freeze, found without a grid.
type Episode struct {
	Window   Span  // union of the flagged windows around it
	Onset    int64 // start of its first request
	Thaw     int64 // latest end of its requests
	Worst    int64 // ns, the highest latency in it
	Sent     int   // requests started from Onset until before Thaw
	Affected int   // of those, over Slow
	InFlight int   // started before Onset and ended at or after Thaw
}

// Sweep slides a window of the rule's width over the requests. The window
// [t, t+Width) changes only where a request enters (t = start-Width+1) or
// leaves (t = start+1), so that one pass sees every phase exactly. Windows
// with fewer than thin requests do not count.
//
// Shifting all requests by any amount shifts the episodes and changes nothing
// else (DETECTION 3.5).
func (f FreezeRule) Sweep(r *Requests, thin int) Sweep {
	flagged := f.flagged(r, thin)
	var s Sweep
	var sum int64
	for _, p := range flagged {
		sum += p.Len()
	}
	s.Expected = float64(sum) / float64(f.Width)
	for i := 0; i < len(flagged); {
		j := i + 1
		for j < len(flagged) && flagged[j].Start < flagged[j-1].End-1+f.Width {
			j++
		}
		window := Span{flagged[i].Start, flagged[j-1].End - 1 + f.Width}
		s.Episodes = append(s.Episodes, f.episodes(r, window)...)
		i = j
	}
	return s
}

// flagged returns the positions t, as ascending disjoint spans, at which the
// window [t, t+Width) meets the rule.
func (f FreezeRule) flagged(r *Requests, thin int) []Span {
	w := sliding{rule: f, thin: thin}
	for _, span := range f.near(r) {
		for c := range r.between(span).Chunks() {
			for i, start := range c.Start {
				if latency, ok := c.Latency(i); ok {
					w.enter(start, latency)
				}
			}
		}
		w.leave(math.MaxInt64)
	}
	return w.out
}

// sliding is the window at every position at once: the requests that it holds at
// the position that has been reached.
type sliding struct {
	rule FreezeRule
	thin int

	in   []entry // in order of start; the first gone have left
	gone int
	count
	at  int64 // the counts are those of all positions from here on
	out []Span
}

// entry is a request in the window.
type entry struct {
	start     int64
	slow, bad bool
}

// enter lets a request in, at the first position whose window holds its start.
func (w *sliding) enter(start, latency int64) {
	t := start - w.rule.Width + 1
	w.leave(t)
	w.advance(t)
	e := entry{start, w.rule.slow(latency), w.rule.worst(latency)}
	if w.gone > len(w.in)/2 { // room for more
		w.in = slices.Delete(w.in, 0, w.gone)
		w.gone = 0
	}
	w.in = append(w.in, e)
	w.change(e, 1)
}

// leave lets those requests go whose starts lie before every window from t on.
func (w *sliding) leave(t int64) {
	for ; w.gone < len(w.in) && w.in[w.gone].start+1 <= t; w.gone++ {
		w.advance(w.in[w.gone].start + 1)
		w.change(w.in[w.gone], -1)
	}
}

func (w *sliding) change(e entry, by int) {
	w.n += by
	if e.slow {
		w.slow += by
	}
	if e.bad {
		w.bad += by
	}
}

// advance goes on to a position at which something changes.
func (w *sliding) advance(t int64) {
	if w.bad > 0 && t > w.at && w.n >= w.thin && w.rule.frozen(w.n, w.slow, w.bad) {
		if k := len(w.out); k > 0 && w.out[k-1].End == w.at {
			w.out[k-1].End = t
		} else {
			w.out = append(w.out, Span{w.at, t})
		}
	}
	w.at = t
}

// mergeGap is how close two groups of hanging requests are that make one freeze.
const mergeGap = int64(500 * time.Millisecond)

// episodes finds the freezes of one component. What stands still holds requests
// at one time: the requests over Worst whose times overlap, or nearly, are one
// freeze, whatever slow request happens to lie in the same second. A group in
// which no more than Share of the requests is slow is none by itself; if all
// are, the component is one.
func (f FreezeRule) episodes(r *Requests, window Span) []Episode {
	var groups []Span
	for c := range r.between(window).Chunks() {
		for i, start := range c.Start {
			latency, ok := c.Latency(i)
			if !ok || !f.worst(latency) {
				continue
			}
			end := c.End(i)
			if n := len(groups); n > 0 && start <= groups[n-1].End+mergeGap {
				groups[n-1].End = max(groups[n-1].End, end)
			} else {
				groups = append(groups, Span{start, end})
			}
		}
	}
	var out []Episode
	for _, g := range groups {
		e := f.episode(r, window, g)
		if around := f.episode(r, window, Span{g.Start, max(g.End, g.Start+f.Width)}); f.Share.Below(around.Affected, around.Sent) {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		whole := Span{groups[0].Start, groups[0].End}
		for _, g := range groups {
			whole.End = max(whole.End, g.End)
		}
		out = append(out, f.episode(r, window, whole))
	}
	return out
}

// episode counts the requests of one freeze. How long any request lasts bounds how
// far back one in flight at the onset can have started.
func (f FreezeRule) episode(r *Requests, window, at Span) Episode {
	e := Episode{Window: window, Onset: at.Start, Thaw: at.End}
	for c := range r.between(Span{plus(e.Onset, -r.extent.longest), e.Thaw}).Chunks() {
		for i, start := range c.Start {
			latency, ok := c.Latency(i)
			switch {
			case !ok:
			case start >= e.Onset:
				e.Sent++
				e.Worst = max(e.Worst, latency)
				if f.slow(latency) {
					e.Affected++
				}
			case c.End(i) >= e.Thaw:
				e.InFlight++
			}
		}
	}
	return e
}
