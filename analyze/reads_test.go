package analyze_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// An analysis reads each column of the samples once, and with ten detectors of a
// user's own nothing more than without.
func TestOwnDetectorsReadNothingMore(t *testing.T) {
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{ID: "r"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	w.Manifest().Load = runs.Load{Model: runs.OpenLoop, DropsKnown: true}
	for i := range int64(3000) {
		s := runs.NewSample()
		s.Start, s.Service, s.Scenario, s.Outcome = 1_700_000_000_000_000+i*10_000, 8e6, []string{"read", "write"}[i%2], runs.OK
		p := runs.Point{Time: s.Start, Metric: "disk.queue", Source: "iostat", Value: 2, Kind: runs.Gauge, Resolution: 1e6}
		if err := w.Sample(&s); err != nil {
			t.Fatal(err)
		}
		if err := w.Point(&p); err != nil {
			t.Fatal(err)
		}
	}
	run, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	measure := func(own []*detect.Detector) *runs.Reads {
		var reads runs.Reads
		m, err := analyze.Measure(reads.Count(t.Context()), run, analyze.Protocol{Detectors: own})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range own {
			looked := false
			for _, l := range m.Result.Looked {
				looked = looked || l.Detector == d.Name
			}
			if !looked {
				t.Errorf("%s did not look", d.Name)
			}
		}
		return &reads
	}
	var own []*detect.Detector
	for i := range 10 {
		input := []string{"input: samples\nwindow: {kind: run}\nwhen: n > 9", "input: points\nmetrics: [disk.queue]\nwhen: last > 9"}[i%2]
		d, err := detect.ParseDetector("own.yaml", fmt.Appendf(nil, "name: own-%c\ndoc: X. Cannot see the rest.\n%s\n", 'a'+i, input))
		if err != nil {
			t.Fatal(err)
		}
		own = append(own, d)
	}
	measure(nil) // which keeps the per-second table beside the run
	alone, more := measure(nil), measure(own)
	if alone.Total() == 0 || alone.Total() != more.Total() {
		t.Errorf("%d chunks are read without them, %d with them", alone.Total(), more.Total())
	}
	for name, n := range alone.Columns() {
		if strings.HasPrefix(name, "samples.") && n.Most != 1 {
			t.Errorf("%s is read %d times", name, n.Most)
		}
	}
}
