package detect

// Fingerprint says what a freeze looks like from outside (DETECTION 4.4).
type Fingerprint string

// The fingerprints.
const (
	// Stall: some requests hang and the others are as fast as ever.
	Stall Fingerprint = "stall"
	// Storm: all of them are slow for a second and more.
	Storm Fingerprint = "storm"
	// NotDecisive: neither.
	NotDecisive Fingerprint = "not decisive"
)

// FingerprintOf tells a stall (under 0.6 of the requests affected, the median of
// the second at most 1.25 times the run's) from a storm (at least 0.9 affected,
// the median at least doubled). The medians are in ns.
func FingerprintOf(affected float64, secondMedian, runMedian int64) Fingerprint {
	switch {
	case runMedian <= 0:
		return NotDecisive
	case affected >= 0.9 && secondMedian >= 2*runMedian:
		return Storm
	case affected < 0.6 && 4*secondMedian <= 5*runMedian:
		return Stall
	}
	return NotDecisive
}

// Fingerprint looks at an episode: at the second from its start that has the
// largest share of slow requests, of equals at the one of the highest median. It is not decisive when the median request
// takes over 15 % of the episode: requests that are themselves long lift the
// median of any second with a stall in it. A storm lasts a second and more. run
// is the median latency of all requests, in ns.
func (f FreezeRule) Fingerprint(r *Requests, run int64, e Episode) Fingerprint {
	if length := e.Thaw - e.Onset; 100*run > 15*length {
		return NotDecisive
	}
	worst := f.bySecond(r, e)
	if worst.share == 0 {
		return NotDecisive
	}
	print := FingerprintOf(worst.share, worst.median, run)
	if print == Storm && e.Thaw-e.Onset < f.Width {
		return NotDecisive
	}
	return print
}

// perSecond is what the seconds of an episode, counted from its onset, are like.
type perSecond struct {
	share   float64 // the largest share of slow requests; 0 if none is slow
	median  int64   // of that second, ns: the highest of those with that share
	highest int64   // median of any second with a slow request, ns
}

func (f FreezeRule) bySecond(r *Requests, e Episode) perSecond {
	var out perSecond
	for t := e.Onset; t < e.Thaw; t += f.Width {
		part := r.Starting(Span{t, t + f.Width})
		slow, n := 0, 0
		for c := range part.Chunks() {
			for i := range c.Start {
				if l, ok := c.Latency(i); ok {
					n++
					if l > f.Slow {
						slow++
					}
				}
			}
		}
		if slow == 0 {
			continue
		}
		share := float64(slow) / float64(n)
		m, _ := median(part)
		if share > out.share || share == out.share && m > out.median {
			out.share, out.median = share, m
		}
		out.highest = max(out.highest, m)
	}
	return out
}
