package detect

import "time"

var completionGap = &Detector{
	Name:    "completion-gap",
	Version: 2,
	Doc: `Completion gaps: moments in which no request was answered.
A stretch longer than "least" between two consecutive answers, in which at least 20
answers are missing at the run's own rate: by chance that happens once in e^20 gaps.
It gives the onset and the thaw of a total freeze to the millisecond. Where requests
went on being sent, the server side stood still; where none was sent either, it may
have been the generator.
Cannot see: a freeze that lets some requests through; with few requests a second
anything shorter than 20 of their intervals.`,
	Params: []Param{{"least", 0.1, "s", "a gap is longer than this"}},
	Needs:  []string{"samples"},
	Run: func(p *Pass) error {
		if len(p.Requests) == 0 {
			p.CouldNotLook(p.Scope(""), "no raw samples")
		}
		for _, r := range p.Requests {
			scope := p.Scope(r.Scenario)
			if r.Len() < gapExpected {
				p.CouldNotLook(scope, "fewer than %d requests", gapExpected)
				continue
			}
			p.Looked(scope)
			for _, g := range CompletionGaps(r, p.ParamNS("least")) {
				p.Report(scope, gapSeverity(g), g.Span, map[string]float64{
					"missing": g.Missing, "in_flight": float64(g.InFlight), "sent": float64(g.Starts),
				}, "nothing was answered for %s, in which %.0f answers were due: %s", short(g.Len()), g.Missing, g.side())
			}
		}
		return nil
	},
}

func gapSeverity(g Gap) Severity {
	if g.Len() >= int64(time.Second) {
		return Serious
	}
	return Warning
}

// side says who stood still. Sent counts the first half of the gap, in which half
// of what is missing is to be sent: half of that half tells a steady load, whose
// count scatters about the whole half, from a generator that stood still.
func (g Gap) side() string {
	switch {
	case float64(g.Starts) >= g.Missing/4:
		return "requests went on being sent, so the server's side stood still"
	case g.InFlight == 0:
		return "none was sent and none in flight, so the generator stood still"
	}
	return "hardly any was sent either: the generator stood still, or every worker waited"
}
