package analyze

import (
	"fmt"

	"headroom/detect"
	"headroom/runs"
	"headroom/stat"
)

// Numbers of a rate limiter of token buckets, one for each source of load; see
// claimBatches.
const (
	claimLimiterBurst   = "limiter.burst"   // requests that a full bucket lets pass at once
	claimLimiterRefill  = "limiter.refill"  // requests a second after that
	claimLimiterSources = "limiter.sources" // sources with a bucket each; 1 if not declared
)

// LimiterRules are a rate limiter of token buckets, one for each source of load.
// The zero value is none.
type LimiterRules struct {
	Burst   float64 `json:"burst,omitempty"`   // requests that a full bucket lets pass at once
	Refill  float64 `json:"refill,omitempty"`  // requests a second after that
	Sources float64 `json:"sources,omitempty"` // sources with a bucket each (default 1)
}

// limiter is the rate limiter as the run claims it, else as the protocol has it.
func (m *Measured) limiter() (burst, refill, sources float64, ok bool) {
	burst, ok1 := m.claimValue(claimLimiterBurst)
	refill, ok2 := m.claimValue(claimLimiterRefill)
	sources, ok3 := m.claimValue(claimLimiterSources)
	if r := m.protocol.Limiter; !ok1 && !ok2 {
		burst, refill, sources = r.Burst, r.Refill, r.Sources
		ok1, ok3 = burst > 0 || refill > 0, sources > 0
	}
	if !ok3 {
		sources = 1
	}
	return burst, refill, sources, ok1 || ok2
}

// limiterPhase is a time of steady offers.
type limiterPhase struct {
	scope   detect.Scope
	rate    float64 // requests a second of all sources
	seconds float64
}

// limiterPhases are the steps with what was offered in them, else the whole window.
// Where nobody declared an offered rate, an open loop offered what it sent.
func (m *Measured) limiterPhases() []limiterPhase {
	var out []limiterPhase
	for _, u := range m.intervals() {
		if (u.scope.Step != "") != (len(m.manifest.Steps) > 0) {
			continue
		}
		p := limiterPhase{u.scope, m.offered(&u), float64(u.window.Len()) / 1e9}
		if p.rate == 0 && m.model.Model == runs.OpenLoop {
			p.rate = m.sentRate(u.scope.Step, p.seconds)
		}
		out = append(out, p)
	}
	return out
}

// sentRate is how many requests a second all loads sent in a window; 0 is unknown.
func (m *Measured) sentRate(step string, seconds float64) float64 {
	q := m.ofLoad("requests", step)
	if q == nil || q.Value == nil || seconds <= 0 {
		return 0
	}
	return *q.Value / seconds
}

// limiterQuantities is what the limiter is bound to let pass and to refuse, phase
// by phase (DETECTION 9.6). What is left in the buckets goes on into the next
// phase; a mean over all of them hides the burst that builds a queue.
func (m *Measured) limiterQuantities() []Quantity {
	burst, refill, sources, ok := m.limiter()
	if !ok {
		return nil
	}
	from := From{Tables: []string{"run.json"}, Method: "token-bucket@1", Params: map[string]any{"burst": burst, "refill": refill, "sources": sources}}
	if sources != float64(int(sources)) || sources > 1e9 {
		return []Quantity{withhold(quantity("limiter.passed", detect.Scope{}, 0, "1", -1, from), fmt.Sprintf("%g sources are no number of sources", sources))}
	}
	passed, refused, why := 0.0, 0.0, ""
	var out []Quantity
	bucket := stat.TokenBucket{Burst: burst, Refill: refill}
	phases := m.limiterPhases()
	for _, p := range phases {
		l, err := limited(&bucket, burst, int(sources), p)
		if p.rate <= 0 || err != nil {
			why = "the offered rate is not known"
			break
		}
		passed, refused = passed+l.Passed, refused+l.Refused
		out = append(out, limiterPhaseQuantities(p, l, from, len(phases) > 1)...)
	}
	total := []Quantity{quantity("limiter.passed", detect.Scope{}, passed, "1", -1, from), quantity("limiter.refused", detect.Scope{}, refused, "1", -1, from)}
	if why != "" {
		return []Quantity{withhold(total[0], why), withhold(total[1], why)}
	}
	return append(total, out...)
}

func limiterPhaseQuantities(p limiterPhase, l stat.Limited, from From, stepped bool) []Quantity {
	from.Params = withParam(from, "offered", p.rate).Params
	give := func(id string, v float64, unit string) Quantity { return quantity(id, p.scope, v, unit, -1, from) }
	var out []Quantity
	if stepped {
		out = append(out, give("limiter.passed", l.Passed, "1"), give("limiter.refused", l.Refused, "1"))
	}
	if l.EmptyAt != nil {
		out = append(out, give("limiter.empty_at", *l.EmptyAt, "s"), give("limiter.rate_before", l.Before, "1/s"))
	}
	return append(out, give("limiter.rate_after", l.After, "1/s"))
}

// limited takes one phase from the buckets, and leaves in them what is left:
// bucket.Burst is what they hold, full is what they can hold.
func limited(bucket *stat.TokenBucket, full float64, sources int, p limiterPhase) (stat.Limited, error) {
	each := p.rate / float64(sources)
	l, err := bucket.Limit(sources, each, p.seconds)
	if err != nil {
		return l, err
	}
	bucket.Burst = min(full, max(0, bucket.Burst+(bucket.Refill-each)*p.seconds))
	return l, nil
}
