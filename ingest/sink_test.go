package ingest

import (
	"bytes"
	"slices"
	"testing"

	"headroom/runs"
)

// rows is a destination in memory.
type rows struct {
	m          runs.Manifest
	samples    []runs.Sample
	points     []runs.Point
	activity   []runs.Activity
	markers    []runs.Marker
	histograms []runs.Histogram
	benchmarks []runs.Benchmark
	snapshots  []runs.Snapshot
}

func (r *rows) Manifest() *runs.Manifest        { return &r.m }
func (r *rows) Sample(s *runs.Sample) error     { r.samples = append(r.samples, *s); return nil }
func (r *rows) Point(p *runs.Point) error       { r.points = append(r.points, *p); return nil }
func (r *rows) Activity(a *runs.Activity) error { r.activity = append(r.activity, *a); return nil }
func (r *rows) Marker(m *runs.Marker) error     { r.markers = append(r.markers, *m); return nil }
func (r *rows) Histogram(h *runs.Histogram) error {
	r.histograms = append(r.histograms, *h)
	return nil
}
func (r *rows) Benchmark(b *runs.Benchmark) error {
	r.benchmarks = append(r.benchmarks, *b)
	return nil
}

func (r *rows) Snapshot(s *runs.Snapshot) error {
	row := *s
	row.Values = slices.Clone(s.Values)
	r.snapshots = append(r.snapshots, row)
	return nil
}

// with returns the samples of an outcome; "" means every one that was sent.
func (r *rows) with(outcome runs.Outcome) []runs.Sample {
	var out []runs.Sample
	for _, s := range r.samples {
		if s.Outcome == outcome || outcome == "" && s.Outcome.Sent() {
			out = append(out, s)
		}
	}
	return out
}

// services returns the service times of samples that have one, sorted, in ns.
func services(samples []runs.Sample) []int64 {
	var out []int64
	for _, s := range samples {
		if s.Service != runs.Missing && s.Service >= 0 {
			out = append(out, s.Service)
		}
	}
	slices.Sort(out)
	return out
}

// latencies returns wait plus service of samples that have it, sorted, in ns.
func latencies(samples []runs.Sample) []int64 {
	var out []int64
	for _, s := range samples {
		if ns, ok := s.Latency(); ok {
			out = append(out, ns)
		}
	}
	slices.Sort(out)
	return out
}

// rank returns the nearest-rank quantile of sorted values.
func rank(sorted []int64, permille int) int64 {
	n := (len(sorted)*permille + 999) / 1000
	return sorted[max(n, 1)-1]
}

// readText reads text with one importer and fails the test on an error.
func readText(t *testing.T, im *Importer, name, text string, opt Options) (*Input, *rows) {
	t.Helper()
	in, r, err := tryText(im, name, text, opt)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return in, r
}

func tryText(im *Importer, name, text string, opt Options) (*Input, *rows, error) {
	in, r := NewInput(name, bytes.NewReader([]byte(text)), opt), &rows{}
	err := im.Read(in, r)
	return in, r, err
}
