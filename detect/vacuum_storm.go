package detect

import "strings"

var vacuumStorm = &Detector{
	Name:    "vacuum-storm",
	Version: 1,
	Doc: `Vacuum completion storms: an automatic vacuum ended in a burst of small writes.

A vacuum that dirtied many pages ends by writing them: in the "before" seconds up to
its logged completion, or the "after" seconds that follow, the disk's requests shrank
below a quarter of their usual size, or its queue was five times as long as usual (and
over 8). The completions that came with neither are counted in the message.
Whether requests froze with it is for the attribution of freezes to say.
Cannot see: anything unless log_autovacuum_min_duration is set and the disk was
recorded about once a second; vacuums that somebody ran by hand.`,
	Params: []Param{
		{"before", 2.5, "s", "that the storm may come before the completion is logged"},
		{"after", 1, "s", "and after it"},
	},
	Needs:   []string{"markers", "points"},
	Metrics: append(append([]string{}, shrunkRequests.Metrics...), longQueue.Metrics...),
	Run:     lookForVacuumStorms,
}

func lookForVacuumStorms(p *Pass) error {
	scope := p.Scope("")
	if why := p.Evidence.unlogged([]string{"postgres.autovacuum"}); why != "" {
		p.CouldNotLook(scope, "%s", why)
		return nil
	}
	small, queue := shrunkRequests.levels(p.Evidence), longQueue.levels(p.Evidence)
	if !small.recorded && !queue.recorded {
		p.CouldNotLook(scope, "neither the size of the disk's requests nor its queue was recorded")
		return nil
	}
	p.Looked(scope)
	var storms []Span
	var pages []float64
	calm := 0
	for i := range p.Evidence.Markers {
		m := &p.Evidence.Markers[i]
		at := m.Time * 1000
		if m.Kind != "postgres.autovacuum" && !strings.HasPrefix(m.Kind, "postgres.autovacuum.end") || !p.Window.Contains(at) {
			continue
		}
		near := Span{at - p.ParamNS("before"), at + p.ParamNS("after")}
		storm := Span{at, at}
		found := false
		for _, s := range append(append([]Span{}, small.spans...), queue.spans...) {
			if s.Start <= near.End && s.End >= near.Start {
				storm.Start, storm.End, found = min(storm.Start, s.Start), max(storm.End, s.End), true
			}
		}
		if !found {
			calm++
			continue
		}
		dirtied, _ := Attr(m, "buffers_dirtied")
		storms, pages = append(storms, storm), append(pages, dirtied)
	}
	for i, s := range storms {
		p.Report(scope, Warning, s, map[string]float64{"pages_dirtied": pages[i]},
			"an automatic vacuum ended with a burst of small writes (%s of %d completions came with one)", plural(len(storms), "storm"), len(storms)+calm)
	}
	return nil
}
