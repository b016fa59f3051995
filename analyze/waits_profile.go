package analyze

import (
	"cmp"
	"slices"

	"headroom/runs"
)

// look is one look at the database's client sessions.
type look struct {
	at       int64 // µs since the Unix epoch
	sessions int   // client sessions, idle ones included
	waiting  int   // of those that were working, how many waited
}

// looks brings the rows of each sampling instant together, in order of time. A
// sampler may stamp the rows of one look milliseconds apart.
func looks(rows []runs.Activity) []look {
	ordered := slices.Clone(rows)
	slices.SortStableFunc(ordered, func(a, b runs.Activity) int { return cmp.Compare(a.Time, b.Time) })
	var out []look
	last := int64(0)
	for _, a := range ordered {
		if len(out) == 0 || a.Time-last >= instantGap {
			out = append(out, look{at: a.Time})
		}
		last = a.Time
		if background(a) {
			continue
		}
		l := &out[len(out)-1]
		l.sessions++
		if a.State != "idle" && (a.Wait != "" || a.WaitType != "") {
			l.waiting++
		}
	}
	return out
}

// background reports whether a session is no client's.
func background(a runs.Activity) bool {
	return a.BackendType != "" && a.BackendType != "client backend" && a.BackendType != "parallel worker"
}

// profile gives the denominator of a tally, and how many sessions waited at once:
// "50 to 55 of 61". Least and most are over the looks.
func profile(u unit, rows []runs.Activity, from From) []Quantity {
	list := looks(rows)
	if len(list) == 0 {
		return nil
	}
	sessions, least, most := 0, list[0].waiting, 0
	for _, l := range list {
		sessions, least, most = max(sessions, l.sessions), min(least, l.waiting), max(most, l.waiting)
	}
	n := int64(len(list))
	from.Method = "per-look@1"
	return []Quantity{
		quantity("waits.looks", u.scope, float64(n), "1", n, from),
		quantity("waits.sessions", u.scope, float64(sessions), "1", n, from),
		quantity("waits.waiting_min", u.scope, float64(least), "1", n, from),
		quantity("waits.waiting_max", u.scope, float64(most), "1", n, from),
	}
}
