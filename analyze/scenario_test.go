package analyze_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// asked is one request: when it began and how long it took, in ms, how it ended,
// whose it was and how many events it carried.
type asked struct {
	at, took int64
	outcome  runs.Outcome
	worker   string
	events   int64
}

// scenarioRun is a run of single requests, without a declared window unless edit
// declares one.
func scenarioRun(t *testing.T, id string, p analyze.Protocol, rows []asked, edit func(*runs.Manifest)) *analyze.Measured {
	t.Helper()
	return measured(t, id, p, func(w *runs.Writer) {
		for _, r := range rows {
			s := runs.NewSample()
			s.Start, s.Scenario, s.Outcome, s.Service, s.Events, s.Worker = start.UnixMicro()+r.at*1000, "default", r.outcome, r.took*1e6, r.events, r.worker
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
		}
		m := w.Manifest()
		m.Load.Model, m.Load.DropsKnown = runs.ClosedLoop, true
		m.Sources = []runs.Source{{File: "load.csv", Format: "generic-csv", SHA256: id, Samples: int64(len(rows))}}
		if edit != nil {
			edit(m)
		}
	})
}

func loadValue(m *analyze.Measured, id string) float64 {
	if q := m.Result.Quantity(id, detect.Scope{Scenario: "default"}); q != nil && q.Value != nil {
		return *q.Value
	}
	return math.NaN()
}

func TestElapsedAndInFlight(t *testing.T) {
	// Two overlap from 0 to 30 ms; as the second ends the third begins, which is no
	// overlap; two fail beside each other and are in flight all the same.
	rows := []asked{{0, 40, runs.OK, "", 5}, {10, 20, runs.OK, "", 5}, {30, 5, runs.OK, "", 5}, {1000, 10, runs.Failed, "", 5}, {1005, 45, runs.Failed, "", 5}}
	m := scenarioRun(t, "a", analyze.Protocol{}, rows, nil)
	for id, v := range map[string]float64{"elapsed": 1.05, "in_flight.peak": 2, "throughput": 15 / 1.05} {
		if got := loadValue(m, id); math.Abs(got-v) > 1e-9 {
			t.Errorf("%s %v, want %v", id, got, v)
		}
	}
	if got := loadValue(m, "latency.started.p99"); !math.IsNaN(got) {
		t.Errorf("without a declared window p99 of what began in it is %v", got)
	}
}

func TestStartedInWindow(t *testing.T) {
	// A window of 1 s: 100 requests begin in it. The last two, of 500 ms, end after
	// it, so that those that ended in it are the first 98, of 5 ms.
	var rows []asked
	for i := range int64(100) {
		took := int64(5)
		if i >= 98 {
			took = 500
		}
		rows = append(rows, asked{i * 10, took, runs.OK, "", 1})
	}
	declare := func(m *runs.Manifest) {
		m.Window = &runs.Window{Start: start.Format(time.RFC3339), End: start.Add(time.Second).Format(time.RFC3339), Declared: true}
	}
	m := scenarioRun(t, "a", analyze.Protocol{}, rows, declare)
	if got := loadValue(m, "samples"); got != 98 {
		t.Errorf("%v requests ended in the window, want 98", got)
	}
	if got := loadValue(m, "latency.started.p99"); got != 0.5 { // the 99th of 100
		t.Errorf("p99 of those that began in the window is %v, want 0.5", got)
	}
}

func TestTimeoutHeadroom(t *testing.T) {
	var rows []asked
	for i := range int64(200) {
		rows = append(rows, asked{i * 10, 20, runs.OK, "", 1})
	}
	m := scenarioRun(t, "a", analyze.Protocol{Scenario: analyze.ScenarioRules{Timeout: 100 * time.Millisecond}}, rows, nil)
	if got := loadValue(m, "timeout.headroom"); got != 5 {
		t.Errorf("a timeout of 100 ms is × %v of a p99 of 20 ms, want 5", got)
	}
}

func TestStoredGate(t *testing.T) {
	counts := func(listed, acknowledged, missing, stray string) map[string]string {
		out := map[string]string{"ids.listed": listed}
		if acknowledged != "" {
			out["ids.acknowledged"], out["ids.acknowledged_missing"], out["ids.listed_unacknowledged"] = acknowledged, missing, stray
		}
		return out
	}
	for _, c := range []struct {
		name  string
		after map[string]string
		edit  func(*runs.Manifest)
		want  analyze.Outcome
		why   string
	}{
		{"all there, and more", counts("13", "10", "0", "3"), nil, analyze.Pass, ""},
		{"the counts agree, one is missing", counts("10", "10", "1", "1"), nil, analyze.Fail, ""},
		{"no sample has an id", counts("10", "", "", ""), nil, analyze.Unknown, "no sample that is ok has an id"},
		{"no list, and asked for", nil, nil, analyze.Unknown, "no list"},
		{"the samples are cut", counts("10", "9", "0", "1"), func(m *runs.Manifest) { m.Sources[0].Cut = true }, analyze.Unknown, "is cut"},
		{"the list is cut", counts("5", "10", "5", "0"), func(m *runs.Manifest) {
			m.Sources = append(m.Sources, runs.Source{File: "ids.txt", Format: "id-list", SHA256: "b", Cut: true})
		}, analyze.Unknown, "ids.txt is cut"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := scenarioRun(t, "a", analyze.Protocol{Required: []string{"stored"}}, []asked{{0, 10, runs.OK, "", 1}}, func(m *runs.Manifest) {
				if c.after != nil {
					m.After = &runs.Counts{Source: "ids.txt", Values: c.after}
				}
				if c.edit != nil {
					c.edit(m)
				}
			})
			if v := verdictOf(m, "stored"); v.Outcome != c.want || !strings.Contains(v.Why, c.why) {
				t.Errorf("%s (%s), want %s (%s)", v.Outcome, v.Why, c.want, c.why)
			}
		})
	}
	if v := verdictOf(scenarioRun(t, "b", analyze.Protocol{}, []asked{{0, 10, runs.OK, "", 1}}, nil), "stored"); v.Gate != "" {
		t.Errorf("without a list and unasked the gate says %s", v.Outcome)
	}
}

