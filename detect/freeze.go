package detect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/stat"
)

var freeze = &Detector{
	Name:    "freeze",
	Version: 5,
	Doc: `Freezes: moments in which the whole system stood still.

A freeze-second is a second whose worst request took longer than "worst" and in
which more than "share" of the requests took longer than "slow"; both limits are
strict. Seconds are counted from the start of the measured window and charged by
the start of a request. Adjacent freeze-seconds make an episode. That is the
published rule: freeze.seconds and freeze.episodes.

A fixed grid counts a freeze across the edge of a second twice, and may miss a
short one there. So the rule is also applied at every phase at once (an exact
sliding window): each finding is one freeze found that way, with its onset and
thaw, and freeze.expected is what a grid at a random phase would count.

freeze.cadence is given only when a test against random placement says that the
freezes come in a rhythm; six are the fewest that are tested.

Its fingerprint: a stall hangs some requests and leaves the others as fast as ever
(under 60 % slow, the median at most 1.25 times the run's); a storm slows them all (90 %
and more, the median at least doubled, a second and longer); anything else, and any
freeze of a run whose median request takes over 15 % of the freeze, is not decisive.

Where most seconds are over the limits, the rule flags a slow system, not a frozen
one, and says so. Where the median request is over "slow" and few seconds are over the
limits, one slow request puts a second over them, and whether it was frozen is not told.

Seconds with fewer than "thin" requests show nothing: one slow request of nine is
over "share". They are not counted; freeze.seconds_thin says how many of them meet the
limits, freeze.seconds_judged how many seconds have requests enough. Where most have
not and no freeze was found, nobody could look.

Cannot see: stalls shorter than "worst"; a stall that touches fewer than "share"
of the requests; stalls of a scenario with fewer than "thin" requests a second;
anything in sources without raw samples. A generator that stood still is not told
from a server that did, unless the latency counts from when work was due.`,
	Params: []Param{
		{"worst", 0.150, "s", "the worst request of a frozen second is over this"},
		{"slow", 0.050, "s", "a request over this is slow"},
		{"share", 0.1, "1", "more than this share of the second's requests is slow"},
		{"thin", 20, "1", "a second with fewer requests is listed apart and not counted"},
	},
	Needs: []string{"samples"},
	Run: func(p *Pass) error {
		share, err := ParseRatio(p.Param("share"))
		if err != nil {
			return fmt.Errorf("parameter share: %w", err)
		}
		rule := FreezeRule{
			Worst: p.ParamNS("worst"), Slow: p.ParamNS("slow"), Share: share,
			Width: int64(time.Second), Thin: int(p.Param("thin")),
		}
		if len(p.Requests) == 0 {
			p.CouldNotLook(p.Scope(""), "no raw samples: latency that is already aggregated shows no single second")
		}
		for _, r := range p.Requests {
			rule.look(p, r)
		}
		return nil
	},
}

