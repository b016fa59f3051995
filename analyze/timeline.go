package analyze

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/detect"
	"headroom/runs"
	"headroom/runs/rollup"
	"headroom/stat"
)

// keepTimelines draws each scenario that is no probe, second by second.
func (m *Measured) keepTimelines(ctx context.Context) error {
	if m.window.Len() <= 0 {
		return nil
	}
	anchor := m.window.Start / 1000
	rows, err := rollup.Seconds(ctx, m.run, rollup.Options{
		Window: runs.Range{Start: anchor, End: (m.window.End + 999) / 1000}, Anchor: anchor, Basis: m.basis(),
	})
	if err != nil {
		return err
	}
	for _, r := range m.scenarios {
		if m.probes[r.Scenario] {
			continue
		}
		var of []rollup.Second
		for _, s := range rows {
			if s.Scenario == r.Scenario {
				of = append(of, s)
			}
		}
		m.timelines = append(m.timelines, m.timeline(r.Scenario, of, max(r.Last(), 0)))
	}
	return nil
}

// timeline makes a figure of the seconds of one scenario. A second in which
// nothing happened has no row: it completed nothing, and has no latency. What is
// left of the window after its last whole second has latencies and no rate: the
// completions of a part of a second would look like a drop. So would those of the
// last second if no request began in much of it: last is when the last one did,
// in ns since the Unix epoch.
func (m *Measured) timeline(scenario string, rows []rollup.Second, last int64) Figure {
	start := m.window.Start
	f := Figure{
		Kind: "timeline", Title: m.timelineTitle(scenario),
		X: Axis{Label: "time since the window's start", Unit: "s", Scale: "time", Start: detect.Instant(start)},
		Y: []Axis{{Label: "latency", Unit: "s", Scale: "log"}, {Label: "completed", Unit: rateUnit(m.countsEvents())}},
	}
	p50 := Series{Name: "p50", Mark: "line", Role: "p50", Gap: 1.5}
	p99 := Series{Name: "p99", Mark: "line", Role: "p99", Gap: 1.5}
	worst := Series{Name: "max", Mark: "line", Role: "max", Gap: 1.5}
	done := Series{Name: "completed", Mark: "steps", Role: "throughput"}
	failed := Series{Name: "failed", Mark: "bars", Role: "failed"}
	n := stat.BucketIndex(m.window.End-1, start, int64(time.Second)) + 1
	completed, requests, silent := make([]float64, n), int64(0), m.window.Len()/int64(time.Second)
	for _, s := range rows {
		if s.Second < 0 || s.Second >= n {
			continue
		}
		x := float64(s.Second)
		completed[s.Second] = float64(s.Events)
		requests += s.Sent
		if s.Failed+s.Timeout > 0 {
			failed.X, failed.Y = append(failed.X, x), append(failed.Y, float64(s.Failed+s.Timeout))
		}
		if s.Latencies == 0 {
			continue
		}
		if s.Second < m.window.Len()/int64(time.Second) {
			silent--
		}
		for to, ns := range map[*Series]int64{&p50: s.P50, &p99: s.P99, &worst: s.Max} {
			to.X, to.Y = append(to.X, x), append(to.Y, float64(ns)/1e9)
		}
	}
	if n, ok := m.Result.value("requests", detect.Scope{Scenario: scenario}); ok { // those at the window's end included, which a source of coarse stamps counts in
		requests = int64(n)
	}
	whole, why := m.wholeSeconds(last)
	completed = completed[:whole]
	for k, v := range completed {
		done.X, done.Y = append(done.X, float64(k)), append(done.Y, v)
	}
	f.Panels = []Panel{{Series: []Series{worst, p99, p50}, Heat: m.heat(scenario)}, {Series: []Series{done}}}
	if len(failed.X) > 0 {
		f.Panels[1].Series = append(f.Panels[1].Series, failed)
	}
	f.Panels[0].Spans, f.Panels[1].Spans = m.spans(scenario, start)
	m.addLanes(&f, scenario)
	marked := CountOf(int64(countKind(f.Panels[0].Spans, "freeze")), "freeze") + " marked"
	if !m.looked("freeze", scenario) {
		marked = "freezes not looked for"
	}
	f.Alt = fmt.Sprintf("Latency and completions of %s over %s; %s.", CountOf(requests, "request"), Display(float64(m.window.Len())/1e9, "s"), marked)
	f.Notes = append(f.Notes, CountOf(requests, "request")+", one point a second by start; completions by end.")
	if refused, _ := m.Result.value("rejected", detect.Scope{Scenario: scenario}); refused > 0 {
		f.Notes = append(f.Notes, "Latencies are of all requests, the "+CountOf(int64(refused), "refused one")+" among them; percentiles elsewhere are of those that ended well.")
	}
	if silent > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("No request with a latency began in %s.", CountOf(silent, "second")))
	}
	if why != "" {
		f.Notes = append(f.Notes, why)
	}
	return f
}

// looked reports whether a detector could look at a scenario over the whole window.
func (m *Measured) looked(detector, scenario string) bool {
	return slices.ContainsFunc(m.Result.Looked, func(l Look) bool {
		return l.Detector == detector && l.Scope.Scenario == scenario && l.Scope.Step == "" && l.Could
	})
}

// wholeSeconds is how many seconds of the window have a rate, and what is to be
// said of the one that has none.
func (m *Measured) wholeSeconds(last int64) (n int64, why string) {
	const second = int64(time.Second)
	n = m.window.Len() / second
	if rest := m.window.Len() % second; rest > 0 {
		why = fmt.Sprintf("The last %s of the window are no whole second and have no rate.", Display(float64(rest)/1e9, "s"))
	}
	end := m.window.Start + n*second
	if quiet := end - last; n > 0 && last > 0 && quiet > second/20 && quiet < second {
		n--
		why = fmt.Sprintf("No request began in the last %s of the window: its last second has no rate.", Display(float64(m.window.End-last)/1e9, "s"))
	}
	return n, why
}

// timelineTitle names the run, and the scenario where there are several.
func (m *Measured) timelineTitle(scenario string) string {
	name := m.setting()
	if len(m.scenarios) > 1 {
		name += ", " + scenario
	}
	return name + ": second by second"
}

// setting is what a title calls a run: its step, then which repeat of it; else
// what a table calls it.
func (m *Measured) setting() string {
	var parts []string
	if len(m.manifest.Steps) == 1 {
		parts = append(parts, stepName(m.manifest.Steps[0]))
	}
	labels := m.labels(nil)
	for _, l := range repeatLabels {
		if v := labels[l]; v != "" {
			parts = append(parts, l+" "+v)
			break
		}
	}
	if len(parts) == 0 || len(parts) == 1 && len(m.manifest.Steps) == 1 {
		return m.name()
	}
	return strings.Join(parts, ", ")
}

func countKind(spans []Span, kind string) int {
	n := 0
	for _, s := range spans {
		if s.Kind == kind {
			n++
		}
	}
	return n
}

// since returns the seconds from start to an instant that detect wrote.
func since(instant string, start int64) float64 {
	t, err := time.Parse(time.RFC3339Nano, instant)
	if err != nil {
		return 0
	}
	return float64(t.UnixNano()-start) / 1e9
}
