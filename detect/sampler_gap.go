package detect

import "slices"

var samplerGap = &Detector{
	Name:    "sampler-gap",
	Version: 2,
	Doc: `Sampler gaps: moments without evidence.

Each source of points is expected to go on at its own pace: the median distance
between its stamps, or the shortest interval that its points say they stand for,
whichever is longer (a look at a database gives many rows, each with a stamp of its
own). A distance of more than "factor" times that, and more than
"least", is a gap; so is a source that begins after the window's start or ends
before its end by as much. What happened in a gap cannot be told from this source.

Cannot see: a source that was never started, and one that recorded stale values on
time. Sources with fewer than "points" stamps have no pace.`,
	Params: []Param{
		{"factor", 3, "1", "a gap is longer than this many of the source's steps"},
		{"least", 2, "s", "and longer than this"},
		{"points", 4, "1", "fewest stamps that show a pace"},
	},
	Needs: []string{"points"},
	Run:   samplerGaps,
}

func samplerGaps(p *Pass) error {
	stamps := p.stamps()
	sources := make([]string, 0, len(stamps))
	for s := range stamps {
		sources = append(sources, s)
	}
	slices.Sort(sources)
	if len(sources) == 0 {
		p.CouldNotLook(p.Scope(""), "no points were recorded within the window")
	}
	for _, source := range sources {
		ts := stamps[source]
		if len(ts) < int(p.Param("points")) {
			p.CouldNotLook(p.Scope(""), "%s has only %d stamps within the window: no pace to compare with", source, len(ts))
			continue
		}
		p.Looked(p.Scope(""))
		gaps := make([]int64, len(ts)-1)
		for i := range gaps {
			gaps[i] = ts[i+1] - ts[i]
		}
		pace := slices.Clone(gaps)
		slices.Sort(pace)
		step := max(pace[len(pace)/2], p.Evidence.Steps[source])
		limit := max(int64(p.Param("factor")*float64(step)), p.ParamNS("least"))
		edges := append([]int64{p.Window.Start}, ts...)
		edges = append(edges, p.Window.End)
		for i := range len(edges) - 1 {
			if d := edges[i+1] - edges[i]; d > limit {
				p.Report(p.Scope(""), Info, Span{edges[i], edges[i+1]}, map[string]float64{"gap": seconds(d), "step": seconds(step)},
					"%s recorded nothing for %s (its step is %s)", source, short(d), short(step))
			}
		}
	}
	return nil
}

// stamps returns those of each source within the window. Points that the load
// generator made (they have no resolution) say nothing of a sampler.
func (p *Pass) stamps() map[string][]int64 {
	out := map[string][]int64{}
	for source, ts := range p.Evidence.Stamps {
		if in := within(ts, p.Window); len(in) > 0 {
			out[source] = in
		}
	}
	return out
}
