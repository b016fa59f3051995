package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// check refuses files that cannot be one run.
func (g *ingestion) check() error {
	if err := g.twice(); err != nil {
		return err
	}
	if err := g.sameLogs(); err != nil {
		return err
	}
	load := g.load()
	for i, a := range load {
		for _, b := range load[i+1:] {
			if a.part == b.part {
				continue
			}
			if a.tally.overlaps(&b.tally) {
				return &FileError{b.name(a), fmt.Errorf("%w: its samples (%s to %s) and those of %s (%s to %s) cannot be told to be of one generator; make a run of each",
					ErrOverlap, stampText(b.tally.start), stampText(b.tally.end), a.name(b), stampText(a.tally.start), stampText(a.tally.end))}
			}
			if scenario, ok := a.tally.sharedScenario(&b.tally); ok && a.tool() != b.tool() {
				return &FileError{b.name(a), fmt.Errorf("%w: its samples are of %s, those of %s of %s, and both of the scenario %s: what different tools measure is never pooled; make a run of each",
					ErrTools, b.tool(), a.name(b), a.tool(), clip(scenario))}
			}
		}
	}
	if g.req.Window == nil { // somebody who declares a window knows what it spans
		return holes(load)
	}
	return nil
}

// load returns the sources that hold samples, by their first.
func (g *ingestion) load() []*source {
	var out []*source
	for _, s := range g.sources {
		if s.importer.Load && s.tally.samples > 0 {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b *source) int { return cmp.Compare(a.tally.start, b.tally.start) })
	return out
}

// A run may be recorded in files that follow one another, as a rotated log is.
// Files with a hole between them of over a second and a twentieth of the whole
// are two runs: a rate over both, and the hole, is nobody's.
const (
	holeMin   = int64(time.Second / time.Microsecond)
	holeShare = 20
)

// holes refuses sources, sorted by their first sample, that leave a hole.
func holes(load []*source) error {
	if len(load) == 0 {
		return nil
	}
	last, end := load[0], load[0].tally.end
	for _, s := range load {
		end = max(end, s.tally.end)
	}
	whole := end - load[0].tally.start
	for _, s := range load[1:] {
		if hole := s.tally.start - last.tally.end; hole > holeMin && hole > whole/holeShare {
			return &FileError{s.name(last), fmt.Errorf("%w: its samples begin %s after those of %s end (%s); make a run of each, or declare the window that they share",
				ErrHole, time.Duration(hole)*time.Microsecond, last.name(s), stampText(last.tally.end))}
		}
		if s.tally.end > last.tally.end {
			last = s
		}
	}
	return nil
}

func (t *tally) overlaps(o *tally) bool {
	return t.samples > 0 && o.samples > 0 && t.start < o.end && o.start < t.end
}

// tool is what wrote the file: the load generator, or where it is not known the
// format.
func (s *source) tool() string { return firstSet(s.meta.Tool, s.importer.Name) }

// name is the base name of the file, or its path beside another of that name.
func (s *source) name(beside *source) string {
	switch {
	case s.base != beside.base || s.file.Path == stdinPath:
		return s.base
	case s.show != nil:
		return s.show(s.file.Path)
	}
	return s.file.Path
}
