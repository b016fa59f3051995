package detect

import "time"

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
// leaves (t = start+1), so that two pointers see every phase exactly. Windows
// with fewer than thin requests do not count.
//
// Shifting all requests by any amount shifts the episodes and changes nothing
// else (DETECTION 3.5).
func (f FreezeRule) Sweep(r *Requests, thin int) Sweep {
	rows := withLatency(r)
	flagged := f.flagged(rows, thin)
	longest := int64(0)
	for _, q := range rows {
		longest = max(longest, q.end-q.start)
	}
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
		s.Episodes = append(s.Episodes, f.episodes(rows, window, longest)...)
		i = j
	}
	return s
}

// timed is a request reduced to what the sweep needs.
type timed struct{ start, end, latency int64 }

func withLatency(r *Requests) []timed {
	rows := make([]timed, 0, len(r.Rows))
	for i := range r.Rows {
		if latency, ok := r.Latency(&r.Rows[i]); ok {
			rows = append(rows, timed{r.Rows[i].Start, r.Rows[i].End(), latency})
		}
	}
	return rows
}

// flagged returns the positions t, as ascending disjoint spans, at which the
// window [t, t+Width) meets the rule.
func (f FreezeRule) flagged(rows []timed, thin int) []Span {
	var out []Span
	var n, slow, bad int
	count := func(latency int64, by int) {
		n += by
		if latency > f.Slow {
			slow += by
		}
		if latency > f.Worst {
			bad += by
		}
	}
	in, gone := 0, 0 // rows[gone:in] are in the window
	for gone < len(rows) {
		// The next position at which anything changes.
		t := rows[gone].start + 1
		if in < len(rows) {
			t = min(t, rows[in].start-f.Width+1)
		}
		for in < len(rows) && rows[in].start-f.Width+1 == t {
			count(rows[in].latency, 1)
			in++
		}
		for gone < in && rows[gone].start+1 == t {
			count(rows[gone].latency, -1)
			gone++
		}
		if gone == len(rows) {
			break
		}
		next := rows[gone].start + 1
		if in < len(rows) {
			next = min(next, rows[in].start-f.Width+1)
		}
		if n < thin || !f.frozen(n, slow, bad) {
			continue
		}
		if k := len(out); k > 0 && out[k-1].End == t {
			out[k-1].End = next
		} else {
			out = append(out, Span{t, next})
		}
	}
	return out
}

// mergeGap is how close two groups of hanging requests are that make one freeze.
const mergeGap = int64(500 * time.Millisecond)

// episodes finds the freezes of one component. What stands still holds requests
// at one time: the requests over Worst whose times overlap, or nearly, are one
// freeze, whatever slow request happens to lie in the same second. A group in
// which no more than Share of the requests is slow is none by itself; if all
// are, the component is one.
func (f FreezeRule) episodes(rows []timed, window Span, longest int64) []Episode {
	var groups []Span
	first := searchStart(rows, window.Start)
	for i := first; i < len(rows) && rows[i].start < window.End; i++ {
		q := rows[i]
		if q.latency <= f.Worst {
			continue
		}
		if n := len(groups); n > 0 && q.start <= groups[n-1].End+mergeGap {
			groups[n-1].End = max(groups[n-1].End, q.end)
		} else {
			groups = append(groups, Span{q.start, q.end})
		}
	}
	var out []Episode
	for _, g := range groups {
		e := f.episode(rows, window, g, longest)
		if around := f.episode(rows, window, Span{g.Start, max(g.End, g.Start+f.Width)}, longest); f.Share.Below(around.Affected, around.Sent) {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		whole := Span{groups[0].Start, groups[0].End}
		for _, g := range groups {
			whole.End = max(whole.End, g.End)
		}
		out = append(out, f.episode(rows, window, whole, longest))
	}
	return out
}

// episode counts the requests of one freeze. No request lasts longer than
// longest, which bounds how far back one in flight at the onset can have
// started.
func (f FreezeRule) episode(rows []timed, window, at Span, longest int64) Episode {
	e := Episode{Window: window, Onset: at.Start, Thaw: at.End}
	for i := searchStart(rows, e.Onset-longest); i < len(rows) && rows[i].start < e.Thaw; i++ {
		switch q := rows[i]; {
		case q.start >= e.Onset:
			e.Sent++
			e.Worst = max(e.Worst, q.latency)
			if q.latency > f.Slow {
				e.Affected++
			}
		case q.end >= e.Thaw:
			e.InFlight++
		}
	}
	return e
}

func searchStart(rows []timed, t int64) int {
	lo, hi := 0, len(rows)
	for lo < hi {
		m := (lo + hi) / 2
		if rows[m].start < t {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}
