package analyze

import (
	"fmt"
	"slices"
	"time"

	"headroom/detect"
)

// window is the measured window of a run or a step.
type window struct {
	detect.Span
	declared bool
	cut      time.Duration // warm-up left out at its start
	// length divides rates: the window's own, or from the first start to the
	// last end where none was declared. ns.
	length int64
}

// text writes the window; it is empty if nothing says when it was.
func (w window) text() []string {
	if w.unknown() {
		return nil
	}
	return []string{detect.Instant(w.Start), detect.Instant(w.End)}
}

// unknown reports whether nothing that was recorded has a time: totals alone, or
// benchmarks. That is no window at the beginning of 1970.
func (w window) unknown() bool { return !w.declared && w.Start == 0 && w.End == 0 }

// noLength says why nothing can be divided by the length of a window that has none.
func noLength(w window) string {
	if w.unknown() {
		return "nothing that was recorded has a time"
	}
	return "the window has no length"
}

// begin is when the window begins, "" if that is not known.
func (w window) begin() string {
	if w.unknown() {
		return ""
	}
	return detect.Instant(w.Start)
}

// windowOf chooses the measured window: the protocol's, the manifest's, or from
// the first start to the last end of the samples that are no probes.
func (m *Measured) windowOf() (window, error) {
	w, err := m.declaredWindow()
	if err != nil {
		return w, err
	}
	if !w.declared {
		if w.Start, w.End = m.extent(); w.End == 0 {
			w.Start, w.End = readingsSpan(m.manifest)
		}
	}
	if w.unknown() {
		return w, nil
	}
	w.cut = m.protocol.Warmup
	w.Start += int64(w.cut)
	w.length = w.Len()
	if !w.declared && w.Len() > 0 {
		w.length-- // End is one past the last end, so that it is inside
	}
	if w.End < w.Start {
		return w, fmt.Errorf("run %s: the warm-up of %v is longer than the window", m.manifest.ID, w.cut)
	}
	return w, nil
}

func (m *Measured) declaredWindow() (window, error) {
	if !m.protocol.WindowStart.IsZero() {
		return window{Span: detect.Span{Start: m.protocol.WindowStart.UnixNano(), End: m.protocol.WindowEnd.UnixNano()}, declared: true}, nil
	}
	d := m.manifest.Window
	if d == nil {
		return window{}, nil
	}
	start, err := time.Parse(time.RFC3339Nano, d.Start)
	if err != nil {
		return window{}, fmt.Errorf("run %s: run.json: window: %w", m.manifest.ID, err)
	}
	end, err := time.Parse(time.RFC3339Nano, d.End)
	if err != nil {
		return window{}, fmt.Errorf("run %s: run.json: window: %w", m.manifest.ID, err)
	}
	return window{Span: detect.Span{Start: start.UnixNano(), End: end.UnixNano()}, declared: true}, nil
}

// extent returns the first start and one past the last end of the load. A request that
// was due and never sent belongs to it as well: a load whose end was dropped was not
// over before.
func (m *Measured) extent() (start, end int64) {
	any := false
	for _, r := range m.scenarios {
		if m.probes[r.Scenario] {
			continue
		}
		first, last, ok := due(r)
		switch {
		case !ok:
		case !any:
			start, end, any = first, last+1, true
		default:
			start, end = min(start, first), max(end, last+1)
		}
	}
	return start, end
}

// due returns when the first request began, or was due and not sent, and when the last
// one ended, or was due; ok is false if there is none.
func due(r *detect.Requests) (first, last int64, ok bool) {
	first, last, ok = r.Extent()
	for _, unsent := range [][]int64{r.Dropped, r.Skipped} {
		if len(unsent) == 0 {
			continue
		}
		from, to := slices.Min(unsent), slices.Max(unsent)
		if !ok {
			first, last, ok = from, to, true
		}
		first, last = min(first, from), max(last, to)
	}
	return first, last, ok
}
