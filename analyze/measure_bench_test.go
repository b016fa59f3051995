package analyze_test

import (
	"context"
	"path/filepath"
	"testing"

	"headroom/analyze"
	"headroom/runs"
)

// BenchmarkMeasure analyses a run of 100,000 samples of a closed loop.
func BenchmarkMeasure(b *testing.B) {
	const n = 100_000
	w, err := runs.Create(filepath.Join(b.TempDir(), "run"), runs.CreateOptions{ID: "r"})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Abort()
	w.Manifest().Load = runs.Load{Model: runs.ClosedLoop, DropsKnown: true}
	random := uint32(1)
	for i := range int64(n) {
		random = random*1664525 + 1013904223 // Numerical Recipes
		s := runs.NewSample()
		s.Start, s.Service, s.Scenario, s.Outcome = 1_700_000_000_000_000+i*1150, 1_000_000+int64(random>>9), "default", runs.OK
		if err := w.Sample(&s); err != nil {
			b.Fatal(err)
		}
	}
	run, err := w.Commit()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := analyze.Measure(context.Background(), run, analyze.Protocol{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
}
