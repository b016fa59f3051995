package analyze

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// incomplete says why the samples of the load and its jobs, or the counts and lists
// that they are compared with, are not all there, "" if they are as far as anybody
// can tell. A gate that counts cannot pass on a part of the samples.
func (m *Measured) incomplete() string { return m.incompleteOf(nil) }

// incompleteOf asks it for the scenario of a unit, and for its samples alone.
func (m *Measured) incompleteOf(u *unit) string {
	concerns := func(scenario string) bool { return !m.probes[scenario] || m.jobs[scenario] }
	if u != nil {
		concerns = func(scenario string) bool { return scenario == u.scope.Scenario }
	}
	if why := m.withdrawnWhy(); why != "" {
		return why
	}
	load := slices.ContainsFunc(m.manifest.Sources, func(s runs.Source) bool { return s.Samples > 0 })
	for _, s := range m.manifest.Sources {
		switch {
		case load && s.Rows > 0 && (u != nil || s.Role == "") && (s.Samples == 0 || len(s.Scenarios) > 0 && !slices.ContainsFunc(s.Scenarios, concerns)):
			// It holds something else. What it was of is told by what it held.
		case load && m.onlyTotals(&s):
			// It tells of the whole load: what is lost of it are totals and thresholds.
		case s.Cut:
			return fmt.Sprintf("%s is cut: what came after is not known", s.File)
		case s.BadLines > 0 && s.Samples > 0:
			return fmt.Sprintf("%s: %s could not be read, and may have been requests", s.File, countText(int(s.BadLines), "line"))
		}
	}
	if m.manifest.State != "sealed" {
		return "the run is " + string(m.manifest.State)
	}
	return m.Result.Miscounted
}

// onlyTotals reports whether a source gave no row, but a generator's own totals or
// thresholds.
func (m *Measured) onlyTotals(s *runs.Source) bool {
	return s.Rows == 0 && (slices.ContainsFunc(m.manifest.Summaries, func(x runs.Summary) bool { return x.Source == s.File }) ||
		slices.ContainsFunc(m.manifest.Thresholds, func(x runs.Threshold) bool { return x.Source == s.File }))
}

// nothingOf says that the run holds no request of its load although nobody says
// that there was none, "" otherwise: what was not recorded is not zero.
func (m *Measured) nothingOf() string {
	for _, r := range m.scenarios {
		if !m.probes[r.Scenario] && r.Len()+len(r.Dropped)+len(r.Skipped) > 0 {
			return ""
		}
	}
	for _, s := range m.manifest.Summaries {
		if n, ok := s.Values["requests"]; ok && n == 0 {
			return ""
		}
	}
	return "no request was recorded"
}

// lacking says why what lies in the window is not the load that the window
// names: a part of the samples is missing, or they are of another time.
func (m *Measured) lacking(u *unit) string {
	if why := m.incompleteOf(u); why != "" {
		return why
	}
	if u != nil && u.probe {
		return "" // silence looks at a probe's own requests
	}
	if why := m.unrecorded; why != "" {
		return why
	}
	return m.Result.Uncovered
}

// edgeShare is how much of a window may pass before the first request or after
// the last, or without any: a tenth, and a second at least.
const edgeShare = 10

// uncovered says where the window holds no request for long: it begins before the
// recording, ends after it, or stray rows stretch it. A rate over it is nobody's.
func (m *Measured) uncovered() string {
	if m.unrecorded != "" {
		return ""
	}
	allowed := max(m.window.Len()/edgeShare, int64(time.Second))
	seen := occupied{window: m.window.Span, width: allowed}
	for _, r := range m.scenarios {
		if m.probes[r.Scenario] {
			continue
		}
		for c := range r.Chunks() {
			for i, start := range c.Start {
				seen.add(start)
				seen.add(c.End(i))
			}
		}
		for _, ts := range [][]int64{r.Dropped, r.Skipped} {
			for _, t := range ts {
				seen.add(t)
			}
		}
	}
	if !seen.any && m.noSamples() {
		return "" // there was none at all, as somebody says
	}
	if !seen.any {
		return m.elsewhere()
	}
	at, longest := seen.longestGap()
	if longest <= allowed || !m.window.declared && 2*longest <= m.window.Len() {
		return ""
	}
	return fmt.Sprintf("no request for %s from %s on, of a window of %s: the recording is shorter than its window, or of several runs; say which window is meant (--window)",
		Display(float64(longest)/1e9, "s"), detect.Instant(at), Display(float64(m.window.Len())/1e9, "s"))
}

// usualGaps is by how much a gap between the requests of a probe must exceed the
// usual one to be a hole in its record.
const usualGaps = 3

