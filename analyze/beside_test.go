package analyze_test

import (
	"math"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// marker writes one marker so many seconds after the start.
func marker(t *testing.T, w *runs.Writer, at float64, kind, attrs string) {
	t.Helper()
	m := runs.Marker{Time: start.UnixMicro() + int64(at*1e6), Kind: kind, Attrs: attrs, Source: "server.log", Duration: runs.Missing, PID: runs.Missing}
	if err := w.Marker(&m); err != nil {
		t.Fatal(err)
	}
}

// slow adds requests of 400 ms: as many in one second as freeze it.
func slow(t *testing.T, w *runs.Writer, second int) {
	t.Helper()
	for i := range 30 {
		s := runs.NewSample()
		s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.UnixMicro()+int64(second)*1e6+int64(i)*1000+500, "default", runs.OK, 400e6, 1
		if err := w.Sample(&s); err != nil {
			t.Fatal(err)
		}
	}
}

// Twenty seconds, of which the sixth froze: what disk and database did in it
// stands beside what they did in the seventeen that are no neighbours of it.
func TestBeneathAFreeze(t *testing.T) {
	m := load(t, 2000, func(w *runs.Writer, m *runs.Manifest) {
		slow(t, w, 5)
		for i := 1; i <= 20; i++ {
			size, queue := 100e3+float64(i), 2.0
			if i == 6 { // a point speaks for the second before it
				size, queue = 6e3, 300
			}
			for metric, v := range map[string]float64{"rds.physical_disk.request_size": size, "rds.physical_disk.queue": queue} {
				p := runs.Point{Time: start.UnixMicro() + int64(i)*1e6, Metric: metric, Kind: runs.Gauge, Entity: "nvme1n1", Value: v, Unit: "B", Resolution: 1e6}
				if err := w.Point(&p); err != nil {
					t.Fatal(err)
				}
			}
		}
		marker(t, w, 5.9, "postgres.autovacuum", `{"buffers_dirtied":1234}`)
		marker(t, w, 12, "postgres.autovacuum", `{"buffers_dirtied":77}`)
		marker(t, w, 2, "postgres.checkpoint.start", `{}`)
		marker(t, w, 25, "postgres.checkpoint.start", `{}`) // after the window
		m.Sources = append(m.Sources, runs.Source{File: "server.log", Format: "postgres-log", SHA256: "bb"})
		m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:20Z", Declared: true}
	})
	disk := detect.Scope{Entity: "nvme1n1"}
	for _, c := range []struct {
		id    string
		scope detect.Scope
		want  float64
	}{
		{"freeze.seconds", detect.Scope{Scenario: "default"}, 1},
		{"io.size.calm_median", disk, 100e3 + 12}, // of 1…4 and 8…20
		{"io.size.frozen_median", disk, 6e3},
		{"io.queue.calm_median", disk, 2},
		{"io.queue.frozen_max", disk, 300},
		{"io.collapse_seconds", disk, 1},
		{"vacuum.completions", detect.Scope{}, 2},
		{"vacuum.pages_dirtied_max", detect.Scope{}, 1234},
		{"checkpoint.starts", detect.Scope{}, 1},
		{"rds.physical_disk.queue.max", disk, 300},
		{"rds.physical_disk.queue.min", disk, 2},
		{"rds.physical_disk.queue.mean", disk, (19*2 + 300) / 20.0},
		{"gap.starts", detect.Scope{Scenario: "default"}, 0.01},
		{"score.vacuum.episodes", detect.Scope{Scenario: "default"}, 1},
		{"score.vacuum.hits", detect.Scope{Scenario: "default"}, 1},
	} {
		q := m.Result.Quantity(c.id, c.scope)
		if q == nil || q.Value == nil || math.Abs(*q.Value-c.want) > 1e-9*c.want {
			t.Errorf("%s of %+v: %+v, want %g", c.id, c.scope, q, c.want)
		}
	}
}

// What is not recorded is withheld or not there, never zero.
func TestBeneathWithoutEvidence(t *testing.T) {
	m := load(t, 2000, func(w *runs.Writer, m *runs.Manifest) {
		slow(t, w, 5)
		p := runs.Point{Time: start.UnixMicro() + 60e6, Metric: "disk.queue", Kind: runs.Gauge, Entity: "sda", Value: 3, Unit: "1", Resolution: 60e6}
		if err := w.Point(&p); err != nil {
			t.Fatal(err)
		}
	})
	for _, q := range m.Result.Quantities {
		if strings.HasPrefix(q.ID, "io.") && q.Value != nil || strings.HasPrefix(q.ID, "vacuum.") || strings.HasPrefix(q.ID, "checkpoint.") {
			t.Errorf("%s %v: %s, of what was never recorded", q.ID, q.Scope, q.Display)
		}
	}
}

func TestEvidenceGate(t *testing.T) {
	p := analyze.Protocol{Evidence: []string{"rds.", "postgres."}}
	record := func(until int, cut bool) func(w *runs.Writer, m *runs.Manifest) {
		return func(w *runs.Writer, m *runs.Manifest) {
			for i := 1; i <= until; i++ {
				p := runs.Point{Time: start.UnixMicro() + int64(i)*1e6, Source: "em.json", Metric: "rds.cpu.idle", Kind: runs.Gauge, Value: 0.5, Unit: "1", Resolution: 1e6}
				if err := w.Point(&p); err != nil {
					t.Fatal(err)
				}
			}
			m.Sources = append(m.Sources, runs.Source{File: "em.json", Format: "rds-enhanced-monitoring", SHA256: "cc"},
				runs.Source{File: "server.log", Format: "postgres-log", SHA256: "bb", Cut: cut})
		}
	}
	for _, c := range []struct {
		name string
		edit func(w *runs.Writer, m *runs.Manifest)
		want analyze.Outcome
		why  string
	}{
		{"whole", record(20, false), analyze.Pass, ""},
		{"ends early", record(15, false), analyze.Unknown, "nothing recorded for"},
		{"log cut", record(20, true), analyze.Unknown, "server.log is cut"},
		{"nothing", nil, analyze.Unknown, "rds.: not collected; postgres.: not collected"},
		{"died", func(w *runs.Writer, m *runs.Manifest) {
			m.NotCollected = []runs.Absence{{What: "rds", Why: runs.CollectorDied, Note: "at 00:00:03"}}
		}, analyze.Unknown, "rds.: collector died (at 00:00:03)"},
	} {
		m := loadWith(t, 2000, p, c.edit)
		for _, v := range m.Result.Verdicts {
			if v.Gate == "evidence" && (v.Outcome != c.want || !strings.Contains(v.Why, c.why)) {
				t.Errorf("%s: %s %q, want %s %q", c.name, v.Outcome, v.Why, c.want, c.why)
			}
		}
	}
}

func table(c *analyze.Capacity, id string) string {
	var b strings.Builder
	for _, t := range c.Tables {
		if t.ID != id {
			continue
		}
		for _, r := range t.Rows {
			for _, cell := range r.Cells {
				b.WriteString(cell.Text + " | ")
			}
			b.WriteString("\n")
		}
		b.WriteString(strings.Join(t.Notes, "\n"))
	}
	return b.String()
}

// 100 events/s of a load beside 250 of the component by itself: 40 %. Without a
// denominator the document says that none was measured.
func TestDenominators(t *testing.T) {
	window := &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:10Z", Declared: true}
	main := load(t, 1000, func(_ *runs.Writer, m *runs.Manifest) { m.Window = window })
	floor := load(t, 1001, func(_ *runs.Writer, m *runs.Manifest) {
		m.Sources[0].SHA256, m.Labels = "dd", map[string]string{"role": "denominator"}
		m.Window, m.Load.Model = window, runs.ClosedLoop
		m.Summaries = []runs.Summary{{Source: "tool.txt", Values: map[string]float64{"throughput.requests": 100.2}}}
	})
	c := document(t, main, floor)
	want := 100 / 100.2
	found := false
	for _, q := range c.Quantities {
		if q.ID == "headroom.share" {
			found = true
			if math.Abs(*q.Value-want) > 1e-12 {
				t.Errorf("share %g, want %g: of the rate that the tool printed", *q.Value, want)
			}
		}
	}
	if !found || len(c.Configurations) != 1 {
		t.Errorf("share given: %v, configurations %+v: a denominator is none", found, c.Configurations)
	}
	if caveats := strings.Join(c.Caveats, "\n"); strings.Contains(caveats, "no denominator") {
		t.Error("a document with a denominator says that it has none")
	}
	if caveats := strings.Join(document(t, main).Caveats, "\n"); !strings.Contains(caveats, "no denominator was measured") {
		t.Errorf("a document without one does not say so: %s", caveats)
	}
}

// A load that gets more through than its denominator is no share of it: it ranks behind
// what is one, and nothing is concluded from it.
func TestDenominatorOfAnotherProtocol(t *testing.T) {
	window := &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:20Z", Declared: true}
	main := load(t, 2000, func(w *runs.Writer, m *runs.Manifest) {
		for i := range 2000 {
			s := runs.NewSample()
			s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.UnixMicro()+int64(i)*10000+5000, "default", runs.OK, 10e6, 1
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
		}
		m.Window, m.Sources[0].Samples = window, 4000
		points(t, w, "disk.busy", runs.Gauge, "sda", 20, constant(0.3))
	})
	floor := load(t, 2001, func(_ *runs.Writer, m *runs.Manifest) {
		m.Sources[0].SHA256, m.Labels, m.Window = "dd", map[string]string{"role": "denominator", "run": "alone"}, window
	})
	c := document(t, main, floor)
	if got := table(c, "bottlenecks"); !strings.Contains(got, "1 | disk sda | 30 % | ") || !strings.Contains(got, "2 | share of alone | 200 % | over 100 %: of another protocol") {
		t.Errorf("ranking:\n%s", got)
	}
	if got := table(c, "elimination"); !strings.Contains(got, "| 200 % | could not look: ") {
		t.Errorf("elimination:\n%s", got)
	}
}

// A host with 5 % idle CPU is at its limit; one with half of it idle is ruled out.
func TestBottlenecksAndElimination(t *testing.T) {
	m := load(t, 2000, func(w *runs.Writer, m *runs.Manifest) {
		slow(t, w, 5)
		for i := 1; i <= 20; i++ {
			for source, idle := range map[string]float64{"app.log": 0.05, "db.log": 0.5} {
				p := runs.Point{Time: start.UnixMicro() + int64(i)*1e6, Source: source, Metric: "cpu.idle", Kind: runs.Gauge, Value: idle, Unit: "1", Resolution: 1e6}
				if err := w.Point(&p); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	c := document(t, m)
	ranked := table(c, "bottlenecks")
	if !strings.HasPrefix(ranked, "1 | CPU by app.log | 95 % | at its limit") || !strings.Contains(ranked, "CPU by db.log | 50 % | not the limit") {
		t.Errorf("ranking:\n%s", ranked)
	}
	left := table(c, "elimination")
	for _, want := range []string{"CPU by db.log | how busy it was, on average over the window | 50 % | ruled out", "vacuum | evidence beside the freezes, and in moments without | not recorded | could not look"} {
		if !strings.Contains(left, want) {
			t.Errorf("no %q in\n%s", want, left)
		}
	}
}
