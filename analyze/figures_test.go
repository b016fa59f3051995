package analyze

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/detect"
	"headroom/runs"
	"headroom/runs/rollup"
)

// sweepOf is a sweep document whose p99 crosses 100 ms at the knee-th setting;
// the throughput is best at the sustained-th. Every run has one timeline and a
// distribution.
func sweepOf(settings, sustained, knee int) *document {
	d := &document{Capacity: &Capacity{Protocol: "sweep"}, protocol: Protocol{P99Limit: 100 * time.Millisecond}}
	g := group{key: "concurrency"}
	for i := range settings {
		n := float64(int(1) << i)
		scope := detect.Scope{Scenario: "default", Step: fmt.Sprintf("concurrency=%g", n)}
		rate, p99 := 1000.0-float64(max(i-sustained, sustained-i)), 0.05
		if knee >= 0 && i >= knee {
			p99 = 0.5
		}
		m := &Measured{manifest: &runs.Manifest{}, curves: map[detect.Scope]curve{scope: {q: []float64{0, 0.5}, seconds: []float64{1, 2}}},
			timelines: []Figure{{Kind: "timeline", Title: scope.Step}}}
		m.Result.Quantities = []Quantity{quantity("throughput", scope, rate, "events/s", 1, From{}), quantity("latency.p99", scope, p99, "s", 1, From{})}
		d.runs = append(d.runs, m)
		g.cells = append(g.cells, &cell{m: m, scope: scope, key: &n, labels: map[string]string{"concurrency": fmt.Sprint(n)}})
	}
	d.groups = []group{g}
	return d
}

// TestTimelinesBeginWithTheAnswer checks which timelines stand first: those of the
// steps that the answer speaks of, then all others in their order.
func TestTimelinesBeginWithTheAnswer(t *testing.T) {
	for _, x := range []struct {
		settings, sustained, knee int
		want                      string
	}{
		{9, 5, 7, "6 8 9 1 2 3 4 5 7"},
		{9, 2, 4, "3 5 6 1 2 4 7 8 9"},
		{9, 2, 8, "3 9 1 2 4 5 6 7 8"},                        // nothing past the knee
		{4, 1, -1, "2 4 1 3"},                                 // no knee: the last step
		{3, 0, 0, "1 2 3"},                                    // the knee at once
		{20, 5, 18, "6 19 20 1 2 3 4 5 7 8 9 10 11 12 13 14"}, // as many as there is room for
	} {
		d := sweepOf(x.settings, x.sustained, x.knee)
		d.timelines()
		var got []string
		for _, f := range d.Figures {
			got = append(got, strings.TrimPrefix(f.ID, "timeline-"))
		}
		if strings.Join(got, " ") != x.want {
			t.Errorf("%d settings, sustained %d, knee %d: %q, want %q", x.settings, x.sustained, x.knee, got, x.want)
		}
		if cut := x.settings > maxTimelines; cut != (len(d.Warnings) == 1) {
			t.Errorf("%d settings: warnings %q", x.settings, d.Warnings)
		}
	}
}

