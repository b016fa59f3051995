package analyze_test

import (
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// TestReportsAreCompared: of a report that counts what the samples are, p99 and
// errors are compared, within what a tool may round or estimate.
func TestReportsAreCompared(t *testing.T) {
	for _, c := range []struct {
		name   string
		values map[string]float64
		want   string // of the warning; "": none
	}{
		{"equal", map[string]float64{"requests": 1000, "failed": 0, "latency.p99": 0.01}, ""},
		{"estimated", map[string]float64{"requests": 1000, "latency.p99": 0.0102}, ""},
		{"rounded to whole milliseconds", map[string]float64{"requests": 1000, "latency.p95": 0.010, "failed": 0}, ""},
		{"another p99", map[string]float64{"requests": 1000, "latency.p99": 0.0123}, "report.txt reports a p99 of 12.3 ms, the samples have it between 10 ms and 10 ms"},
		{"another p95, and no p99", map[string]float64{"requests": 1000, "latency.p95": 0.0123}, "report.txt reports a p95 of 12.3 ms"},
		{"other errors", map[string]float64{"requests": 1000, "failed": 3}, "report.txt counts 3 failed requests, the samples hold 0 that did not end well"},
		{"another count: that is said alone", map[string]float64{"requests": 900, "failed": 3, "latency.p99": 1}, "report.txt counts 900 requests, the samples are 1,000"},
	} {
		m := load(t, 1000, func(_ *runs.Writer, m *runs.Manifest) {
			m.Summaries = []runs.Summary{{Source: "report.txt", Values: c.values}}
		})
		var said []string
		for _, w := range m.Result.Warnings {
			if strings.HasPrefix(w, "report.txt") {
				said = append(said, w)
			}
		}
		if len(said) != min(len(c.want), 1) || len(said) == 1 && !strings.HasPrefix(said[0], c.want) {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
		if strings.Contains(c.want, "p99") {
			if q := m.Result.Quantity("latency.p99", detect.Scope{Scenario: "default"}); q == nil || !strings.Contains(strings.Join(q.Warnings, "\n"), c.want) {
				t.Errorf("%s: the figure does not say so: %+v", c.name, q)
			}
		}
	}
}

// TestTotalsHaveNoWindow: a run of totals alone was at no time that is known, which
// is not 1970, with a warm-up or without.
func TestTotalsHaveNoWindow(t *testing.T) {
	for _, p := range []analyze.Protocol{{}, {Warmup: 5e9}} {
		m := loadWith(t, 0, p, func(_ *runs.Writer, m *runs.Manifest) {
			m.Steps = []runs.Step{{Labels: map[string]string{"concurrency": "8"}}}
			m.Summaries = []runs.Summary{{Source: "report.txt", Values: map[string]float64{"requests": 1000, "latency.p99": 0.01}}}
		})
		r := m.Result
		if r.Run.Start != "" || r.Run.End != "" || r.Steps[0].Start != "" || r.Steps[0].End != "" {
			t.Errorf("the run was from %q to %q, its step from %q", r.Run.Start, r.Run.End, r.Steps[0].Start)
		}
		for _, q := range r.Quantities {
			if len(q.From.Window) > 0 {
				t.Errorf("%s is of %v", q.ID, q.From.Window)
			}
		}
		if said := strings.Join(r.Warnings, "\n"); !strings.Contains(said, "when the run was is not known") || strings.Contains(said, "first start") {
			t.Errorf("warnings %s", said)
		}
		if q := r.Quantity("throughput", detect.Scope{Scenario: "default"}); q == nil || q.Value != nil || q.Why != "nothing that was recorded has a time" {
			t.Errorf("throughput %+v", q)
		}
	}
}

// TestReportsOfParts: a tool that is started for each step reports on each; together
// they count what the samples are, or that is said once.
func TestReportsOfParts(t *testing.T) {
	for _, c := range []struct {
		counts []float64
		of     [2]string
		want   []string
	}{
		{[]float64{300, 700}, [2]string{}, nil},
		{[]float64{300, 600}, [2]string{}, []string{"a.txt, b.txt count 900 requests together, the samples are 1,000"}},
		{[]float64{1000, 700}, [2]string{}, []string{"b.txt counts 700 requests, the samples are 1,000"}},
		{[]float64{300, 700}, [2]string{"", "default"}, []string{"a.txt counts 300 requests, the samples are 1,000", "b.txt counts 700 requests, the samples are 1,000"}},
	} {
		m := load(t, 1000, func(_ *runs.Writer, m *runs.Manifest) {
			for i, n := range c.counts {
				m.Summaries = append(m.Summaries, runs.Summary{Source: string(rune('a'+i)) + ".txt", Of: c.of[i], Values: map[string]float64{"requests": n, "latency.p99": 7}})
			}
		})
		var said []string
		for _, w := range m.Result.Warnings {
			if strings.Contains(w, ".txt") {
				said = append(said, w)
			}
		}
		// A report that is the whole is compared with it further; what it says of the p99 is not asked here.
		said = slices.DeleteFunc(said, func(w string) bool { return strings.Contains(w, "p99") })
		if !slices.Equal(said, c.want) {
			t.Errorf("%v of %q: %q, want %q", c.counts, c.of, said, c.want)
		}
	}
}
