package runs

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
)

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

// readSamples reads all samples of a run within a range.
func readSamples(t testing.TB, r *Run, within Range) []Sample {
	t.Helper()
	var got []Sample
	err := r.ScanSamples(context.Background(), allColumns(), within, func(b *Batch) error {
		for i := range b.Len {
			got = append(got, b.row(i))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	w, err := Create(path, CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var want []Sample
	for i := range 300_000 {
		s := NewSample()
		s.Start, s.Scenario, s.Outcome = 1_700_000_000_000_000+int64(i)*500, "default", OK
		s.Service = int64(i) * 7919 % 50_000_000
		s.Status = []string{"200", "500", ""}[i%3]
		if i%5 == 0 {
			s.Wait, s.Error = int64(i), "refused"
		}
		if err := w.Sample(&s); err != nil {
			t.Fatal(err)
		}
		want = append(want, s)
	}
	r, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if got := readSamples(t, r, Range{}); !slices.Equal(got, want) {
		t.Fatal("samples differ")
	}
	in := Range{want[1000].Start, want[200_000].Start}
	if got := readSamples(t, r, in); !slices.Equal(got, want[1000:200_000]) {
		t.Fatal("samples of a window differ")
	}
	if err := r.Verify(context.Background()); err != nil {
		t.Fatal(err)
	}
}
