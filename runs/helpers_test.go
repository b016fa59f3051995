package runs

import (
	"context"
	"path/filepath"
	"testing"
)

// newWriter returns a writer of a run in a folder of its own.
func newWriter(t testing.TB, opt CreateOptions) *Writer {
	t.Helper()
	w, err := Create(filepath.Join(t.TempDir(), "run"), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Abort() })
	return w
}

func commit(t testing.TB, w *Writer) *Run {
	t.Helper()
	r, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sampleAt returns an ok sample of the scenario "default".
func sampleAt(start, service int64) Sample {
	s := NewSample()
	s.Start, s.Service, s.Scenario, s.Outcome = start, service, "default", OK
	return s
}

func writeSamples(t testing.TB, w *Writer, samples []Sample) {
	t.Helper()
	for i := range samples {
		if err := w.Sample(&samples[i]); err != nil {
			t.Fatal(err)
		}
	}
}

// allColumns is every column of the samples table.
func allColumns() []Column {
	var cols []Column
	for _, f := range samplesTable.Fields {
		cols = append(cols, Column(f.Name))
	}
	return cols
}

// row returns row i of a batch of all columns.
func (b *Batch) row(i int) Sample {
	return Sample{
		Start: b.Start[i], StartNS: b.StartNS[i], Wait: b.Wait[i], Service: b.Service[i],
		Scenario: b.Scenario[i], Op: b.Op[i], Status: b.Status[i], Outcome: b.Outcome[i], Target: b.Target[i], Events: b.Events[i],
		Error: b.Error[i], Worker: b.Worker[i], ID: b.ID[i], Tags: b.Tags[i],
		Connecting: b.Connecting[i], TLS: b.TLS[i], Sending: b.Sending[i], Waiting: b.Waiting[i], Receiving: b.Receiving[i],
	}
}

// readSamples reads all samples of a run within a range, by all columns.
func readSamples(r *Run, within Range) ([]Sample, error) {
	var got []Sample
	err := r.ScanSamples(context.Background(), allColumns(), within, func(b *Batch) error {
		for i := range b.Len {
			got = append(got, b.row(i))
		}
		return nil
	})
	return got, err
}

// contents is every row of a run.
type contents struct {
	Samples    []Sample
	Points     []Point
	Activity   []Activity
	Markers    []Marker
	Histograms []Histogram
	Benchmarks []Benchmark `json:",omitempty"` // of no instant: read whatever the range
}

// readAll reads every row of a run within a range.
func readAll(r *Run, within Range) (c contents, err error) {
	ctx := context.Background()
	if c.Samples, err = readSamples(r, within); err != nil {
		return c, err
	}
	if err = r.ScanPoints(ctx, nil, within, func(p *Point) error { c.Points = append(c.Points, *p); return nil }); err != nil {
		return c, err
	}
	if err = r.ScanActivity(ctx, within, func(a *Activity) error { c.Activity = append(c.Activity, *a); return nil }); err != nil {
		return c, err
	}
	if err = r.ScanMarkers(ctx, nil, within, func(m *Marker) error { c.Markers = append(c.Markers, *m); return nil }); err != nil {
		return c, err
	}
	if err = r.ScanHistograms(ctx, within, func(h *Histogram) error { c.Histograms = append(c.Histograms, *h); return nil }); err != nil {
		return c, err
	}
	err = r.ScanBenchmarks(ctx, func(b *Benchmark) error { c.Benchmarks = append(c.Benchmarks, *b); return nil })
	return c, err
}

// write appends all rows.
func (c *contents) write(w *Writer) error {
	for i := range c.Samples {
		if err := w.Sample(&c.Samples[i]); err != nil {
			return err
		}
	}
	for i := range c.Points {
		if err := w.Point(&c.Points[i]); err != nil {
			return err
		}
	}
	for i := range c.Activity {
		if err := w.Activity(&c.Activity[i]); err != nil {
			return err
		}
	}
	for i := range c.Markers {
		if err := w.Marker(&c.Markers[i]); err != nil {
			return err
		}
	}
	for i := range c.Histograms {
		if err := w.Histogram(&c.Histograms[i]); err != nil {
			return err
		}
	}
	for i := range c.Benchmarks {
		if err := w.Benchmark(&c.Benchmarks[i]); err != nil {
			return err
		}
	}
	return nil
}
