package rollup

import (
	"context"
	"testing"

	"headroom/runs"
)

// manySeconds are samples at 8,700 a second, 1 to 9 ms long.
func manySeconds(n int) []runs.Sample {
	samples := make([]runs.Sample, n)
	random := uint32(1)
	for i := range samples {
		random = random*1664525 + 1013904223 // Numerical Recipes
		samples[i] = sample(int64(i)*115, 1_000_000+int64(random>>9))
		samples[i].Outcome = runs.OK
	}
	return samples
}

// twoColumns reads what no computation can do without.
func twoColumns(run *runs.Run) (sum int64, err error) {
	err = run.ScanSamples(context.Background(), []runs.Column{runs.ColStart, runs.ColService}, runs.Range{}, func(b *runs.Batch) error {
		for i, start := range b.Start {
			sum += start ^ b.Service[i]
		}
		return nil
	})
	return sum, err
}

func BenchmarkTwoColumns(b *testing.B) {
	const n = 200_000
	run := newRun(b, b.TempDir(), manySeconds(n))
	for b.Loop() {
		if _, err := twoColumns(run); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
}

func BenchmarkSeconds(b *testing.B) {
	const n = 200_000
	run := newRun(b, b.TempDir(), manySeconds(n))
	opt, err := Options{Anchor: t0}.defaults()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compute(context.Background(), run, opt); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
}