func (f FreezeRule) look(p *Pass, r *Requests) {
	scope := p.Scope(r.Scenario)
	run, ok := median(r)
	if !ok {
		p.CouldNotLook(scope, "no request of this scenario has a latency")
		return
	}
	grid := f.Frozen(r, p.Window.Start, ByStart)
	sweep := f.Sweep(r, f.Thin)
	spread := f.spread(r, p.Window.Start)
	measure := func(id string, v float64, unit string, warnings ...string) {
		p.Measure(Measure{ID: id, Scope: scope, Value: v, Unit: unit, N: int64(r.Len()), Method: "freeze@1", Warnings: warnings})
	}
	measure("freeze.seconds_thin", float64(len(grid.Thin)), "s")
	measure("freeze.seconds_judged", float64(spread.judged), "s")
	if len(grid.Seconds) == 0 && len(sweep.Episodes) == 0 && 2*spread.judged < spread.seconds {
		p.CouldNotLook(scope, "a second needs %d requests to show a freeze, and %d of %d have as many%s", f.Thin, spread.judged, spread.seconds, f.thinOnes(grid))
		return
	}
	p.Looked(scope)
	slow := f.slowThroughout(run, len(grid.Seconds), spread.seconds)
	if slow == "" && run > f.Slow && len(grid.Seconds)+len(sweep.Episodes) > 0 {
		slow = fmt.Sprintf("the median request took over %s, so that one slow request puts a second over the limits%s", short(f.Slow), FrozenNotTold)
	}
	for _, e := range sweep.Episodes {
		f.report(p, r, run, slow, e)
	}
	lo, hi := f.phases(r, p.Window.Start)
	var warnings []string
	if slow != "" {
		warnings = append(warnings, slow)
	}
	if spread.seconds-spread.judged > edgeSeconds || len(grid.Thin) > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of %d seconds"+ThinSeconds+"%d requests, too few to show a freeze%s", spread.seconds-spread.judged, spread.seconds, f.Thin, f.thinOnes(grid)))
	}
	p.Measure(Measure{
		ID: "freeze.seconds", Scope: scope, Value: float64(len(grid.Seconds)), Unit: "s", N: int64(r.Len()),
		Interval: []float64{float64(lo), float64(hi)}, Method: "freeze@1", Warnings: warnings,
		Details: map[string]any{"at": append([]int64{}, grid.Seconds...), "interval": "fewest and most over ten phases of the grid"},
	})
	measure("freeze.episodes", float64(len(grid.Episodes)), "1")
	measure("freeze.seconds_by_end", float64(len(f.Frozen(r.Ending(p.Window), p.Window.Start, ByEnd).Seconds)), "s",
		"charged by the end of a request: a freeze of several seconds collapses into the second of its thaw")
	measure("freeze.expected", sweep.Expected, "s")
	if rhythm := TestRhythm(onsets(sweep.Episodes), 1); rhythm.Rhythmic {
		for i := range p.Findings {
			if p.Findings[i].Scope == scope {
				p.Findings[i].Measures["cadence"] = rhythm.MedianGap
			}
		}
		p.Measure(Measure{
			ID: "freeze.cadence", Scope: scope, Value: rhythm.MedianGap, Unit: "s", N: int64(rhythm.Events - 1),
			Interval: rhythm.Quartiles[:], Method: "rhythm@1",
			Warnings: []string{fmt.Sprintf("median of %d gaps; p = %.4f (Greenwood), %.4f (on the beat)", rhythm.Events-1, rhythm.PGreen, rhythm.PBeat)},
		})
	}
}

// SlowNotFrozen ends the warning of freeze-seconds that are no freeze: the run is
// slow all along by the rule's own limits.
const SlowNotFrozen = ": these seconds were slow, not frozen"

// ThinSeconds stands in the warning of a run some of whose seconds have too few
// requests to show a freeze.
const ThinSeconds = " have fewer than "

// edgeSeconds of a run may be cut short by its start and its end.
const edgeSeconds = 2

// fewestSeconds with requests show what an ordinary one is.
const fewestSeconds = 10

// FrozenNotTold ends the warning of seconds over the limits, few of many, of a run
// whose median request is slow by the rule: the share says nothing there.
const FrozenNotTold = ": whether it was frozen then cannot be told"

// slowThroughout says that the seconds over the limits are no freeze, "" if they
// may be one: most seconds in which requests began are over the limits, so that an
// ordinary second is, of ten and more or with a median request that is slow.
func (f FreezeRule) slowThroughout(run int64, frozen, seconds int) string {
	switch {
	case 2*frozen <= seconds:
		return ""
	case run > f.Slow:
		return fmt.Sprintf("the median request took over %s%s", short(f.Slow), SlowNotFrozen)
	case seconds >= fewestSeconds:
		return fmt.Sprintf("%d of %d seconds are over the limits, so that an ordinary one is%s", frozen, seconds, SlowNotFrozen)
	}
	return ""
}

