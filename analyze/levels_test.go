package analyze

import (
	"math"
	"testing"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// gauge is a series of one value every step from first on, in seconds.
func gauge(first, step int64, values ...float64) *detect.Series {
	s := &detect.Series{Metric: "cpu.idle", Source: "vmstat.log", Unit: "1", Kind: runs.Gauge, Resolution: step * int64(time.Second)}
	for i, v := range values {
		s.At, s.Values = append(s.At, (first+int64(i)*step)*int64(time.Second)), append(s.Values, v)
	}
	return s
}

func span(start, end int64) detect.Span {
	return detect.Span{Start: start * int64(time.Second), End: end * int64(time.Second)}
}

func TestLevelOf(t *testing.T) {
	for _, c := range []struct {
		name string
		s    *detect.Series
		w    detect.Span
		want level
	}{
		{"a point speaks for the step before it", gauge(0, 5, 9, 1, 2, 3, 4, 9), span(0, 20), level{4, 1, 4, 2.5, 1}},
		{"half within counts", gauge(60, 60, 7), span(0, 30), level{1, 7, 7, 7, 1}},
		{"less than half does not", gauge(60, 60, 7, 9), span(0, 89), level{1, 7, 7, 7, 60.0 / 89}},
		{"a hole is not covered", &detect.Series{Kind: runs.Gauge, Resolution: 1e9, At: []int64{1e9, 2e9, 9e9, 10e9}, Values: []float64{1, 1, 3, 3}}, span(0, 10), level{4, 1, 3, 2, 0.4}},
		{"no step: by its time", &detect.Series{Kind: runs.Gauge, At: []int64{5e9}, Values: []float64{8}}, span(0, 10), level{1, 8, 8, 8, 0}},
		{"a counter is a rate", &detect.Series{Kind: runs.Counter, Resolution: 1e9, At: []int64{0, 1e9, 2e9, 3e9}, Values: []float64{10, 13, 2, 7}}, span(0, 3), level{2, 3, 5, 4, 2.0 / 3}},
		{"none", gauge(100, 5, 1, 2), span(0, 20), level{}},
	} {
		if got := levelOf(c.s, c.w); math.Abs(got.coverage-c.want.coverage) > 1e-12 || got.n != c.want.n || got.min != c.want.min || got.max != c.want.max || got.mean != c.want.mean {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestHole(t *testing.T) {
	m := &Measured{window: window{Span: span(0, 60)}}
	every := func(step int64) (at []int64) {
		for s := step; s <= 60; s += step {
			at = append(at, s*int64(time.Second))
		}
		return at
	}
	if got := m.hole(every(5), 5e9); got != "" {
		t.Errorf("a whole series: %q", got)
	}
	if got := m.hole(every(5)[:8], 5e9); got != "nothing recorded for 20 s from 1970-01-01T00:00:40.000000Z on" {
		t.Errorf("one that ends early: %q", got)
	}
	if got := m.hole(nil, 0); got == "" {
		t.Error("no points leave no hole")
	}
}

func TestLooks(t *testing.T) {
	row := func(ms int64, state, kind, wait, backend string) runs.Activity {
		return runs.Activity{Time: ms * 1000, State: state, WaitType: kind, Wait: wait, BackendType: backend}
	}
	rows := []runs.Activity{
		row(1000, "active", "Lock", "tuple", "client backend"), row(1020, "active", "", "", "client backend"),
		row(1030, "idle", "Client", "ClientRead", "client backend"), row(1031, "", "Activity", "CheckpointerMain", "checkpointer"),
		row(6000, "active", "Lock", "tuple", "client backend"), row(6000, "active", "IO", "WALSync", "client backend"),
	}
	got := looks(rows)
	if len(got) != 2 || got[0].sessions != 3 || got[0].waiting != 1 || got[1].waiting != 2 {
		t.Errorf("%+v", got)
	}
	u := unit{scope: detect.Scope{}}
	for _, q := range profile(u, rows, From{}) {
		if want := map[string]float64{"waits.looks": 2, "waits.sessions": 3, "waits.waiting_min": 1, "waits.waiting_max": 2}[q.ID]; *q.Value != want {
			t.Errorf("%s: %g, want %g", q.ID, *q.Value, want)
		}
	}
}
