package cli

import (
	"context"
	"fmt"

	"headroom/ingest"
	"headroom/runs"
)

// destination is a run being written. It remembers the first row that could not
// be stored, so that a full disk is not taken for a bad file.
type destination struct {
	*runs.Writer
	err error
}

func (d *destination) keep(err error) error {
	if err != nil && d.err == nil {
		d.err = err
	}
	return err
}

// Sample and its like store a row; see runs.Writer.
func (d *destination) Sample(s *runs.Sample) error       { return d.keep(d.Writer.Sample(s)) }
func (d *destination) Point(p *runs.Point) error         { return d.keep(d.Writer.Point(p)) }
func (d *destination) Activity(a *runs.Activity) error   { return d.keep(d.Writer.Activity(a)) }
func (d *destination) Marker(m *runs.Marker) error       { return d.keep(d.Writer.Marker(m)) }
func (d *destination) Histogram(h *runs.Histogram) error { return d.keep(d.Writer.Histogram(h)) }
func (d *destination) Snapshot(s *runs.Snapshot) error   { return d.keep(d.Writer.Snapshot(s)) }
func (d *destination) Benchmark(b *runs.Benchmark) error { return d.keep(d.Writer.Benchmark(b)) }

// newRun says which run is written.
type newRun struct {
	path    string // folder to make
	id      string // "": derived
	keepRaw bool   // keep the originals in it
}

// writeRun ingests a request into a new run. Either the whole run is there
// afterwards, or nothing.
func writeRun(ctx context.Context, n newRun, req ingest.Request) (run *runs.Run, report *ingest.Report, err error) {
	undo, err := makeParents(n.path)
	if err != nil {
		return nil, nil, usagef("%w", err)
	}
	defer func() {
		if err != nil {
			undo()
		}
	}()
	w, err := runs.Create(n.path, runs.CreateOptions{ID: n.id, Tool: buildVersion().String()})
	if err != nil {
		return nil, nil, usagef("%w", err)
	}
	dst := &destination{Writer: w}
	req.Pipe = pipes(ctx)
	report, err = ingest.Ingest(ctx, req, dst)
	if err != nil {
		err = ingestError(err)
		if dst.err != nil {
			err = fmt.Errorf("writing the run: %w", dst.err)
		}
		return nil, nil, abort(w, err)
	}
	if n.keepRaw {
		if err := keepRaw(w, report.Files); err != nil {
			return nil, nil, abort(w, err)
		}
	}
	run, err = w.Commit()
	if err != nil {
		return nil, nil, abort(w, fmt.Errorf("writing the run: %w", err))
	}
	return run, report, nil
}

// abort removes what was written so far; should that fail, both reasons are
// told.
func abort(w *runs.Writer, err error) error {
	if left := w.Abort(); left != nil {
		return fmt.Errorf("%w (and what was written could not be removed: %v)", err, left)
	}
	return err
}
