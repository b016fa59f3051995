package analyze

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// noLoad reports whether a run is one of counts alone: it holds no request, and
// nothing in its manifest says that any was meant to be sent or recorded. Its
// figures are costs, sizes and passes, and it is no part of any curve. A load whose
// samples are lost is not such a run.
func (m *Measured) noLoad() bool {
	if len(m.ledger.views)+len(m.ledger.own)+len(m.ledger.fits)+len(m.ledger.passes) == 0 || m.meantLoad() {
		return false
	}
	for _, r := range m.scenarios {
		if r.Len()+len(r.Dropped)+len(r.Skipped) > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(m.units, func(u unit) bool {
		n, _ := m.Result.value("requests", u.scope)
		return n > 0
	})
}

// meantLoad reports whether the manifest speaks of a load.
func (m *Measured) meantLoad() bool {
	l := m.manifest.Load
	switch {
	case l.Tool != "" || l.Command != "" || l.Rate > 0 || l.Concurrency > 0 || l.Model == runs.OpenLoop || l.Model == runs.ClosedLoop:
	case len(l.Targets)+len(l.ProbeOf)+len(l.Jobs) > 0:
	case m.manifest.ExitStatus != nil || len(m.manifest.Thresholds)+len(m.manifest.Summaries)+len(m.manifest.Reconcile)+len(m.benchmarks) > 0:
	case slices.ContainsFunc(m.manifest.Sources, func(s runs.Source) bool { return s.Samples > 0 }):
	default:
		for _, names := range [][]string{concurrencyLabels, rateLabels} {
			for _, u := range m.intervals() {
				if name, _ := labelled(u.labels, names); name != "" {
					return true
				}
			}
		}
		return false
	}
	return true
}

// readingsSpan is from the first reading of the system to the last: what a run
// without a request covers. Where no snapshot bears a stamp it is from the first
// dated row of any file to the last, as those of a log of totals by interval. It is
// empty if nothing bears a stamp.
func readingsSpan(m *runs.Manifest) (start, end int64) {
	for _, f := range m.Snapshots {
		start, end = widened(start, end, f.First, f.Last)
	}
	if end > 0 {
		return start, end
	}
	for _, s := range m.Sources {
		start, end = widened(start, end, s.First, s.Last)
	}
	return start, end
}

// widened is a span, empty if both are 0, that also covers what lies between two
// stamps of a manifest. Stamps that are not there widen nothing.
func widened(start, end int64, first, last string) (int64, int64) {
	a, err1 := time.Parse(time.RFC3339Nano, first)
	b, err2 := time.Parse(time.RFC3339Nano, last)
	if err1 != nil || err2 != nil {
		return start, end
	}
	if start == 0 || a.UnixNano() < start {
		start = a.UnixNano()
	}
	return start, max(end, b.UnixNano())
}

// onlyCounted leaves out what a run of counts alone cannot be asked: requests and
// their latency, contention that nobody recorded, and the gates on these.
func (m *Measured) onlyCounted() {
	m.Result.Quantities = slices.DeleteFunc(m.Result.Quantities, func(q Quantity) bool {
		return q.Scope.Scenario != "" || q.Value == nil && strings.HasPrefix(q.ID, "contention.") || q.ID == "contention.coverage"
	})
	m.Result.Verdicts = slices.DeleteFunc(m.Result.Verdicts, func(v Verdict) bool {
		return v.Scope.Scenario != "" || !slices.Contains(costGates, v.Gate)
	})
	m.Result.Looked = nil
	m.units = nil
}

// costAnswer states what a run of counts alone found, in a sentence for each kind.
func (d *document) costAnswer(m *Measured) {
	whole := detect.Scope{}
	for _, c := range []struct{ id, what string }{
		{"commits.per_batch", "commits for each batch"}, {"wal.bytes_per_event", "of WAL for each event"}, {"stored.bytes_per_event", "stored for each event"},
	} {
		if q := m.Result.Quantity(c.id, whole); q != nil && q.Value != nil {
			d.say("costs", q.Display, "%s, by counting: %s", c.what, m.name())
		}
	}
	for i := range m.ledger.fits {
		f := &m.ledger.fits[i]
		l, why := f.line()
		if why != "" {
			continue
		}
		text := fmt.Sprintf("more %s for each of %s (marginal, R² %s over %s); through the origin %s", f.yName, f.xName, Display(l.R2, "1"), countText(l.N, "point"), Display(l.ThroughOrigin, f.unit))
		if q := m.Result.Quantity("fit."+f.name+".budget_crossed_at", whole); q != nil && q.Value != nil {
			text += fmt.Sprintf("; over the budget of %s from %s on", Display(f.budget, f.unit), Display(*q.Value, "1"))
		}
		d.say("costs", Display(l.Slope, f.unit), "%s", text)
	}
	for _, gate := range []string{keepsUp.Name, cleared.Name} {
		if v := m.Result.verdict(gate, whole); v != nil {
			lead := v.Display
			if lead == "" {
				lead = "not known"
			}
			d.say("costs", lead, "%s: %s %s", m.name(), gate, v.Outcome)
		}
	}
}

// costCaveats says what counts alone do not show.
func costCaveats() []string {
	return []string{
		"How fast anything is: counts say what a load made the system do, and nothing of latency or of what it sustains.",
		"When between two readings something happened, and what else the system did meanwhile: all that it counted is put down to the load.",
		"Sizes beyond those that were measured, and other data: costs of an event differ by its size, its indexes and what is stored already.",
	}
}
