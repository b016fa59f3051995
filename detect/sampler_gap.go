package detect

import (
	"slices"

	"headroom/runs"
)

var samplerGap = &Detector{
	Name:    "sampler-gap",
	Version: 1,
	Doc: `Sampler gaps: moments without evidence.

Each source of points is expected to go on at its own pace, the median distance
between its stamps. A distance of more than "factor" times that, and more than
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
	stamps, err := stampsBySource(p)
	if err != nil {
		return err
	}
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
		limit := max(int64(p.Param("factor")*float64(pace[len(pace)/2])), p.ParamNS("least"))
		edges := append([]int64{p.Window.Start}, ts...)
		edges = append(edges, p.Window.End)
		for i := range len(edges) - 1 {
			if d := edges[i+1] - edges[i]; d > limit {
				p.Report(p.Scope(""), Info, Span{edges[i], edges[i+1]}, map[string]float64{"gap": seconds(d), "step": seconds(pace[len(pace)/2])},
					"%s recorded nothing for %s (its step is %s)", source, short(d), short(pace[len(pace)/2]))
			}
		}
	}
	return nil
}

// stampsBySource returns the distinct instants, in ns and ascending, at which
// each source recorded points within the window. Points that the load generator
// made (their source also gave samples) say nothing of a sampler.
func stampsBySource(p *Pass) (map[string][]int64, error) {
	out := map[string][]int64{}
	within := runs.Range{Start: p.Window.Start / 1000, End: p.Window.End / 1000}
	err := p.Run.ScanPoints(p.Context, nil, within, func(q *runs.Point) error {
		if q.Resolution == 0 {
			return nil
		}
		ts := out[q.Source]
		if t := q.Time * 1000; len(ts) == 0 || ts[len(ts)-1] != t {
			out[q.Source] = append(ts, t)
		}
		return nil
	})
	for s, ts := range out {
		slices.Sort(ts)
		out[s] = slices.Compact(ts)
	}
	return out, err
}
