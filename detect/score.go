package detect

import (
	"math"
	"slices"
	"time"
)

// Lag is how long after its evidence an episode may come, ns: Lo <= episode -
// evidence <= Hi, both included. It is fixed before the data are seen.
type Lag struct{ Lo, Hi int64 }

// Score compares how often evidence goes with episodes, and how often without.
type Score struct {
	Episodes, Hits        int // episodes, and those with evidence within the lag
	Controls, ControlHits int // moments far from every episode, and those with evidence
	Events, Followed      int // pieces of evidence, and those with an episode
	// Likelihood is (Hits/Episodes) / ((ControlHits+1)/(Controls+1)); 0 without a hit.
	Likelihood float64
	// ShiftP is the share of circular shifts of the evidence, by whole seconds,
	// with at least as many hits; 1 without evidence.
	ShiftP float64

	hit []bool // by episode
}

// guard is how far a control moment is from every episode.
const guard = int64(5 * time.Second)

// ScoreEvidence compares episodes with evidence within a window; both are
// instants or spans in ns, instants having End = Start. A control moment is as
// long as the median episode and begins at a whole second of the window
// (DETECTION 4.6). The cost is episodes × (evidence + seconds of the window).
func ScoreEvidence(episodes, evidence []Span, lag Lag, window Span) Score {
	s := Score{Episodes: len(episodes), Events: len(evidence), ShiftP: 1, hit: make([]bool, len(episodes))}
	evidence = slices.Clone(evidence)
	slices.SortFunc(evidence, func(a, b Span) int { return compare(a.Start, b.Start) })
	m := matcher{evidence: evidence, lag: lag}
	for _, e := range evidence {
		m.longest = max(m.longest, e.Len())
	}
	for i, f := range episodes {
		if s.hit[i] = m.hit(f); s.hit[i] {
			s.Hits++
		}
	}
	for _, e := range evidence {
		if slices.ContainsFunc(episodes, func(f Span) bool { return lag.joins(f, e) }) {
			s.Followed++
		}
	}
	s.controls(episodes, &m, window)
	if s.Hits > 0 {
		s.Likelihood = float64(s.Hits) / float64(s.Episodes) / (float64(s.ControlHits+1) / float64(s.Controls+1))
	}
	if len(evidence) > 0 && len(episodes) > 0 {
		s.ShiftP = shiftP(episodes, evidence, lag, window, s.Hits)
	}
	return s
}

// joins reports whether the evidence is within the lag of the episode.
func (l Lag) joins(f, e Span) bool { return e.Start <= f.End-l.Lo && e.End >= f.Start-l.Hi }

// matcher finds evidence for a moment. Evidence is in order of its start.
type matcher struct {
	evidence []Span
	lag      Lag
	longest  int64
}

func (m *matcher) hit(f Span) bool {
	lo, _ := slices.BinarySearchFunc(m.evidence, f.Start-m.lag.Hi-m.longest, func(e Span, t int64) int { return compare(e.Start, t) })
	for ; lo < len(m.evidence) && m.evidence[lo].Start <= f.End-m.lag.Lo; lo++ {
		if m.lag.joins(f, m.evidence[lo]) {
			return true
		}
	}
	return false
}

func (s *Score) controls(episodes []Span, m *matcher, window Span) {
	length := medianLength(episodes)
	ordered := slices.Clone(episodes)
	slices.SortFunc(ordered, func(a, b Span) int { return compare(a.Start, b.Start) })
	next := 0
	for t := window.Start; t < window.End && t+length <= window.End; t += int64(time.Second) {
		for next < len(ordered) && ordered[next].End < t-guard {
			next++
		}
		near := false
		for i := next; i < len(ordered) && ordered[i].Start <= t+length+guard; i++ {
			near = near || ordered[i].End >= t-guard
		}
		if near {
			continue
		}
		s.Controls++
		if m.hit(Span{t, t + length}) {
			s.ControlHits++
		}
	}
}

func medianLength(spans []Span) int64 {
	if len(spans) == 0 {
		return 0
	}
	lengths := make([]int64, len(spans))
	for i, f := range spans {
		lengths[i] = f.Len()
	}
	slices.Sort(lengths)
	return lengths[len(lengths)/2]
}

// shiftP shifts the whole evidence by every second of the window, modulo its
// length, and compares the hits. Each pair of an episode and a piece of evidence
// meets at one interval of shifts, so that no shift is tried one by one.
func shiftP(episodes, evidence []Span, lag Lag, window Span, hits int) float64 {
	const second = int64(time.Second)
	length := window.Len()
	shifts := length / second // 0 … shifts-1; 0 is what was observed
	if shifts < 2 {
		return 1
	}
	total := make([]int, shifts) // hits at each shift
	met := make([]int, shifts+1) // differences: how much evidence meets one episode
	for _, f := range episodes {
		clear(met)
		for _, e := range evidence {
			// The shifted start is at (e.Start - window.Start + shift) mod length;
			// it must lie in [lo, hi] and within the window.
			lo := max(f.Start-lag.Hi-e.Len()-window.Start, 0)
			hi := min(f.End-lag.Lo-window.Start, length-1)
			if lo > hi {
				continue
			}
			from := floorMod(e.Start-window.Start, length)
			mark(met, ceilDiv(lo-from, second), floorDiv(hi-from, second))
			mark(met, ceilDiv(lo-from+length, second), floorDiv(hi-from+length, second))
		}
		n := 0
		for s := range total {
			if n += met[s]; n > 0 {
				total[s]++
			}
		}
	}
	same := 0
	for _, n := range total[1:] {
		if n >= hits {
			same++
		}
	}
	return float64(1+same) / float64(shifts)
}

// mark adds one to each of the differences' entries from lo to hi that exist.
func mark(met []int, lo, hi int64) {
	lo, hi = max(lo, 0), min(hi, int64(len(met))-2)
	if lo <= hi {
		met[lo]++
		met[hi+1]--
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }

// Holm adjusts the p values of one family (Holm 1979): the smallest is
// multiplied by their number, the next by one less, and so on, none below the
// one before it nor above 1. The order of the result is that of the input.
func Holm(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case ps[i] < ps[j]:
			return -1
		case ps[i] > ps[j]:
			return 1
		}
		return 0
	})
	out := make([]float64, len(ps))
	worst := 0.0
	for k, i := range order {
		worst = math.Max(worst, math.Min(1, ps[i]*float64(len(ps)-k)))
		out[i] = worst
	}
	return out
}
