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
// largest share of slow requests. It is not decisive when the median request
// takes over 15 % of the episode: requests that are themselves long lift the
// median of any second with a stall in it. A storm lasts a second and more. run
// is the median latency of all requests, in ns.
func (f FreezeRule) Fingerprint(r *Requests, run int64, e Episode) Fingerprint {
	if length := e.Thaw - e.Onset; 100*run > 15*length {
		return NotDecisive
	}
	at, share := f.worstSecond(r, e)
	if at == nil {
		return NotDecisive
	}
	usual, _ := median(at)
	print := FingerprintOf(share, usual, run)
	if print == Storm && e.Thaw-e.Onset < f.Width {
		return NotDecisive
	}
	return print
}

// worstSecond returns the requests of the second, counted from the episode's
// onset, that has the largest share of slow ones; nil if none is slow.
func (f FreezeRule) worstSecond(r *Requests, e Episode) (at *Requests, share float64) {
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
		if n > 0 && float64(slow)/float64(n) > share {
			at, share = part, float64(slow)/float64(n)
		}
	}
	return at, share
}
