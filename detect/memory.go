package detect

import "headroom/runs"

// Collect groups samples in memory by scenario, as Load does those of a run.
func Collect(samples []runs.Sample, response bool) []*Requests {
	l := newLoader(response)
	var b runs.Batch
	for i := range samples {
		s := &samples[i]
		b.Len++
		b.Start, b.StartNS = append(b.Start, s.Start), append(b.StartNS, s.StartNS)
		b.Wait, b.Service, b.Events = append(b.Wait, s.Wait), append(b.Service, s.Service), append(b.Events, s.Events)
		b.Scenario, b.Op, b.Target = append(b.Scenario, s.Scenario), append(b.Op, s.Op), append(b.Target, s.Target)
		b.Worker, b.Outcome = append(b.Worker, s.Worker), append(b.Outcome, s.Outcome)
		l.add(&b, i)
	}
	return l.done()
}
