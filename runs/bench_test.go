package runs

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"
)

// benchSamples returns samples as a k6 run gives them: one in 833 µs, with
// phases and tags.
func benchSamples(n int) []Sample {
	samples := manySamples(n)
	ops := []string{"GET /orders", "GET /orders/{id}", "POST /orders"}
	for i := range samples {
		s := &samples[i]
		n := int64(i)
		s.Start, s.StartNS, s.Wait = 1_700_000_000_000_000+n*833, n*7%1000, n*31%5000
		s.Op, s.Status, s.Target, s.Worker = ops[i%len(ops)], "200", "10.0.0.1:8080", strconv.Itoa(i%50)
		s.Tags = `{"expected_response":"true","method":"GET","proto":"HTTP/1.1"}`
		s.Connecting, s.TLS, s.Sending, s.Receiving = 0, 0, n*7%10_000, n*77%100_000
		s.Waiting = s.Service - s.Sending - s.Receiving
	}
	return samples
}

func BenchmarkWriteSamples(b *testing.B) {
	samples := benchSamples(100_000)
	b.ReportAllocs()
	w, err := Create(filepath.Join(b.TempDir(), "run"), CreateOptions{})
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		if err := w.Sample(&samples[n%len(samples)]); err != nil {
			b.Fatal(err)
		}
		n++
	}
	if _, err := w.Commit(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkWritePoints(b *testing.B) {
	b.ReportAllocs()
	w, err := Create(filepath.Join(b.TempDir(), "run"), CreateOptions{})
	if err != nil {
		b.Fatal(err)
	}
	p := Point{Source: "samples.json", Metric: "orders.size", Kind: Gauge, Unit: "1", Tags: `{"scenario":"default"}`}
	n := 0
	for b.Loop() {
		p.Time, p.Value = 1_700_000_000_000_000+int64(n)*500, float64(n%977)
		if err := w.Point(&p); err != nil {
			b.Fatal(err)
		}
		n++
	}
	if _, err := w.Commit(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkScanSamples(b *testing.B) {
	const rows = 1_000_000
	w := newWriter(b, CreateOptions{})
	writeSamples(b, w, benchSamples(rows))
	r := commit(b, w)
	for name, cols := range map[string][]Column{
		"two":  {ColStart, ColService},
		"some": {ColStart, ColStartNS, ColWait, ColService, ColScenario, ColOutcome, ColEvents},
		"all":  allColumns(),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				if err := r.ScanSamples(context.Background(), cols, Range{}, func(b *Batch) error { n += b.Len; return nil }); err != nil || n != rows {
					b.Fatal(n, err)
				}
			}
			b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
