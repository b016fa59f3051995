package analyze

import (
	"slices"
	"testing"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// lanesRun is a run of ten seconds that begins at 1,000 s since the epoch.
func lanesRun() *Measured {
	m := &Measured{}
	m.window.Start, m.window.End = 1000*int64(time.Second), 1010*int64(time.Second)
	return m
}

// TestInFlight counts by hand: one request from 0.5 s to 3.5 s, one from 2.0 s to
// 2.0 s that takes no time, one that began before the window and ends at 1.0 s,
// and one that outlives the window.
func TestInFlight(t *testing.T) {
	m := lanesRun()
	at := func(s float64) int64 { return m.window.Start + int64(s*1e9) }
	rows := []detect.Request{
		{Start: at(-2), Wait: runs.Missing, Service: int64(3 * time.Second)},
		{Start: at(0.5), Wait: runs.Missing, Service: int64(3 * time.Second)},
		{Start: at(2), Wait: runs.Missing, Service: 0},
		{Start: at(8.5), Wait: int64(time.Second), Service: int64(time.Minute)},
	}
	m.scenarios = []*detect.Requests{detect.NewRequests("a", false, rows...)}
	l := m.inFlightLane("a")
	if want := []float64{1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1}; !slices.Equal(l.panel.Series[0].Y, want) {
		t.Errorf("in flight %v, want %v", l.panel.Series[0].Y, want)
	}
	if l := m.inFlightLane("b"); l.panel.Series != nil {
		t.Error("a lane of a scenario that is not there")
	}
}

// TestSessionsLane: the mean over the looks of a second; idle sessions and
// background processes are no part of it; a look without a session counts.
func TestSessionsLane(t *testing.T) {
	m := lanesRun()
	look := func(s float64, rows ...runs.Activity) {
		for _, r := range rows {
			r.Time = m.window.Start/1000 + int64(s*1e6)
			m.evidence.waits = append(m.evidence.waits, r)
		}
	}
	lock, cpu := runs.Activity{State: "active", WaitType: "Lock", Wait: "tuple"}, runs.Activity{State: "active"}
	idle, walwriter := runs.Activity{State: "idle", WaitType: "Client"}, runs.Activity{BackendType: "walwriter", WaitType: "Activity"}
	look(0.1, lock, lock, cpu, idle, walwriter)
	look(0.6, lock, idle, walwriter)
	look(1.1, idle, walwriter)
	look(1.6, cpu, idle)
	l := m.sessionsLane()
	got := map[string][]float64{}
	for _, s := range l.panel.Series {
		got[s.Name] = s.Y
	}
	if !slices.Equal(got["Lock"], []float64{1.5, 0}) || !slices.Equal(got["no wait"], []float64{0.5, 0.5}) || len(got) != 2 {
		t.Errorf("lanes %v", got)
	}
}

// TestDiskQueueLane: of counters the rate since the record before, with nothing
// across a reset; of several disks the busiest.
func TestDiskQueueLane(t *testing.T) {
	m := lanesRun()
	at := func(s float64) int64 { return m.window.Start + int64(s*1e9) }
	m.evidence.disks = map[string]map[string]series{metricQueueSeconds: {
		"sda": {{t: at(0), v: 10}, {t: at(1), v: 12}, {t: at(2), v: 1}, {t: at(4), v: 4}},
		"sdb": {{t: at(0), v: 10}, {t: at(1), v: 10.1}, {t: at(2), v: 10.2}},
	}}
	l := m.diskQueueLane()
	s := l.panel.Series[0]
	if s.Name != "disk sda" || !slices.Equal(s.X, []float64{1, 4}) || !slices.Equal(s.Y, []float64{2, 1.5}) {
		t.Errorf("%s: %v, %v", s.Name, s.X, s.Y)
	}
}

// TestHeatOf: each request with a latency is in one cell, in the column of its
// start and the bin of its latency, and long runs have wider columns.
func TestHeatOf(t *testing.T) {
	m := lanesRun()
	var rows []detect.Request
	for k := range 10 {
		for range 3 {
			rows = append(rows, detect.Request{Start: m.window.Start + int64(k)*int64(time.Second), Wait: runs.Missing, Service: 2_000_000})
		}
	}
	rows = append(rows, detect.Request{Start: m.window.Start, Wait: runs.Missing, Service: runs.Missing},
		detect.Request{Start: m.window.End, Wait: runs.Missing, Service: 5_000_000})
	rows[4].Service = int64(time.Second)
	r := detect.NewRequests("a", false, rows...)
	h := m.heatOf(r)
	sum := int64(0)
	for _, n := range h.Counts {
		sum += n
	}
	bins := len(h.Edges) - 1
	if sum != 30 || len(h.X) != 10 || h.Counts[0*bins+binOf(h.Edges, 0.002)] != 3 || h.Counts[1*bins+binOf(h.Edges, 1)] != 1 {
		t.Errorf("%d requests in %d columns: %v", sum, len(h.X), h.Counts)
	}
	m.window.End = m.window.Start + 3600*int64(time.Second)
	if h := m.heatOf(r); h.DX != 23 || len(h.X) != 1 {
		t.Errorf("columns of %v s, %d of them", h.DX, len(h.X))
	}
}
