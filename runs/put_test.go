package runs

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"headroom/runs/internal/table"
)

// Rows that are taken apart by Put are those that the fields' accessors give:
// the files are the same.
func TestPutIsWhatFieldsSay(t *testing.T) {
	c := everyTable()
	c.Samples = append(c.Samples, manySamples(1000)...)
	c.Samples = append(c.Samples, benchSamples(1000)...)
	samePut(t, samplesTable, c.Samples)
	samePut(t, pointsTable, c.Points)
}

func samePut[R any](t *testing.T, declared *table.Table[R], rows []R) {
	t.Helper()
	var files [2][]byte
	for i, form := range []*table.Table[R]{declared, {Name: declared.Name, Fields: declared.Fields}} {
		dir := filepath.Join(t.TempDir(), declared.Name)
		w := table.NewWriter(form, dir, "test 1")
		for k := range rows {
			if err := w.Append(&rows[k]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Seal("run"); err != nil {
			t.Fatal(err)
		}
		var err error
		if files[i], err = os.ReadFile(filepath.Join(dir, table.PartName(0))); err != nil {
			t.Fatal(err)
		}
	}
	if declared.Put == nil || declared.Fit == nil || !bytes.Equal(files[0], files[1]) {
		t.Errorf("%s: Put gives other rows than the fields", declared.Name)
	}
}

// What Fit lets pass, the fields' checks let pass.
func TestFitIsStrict(t *testing.T) {
	sample, point := NewSample(), Point{}
	if !fitSample(&sample) || !fitPoint(&point) {
		t.Fatal("a plain row is not fit")
	}
	for name, change := range map[string]func(*Sample){
		"start": func(s *Sample) { s.Start = table.MaxInstant + 1 }, "past": func(s *Sample) { s.Start = -table.MaxInstant - 1 },
		"events": func(s *Sample) { s.Events = Missing }, "tags": func(s *Sample) { s.Tags = string(make([]byte, table.MaxText+1)) },
	} {
		s := sample
		if change(&s); fitSample(&s) {
			t.Errorf("a sample with an unfit %s is fit", name)
		}
	}
	zero := 0.0
	for name, change := range map[string]func(*Point){
		"time": func(p *Point) { p.Time = Missing }, "time_ns": func(p *Point) { p.TimeNS = Missing }, "resolution": func(p *Point) { p.Resolution = Missing },
		"tags": func(p *Point) { p.Tags = string(make([]byte, table.MaxText+1)) }, "value": func(p *Point) { p.Value = 1 / zero }, "value, NaN": func(p *Point) { p.Value = zero / zero },
	} {
		p := point
		if change(&p); fitPoint(&p) {
			t.Errorf("a point with an unfit %s is fit", name)
		}
	}
}
