package analyze

import (
	"fmt"
	"slices"
	"time"

	"headroom/detect"
)

// incomplete says why the samples are not all there, "" if they are as far as
// anybody can tell. A gate that counts cannot pass on a part of the samples.
func (m *Measured) incomplete() string {
	if m.notes.withdrawn != "" {
		return "the run was withdrawn, " + m.notes.withdrawn
	}
	for _, s := range m.manifest.Sources {
		if s.Cut {
			return fmt.Sprintf("%s is cut: what came after is not known", s.File)
		}
	}
	if m.manifest.State != "sealed" {
		return "the run is " + string(m.manifest.State)
	}
	if why := m.unread(); why != "" {
		return why
	}
	return m.Result.Miscounted
}

// edgeShare is how much of a window may pass before the first request or after
// the last, or without any: a tenth, and a second at least.
const edgeShare = 10

// uncovered says where the window holds no request for long: it begins before the
// recording, ends after it, or stray rows stretch it. A rate over it is nobody's.
func (m *Measured) uncovered() string {
	var ts []int64
	for _, r := range m.scenarios {
		if m.probes[r.Scenario] {
			continue
		}
		for i := range r.Rows {
			ts = append(ts, r.Rows[i].Start, r.Rows[i].End())
		}
		ts = append(append(ts, r.Dropped...), r.Skipped...)
	}
	ts = slices.DeleteFunc(ts, func(t int64) bool { return !m.window.Contains(t) })
	if len(ts) == 0 {
		return ""
	}
	slices.Sort(ts)
	allowed := max(m.window.Len()/edgeShare, int64(time.Second))
	at, longest := m.window.Start, int64(0)
	last := m.window.Start
	for _, t := range append(ts, m.window.End) {
		if t-last > longest {
			at, longest = last, t-last
		}
		last = t
	}
	if longest <= allowed || !m.window.declared && 2*longest <= m.window.Len() {
		return ""
	}
	return fmt.Sprintf("no request for %s from %s on, of a window of %s: the recording is shorter than its window, or of several runs; say which window is meant (--window)",
		Display(float64(longest)/1e9, "s"), detect.Instant(at), Display(float64(m.window.Len())/1e9, "s"))
}

// unread says which load file has lines that could not be read, "" if none has:
// each may have been a request.
func (m *Measured) unread() string {
	for _, s := range m.manifest.Sources {
		if s.BadLines > 0 && s.Samples > 0 {
			return fmt.Sprintf("%s: %s could not be read, and may have been requests", s.File, countText(int(s.BadLines), "line"))
		}
	}
	return ""
}

// miscounted says that the samples are not as many as the generator's own
// report counts: a file of them is missing, is sampled, or is of another run.
func (m *Measured) miscounted() string {
	if d := m.disagreements(); len(d) > 0 {
		return d[0]
	}
	return ""
}

// nothingIn says why a unit has no rate although its window has a length.
func (m *Measured) nothingIn(u *unit) string {
	for _, r := range m.scenarios {
		if r.Scenario == u.scope.Scenario && len(r.Rows) > 0 {
			first, last := r.Rows[0].Start, r.Rows[0].End()
			for i := range r.Rows {
				first, last = min(first, r.Rows[i].Start), max(last, r.Rows[i].End())
			}
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
