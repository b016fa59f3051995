package analyze_test

import (
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

var whole detect.Scope

// 20 sources at 15/s, with a burst of 300 and 5/s after: 12,000 of 18,000 in 60 s,
// all of them for 30 s and 100/s from then on.
func TestLimiterOverPhases(t *testing.T) {
	const twenty = "limiter.burst=300 limiter.refill=5 limiter.sources=20"
	minute := func(rate float64) func(m *runs.Manifest) {
		return func(m *runs.Manifest) {
			claims(twenty)(m)
			m.Load.Rate = rate
			m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:01:00Z", Declared: true}
		}
	}
	for _, c := range []struct {
		name                     string
		rate                     float64
		passed, refused, emptyAt any
	}{
		{"over the limit", 300, 12000.0, 6000.0, 30.0},
		{"under it", 100, 6000.0, 0.0, nil},
		{"not declared", 0, "the offered rate is not known", "the offered rate", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := ledgerRun(t, 0, nil, minute(c.rate))
			expect(t, m, "limiter.passed", c.passed)
			expect(t, m, "limiter.refused", c.refused)
			expect(t, m, "limiter.empty_at", c.emptyAt)
		})
	}
	// One source, burst 10, refill 1/s: 10 s at 2/s take the ten tokens, 5 s at 0.5/s
	// give 2.5 back, 10 s at 2/s then pass 12.5 of 20.
	m := ledgerRun(t, 0, nil, func(m *runs.Manifest) {
		claims("limiter.burst=10 limiter.refill=1")(m)
		m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:01:00Z", Declared: true}
		at := start.UnixMicro()
		for _, p := range []struct {
			rate    string
			seconds int64
		}{{"2", 10}, {"0.5", 5}, {"2.0", 10}} {
			m.Steps = append(m.Steps, runs.Step{Labels: map[string]string{"rate": p.rate}, Start: at, End: at + p.seconds*1e6})
			at += p.seconds * 1e6
		}
	})
	expect(t, m, "limiter.passed", 20+2.5+12.5)
	expect(t, m, "limiter.refused", 7.5)
	expectIn(t, &m.Result, "limiter.refused", detect.Scope{Step: "rate=2"}, 0.0)
	expectIn(t, &m.Result, "limiter.refused", detect.Scope{Step: "rate=2.0"}, 7.5)
}

// 100 events/s at 3.60 an hour: a million takes 10,000 s, which is 10. What is
// carried at least costs that at most.
func TestPriceOfAMillion(t *testing.T) {
	priced := func(edit func(w *runs.Writer, m *runs.Manifest)) *analyze.Measured {
		return load(t, 1000, func(w *runs.Writer, m *runs.Manifest) {
			m.Host.PricePerHour, m.Host.Currency = 3.6, "USD"
			m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:10Z", Declared: true}
			if edit != nil {
				edit(w, m)
			}
		})
	}
	scope := detect.Scope{Scenario: "default"}
	for _, c := range []struct {
		name  string
		edit  func(w *runs.Writer, m *runs.Manifest)
		want  any
		bound analyze.Bound
	}{
		{"no contention recorded", nil, 10.0, analyze.NoBound},
		{"a floor", func(w *runs.Writer, m *runs.Manifest) { points(t, w, "load.1m", runs.Gauge, "", 10, constant(9)) }, 10.0, analyze.AtMost},
		{"a closed loop", func(_ *runs.Writer, m *runs.Manifest) { m.Load.Model = runs.ClosedLoop }, nil, analyze.AtLeast},
		{"not reconciled", func(_ *runs.Writer, m *runs.Manifest) {
			rows("0", "999")(m)
			m.Claims, m.Reconcile = map[string]string{"events_sent": "1000"}, map[string]string{"rows": "events_sent"}
		}, "not reconciled", analyze.NoBound},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := priced(c.edit)
			q := m.Result.Quantity("price.per_million_events", scope)
			if q == nil || q.Bound != c.bound {
				t.Fatalf("%+v, want the bound %q", q, c.bound)
			}
			if c.want != nil {
				expectIn(t, &m.Result, q.ID, scope, c.want)
			}
		})
	}
	m := load(t, 1000, nil)
	expectIn(t, &m.Result, "price.per_million_events", scope, nil)
	by := loadWith(t, 1000, analyze.Protocol{PricePerHour: 3.6, Currency: "EUR"}, nil)
	expectIn(t, &by.Result, "price.per_million_events", scope, 10.0)
}

func TestSettingAsNamed(t *testing.T) {
	for _, c := range []struct {
		name   string
		labels map[string]string
		set    map[string]string
		want   analyze.Outcome
	}{
		{"as named", map[string]string{"setting.synchronous_commit": "off"}, map[string]string{"synchronous_commit": "off"}, analyze.Pass},
		{"otherwise", map[string]string{"setting.synchronous_commit": "off"}, map[string]string{"synchronous_commit": "on"}, analyze.Fail},
		{"not recorded", map[string]string{"setting.synchronous_commit": "off"}, nil, analyze.Unknown},
		{"one of two otherwise", map[string]string{"setting.a": "1", "setting.b": "2"}, map[string]string{"a": "1", "b": "3"}, analyze.Fail},
		{"not named", map[string]string{"arm": "off"}, map[string]string{"synchronous_commit": "on"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, 200, func(_ *runs.Writer, m *runs.Manifest) { m.Labels, m.Settings = c.labels, c.set })
			gate(t, m, "setting", c.want)
		})
	}
}
