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

func TestAllocatedByEvent(t *testing.T) {
	rows := []asked{{0, 10, runs.OK, "", 100}, {20, 10, runs.OK, "", 150}, {40, 10, runs.Failed, "", 900}, {5000, 10, runs.OK, "", 250}}
	counts := func(total, mallocs string) *runs.Counts {
		return &runs.Counts{Source: "vars.json", Values: map[string]string{"memstats.TotalAlloc": total, "memstats.Mallocs": mallocs}}
	}
	within := func(from, to time.Duration) *runs.Window {
		return &runs.Window{Start: start.Add(from).Format(time.RFC3339Nano), End: start.Add(to).Format(time.RFC3339Nano), Declared: true}
	}
	for _, c := range []struct {
		name    string
		edit    func(*runs.Manifest)
		want    float64 // bytes by event; NaN withheld
		outcome analyze.Outcome
		why     string
	}{
		// 5,000 bytes over 100 + 150 + 250 events: the counts bracket the whole load,
		// the window only its first second.
		{"over the whole recording", func(m *runs.Manifest) { m.Window = within(0, time.Second) }, 10, analyze.Pass, ""},
		{"over the limit", func(m *runs.Manifest) { m.After = counts("5502", "9") }, 11.004, analyze.Fail, ""},
		{"at the limit", func(m *runs.Manifest) { m.After = counts("5500", "9") }, 11, analyze.Pass, ""},
		{"no count before", func(m *runs.Manifest) { m.Before = nil }, math.NaN(), analyze.Unknown, "before"},
		{"no count after", func(m *runs.Manifest) { m.After = nil }, math.NaN(), analyze.Unknown, "after"},
		{"restarted", func(m *runs.Manifest) { m.Before = counts("9000", "1") }, math.NaN(), analyze.Unknown, "restarted"},
		{"restarted, and allocated more since", func(m *runs.Manifest) { m.Before = counts("0", "10") }, math.NaN(), analyze.Unknown, "memstats.Mallocs fell"},
		{"samples cut", func(m *runs.Manifest) { m.Sources[0].Cut = true }, math.NaN(), analyze.Unknown, "cut"},
		{"samples of another time", func(m *runs.Manifest) { m.Window = within(time.Hour, 2*time.Hour) }, math.NaN(), analyze.Unknown, "no request lies in the window"},
		{"never recorded", func(m *runs.Manifest) { m.Before, m.After = nil, nil }, math.NaN(), analyze.Unknown, "was not recorded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := analyze.Protocol{Scenario: analyze.ScenarioRules{AllocBytesMax: 11}}
			m := scenarioRun(t, "a", p, rows, func(m *runs.Manifest) {
				m.Before, m.After = counts("0", "1"), counts("5000", "9")
				c.edit(m)
			})
			if q := m.Result.Quantity("alloc.bytes_per_event", detect.Scope{}); q != nil || !math.IsNaN(c.want) {
				want(t, m, map[string]float64{"alloc.bytes_per_event": c.want})
			}
			if v := verdictOf(m, "allocations"); v.Outcome != c.outcome || !strings.Contains(v.Why, c.why) {
				t.Errorf("%s (%s), want %s (%s)", v.Outcome, v.Why, c.outcome, c.why)
			}
		})
	}
}

// TestMemoryBound: 32 × 10,000 × 4,473 B = 1.43 GB (DETECTION 9.4), a bound only
// where both factors have one.
func TestMemoryBound(t *testing.T) {
	rows := []asked{{0, 10, runs.OK, "", 10000}, {20, 10, runs.OK, "", 5000}}
	for _, c := range []struct {
		name        string
		rules       analyze.ScenarioRules
		concurrency int
		at, ceiling float64
		why         string
	}{
		{"nothing limits", analyze.ScenarioRules{}, 32, 1431360000, math.NaN(), "nothing limits the requests served at once nor the events in one request"},
		{"the batch is limited", analyze.ScenarioRules{BatchMax: 10000}, 32, 1431360000, math.NaN(), "nothing limits the requests served at once"},
		{"both are", analyze.ScenarioRules{BatchMax: 1000, ConcurrencyMax: 64}, 32, 1431360000, 64 * 1000 * 4473, ""},
		{"by what was in flight", analyze.ScenarioRules{}, 0, 1 * 10000 * 4473, math.NaN(), "nothing limits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := scenarioRun(t, "a", analyze.Protocol{Scenario: c.rules}, rows, func(m *runs.Manifest) {
				m.Load.Concurrency = c.concurrency
				m.Before = &runs.Counts{Values: map[string]string{"memstats.TotalAlloc": "1000"}}
				m.After = &runs.Counts{Values: map[string]string{"memstats.TotalAlloc": "67096000"}} // 15,000 × 4,473
			})
			want(t, m, map[string]float64{"memory.in_flight": c.at, "memory.ceiling": c.ceiling})
			if q := m.Result.Quantity("memory.ceiling", detect.Scope{}); !strings.Contains(q.Why, c.why) {
				t.Errorf("no ceiling because %q, want %q", q.Why, c.why)
			}
		})
	}
}
