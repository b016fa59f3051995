package runs

import (
	"context"
	"errors"
)

// CreateOptions says how a run is written.
type CreateOptions struct {
	// ID names the run; "" derives it from the first start and the sources'
	// digests (DESIGN: run id).
	ID string
	// Tool is written as the Parquet files' creator.
	Tool string
}

// Writer writes one run. Rows are appended in any order and streamed to a
// temporary sibling of the final folder; memory does not grow with the run.
// A Writer is used by one goroutine.
type Writer struct{}

// ErrNotRun is returned by Open for a folder that holds no run.json.
var ErrNotRun = errors.New("not a run: no run.json")

// Create begins a run that Commit will rename to path. It is an error if path
// exists.
func Create(path string, opt CreateOptions) (*Writer, error) { return nil, errors.New("runs: stub") }

// Manifest returns the manifest that Commit will write; the caller fills in
// everything but Schema, ID, State, First, Last and Tables.
func (w *Writer) Manifest() *Manifest { return nil }

// Sample appends a row; the Sample may be reused after the call. Likewise the others.
func (w *Writer) Sample(s *Sample) error       { return nil }
func (w *Writer) Point(p *Point) error         { return nil }
func (w *Writer) Activity(a *Activity) error   { return nil }
func (w *Writer) Marker(m *Marker) error       { return nil }
func (w *Writer) Histogram(h *Histogram) error { return nil }

// Commit seals the run: tables, run.json, SHA256SUMS, then the rename.
func (w *Writer) Commit() (*Run, error) { return nil, nil }

// Abort removes the temporary folder. After Commit it does nothing.
func (w *Writer) Abort() error { return nil }

// Run is a recorded run, opened. Tables are read lazily, by column.
type Run struct{}

// Open reads the manifest of the run in the folder path.
func Open(path string) (*Run, error) { return nil, errors.New("runs: stub") }

// Path returns the folder of the run.
func (r *Run) Path() string { return "" }

// Manifest returns the manifest; it is not to be changed.
func (r *Run) Manifest() *Manifest { return nil }

// Digest returns the identity of the run: the SHA-256 of its SHA256SUMS, hex.
func (r *Run) Digest() string { return "" }

// Verify recomputes every digest in SHA256SUMS and names each file that
// differs, is missing or is not listed.
func (r *Run) Verify(ctx context.Context) error { return nil }

// Range is a half-open interval [Start, End) of microseconds since the Unix
// epoch. The zero Range is all of time.
type Range struct{ Start, End int64 }

// Column names a column of the samples table, as docs/format/run.md does.
type Column string

// The columns of the samples table.
const (
	ColStart      Column = "start"
	ColStartNS    Column = "start_ns"
	ColWait       Column = "wait"
	ColService    Column = "service"
	ColScenario   Column = "scenario"
	ColOp         Column = "op"
	ColStatus     Column = "status"
	ColOutcome    Column = "outcome"
	ColTarget     Column = "target"
	ColEvents     Column = "events"
	ColError      Column = "error"
	ColWorker     Column = "worker"
	ColID         Column = "id"
	ColTags       Column = "tags"
	ColConnecting Column = "connecting"
	ColTLS        Column = "tls"
	ColSending    Column = "sending"
	ColWaiting    Column = "waiting"
	ColReceiving  Column = "receiving"
)

// Batch holds consecutive rows of the samples table by column. Slices of
// columns that were not asked for are nil; the others have Len elements. All of
// it is valid until the callback returns, but strings, which stay valid.
type Batch struct {
	Len                                          int
	Start, StartNS, Wait, Service, Events        []int64
	Scenario, Op, Status, Target, Error          []string
	Outcome                                      []Outcome
	Worker, ID, Tags                             []string
	Connecting, TLS, Sending, Waiting, Receiving []int64
}

// ScanSamples calls fn for every batch of samples whose start lies in within
// (row groups outside it are not read; rows outside it are filtered out), in
// the order they were recorded, with the asked-for columns. An error of fn ends
// the scan and is returned.
func (r *Run) ScanSamples(ctx context.Context, cols []Column, within Range, fn func(*Batch) error) error {
	return nil
}

// ScanPoints calls fn for every point within the range whose metric is in
// metrics (nil: all). The Point is valid until fn returns; its strings stay valid.
func (r *Run) ScanPoints(ctx context.Context, metrics []string, within Range, fn func(*Point) error) error {
	return nil
}

// ScanMarkers calls fn for every marker within the range whose kind is in kinds
// (nil: all); a kind that ends in "." stands for all kinds that begin with it.
func (r *Run) ScanMarkers(ctx context.Context, kinds []string, within Range, fn func(*Marker) error) error {
	return nil
}

// ScanActivity calls fn for every sampled session within the range.
func (r *Run) ScanActivity(ctx context.Context, within Range, fn func(*Activity) error) error {
	return nil
}

// ScanHistograms calls fn for every histogram bucket whose interval starts within the range.
func (r *Run) ScanHistograms(ctx context.Context, within Range, fn func(*Histogram) error) error {
	return nil
}

// List returns the runs in the folder dir, sorted by path: dir itself if it is
// a run, else its sub-folders that are, one level deep.
func List(dir string) ([]string, error) { return nil, nil }