// silence says where the window holds no request of a unit for so long that what it
// was like meanwhile is not known, "" if nowhere: a tenth of the window, a second,
// or three times the usual gap, whichever is the longest.
func (m *Measured) silence(u *unit) string {
	gaps := func(yield func([]int64) bool) {
		last := u.window.Start
		var out []int64
		for c := range u.all.Starting(u.window.Span).Chunks() {
			out = out[:0]
			for _, t := range c.Start {
				out = append(out, t-last)
				last = t
			}
			if !yield(out) {
				return
			}
		}
	}
	usual, n := medianGap(gaps)
	if n == 0 {
		return ""
	}
	allowed := max(u.window.Len()/edgeShare, int64(time.Second), int64(usualGaps*usual))
	last := u.window.Start
	for part := range gaps {
		for _, gap := range part {
			if gap > allowed {
				return m.silent(u, last, gap)
			}
			last += gap
		}
	}
	if gap := u.window.End - last; gap > allowed {
		return m.silent(u, last, gap)
	}
	return ""
}

func (m *Measured) silent(u *unit, from, ns int64) string {
	return fmt.Sprintf("no request of %s for %s from %s on", u.scope.Scenario, Display(float64(ns)/1e9, "s"), detect.Instant(from))
}

// offEdge says that the load begins so long after its declared window, or ends
// so long before it, that the two may go by different clocks, "" if not: a second
// at least, and as long as twenty requests take to come.
func (m *Measured) offEdge() string {
	if !m.window.declared || m.Result.Uncovered != "" {
		return ""
	}
	first, last, n := m.window.End, m.window.Start, 0
	for _, r := range m.scenarios {
		if m.probes[r.Scenario] {
			continue
		}
		in := r.Starting(m.window.Span)
		if from, to, ok := due(in); ok {
			first, last, n = min(first, from), max(last, to), n+in.Len()
		}
	}
	if n == 0 {
		return ""
	}
	allowed := max(int64(time.Second), fewestMissing*(last-first)/int64(n))
	var said []string
	if first-m.window.Start > allowed {
		said = append(said, fmt.Sprintf("begins %s after it", Display(float64(first-m.window.Start)/1e9, "s")))
	}
	if m.window.End-last > allowed {
		said = append(said, fmt.Sprintf("ends %s before it", Display(float64(m.window.End-last)/1e9, "s")))
	}
	if len(said) == 0 {
		return ""
	}
	return "the load does not fill its declared window: it " + strings.Join(said, " and ") + "; the clocks of the two may differ"
}

// fewestMissing is how many requests must be missing before a gap is more than
// chance (DETECTION 4.2: e^-20 at Poisson load).
const fewestMissing = 20

// miscounted says that the samples are not as many as the generator's own
// report counts: a file of them is missing, is sampled, or is of another run. So it is
// where the recording refused some of them while it read: what had come by then is there,
// once or twice.
func (m *Measured) miscounted() string {
	for _, a := range m.manifest.NotCollected {
		if a.What == runs.AbsentSamples && a.Why == runs.CollectorDied {
			return "the samples were not read as a whole: " + a.Note
		}
	}
	if d := m.disagreements(); len(d) > 0 {
		return d[0]
	}
	return ""
}

// elsewhere says that all requests of the load lie outside of the window.
func (m *Measured) elsewhere() string {
	for i := range m.units {
		if u := &m.units[i]; !u.probe && u.scope.Step == "" {
			return m.nothingIn(u)
		}
	}
	return ""
}

// nothingIn says why a unit has no rate although its window has a length.
func (m *Measured) nothingIn(u *unit) string {
	for _, r := range m.scenarios {
		if r.Scenario == u.scope.Scenario && r.Len() > 0 {
			first, last, _ := r.Extent()
			return fmt.Sprintf("no request lies in the window: the samples span %s to %s", detect.Instant(first), detect.Instant(last))
		}
	}
	return "there was no request"
}

// rateUnit is the unit of a throughput in words: requests that carry one event
// each are requests, since nobody said what an event is.
func rateUnit(events bool) string {
	if events {
		return "events/s"
	}
	return "requests/s"
}

// counting writes a rate in what was counted.
func (q Quantity) counting(unit string) Quantity {
	if q.Value != nil && q.Unit == "events/s" {
		q.Display = Display(*q.Value, unit)
	}
	return q
}

// countsEvents reports whether the samples of the load carry events, which are
// then what its throughput counts.
func (m *Measured) countsEvents() bool {
	for i := range m.units {
		u := &m.units[i]
		events, _ := m.Result.value("events", u.scope)
		if ok, _ := m.Result.value("samples", u.scope); !u.probe && events != ok {
			return true
		}
	}
	return false
}

// rate writes a throughput of the document.
func (d *document) rate(v float64) string { return Display(v, d.rateUnit()) }

// rateUnit is the unit of the document's throughputs in words.
func (d *document) rateUnit() string {
	for _, m := range d.runs {
		if m.countsEvents() {
			return rateUnit(true)
		}
	}
	return rateUnit(false)
}
