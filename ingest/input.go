package ingest

import (
	"fmt"
	"io"
	"strings"

	"headroom/runs"
)

// Input is one file being read: decompressed, UTF-8, without a byte-order mark.
type Input struct {
	Name string // base name, for errors
	R    io.Reader
	Opt  Options
	Meta Meta // filled in by the importer

	// Hints are what other files of the same run said of this one; see Meta.Hints.
	Hints map[string]string

	stamps *Stamps
	lines  int64 // read so far, for the share of bad ones
	errs   []string
	bad    int64
}

// NewInput returns an Input over r, which must already be decompressed UTF-8.
func NewInput(name string, r io.Reader, opt Options) *Input {
	return &Input{Name: name, R: r, Opt: opt}
}

// NewSample returns runs.NewSample with what the options say of every sample:
// its events and, for sources that name none, its scenario.
func (in *Input) NewSample() runs.Sample {
	s := runs.NewSample()
	s.Scenario = in.Opt.Scenario
	if s.Scenario == "" {
		s.Scenario = DefaultScenario
	}
	if in.Opt.Events > 0 {
		s.Events = in.Opt.Events
	}
	return s
}

// DefaultScenario is the scenario of samples whose source names none.
const DefaultScenario = "default"

// Meta is what a file says about the run beyond its rows; Ingest folds it into
// the manifest.
type Meta struct {
	Tool, Version string
	Model         runs.LoadModel
	ModelAs       string  // see runs.Load: whose loads are of that kind, where the file does not say
	Basis         string  // "response" or "request": see runs.Load
	Rate          float64 // offered requests per second, if the file says
	Concurrency   int
	DropsKnown    bool
	// FailuresHidden: failed requests are not marked, or not all of them are there.
	FailuresHidden bool
	LatencyUnit    string            // of the source, for the reader
	Claims         map[string]string // what its counters add up to, as decimal text
	// Totals are sums that become claims only by name, of metrics that the file
	// does not call counters; or those of a summary, which are used only where
	// there are no samples.
	Totals map[string]string
	// Printed are totals that the tool itself has names for, of its report or of its
	// samples, which become claims only by name; those of samples go first.
	Printed    map[string]string
	Counts     *runs.Counts
	Listed     *idList // what the system holds, by id
	Thresholds []runs.Threshold
	ExitStatus *int
	Settings   map[string]string
	Summaries  []runs.Summary
	Zone       string // how the zone of its stamps is known
	Resolution int64  // of its stamps, µs
	Cut        bool   // it ends inside a record
	Notes      []string
	// Hints are facts about other files of the run, by a name that begins with
	// the tool's: a pgbench output says what the columns of its logs are. Files
	// that are not load are read first.
	Hints map[string]string
}

// keepBad is how many bad lines are kept word for word.
const keepBad = 20

// maxBadShare is the share of bad lines above which a file is refused, once
// minBadLines have been read: it is then not the format it was taken for.
const (
	maxBadShare = 0.5
	minBadLines = 100
)

// Bad reports a line that cannot be read. It returns nil, and the importer goes
// on, unless more than half of the lines are bad.
func (in *Input) Bad(line int64, format string, args ...any) error {
	in.bad++
	refused := in.lines >= minBadLines && float64(in.bad) > maxBadShare*float64(in.lines)
	if len(in.errs) >= keepBad && !refused {
		return nil
	}
	e := &SyntaxError{File: in.Name, Line: line, Msg: plainly(fmt.Sprintf(format, args...))}
	if len(in.errs) < keepBad {
		in.errs = append(in.errs, e.Error())
	}
	if refused {
		return fmt.Errorf("%d of the first %d lines cannot be read, the last: %w", in.bad, in.lines, e)
	}
	return nil
}

// BadAt is Bad for the line just read, except that the file's last line, if it
// has no newline, is taken as cut and not as bad.
func (in *Input) BadAt(l *Lines, format string, args ...any) error {
	if l.cut {
		in.Meta.Cut = true
		in.Note("line %d, the last, is cut and was left out", l.n)
		return nil
	}
	return in.Bad(l.n, format, args...)
}

// BadLines returns how many lines were reported as bad, and the first few.
func (in *Input) BadLines() (int64, []string) { return in.bad, in.errs }

// Note records a remark on the file for the manifest and the page.
func (in *Input) Note(format string, args ...any) {
	in.Meta.Notes = append(in.Meta.Notes, strings.ToValidUTF8(ofOne(fmt.Sprintf(format, args...)), "\uFFFD"))
}
