package detect

import "slices"

var walPool = &Detector{
	Name:    "wal-pool",
	Version: 1,
	Doc: `WAL-pool rhythm: sessions wait while a new WAL segment is made.

PostgreSQL keeps used WAL segments to write over. After a lull too few are left, and
whoever needs the next one makes it, zeroes it and syncs it while the others wait:
WALInitWrite and WALInitSync. Moments with such waits are findings; where there are six
and more, their gaps are tested against random placement, and only if they come in a
rhythm is there a cadence. min_wal_size or a larger pool is the lever.
Cannot see: waits between two looks of the sampler (at a half of a second it sees most
that last a quarter); a server whose sessions nobody sampled; PostgreSQL before 10.`,
	Params: []Param{
		{"merge", 0.5, "s", "moments closer than this are one"},
	},
	Needs:   []string{"activity", "points"},
	Metrics: walSegmentPoints.Metrics,
	Run:     lookForWALPool,
}

func lookForWALPool(p *Pass) error {
	scope := p.Scope("")
	waits, levels := walSegmentWaits.waits(p.Evidence), walSegmentPoints.levels(p.Evidence)
	if !waits.recorded && !levels.recorded {
		p.CouldNotLook(scope, "neither database sessions nor their waits were recorded")
		return nil
	}
	p.Looked(scope)
	spans := append(slices.Clone(waits.spans), levels.spans...)
	slices.SortFunc(spans, func(a, b Span) int { return compare(a.Start, b.Start) })
	var moments []Span
	for _, s := range spans {
		if s.End < p.Window.Start || s.Start > p.Window.End {
			continue
		}
		if n := len(moments); n > 0 && s.Start-moments[n-1].End <= p.ParamNS("merge") {
			moments[n-1].End = max(moments[n-1].End, s.End)
			continue
		}
		moments = append(moments, s)
	}
	at := make([]float64, len(moments))
	for i, m := range moments {
		at[i] = seconds(m.Start - moments[0].Start)
	}
	rhythm := TestRhythm(at, 1)
	for _, m := range moments {
		if !rhythm.Rhythmic {
			p.Report(scope, Warning, m, map[string]float64{}, "sessions waited for a new WAL segment (%s in the run, no rhythm shown)", plural(len(moments), "moment"))
			continue
		}
		p.Report(scope, Warning, m, map[string]float64{"cadence": rhythm.MedianGap},
			"sessions waited for a new WAL segment, every %.1f s (median of %d gaps, quartiles %.1f-%.1f; p = %.4f and %.4f)",
			rhythm.MedianGap, len(moments)-1, rhythm.Quartiles[0], rhythm.Quartiles[1], rhythm.PGreen, rhythm.PBeat)
	}
	return nil
}