// TestTimelinesOfTrouble checks that what failed is drawn before what the answer
// speaks of, unless it is a step past the knee, and what is quiet last.
func TestTimelinesOfTrouble(t *testing.T) {
	d := sweepOf(7, 2, 4)
	gate := func(run int, required bool) {
		m := d.runs[run-1]
		m.Result.Verdicts = append(m.Result.Verdicts, Verdict{Gate: "dropped", Outcome: Fail, Required: required})
	}
	gate(7, true)
	gate(5, true) // the knee
	gate(4, false)
	d.runs[1].Result.Findings = []Finding{{Detector: "freeze", Severity: detect.Warning}}
	d.runs[0].Result.Findings = []Finding{{Detector: "warm-up", Severity: detect.Info}}
	d.timelines()
	var got []string
	for _, f := range d.Figures {
		got = append(got, strings.TrimPrefix(f.ID, "timeline-"))
	}
	if want := "7 3 5 6 4 2 1"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestDistributionsOfTheAnswer checks that the lowest, what was sustained, the knee
// and the highest are always drawn, and that what is not drawn is named.
func TestDistributionsOfTheAnswer(t *testing.T) {
	for _, x := range []struct {
		settings, sustained, knee int
		want, note                string
	}{
		{9, 5, 7, "1 16 32 64 128 256", "6 of 9 distributions; left out: concurrency 2, concurrency 4, concurrency 8."},
		{3, 0, 1, "1 2 4", "Exact"},
		{14, 2, 12, "1 4 1024 2048 4096 8192", "6 of 14 distributions; 8 are left out."},
		{8, 7, -1, "1 2 4 8 16 128", "6 of 8 distributions; left out: concurrency 32, concurrency 64."},
	} {
		d := sweepOf(x.settings, x.sustained, x.knee)
		d.distributions()
		f := d.Figures[0]
		var got []string
		for _, s := range f.Panels[0].Series {
			got = append(got, strings.TrimPrefix(s.Name, "concurrency "))
		}
		if strings.Join(got, " ") != x.want || !strings.HasPrefix(f.Notes[0], x.note) {
			t.Errorf("%d settings, sustained %d, knee %d: %q, %q, want %q, %q", x.settings, x.sustained, x.knee, got, f.Notes[0], x.want, x.note)
		}
	}
}

// TestDistributionNames checks that equal settings keep apart by their repeat.
func TestDistributionNames(t *testing.T) {
	d := sweepOf(2, 0, -1)
	g := &d.groups[0]
	again := *g.cells[0]
	again.labels = map[string]string{"concurrency": "1", "repeat": "2"}
	g.cells[0].labels["repeat"] = "1"
	g.cells = slices.Insert(g.cells, 1, &again)
	var got []string
	for _, c := range d.candidates() {
		got = append(got, c.name)
	}
	if want := []string{"concurrency 1, repeat 1", "concurrency 1, repeat 2", "concurrency 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTitleOfTheOnlyRun(t *testing.T) {
	for title, want := range map[string]string{
		"r1: second by second":         "Second by second",
		"r1, ingest: second by second": "Ingest: second by second",
		"n=1: second by second":        "n=1: second by second",
		"r1":                           "r1",
	} {
		if got := ofOnlyRun(title, "r1"); got != want {
			t.Errorf("ofOnlyRun(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestTurningPoints(t *testing.T) {
	steps := []SweepStep{{N: 1}, {N: 2}, {N: 4}}
	for want, s := range map[string]Sweep{
		"sustained at concurrency 2; knee at concurrency 4":             {Steps: steps, Sustained: 1, Knee: 2},
		"knee at concurrency 1":                                         {Steps: steps, Sustained: -1, Knee: 0},
		"sustained at concurrency 1; no knee found up to concurrency 4": {Steps: steps, Sustained: 0, Knee: -1},
		"no step": {Sustained: -1, Knee: -1},
	} {
		if got := turningPoints(s, "concurrency"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestNoRateOfAPartOfASecond draws windows that end within a second, or whose load
// does: the rate ends with the last whole second, the latency does not.
func TestNoRateOfAPartOfASecond(t *testing.T) {
	const ms = int64(time.Millisecond)
	for _, x := range []struct {
		length, last int64 // ms
		points       int
		note         string
	}{
		{3300, 3290, 3, "The last 300 ms of the window are no whole second and have no rate."},
		{3000, 2990, 3, ""},
		{3000, 2500, 2, "No request began in the last 500 ms of the window: its last second has no rate."},
		{3300, 2800, 2, "No request began in the last 500 ms of the window: its last second has no rate."},
		{3000, 1000, 3, ""}, // two seconds of nothing are two zeros
	} {
		m := &Measured{window: window{Span: detect.Span{Start: 1000 * ms, End: (1000 + x.length) * ms}}, manifest: &runs.Manifest{ID: "r"}}
		var rows []rollup.Second
		for k := range (x.length + 999) / 1000 {
			rows = append(rows, rollup.Second{Second: k, Sent: 10, Events: 10, Latencies: 10, P50: 1e6, P99: 2e6, Max: 3e6})
		}
		f := m.timeline("default", rows, (1000+x.last)*ms)
		if n := len(f.Panels[1].Series[0].X); n != x.points {
			t.Errorf("%d ms: a rate at %d seconds, want %d", x.length, n, x.points)
		}
		if n := len(f.Panels[0].Series[0].X); n != len(rows) {
			t.Errorf("%d ms: a latency at %d seconds, want %d", x.length, n, len(rows))
		}
		if want := append(slices.Clone(f.Notes[:1]), x.note); x.note != "" && !slices.Equal(f.Notes, want) || x.note == "" && len(f.Notes) != 1 {
			t.Errorf("%d ms, last request at %d: notes %q, want %q", x.length, x.last, f.Notes, x.note)
		}
	}
}
