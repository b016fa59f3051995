package analyze

import (
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
)

// levelMetrics are the recorded series whose level over the window stands beside
// the figures (docs/format/metrics.md). A name that ends in a dot takes every
// metric that begins so.
var levelMetrics = []string{
	"cpu.idle", "cpu.iowait", "cpu.steal", "procs.running", "procs.blocked", "swap.in", "swap.out",
	"disk.queue", "disk.busy", "disk.await", "disk.request_size",
	"rds.cpu.idle", "rds.cpu.iowait", "rds.cpu.steal", "rds.load.1m", "rds.swap.in",
	"rds.disk.queue", "rds.disk.await", "rds.disk.request_size",
	"rds.physical_disk.queue", "rds.physical_disk.await", "rds.physical_disk.request_size",
	"pi.db.load.avg", "cloudwatch.",
}

// level sums up what one series says of a window.
type level struct {
	n              int
	min, max, mean float64
	coverage       float64 // share of the window that its points stand for; 0 where their step is not known
}

// levelOf sums up the points of which half or more of what they stand for lies in
// the window: a point speaks for its step before its time. One whose step is not
// known counts where its time lies within.
func levelOf(s *detect.Series, w detect.Span) level {
	at, values := s.Levels()
	step := s.Step()
	var l level
	covered, last := int64(0), w.Start
	for i, t := range at {
		from := max(t-step, w.Start)
		common := min(t, w.End) - from
		if step == 0 && !w.Contains(t) || step > 0 && (common <= 0 || 2*common < step) {
			continue
		}
		v := values[i]
		if l.n == 0 {
			l.min, l.max = v, v
		}
		l.n++
		l.min, l.max = min(l.min, v), max(l.max, v)
		l.mean += (v - l.mean) / float64(l.n)
		covered += max(min(t, w.End)-max(from, last), 0)
		last = max(last, min(t, w.End))
	}
	if w.Len() > 0 {
		l.coverage = float64(covered) / float64(w.Len())
	}
	return l
}

// recordedLevels gives the mean, least and greatest level of each series of interest over
// the whole window: "cpu.idle.mean" of one file, and of one entity in it.
func (m *Measured) recordedLevels() []Quantity {
	if m.beside == nil {
		return nil
	}
	var out []Quantity
	for i := range m.beside.Series {
		if s := &m.beside.Series[i]; isLevel(s.Metric) {
			out = append(out, m.levelQuantities(s)...)
		}
	}
	return out
}

func isLevel(metric string) bool {
	return slices.ContainsFunc(levelMetrics, func(n string) bool {
		return metric == n || strings.HasSuffix(n, ".") && strings.HasPrefix(metric, n)
	})
}

func (m *Measured) levelQuantities(s *detect.Series) []Quantity {
	l := levelOf(s, m.window.Span)
	scope := detect.Scope{Source: s.Source, Entity: s.Entity}
	from := From{Tables: []string{"points"}, Window: m.window.text(), Params: map[string]any{
		"metric": s.Metric, "resolution": float64(s.Step()) / 1e9, "coverage": l.coverage,
	}}
	var out []Quantity
	for _, x := range []struct {
		name, method string
		v            float64
	}{{"mean", "mean-in-window@1", l.mean}, {"min", "minimum@1", l.min}, {"max", "maximum@1", l.max}} {
		from.Method = x.method
		q := quantity(s.Metric+"."+x.name, scope, x.v, s.Unit, int64(l.n), from)
		switch {
		case l.n == 0:
			q = withhold(q, "recorded, but not within the window")
		case isShare(s.Metric, s.Unit):
			q.Display = Percent(x.v)
		}
		if l.n > 0 && s.Step() > 0 && l.coverage < m.protocol.LoadCoverage {
			q.Warnings = append(q.Warnings, fmt.Sprintf("recorded over %s of the window only", Percent(l.coverage)))
		}
		out = append(out, q)
	}
	return out
}

// isShare reports whether a level is a share of a whole, which is read as a
// percentage.
func isShare(metric, unit string) bool {
	return unit == "1" && (strings.Contains(metric, "cpu.") || strings.HasSuffix(metric, ".busy") || strings.HasSuffix(metric, "CPUUtilization"))
}
