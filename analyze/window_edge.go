package analyze

import (
	"fmt"
	"slices"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// edge is what a coarse source stamped with the very end of a window or step, and
// is counted in.
type edge struct {
	scenario   string
	n          int
	resolution int64 // of the source's stamps, ns
}

func (e edge) text() string {
	are := "is"
	if e.n != 1 {
		are = "are"
	}
	return fmt.Sprintf("%s: %s %s stamped at the window's end by a source that writes no finer than %s: counted in",
		e.scenario, countText(e.n, "request"), are, Display(float64(e.resolution)/1e9, "s"))
}

// edgeParts is how many times a source's resolution must fit into a window before
// its stamps may stand for an interval: what is counted in changes a rate by less
// than a thousandth. Stamps of whole seconds do so in no window of minutes.
const edgeParts = 1000

// countEdges puts the last stamps of coarse sources back into the windows that they
// end. A source that writes milliseconds rounds what it sends in the last half
// millisecond up to the window's end, which is not in [start, end). Where nothing of
// it comes later, the load had ended there, so that these requests were made before:
// their stamp becomes the last nanosecond of the window, in memory only. Where
// something does come later, the half-open rule stands (docs/adr/0005).
func (m *Measured) countEdges() {
	for _, r := range m.scenarios {
		if m.jobs[r.Scenario] { // a job ends when it does
			continue
		}
		if e, ok := m.edgeOf(r); ok {
			m.edges = append(m.edges, e)
		}
	}
}

func (m *Measured) edgeOf(r *detect.Requests) (edge, bool) {
	resolution := m.resolutionOf(r.Scenario)
	if resolution <= int64(time.Microsecond) {
		return edge{}, false
	}
	last, at := m.lastStamps(r)
	span, ok := m.endingAt(last)
	if !ok || resolution > span.Len()/edgeParts {
		return edge{}, false
	}
	// No more than the load sends within one resolution.
	within := int64(m.belonging(r, span).Len())
	if most := (within*resolution + span.Len() - 1) / span.Len(); int64(len(at)) > most {
		return edge{}, false
	}
	r.Earlier(at, 1)
	return edge{r.Scenario, len(at), resolution}, true
}

// lastStamps returns the last instant at which anything of r was stamped, and the
// rows that are: a start with an open loop, an end with a closed one, as belonging
// takes them.
func (m *Measured) lastStamps(r *detect.Requests) (last int64, at []int) {
	for _, ts := range [][]int64{r.Dropped, r.Skipped} {
		if len(ts) > 0 {
			last = max(last, ts[len(ts)-1])
		}
	}
	place := 0
	for c := range r.Chunks() {
		for i, t := range c.Start {
			if m.model.Model == runs.ClosedLoop {
				t = c.End(i)
			}
			if t > last {
				last, at = t, at[:0]
			}
			if t == last {
				at = append(at, place)
			}
			place++
		}
	}
	return last, at
}

// endingAt returns the shortest declared window or step that ends at t, unless t
// lies in another step: a request is counted once.
func (m *Measured) endingAt(t int64) (span detect.Span, ok bool) {
	take := func(s detect.Span) {
		if s.End == t && (!ok || s.Len() < span.Len()) {
			span, ok = s, true
		}
	}
	if m.window.declared {
		take(m.window.Span)
	}
	for _, s := range m.manifest.Steps {
		if s.Start == 0 && s.End == 0 {
			continue
		}
		step := detect.Span{Start: s.Start * 1000, End: s.End * 1000}
		if step.Contains(t) {
			return span, false
		}
		take(step)
	}
	return span, ok
}

// resolutionOf is how finely the sources of a scenario write their stamps, ns; 0 if
// that is not known of one of them.
func (m *Measured) resolutionOf(scenario string) int64 {
	finest := int64(0)
	for _, s := range m.manifest.Sources {
		if s.Samples == 0 || len(s.Scenarios) > 0 && !slices.Contains(s.Scenarios, scenario) {
			continue
		}
		if s.Resolution <= 0 || s.Resolution > time.Hour.Microseconds() {
			return 0
		}
		if ns := s.Resolution * int64(time.Microsecond); finest == 0 || ns < finest {
			finest = ns
		}
	}
	return finest
}
