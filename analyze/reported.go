package analyze

import (
	"fmt"
	"iter"
	"math"

	"headroom/detect"
	"headroom/runs"
	"headroom/stat"
)

// estimated is by how much the percentile of a tool that estimates it may be off:
// vegeta's t-digest (docs/formats/agreement.md).
const estimated = 0.025

// otherwise compares the errors and the highest usual percentile of the generator's
// own reports with the samples, where both count the same requests: the report may
// be of another run that happened to be as long.
func (m *Measured) otherwise() []doubt {
	var out []doubt
	for _, s := range m.manifest.Summaries {
		parts := m.reportedOn(s)
		if n, counted := countedBy(s); len(parts) == 0 || !counted || n != m.reported(s) {
			continue
		}
		if want, ok := s.Values["failed"]; ok && !m.manifest.Load.FailuresHidden {
			if got := failures(parts); got != int64(want) {
				out = append(out, doubt{fmt.Sprintf("%s counts %s, the samples hold %s that did not end well", s.Source, countText(int(want), "failed request"), Count(got)), m.onSamples})
			}
		}
		for _, p := range []struct {
			id string
			p  stat.P
		}{{"latency.p99", stat.P99}, {"latency.p95", stat.P95}} {
			want, ok := s.Values[p.id]
			if !ok {
				continue
			}
			if lo, hi, ok := percentileBetween(parts, p.p); ok && (want < lo-slack(want) || want > hi+slack(want)) {
				text := fmt.Sprintf("%s reports a %s of %s, the samples have it between %s and %s", s.Source, p.id[len("latency."):], Display(want, "s"), Display(lo, "s"), Display(hi, "s"))
				out = append(out, doubt{text, func(q *Quantity) bool { return m.onSamples(q) && beginning("latency.")(q) }})
			}
			break
		}
	}
	return out
}

// reportedOn returns the requests that a report tells of, nil if there are none.
func (m *Measured) reportedOn(s runs.Summary) (parts []*detect.Requests) {
	for _, r := range m.scenarios {
		if (s.Of == "" || s.Of == r.Scenario) && r.Len() > 0 {
			parts = append(parts, r)
		}
	}
	return parts
}

// failures counts the requests that did not end well.
func failures(parts []*detect.Requests) (n int64) {
	for _, r := range parts {
		for c := range r.Chunks() {
			for i := range c.Start {
				if !c.OK(i) {
					n++
				}
			}
		}
	}
	return n
}

// percentileBetween returns between which values, in s, the percentile lies by any usual
// definition: from one rank below the nearest to one above, of all requests or of
// those that ended well, as tools differ in both.
func percentileBetween(parts []*detect.Requests, p stat.P) (lo, hi float64, ok bool) {
	for _, only := range []bool{detect.AnyOutcome, detect.OnlyOK} {
		values := latenciesOf(parts, only)
		s := stat.NewSelection(1 << 16)
		for part := range values {
			s.Add(part...)
		}
		if s.N() == 0 {
			continue
		}
		rank := stat.Rank(p, s.N())
		below, above := max(rank-1, 1), min(rank+1, s.N())
		if s.FindIn(values, below, above) != nil {
			continue
		}
		l, h := float64(s.At(below))/1e9, float64(s.At(above))/1e9
		if !ok {
			lo, hi = l, h
		}
		lo, hi, ok = min(lo, l), max(hi, h), true
	}
	return lo, hi, ok
}

func latenciesOf(parts []*detect.Requests, only bool) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		for _, r := range parts {
			for part := range r.Latencies(only) {
				if !yield(part) {
					return
				}
			}
		}
	}
}

// slack is by how much a printed time may differ, in s: by what an estimate may be
// off, and by half of the unit that it was rounded to, a millisecond at most.
func slack(want float64) float64 {
	for unit := 1e-3; unit > 1e-7; unit /= 10 {
		if n := want / unit; math.Abs(n-math.Round(n)) < 1e-6 {
			return estimated*want + unit/2
		}
	}
	return estimated * want
}
