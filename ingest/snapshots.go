package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/runs"
)

// refer counts a row in the reference of its view. Rows of a file come in the
// order of their stamps, or unordered; the stamps that differ from the one
// before are counted.
func (t *tally) refer(s *runs.Snapshot) {
	i := slices.IndexFunc(t.snapshots, func(f runs.SnapshotRef) bool { return f.View == s.View })
	if i < 0 {
		i = len(t.snapshots)
		t.snapshots = append(t.snapshots, runs.SnapshotRef{View: s.View, Source: s.Source, Role: s.Role})
	}
	f := &t.snapshots[i]
	f.Rows++
	if s.Time == runs.Missing {
		return
	}
	at := stampText(s.Time)
	switch {
	case f.Instants == 0:
		f.First, f.Last, f.Instants = at, at, 1
	case at < f.First, at > f.Last:
		f.First, f.Last = min(f.First, at), max(f.Last, at)
		f.Instants++
	}
}

// foldSnapshots lists the snapshots in the manifest. Two files that each hold
// one instant of a view, the one before the load and the other after it, are
// taken as that where no role was given.
func (g *ingestion) foldSnapshots(m *runs.Manifest) {
	loose := map[string][]*runs.SnapshotRef{}
	for _, s := range g.sources {
		for i := range s.tally.snapshots {
			f := &s.tally.snapshots[i]
			if f.Role == "" && f.Instants == 1 {
				loose[f.View] = append(loose[f.View], f)
			}
		}
	}
	for _, s := range g.sources {
		for i := range s.tally.snapshots {
			if pair := loose[s.tally.snapshots[i].View]; len(pair) == 2 && g.bracketed(pair) {
				m.Notes = append(m.Notes, fmt.Sprintf("the snapshots of %s in %s and %s bracket the load by their own stamps and were taken as before and after it", pair[0].View, pair[0].Source, pair[1].Source))
			}
			m.Snapshots = append(m.Snapshots, s.tally.snapshots[i])
		}
	}
	slices.SortStableFunc(m.Snapshots, func(a, b runs.SnapshotRef) int {
		return cmp.Or(strings.Compare(a.View, b.View), strings.Compare(a.First, b.First))
	})
}

// bracketed gives two references their roles if the load lies between them, and
// reports whether it has.
func (g *ingestion) bracketed(pair []*runs.SnapshotRef) bool {
	first, last, ok := g.loadSpan()
	if !ok || pair[0].Role != "" || pair[1].Role != "" {
		return false
	}
	before, after := pair[0], pair[1]
	if after.First < before.First {
		before, after = after, before
	}
	b, errB := time.Parse(time.RFC3339Nano, before.First)
	a, errA := time.Parse(time.RFC3339Nano, after.First)
	if errA != nil || errB != nil || b.UnixMicro() > first || a.UnixMicro() < last {
		return false
	}
	before.Role, after.Role = string(Before), string(After)
	return true
}
