package ingest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/runs"
)

// foldCounts finds the counts taken from the system before and after the load:
// those of files given that role, else two of one shape whose own stamps
// bracket the load.
// Counts that are neither are kept as a snapshot, so that what was counted is not
// lost.
func (g *ingestion) foldCounts(m *runs.Manifest) error {
	var loose []*source
	for _, s := range g.sources {
		switch {
		case s.meta.Counts == nil:
		case s.file.Role == Before:
			m.Before = addCounts(m, m.Before, s, Before)
		case s.file.Role == After:
			m.After = addCounts(m, m.After, s, After)
		default:
			loose = append(loose, s)
		}
	}
	for _, group := range byShape(loose) {
		before, after := g.bracket(group)
		if before == nil {
			for _, s := range group {
				if err := s.keepCounts(g.req.Options); err != nil {
					return err
				}
				m.Notes = append(m.Notes, fmt.Sprintf("%s holds counts of neither before nor after the load, and is kept as a snapshot: give it with --before or --after if it is one", s.base))
			}
			continue
		}
		m.Before, m.After = addCounts(m, m.Before, before, Before), addCounts(m, m.After, after, After)
		m.Notes = append(m.Notes, fmt.Sprintf("%s and %s bracket the load by their own stamps and were taken as the counts before and after it", before.base, after.base))
	}
	dropUnequalTopics(m)
	if !g.req.Part {
		m.Notes = append(m.Notes, oneSided(m)...)
	}
	return nil
}

// oneSided says what was counted at one end of the load alone: a gain takes both.
func oneSided(m *runs.Manifest) []string {
	lone := func(c *runs.Counts, when, other string) string {
		return fmt.Sprintf("%s was counted %s the load and nothing %s it: what was gained is not known; give counts with --%s", c.Source, when, other, other)
	}
	switch {
	case m.Before == nil && m.After == nil:
		return nil
	case m.After == nil:
		return []string{lone(m.Before, "before", "after")}
	case m.Before == nil:
		return []string{lone(m.After, "after", "before")}
	}
	var notes []string
	only := func(a, b *runs.Counts, when, other string) {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(a.Values)) {
			if _, ok := b.Values[name]; !ok {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			notes = append(notes, fmt.Sprintf("counted %s the load (%s) and not %s it, so that what was gained is not known: %s", when, a.Source, other, clipList(names)))
		}
	}
	only(m.Before, m.After, "before", "after")
	only(m.After, m.Before, "after", "before")
	return notes
}

// keepCounts writes the counts of a file as one row of a snapshot of its name.
func (s *source) keepCounts(opt Options) error {
	c := s.meta.Counts
	in := NewInput(s.base, nil, opt)
	rows := newSeriesRows(s.base, in, &s.tally)
	columns := slices.Sorted(maps.Keys(c.Values))
	values := make([]string, len(columns))
	for i, name := range columns {
		values[i] = c.Values[name]
	}
	if err := rows.setColumns(columns, nil); err != nil {
		return &FileError{s.base, err}
	}
	ns := runs.Missing
	if at, err := time.Parse(time.RFC3339Nano, c.At); err == nil {
		ns = at.UnixNano()
	}
	if err := rows.putAt(ns, values); err != nil {
		return err
	}
	if err := rows.finish(); err != nil {
		return err
	}
	s.rec.Rows = s.tally.rows
	if ns != runs.Missing {
		s.rec.First, s.rec.Last = stampText(s.tally.first), stampText(s.tally.last)
	}
	return nil
}

// addCounts merges the counts of one more file of a role. A column that two
// files give differently keeps the first value, and the manifest says so. Of several
// stamps the one furthest into the load counts: the last before it, the first after it.
func addCounts(m *runs.Manifest, all *runs.Counts, s *source, role Role) *runs.Counts {
	c := s.meta.Counts
	if all == nil {
		all = &runs.Counts{Source: s.base, At: c.At, Values: map[string]string{}}
	} else {
		all.Source += ", " + s.base
		all.At = inward(all.At, c.At, role)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Values)) {
		if old, ok := all.Values[name]; ok && old != c.Values[name] {
			m.Notes = append(m.Notes, fmt.Sprintf("%s: column %s was given by another file of the same role and is left out here", s.base, name))
			continue
		}
		all.Values[name] = c.Values[name]
	}
	return all
}

