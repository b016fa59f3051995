package analyze

import (
	"fmt"
	"strings"

	"headroom/runs"
)

// totalsOnly reports whether the run holds no request at all: its load is known,
// if at all, by what a tool printed at its end.
func (m *Measured) totalsOnly() bool {
	for i := range m.units {
		if n, _ := m.Result.value("requests", m.units[i].scope); n > 0 {
			return false
		}
	}
	return true
}

// totalsAnswer says that there is nothing to measure, and what the tool itself
// printed. Its figures are quoted, never judged: no gate can look behind them.
func (d *document) totalsAnswer(g *group, c *cell, o Outcome, why []string) {
	reason := "a rate and a percentile take the single requests"
	if q := c.quantity("throughput"); q != nil && q.Why != "" {
		reason = q.Why
	}
	d.sayOf(d.named(g), "sustained", "no request recorded", "%s", reason)
	for _, s := range c.m.manifest.Summaries {
		if text := Reported(s); s.Of == "" && text != "" {
			d.sayOf(d.named(g), "reported", s.Source, "reports %s; by its own count, not checked", text)
		}
	}
	lead := "not judged"
	if o == Fail {
		lead = "failed"
	}
	d.sayOf(d.named(g), "verdict", lead, "%s", strings.Join(why, "; "))
}

// Reported writes what a tool's own report says of its run, in the order that people
// look: its rate, requests, time, latencies and failures; "" if it says nothing of
// these.
func Reported(s runs.Summary) string {
	var parts []string
	value := func(name, unit, format string) {
		if v, ok := s.Values[name]; ok {
			parts = append(parts, fmt.Sprintf(format, Display(v, unit)))
		}
	}
	value("throughput.requests", "requests/s", "%s")
	if n, ok := s.Values["requests"]; ok {
		parts = append(parts, countText(int(n), "request"))
	}
	value("duration", "s", "in %s")
	value("latency.mean", "s", "mean %s")
	value("latency.p50", "s", "p50 %s")
	value("latency.p99", "s", "p99 %s")
	value("latency.max", "s", "max %s")
	if n, ok := s.Values["failed"]; ok && n > 0 {
		parts = append(parts, countText(int(n), "failure"))
	}
	return strings.Join(parts, ", ")
}
