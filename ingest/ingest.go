package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"headroom/runs"
)

// Destination takes the rows and the manifest of one run. *runs.Writer is one;
// the caller commits it, or aborts it after an error.
type Destination interface {
	Sink
	Manifest() *runs.Manifest
}

// Report tells what was read, file by file, in reading order. It is what
// `headroom ingest --dry-run --json` prints.
type Report struct {
	Files []FileReport `json:"files"`
}

// FileReport tells what one file is and what it gave.
type FileReport struct {
	Path     string   `json:"path"` // as given
	Format   string   `json:"format"`
	Role     string   `json:"role,omitempty"`
	First    string   `json:"first,omitempty"` // RFC 3339 with microseconds, UTC
	Last     string   `json:"last,omitempty"`
	Rows     int64    `json:"rows"`           // of all tables
	Gave     string   `json:"gave,omitempty"` // what a file without rows gave, as "2 counts"
	BadLines int64    `json:"bad_lines,omitempty"`
	Bad      []string `json:"bad,omitempty"` // the first few, as file:line: why
	Cut      bool     `json:"cut,omitempty"`
	Notes    []string `json:"notes"`
	Error    string   `json:"error,omitempty"` // why it was not read; dry runs only
}

// Ingest reads the files of a request into dst as one run and fills in the
// manifest. Files that are not load are read first. An error names the file and
// wraps one of the package's sentinels; dst is then to be aborted.
func Ingest(ctx context.Context, req Request, dst Destination) (*Report, error) {
	g := ingestion{req: &req, dst: dst}
	if err := g.choose(); err != nil {
		return nil, err
	}
	if err := g.readAll(ctx); err != nil {
		return nil, err
	}
	if err := g.check(); err != nil {
		return nil, err
	}
	if err := g.fold(); err != nil {
		return nil, err
	}
	return g.report(), nil
}

// DryRun reads the files of a request and writes nothing. A file that cannot be
// read has its reason in the report, and the error returned joins them, but for
// files found in a folder that are of no known format: Ingest leaves them out.
func DryRun(ctx context.Context, req Request) (*Report, error) {
	files, err := req.expand()
	if err != nil {
		return nil, err
	}
	g := ingestion{req: &req, dst: &discard{}}
	all, failures := make([]*source, len(files)), make([]error, len(files))
	for i, f := range files {
		all[i] = &source{file: f}
		failures[i] = req.located(f.Path, all[i].choose(&req, All))
	}
	for _, load := range []bool{false, true} {
		for i, s := range all {
			if failures[i] != nil || s.importer.Load != load {
				continue
			}
			if failures[i] = req.located(s.file.Path, g.read(ctx, s)); failures[i] == nil {
				g.sources = append(g.sources, s)
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
	}
	g.tellZones()
	report := &Report{Files: []FileReport{}}
	var failed []error
	for i, s := range all {
		line := s.report()
		if err := failures[i]; err != nil {
			line.Error = err.Error()
			if !s.leftOut(err) {
				failed = append(failed, err)
			}
		}
		report.Files = append(report.Files, line)
	}
	return report, errors.Join(append(failed, g.check())...)
}

// Check returns the error that Ingest would return for a request whose files can be
// read twice, and writes nothing.
func Check(ctx context.Context, req Request) error {
	_, err := Ingest(ctx, req, &discard{})
	return err
}

// leftOut reports whether a file that could not be read was found in a folder,
// and is of no known format, so that a run is made without it.
func (s *source) leftOut(err error) bool {
	return s.file.found && (errors.Is(err, ErrUnknown) || errors.Is(err, ErrEmpty))
}

// ingestion is the making of one run.
type ingestion struct {
	req     *Request
	dst     Destination
	sources []*source
	hints   map[string]string
	listed  *idList  // what the system says it holds, by id
	unread  []string // why files found in a folder were left out
}

// choose lists the files and finds their importers, before any of them is read.
func (g *ingestion) choose() error {
	files, err := g.req.expand()
	if err != nil {
		return err
	}
	for _, f := range files {
		s := &source{file: f}
		err := s.choose(g.req, All)
		if s.leftOut(err) {
			g.unread = append(g.unread, "left out: "+err.Error())
			continue
		}
		if err != nil {
			return g.req.located(f.Path, err)
		}
		g.sources = append(g.sources, s)
	}
	if len(g.sources) == 0 {
		return fmt.Errorf("%w: none of the %d files could be read", ErrUnknown, len(files))
	}
	return nil
}

// readAll reads the files, those that are not load first. What was found in a
// folder and holds nothing is left out.
func (g *ingestion) readAll(ctx context.Context) error {
	var kept []*source
	for _, load := range []bool{false, true} {
		for _, s := range g.sources {
			if s.importer.Load != load {
				continue
			}
			err := g.read(ctx, s)
			if err != nil && !s.leftOut(err) {
				return g.req.located(s.file.Path, err)
			}
			if err != nil {
				g.unread = append(g.unread, "left out: "+err.Error())
				continue
			}
			kept = append(kept, s)
		}
	}
	g.sources = slices.DeleteFunc(g.sources, func(s *source) bool { return !slices.Contains(kept, s) })
	if len(g.sources) == 0 {
		return fmt.Errorf("%w: none of the files holds anything", ErrEmpty)
	}
	return nil
}

func (g *ingestion) read(ctx context.Context, s *source) error {
	s.listed = g.listed
	if err := s.read(ctx, g.req, g.dst, g.hints); err != nil {
		return err
	}
	if s.meta.Listed != nil {
		g.listed = s.meta.Listed.and(g.listed)
	}
	for name, hint := range s.meta.Hints {
		if g.hints == nil {
			g.hints = map[string]string{}
		}
		if old, ok := g.hints[name]; ok && old != hint {
			hint = "" // two files disagree: neither is believed
		}
		g.hints[name] = hint
	}
	return nil
}

func (g *ingestion) report() *Report {
	r := &Report{Files: []FileReport{}}
	for _, s := range g.sources {
		r.Files = append(r.Files, s.report())
	}
	return r
}

func (s *source) report() FileReport {
	r := FileReport{
		Path: s.file.Path, Role: string(s.file.Role), First: s.rec.First, Last: s.rec.Last, Rows: s.rec.Rows,
		BadLines: s.rec.BadLines, Bad: s.rec.Bad, Cut: s.rec.Cut, Notes: append([]string{}, s.rec.Notes...),
	}
	if s.importer != nil {
		r.Format = s.importer.Name
	}
	if r.Rows == 0 {
		r.Gave = s.meta.gave()
	}
	if s.rec.Zone != "" {
		r.Notes = append(r.Notes, "stamps: "+strings.TrimSpace(s.rec.Zone))
	}
	return r
}

// discard takes rows and keeps nothing.
type discard struct{ m runs.Manifest }

func (d *discard) Manifest() *runs.Manifest        { return &d.m }
func (d *discard) Sample(*runs.Sample) error       { return nil }
func (d *discard) Point(*runs.Point) error         { return nil }
func (d *discard) Activity(*runs.Activity) error   { return nil }
func (d *discard) Marker(*runs.Marker) error       { return nil }
func (d *discard) Histogram(*runs.Histogram) error { return nil }
func (d *discard) Benchmark(*runs.Benchmark) error { return nil }
func (d *discard) Snapshot(*runs.Snapshot) error   { return nil }
