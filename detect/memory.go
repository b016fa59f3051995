package detect

import (
	"headroom/runs"
	"headroom/runs/ordered"
)

// Collect groups samples in memory by scenario, as Load does those of a run.
func Collect(samples []runs.Sample, response bool) []*Requests {
	l := newLoader(response, ordered.NewSpace(0))
	l.expected = len(samples)
	for i := range samples {
		s := &samples[i]
		l.scenario(s.Scenario).add(runs.StartNanos(s.Start, s.StartNS), s.Wait, s.Service, outcomeOf(s.Outcome), s.Events,
			l.id(s.Op), l.id(s.Target), l.id(s.Worker))
	}
	return l.done()
}
