package detect

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"headroom/internal/runtest"
	"headroom/runs"

	"pgregory.net/rapid"
)

// The union of what all detectors and causes read of the points is read in one
// pass, each metric named once.
func TestMetricsAreNamedOnce(t *testing.T) {
	metrics := Metrics(All)
	if !slices.IsSorted(metrics) || len(slices.Compact(slices.Clone(metrics))) != len(metrics) {
		t.Errorf("metrics are named twice: %v", metrics)
	}
	for _, d := range All {
		for _, m := range d.Metrics {
			if !slices.Contains(metrics, m) {
				t.Errorf("%s reads %s, which the driver does not", d.Name, m)
			}
		}
	}
}

// Detectors see what was read and no more: applied to evidence that holds only
// the metrics they name, each says what it says of everything that was recorded.
func TestDetectorsNameWhatTheyRead(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := runtest.Parse(file, string(text))
		if err != nil {
			t.Fatal(err)
		}
		run, err := c.Run()
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range c.Blocks {
			d := Named(block.Detector)
			whole, part := pass(run), pass(run)
			named := metricSet(withInputs(d.Metrics))
			points := slices.DeleteFunc(slices.Clone(run.Points), func(p runs.Point) bool { return !named(p.Metric) })
			part.Evidence = NewEvidence(part.Window, points, run.Activity, run.Markers)
			part.Evidence.Stamps, part.Evidence.Steps = whole.Evidence.Stamps, whole.Evidence.Steps
			a, err1 := d.Apply(whole, nil)
			b, err2 := d.Apply(part, nil)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if x, y := lines(a, run.Start, nil), lines(b, run.Start, nil); x != y {
				t.Errorf("%s: %s reads more than the metrics it names:\n%s\nwith those alone:\n%s", file, d.Name, x, y)
			}
		}
	}
}

// Twice the requests cost all detectors over samples about twice the work, not
// four times: counted in the requests that windows hand out, which no clock
// disturbs.
func TestWindowsVisitEachRequestOnce(t *testing.T) {
	visits := func(n int) int {
		r := load(n/60, 60e9, 8*ms)
		c := newCounter(r, false)
		defer c.close()
		for at := int64(0); at+second <= 60*second; at += tick {
			c.summary(Span{at, at + second}, r.Len())
		}
		return c.moved
	}
	one, two := visits(6000), visits(12000)
	if one > 2*6000 || two > 2*12000 {
		t.Errorf("windows that slide over 6000 and 12000 requests moved %d and %d of them in and out: each enters and leaves once", one, two)
	}
}

// A silence of weeks costs one look, and what comes after it is seen as it would be
// without: in every window that holds it.
func TestWindowsSkipSilence(t *testing.T) {
	const weeks = 30 * 86400 * second
	r := NewRequests("s", false, Request{Wait: runs.Missing, Service: 8 * ms}, Request{Start: weeks + 50*ms, Wait: runs.Missing, Service: 8 * ms})
	c := newCounter(r, false)
	defer c.close()
	var starts []int64
	for w := range c.windows(Span{0, second}, tick, weeks+5*second, 1) {
		starts = append(starts, w.Start)
	}
	want := []int64{0}
	for at := weeks - 900*ms; at <= weeks; at += tick {
		want = append(want, at)
	}
	if !slices.Equal(starts, want) || c.looks > 30 {
		t.Errorf("%d looks, windows %v, want %v", c.looks, starts, want)
	}
}

// No freeze is attributed by timing alone, whatever was recorded: its cause's
// mechanism was seen in it, or the trace itself is the mechanism.
func TestNothingIsAttributedWithoutItsSignature(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := load(60, 120e9, 8*ms)
		var markers []runs.Marker
		var points []runs.Point
		for i := range rapid.IntRange(1, 8).Draw(t, "freezes") {
			at := int64(i)*14*second + rapid.Int64Range(0, 9*second).Draw(t, "at")
			r.stop(at, at+400*ms)
			if rapid.Bool().Draw(t, "marker") {
				kind := rapid.SampledFrom([]string{"postgres.autovacuum", "postgres.checkpoint.start", "postgres.checkpoint.complete", "postgres.lock.wait"}).Draw(t, "kind")
				markers = append(markers, runs.Marker{Time: (at + rapid.Int64Range(-second, second).Draw(t, "off")) / 1000, Kind: kind, Source: "log", Duration: runs.Missing})
			}
			for s := int64(0); s < 14; s++ {
				value := 2.0
				if s == (at-int64(i)*14*second)/second+1 && rapid.Bool().Draw(t, "queue") {
					value = 100
				}
				points = append(points, runs.Point{Time: (int64(i)*14 + s) * 1e6, Metric: "disk.queue", Source: "iostat", Value: value, Kind: runs.Gauge, Resolution: 1e6})
			}
		}
		window := Span{0, 120 * second}
		p := Pass{Window: window, Requests: []*Requests{r}, Evidence: NewEvidence(window, points, nil, markers)}
		done, err := freeze.Apply(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		Attribute(done.Findings, p.Requests, p.Evidence, window, true)
		for _, f := range done.Findings {
			// None of these has a mechanism: no sync that was measured, no request
			// size, no sampled session.
			if a := f.Attribution; a.Status == Attributed {
				t.Fatalf("attributed by timing alone: %+v", a)
			}
		}
	})
}
