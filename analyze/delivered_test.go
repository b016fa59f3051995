package analyze

import (
	"math"
	"testing"

	"headroom/detect"
	"headroom/runs"
)

// Where no window was declared, the latency at the end of a load is nothing that was
// not delivered; what is answered or sent more slowly than it is offered is.
func TestShareAtPace(t *testing.T) {
	const ms = int64(1e6)
	load := func(gap int64, latency func(i int64) int64) *detect.Requests {
		var rows []detect.Request
		for i := range int64(600) {
			rows = append(rows, detect.Request{Start: i * gap, Wait: runs.Missing, Service: latency(i)})
		}
		return detect.NewRequests("", false, rows...)
	}
	second := func(int64) int64 { return 1000 * ms }
	for name, c := range map[string]struct {
		r         *detect.Requests
		low, high float64
	}{
		"on schedule":           {load(100*ms, second), 1, 1},
		"0.8 to 1 s":            {load(100*ms, func(i int64) int64 { return (800 + i*37%201) * ms }), 0.99, 1},
		"one slow at the end":   {load(100*ms, func(i int64) int64 { return (100 + i/599*9000) * ms }), 0.99, 1},
		"sent at half the rate": {load(200*ms, second), 0.5, 0.5},
		"answered at half":      {load(100*ms, func(i int64) int64 { return 100 * ms * (i + 1) }), 0.49, 0.51},
	} {
		if got := shareAtPace(c.r, 10); !(got >= c.low && got <= c.high) {
			t.Errorf("%s: %g, want %g to %g", name, got, c.low, c.high)
		}
	}
	dropped := load(100*ms, second)
	dropped.Dropped = []int64{120_000 * ms}
	if got := shareAtPace(dropped, 10); math.Abs(got-0.5) > 0.01 {
		t.Errorf("the second half dropped: %g, want 0.5", got)
	}
	if got := shareAtPace(detect.NewRequests("", false, detect.Request{}), 10); !math.IsNaN(got) {
		t.Errorf("one request has no pace: %g", got)
	}
}

// What was skipped as too late was due and not sent: dropped counts it.
func TestSkippedIsDropped(t *testing.T) {
	r := detect.NewRequests("", false, detect.Request{Service: 5})
	r.Dropped, r.Skipped = []int64{1}, []int64{2, 3}
	u := &unit{all: r}
	m := &Measured{manifest: &runs.Manifest{}}
	m.Result.Quantities = m.drops(u, From{})
	for id, want := range map[string]float64{"dropped": 3, "skipped": 2} {
		if q := m.get(id, u); q == nil || q.Value == nil || *q.Value != want {
			t.Errorf("%s: %+v, want %g", id, q, want)
		}
	}
	if v := dropped.Run(m, u); v.Outcome != Fail || v.Got != 3.0 {
		t.Errorf("the gate: %+v, want failed by 3", v)
	}
}