// spreadSeconds counts the seconds in which requests with a latency began, and of
// those the ones with as many as show a freeze.
type spreadSeconds struct{ seconds, judged int }

func (f FreezeRule) spread(r *Requests, anchor int64) spreadSeconds {
	var out spreadSeconds
	var second Span
	n := 0
	flush := func() {
		if n > 0 {
			out.seconds++
		}
		if n > 0 && n >= f.Thin {
			out.judged++
		}
		n = 0
	}
	for c := range r.Chunks() {
		for i, start := range c.Start {
			if _, ok := c.Latency(i); !ok {
				continue
			}
			if !second.Contains(start) {
				flush()
				k := stat.BucketIndex(start, anchor, f.Width)
				second = Span{anchor + k*f.Width, anchor + (k+1)*f.Width}
			}
			n++
		}
	}
	flush()
	return out
}

// thinOnes says how many seconds would be frozen if they had requests enough.
func (f FreezeRule) thinOnes(grid FrozenSeconds) string {
	if len(grid.Thin) == 0 {
		return ""
	}
	return fmt.Sprintf("; %d with fewer meet the limits and are not counted", len(grid.Thin))
}

// median returns the median latency of the requests in ns; ok is false if none has
// one.
func median(r *Requests) (ns int64, ok bool) {
	m, err := stat.QuantilesOf(r.Latencies(AnyOutcome), held, stat.P50)
	if err != nil {
		return 0, false
	}
	return m[0], true
}

// phases returns the fewest and most freeze-seconds over ten phases of the grid.
func (f FreezeRule) phases(r *Requests, anchor int64) (lo, hi int) {
	seconds := f.Phases(r, anchor-f.Width)
	return slices.Min(seconds[:]), slices.Max(seconds[:])
}

// report adds the finding of an episode; run is the median latency in ns, and slow
// what is to be said of a run that is slow itself.
func (f FreezeRule) report(p *Pass, r *Requests, run int64, slow string, e Episode) {
	overload := slow != ""
	severity := Warning
	if e.Worst >= int64(time.Second) {
		severity = Serious
	}
	what := "frozen for %s"
	switch {
	case strings.HasSuffix(slow, SlowNotFrozen):
		what = "slow for %s, as the run is throughout"
	case overload:
		what = "over the limits for %s in a run whose median request is slow"
	}
	share := 0.0
	if e.Sent > 0 {
		share = float64(e.Affected) / float64(e.Sent)
	}
	print := f.Fingerprint(r, run, e)
	looks := ""
	if print != NotDecisive && !overload {
		looks = ", a " + string(print)
	}
	measures := map[string]float64{
		"worst":     seconds(e.Worst),
		"affected":  share,
		"requests":  float64(e.Sent),
		"in_flight": float64(e.InFlight),
	}
	if s := f.bySecond(r, e); s.share > 0 && run > 0 {
		measures["slow_share"] = s.share
		measures["p50_ratio"] = float64(s.highest) / float64(run)
	}
	p.Report(p.Scope(r.Scenario), severity, Span{e.Onset, e.Thaw}, measures, "%s%s: worst request %s, %d of %d requests over %s",
		fmt.Sprintf(what, short(e.Thaw-e.Onset)), looks, short(e.Worst), e.Affected, e.Sent, short(f.Slow))
	p.Findings[len(p.Findings)-1].Fingerprint = print
}

func onsets(es []Episode) []float64 {
	out := make([]float64, len(es))
	for i, e := range es {
		out[i] = seconds(e.Onset - es[0].Onset)
	}
	return out
}

func seconds(ns int64) float64 { return float64(ns) / float64(time.Second) }

// short writes a duration to the millisecond.
func short(ns int64) string {
	d := time.Duration(ns)
	if d < time.Second {
		return fmt.Sprintf("%.0f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
