package capture

import (
	"fmt"
	"maps"
	"slices"

	"headroom/ingest"
	"headroom/runs"
)

// fold writes into the manifest what is known at the end: the sources, what the
// load generator says, and what was not recorded.
func (c *capture) fold(m *runs.Manifest, pieces []*piece) {
	m.Steps = closedSteps(c.steps, c.opt.Clock.Now())
	status := c.child.status
	m.ExitStatus = &status
	for _, p := range pieces {
		foldPiece(m, &p.manifest)
	}
	if m.ExitStatus == nil || *m.ExitStatus != status {
		m.ExitStatus = &status
	}
	c.foldLive(m)
	for _, f := range c.logs {
		m.Sources = append(m.Sources, f.source())
		for _, doubt := range f.doubts() {
			c.tell(Warning, "log %s: %s", f.name, doubt)
		}
	}
	c.foldSnapshots(m)
	m.Notes = append(m.Notes, c.weight.String())
	if m.Load.Model == "" {
		m.Load.Model = runs.UnknownLoop
	}
	c.foldAbsences(m)
	c.foldUnasked(m)
}

// foldLive adds a line for each source that is the agent's own.
func (c *capture) foldLive(m *runs.Manifest) {
	for _, name := range []string{sourceHost, sourcePostgres, sourceAgent} {
		if of := c.rec.sources[name]; of != nil && of.rows > 0 {
			m.Sources = append(m.Sources, c.liveSource(name, of))
		}
	}
}

// foldSnapshots adds what the manifest says of the views.
func (c *capture) foldSnapshots(m *runs.Manifest) {
	if c.pg == nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(c.pg.refs)) {
		m.Snapshots = append(m.Snapshots, *c.pg.refs[key])
	}
}

// foldPiece adds what some files say of the run. What two say differently is
// that of the first.
func foldPiece(m, p *runs.Manifest) {
	m.Sources = append(m.Sources, p.Sources...)
	m.Summaries = append(m.Summaries, p.Summaries...)
	m.Thresholds = append(m.Thresholds, p.Thresholds...)
	m.Notes = append(m.Notes, p.Notes...)
	for name, value := range p.Claims {
		if m.Claims == nil {
			m.Claims = map[string]string{}
		}
		if was, ok := m.Claims[name]; ok && was != value {
			m.Notes = append(m.Notes, fmt.Sprintf("claim %s is %s in one file and %s in another; the first is kept", name, was, value))
			continue
		}
		m.Claims[name] = value
	}
	if m.EventsClaim == "" {
		m.EventsClaim = p.EventsClaim
	}
	l, of := &m.Load, p.Load
	firstSet(&l.Tool, of.Tool)
	firstSet(&l.Version, of.Version)
	firstSet(&l.LatencyUnit, of.LatencyUnit)
	firstSet(&l.Basis, of.Basis)
	firstSet(&l.Rate, of.Rate)
	firstSet(&l.Concurrency, of.Concurrency)
	if l.Model == "" && of.Model != runs.UnknownLoop {
		l.Model, l.ModelAs = of.Model, of.ModelAs
	}
	l.DropsKnown = l.DropsKnown || of.DropsKnown
	l.FailuresHidden = l.FailuresHidden || of.FailuresHidden
}

func firstSet[T comparable](v *T, other T) {
	var zero T
	if *v == zero {
		*v = other
	}
}

// liveSource is the line in the manifest of what was no file.
func (c *capture) liveSource(name string, of *recorded) runs.Source {
	s := runs.Source{File: name, Format: "capture", Rows: of.rows, Zone: "UTC, the agent's clock"}
	of.span(&s)
	switch name {
	case sourceHost, sourceAgent:
		s.Resolution = c.opt.Every.Microseconds()
	case sourcePostgres:
		s.Resolution = c.opt.Postgres.Activity.Microseconds()
		offset, unsure, heavy := c.pg.clockAndPace()
		s.Offset = offset.Microseconds()
		s.Notes = append(s.Notes, fmt.Sprintf("rows are stamped by the agent's clock, which was %s before the server's (known to %s)", offset, unsure),
			fmt.Sprintf("sessions every %s, statistics every %s, tables, indexes and statements every %s at last", c.opt.Postgres.Activity, c.opt.Postgres.Views, max(heavy, c.opt.Postgres.Views)))
	}
	return s
}

// foldAbsences adds what nobody asked for, whatever came of the rest.
func (c *capture) foldAbsences(m *runs.Manifest) {
	missing := notAsked(m)
	missing(c.rec.samples == 0, "samples", "no samples of the load generator were read")
	missing(len(c.opt.Postgres.Counts) == 0, "counts", "no counts from the system before and after the load were taken (--count)")
	missing(c.pg == nil, "wait samples", "no database was observed (--pg)")
	missing(len(c.logs) == 0, "database log", "no log was followed (--log)")
}

// foldUnasked adds what only the end of the load can tell to be missing.
func (c *capture) foldUnasked(m *runs.Manifest) {
	missing := notAsked(m)
	missing(len(c.opt.Postgres.Counts) > 0 && (m.Before == nil || m.After == nil), "counts", "no counts from the system before and after the load were taken (--count)")
	missing(len(m.Claims) == 0, "claims", "the generator counted nothing but requests")
	for _, name := range slices.Sorted(maps.Keys(c.opt.Claims)) {
		if _, ok := m.Claims[name]; !ok {
			missing(true, "claim "+name, fmt.Sprintf("nothing that was read holds a counter %q", c.opt.Claims[name]))
		}
	}
	for _, note := range ingest.Unanswered(m) {
		m.Notes = append(m.Notes, note)
		c.tell(Warning, "%s", note)
	}
	if c.rec.samples > 0 && !m.Load.DropsKnown {
		m.NotCollected = append(m.NotCollected, runs.Absence{What: "drops", Why: runs.NotMeasurable, Note: "the load generator does not show requests that were due and never sent"})
	}
}

// notAsked returns what adds an absence that nobody is to blame for.
func notAsked(m *runs.Manifest) func(is bool, what, note string) {
	return func(is bool, what, note string) {
		if is {
			m.NotCollected = append(m.NotCollected, runs.Absence{What: what, Why: runs.NotAsked, Note: note})
		}
	}
}
