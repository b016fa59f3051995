package detect

import (
	"math"

	"headroom/runs/ordered"
)

// Jobs is what the jobs of a queue, requests that wait until they are begun, say of
// it.
type Jobs struct {
	N, Done                       int   // jobs, and those that ended well
	LastCame, LastBegun, LastDone int64 // ns since the Unix epoch, 0 without jobs
	// Peak is the most jobs that had come and were not begun at one time. One that
	// begins at the very instant another comes has left.
	Peak int
	// Busy is for how long, in ns, at least one job waited, and Served how many were
	// begun while one did: what the queue's workers take when there is always a next.
	Busy   int64
	Served int
}

// JobsOf reads the jobs of all the scenarios as those of one queue.
func JobsOf(scenarios []*Requests) Jobs {
	var j Jobs
	if len(scenarios) == 0 || scenarios[0].table == nil {
		return j
	}
	const came, kinds = 1, 2
	first := int64(math.MaxInt64)
	for _, r := range scenarios {
		if r.Len() > 0 {
			first = min(first, r.First())
		}
	}
	b := ordered.NewBuilder(scenarios[0].table.Space(), 1, 0)
	for _, r := range scenarios {
		for c := range r.Chunks() {
			for i, start := range c.Start {
				begun := c.Sent(i)
				b.Add(kinds*min(start-first, farOff) + came)
				b.Add(kinds * min(begun-first, farOff))
				j.N++
				if c.OK(i) {
					j.Done++
				}
				j.LastCame, j.LastBegun, j.LastDone = max(j.LastCame, start), max(j.LastBegun, begun), max(j.LastDone, c.End(i))
			}
		}
	}
	waiting, before := 0, int64(0)
	events := b.Table()
	var keys []int64
	for r := events.Read(0, events.Len()); r.Next() > 0; {
		keys = r.Column(0, keys[:0])
		for _, key := range keys {
			at := key >> 1 // kinds is two, and a time before the first is negative
			if waiting > 0 {
				j.Busy += at - before
			}
			before = at
			switch {
			case key%kinds != 0: // came
				waiting++
			default:
				if waiting > 0 {
					j.Served++
				}
				waiting--
			}
			j.Peak = max(j.Peak, waiting)
		}
	}
	return j
}