func TestIsolationGate(t *testing.T) {
	rules := analyze.ScenarioRules{Abusive: []string{"loud"}, Quiet: []string{"q1", "q2"}}
	base := []asked{{0, 1, runs.Rejected, "loud", 1}, {5, 1, runs.OK, "loud", 1}, {10, 1, runs.OK, "q1", 1}, {20, 1, runs.OK, "q2", 1}}
	one := rules
	one.QuietRefusedMax = 1
	for _, c := range []struct {
		name  string
		rules analyze.ScenarioRules
		rows  []asked
		want  analyze.Outcome
	}{
		{"only the loud one is refused", rules, base, analyze.Pass},
		{"a quiet one is refused", rules, append([]asked{{30, 1, runs.Rejected, "q2", 1}}, base...), analyze.Fail},
		{"one refusal is allowed", one, append([]asked{{30, 1, runs.Rejected, "q2", 1}}, base...), analyze.Pass},
		{"a quiet one is absent", rules, base[:3], analyze.Unknown},
		{"no worker has a name", rules, []asked{{0, 1, runs.OK, "", 1}}, analyze.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := scenarioRun(t, "a", analyze.Protocol{Scenario: c.rules}, c.rows, nil)
			if v := verdictOf(m, "isolation"); v.Outcome != c.want {
				t.Errorf("%s (%s), want %s", v.Outcome, v.Why, c.want)
			}
		})
	}
	m := scenarioRun(t, "b", analyze.Protocol{Scenario: rules}, base, nil)
	want(t, m, map[string]float64{"abusive.requests": 2, "abusive.refused": 1, "abusive.ok": 1, "quiet.requests": 2, "quiet.refused": 0, "quiet.ok": 2})
}

// TestScenarioDocument: each run is judged by its own checks, whatever varies
// between them.
func TestScenarioDocument(t *testing.T) {
	p := analyze.Protocol{Name: "scenario", Scenario: analyze.ScenarioRules{AllocBytesMax: 100}}
	label := func(name string, concurrency int, missing string) func(*runs.Manifest) {
		return func(m *runs.Manifest) {
			m.Labels, m.Load.Concurrency = map[string]string{"run": name}, concurrency
			m.After = &runs.Counts{Source: "x", Values: map[string]string{"ids.listed": "9", "ids.acknowledged": "9", "ids.acknowledged_missing": missing, "ids.listed_unacknowledged": "0"}}
		}
	}
	ms := []*analyze.Measured{
		scenarioRun(t, "a", p, []asked{{0, 10, runs.OK, "", 10}, {20, 10, runs.OK, "", 10}}, label("small", 2, "0")),
		scenarioRun(t, "b", p, []asked{{0, 10, runs.OK, "", 1000}, {30, 10, runs.OK, "", 1000}}, label("large", 8, "2")),
		benchRun(t, "c", p, benchRow{"Path", 1, 10, 1, 1, 10}),
	}
	d, err := analyze.Combine(ms, p)
	if err != nil {
		t.Fatal(err)
	}
	var table *analyze.Table
	for i := range d.Tables {
		if d.Tables[i].ID == "scenarios" {
			table = &d.Tables[i]
		}
	}
	if table == nil || len(table.Rows) != 2 {
		t.Fatalf("the table of scenarios is %+v, want two rows", table)
	}
	// The allocations of neither were recorded: unknown, which a missing request outranks.
	for i, want := range []string{"unknown", "fail"} {
		if got := table.Rows[i].Cells[1].Text; got != want || len(table.Rows[i].Cells) != len(table.Columns) {
			t.Errorf("row %d says %s in %d cells, want %s in %d", i, got, len(table.Rows[i].Cells), want, len(table.Columns))
		}
	}
	if d.Outcome != analyze.Fail {
		t.Errorf("the document is %s, want fail", d.Outcome)
	}
	if _, err := analyze.Combine(ms, analyze.Protocol{Name: "bench"}); err == nil || !strings.Contains(err.Error(), "protocol bench") {
		t.Errorf("protocol bench takes runs with a load: %v", err)
	}
}
