package detect

import "time"

// What a pause of the generator is, by default.
const (
	pauseLeast    = int64(100 * time.Millisecond)
	pauseExpected = 8
)

var generatorStall = &Detector{
	Name:    "generator-stall",
	Version: 1,
	Doc: `Generator stalls: the load generator itself stood still.
No request was sent for longer than "least", though at least "expected" were to be
sent in that time at the run's own rate, and none was given up (dropped) either. What
the trace shows then is the generator, not the server: latencies that a tool measures
from when it sends hide such a pause, those counted from when work was due show it as
a freeze.
With a closed loop a server that stands still stops the generator too: a pause in
which every request ever in flight at once is in flight is the server's, and left out.
Cannot see: pauses shorter than "least"; why the generator stood still; a generator
of several processes of which one stands still.`,
	Params: []Param{
		{"least", seconds(pauseLeast), "s", "a pause is longer than this"},
		{"expected", pauseExpected, "1", "fewest requests that are missing in it"},
	},
	Needs: []string{"samples"},
	Run: func(p *Pass) error {
		if len(p.Requests) == 0 {
			p.CouldNotLook(p.Scope(""), "no raw samples")
		}
		for _, r := range p.Requests {
			scope := p.Scope(r.Scenario)
			found, rate := pauses(r, p.ParamNS("least"), p.Param("expected"))
			if rate == 0 {
				p.CouldNotLook(scope, "too few requests in a second to miss one")
				continue
			}
			p.Looked(scope)
			for _, g := range found {
				p.Report(scope, Warning, g.Span, map[string]float64{"missing": g.Missing, "burst": g.Burst, "in_flight": float64(g.Busy)},
					"the generator sent nothing for %s, in which %.0f requests were to be sent", short(g.Len()), g.Missing)
			}
		}
		return nil
	},
}