// inward returns the stamp of two that lies further into the load.
func inward(a, b string, role Role) string {
	ta, errA := time.Parse(time.RFC3339Nano, a)
	tb, errB := time.Parse(time.RFC3339Nano, b)
	if errA != nil || errB != nil {
		return firstSet(a, b)
	}
	if (role == Before) == tb.After(ta) {
		return b
	}
	return a
}

// byShape groups sources by the columns of their counts, in order of appearance.
func byShape(sources []*source) [][]*source {
	var groups [][]*source
	at := map[string]int{}
	for _, s := range sources {
		shape := strings.Join(slices.Sorted(maps.Keys(s.meta.Counts.Values)), "\x00")
		i, ok := at[shape]
		if !ok {
			i = len(groups)
			at[shape] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// bracket returns the two of a group that were stamped before and after the
// load, or nil.
func (g *ingestion) bracket(group []*source) (before, after *source) {
	first, last, ok := g.loadSpan()
	if !ok || len(group) != 2 {
		return nil, nil
	}
	a, errA := time.Parse(time.RFC3339Nano, group[0].meta.Counts.At)
	b, errB := time.Parse(time.RFC3339Nano, group[1].meta.Counts.At)
	if errA != nil || errB != nil {
		return nil, nil
	}
	before, after = group[0], group[1]
	if b.Before(a) {
		a, b = b, a
		before, after = after, before
	}
	if a.UnixMicro() > first || b.UnixMicro() < last {
		return nil, nil
	}
	return before, after
}

// Unanswered says of each pair that is to be reconciled why it can never be: nothing
// claims the one, or nothing counted the other. A run is written all the same, and
// its gate stays unknown.
func Unanswered(m *runs.Manifest) []string {
	var notes []string
	for _, column := range slices.Sorted(maps.Keys(m.Reconcile)) {
		claim := m.Reconcile[column]
		pair := fmt.Sprintf("reconcile %s=%s: ", clip(column), clip(claim))
		if _, ok := m.Claims[claim]; !ok && claim != eventsClaim && claim != requestsClaim {
			claims := append(slices.Collect(maps.Keys(m.Claims)), eventsClaim, requestsClaim)
			slices.Sort(claims)
			notes = append(notes, pair+fmt.Sprintf("nothing claims %q, so that the gate stays unknown; there are claims of %s", clip(claim), clipList(slices.Compact(claims))))
		}
		if m.Before == nil || m.After == nil {
			continue // said of all counts
		}
		_, before := m.Before.Values[column]
		if _, after := m.After.Values[column]; !before && !after {
			notes = append(notes, pair+fmt.Sprintf("nothing counted %q, so that the gate stays unknown; there are counts of %s", clip(column), clipList(slices.Sorted(maps.Keys(m.After.Values)))))
		}
	}
	return notes
}

// sniffCounts finds the format of a file that no content was recognised in, and that
// is said to hold counts: a JSON object without a stamp is one then. Of anything else
// the error also says what counts look like.
func sniffCounts(head []byte, unknown error) (*Importer, error) {
	if len(head) < jsonCountsMax {
		if _, err := parseJSONCounts(head); err == nil {
			return JSONCounts, nil
		}
	}
	return nil, fmt.Errorf("%w; %s", unknown, countsForm)
}

// gave says what a file holds that has no row of its own: it was read all the same.
func (m *Meta) gave() string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, countOf(n, what))
		}
	}
	if m.Counts != nil {
		add(len(m.Counts.Values), "count")
	}
	if len(m.Summaries) > 0 {
		parts = append(parts, "a summary")
	} else {
		add(len(m.Claims)+len(m.Totals)+len(m.Printed), "total")
	}
	add(len(m.Thresholds), "threshold")
	add(len(m.Settings), "setting")
	if m.ExitStatus != nil {
		parts = append(parts, "exit status "+strconv.Itoa(*m.ExitStatus))
	}
	return strings.Join(parts, ", ")
}
