package calibrate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/internal/runtest"
	"headroom/stat"
)

// Card is how the detectors did on the simulated corpus, whose truth is known
// exactly.
type Card struct {
	Full bool  `json:"full"`
	Rows []Row `json:"rows"`
}

// Row is one figure of the scorecard.
type Row struct {
	Rule  string  `json:"rule"` // "freeze", "freeze.seconds", "completion-gap" …
	What  string  `json:"what"` // "found", "onset error, 95 %" …
	Of    string  `json:"of"`   // the part of the corpus
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	N     int     `json:"n"`
	Low   float64 `json:"low,omitempty"`  // of shares: Clopper-Pearson, 95 %
	High  float64 `json:"high,omitempty"` //
	Must  string  `json:"must,omitempty"` // "≥ 0.99"; empty for what is only reported
	Met   bool    `json:"met"`
	// Stated is what the rules' own description measured, where it did.
	Stated *float64 `json:"stated,omitempty"`
}

// Met reports whether every figure that has a bound keeps it.
func (c *Card) Met() bool {
	return !slices.ContainsFunc(c.Rows, func(r Row) bool { return !r.Met })
}

// Score simulates the corpus, the full one of DETECTION 11.1 or a small one, and
// looks at it. It ends with the context.
func Score(ctx context.Context, whole bool) (*Card, error) {
	c := small
	if whole {
		c = full
	}
	s := &scorer{ctx: ctx, card: &Card{Full: whole}, corpus: c}
	for _, part := range []func() error{s.freezes, s.quiet, s.drifts, s.noisyDrifts, s.windows, s.rhythms, s.causes} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return s.card, nil
}

type scorer struct {
	ctx context.Context
	corpus
	card *Card
}

// share adds a proportion with its interval; atLeast < 0 only reports it.
func (s *scorer) share(rule, what, of string, k, n int, atLeast float64) {
	r := Row{Rule: rule, What: what, Of: of, Unit: "1", N: n, Met: true}
	if n > 0 {
		r.Value = float64(k) / float64(n)
		if low, high, err := stat.Proportion(k, n, confidence, stat.TwoSided); err == nil {
			r.Low, r.High = low, high
		}
	}
	if atLeast >= 0 {
		r.Must, r.Met = fmt.Sprintf("≥ %g", atLeast), r.Value >= atLeast
	}
	s.card.Rows = append(s.card.Rows, r)
}

// value adds a figure; atMost < 0 only reports it.
func (s *scorer) value(rule, what, of string, v float64, unit string, n int, atMost float64) {
	r := Row{Rule: rule, What: what, Of: of, Value: v, Unit: unit, N: n, Met: true}
	if atMost >= 0 {
		r.Must, r.Met = fmt.Sprintf("≤ %g", atMost), v <= atMost
	}
	s.card.Rows = append(s.card.Rows, r)
}

var confidence = func() stat.P {
	p, err := stat.ParseP("0.95")
	if err != nil {
		panic(err)
	}
	return p
}()

// tolerance is how far a planted and a found episode may lie apart.
const tolerance = int64(500 * time.Millisecond)

// hits counts the planted episodes that a span overlaps, widened by half the
// tolerance each, one to one, and the onset errors.
func hits(run *runtest.Run, found []detect.Span) (hit int, off []float64) {
	used := make([]bool, len(found))
	for _, e := range run.Truth {
		best := -1
		for i, f := range found {
			if !used[i] && f.Start <= e.End+tolerance && f.End >= e.Start-tolerance &&
				(best < 0 || math.Abs(float64(f.Start-e.Start)) < math.Abs(float64(found[best].Start-e.Start))) {
				best = i
			}
		}
		if best >= 0 {
			used[best] = true
			hit++
			off = append(off, math.Abs(float64(found[best].Start-e.Start))/1e9)
		}
	}
	return hit, off
}

// tally is what one rule did on one part of the corpus.
type tally struct {
	hit, n   int
	off      []float64
	verdicts map[string][]int // how many were found, by group, of each phase
	whole    int              // runs in which each freeze gave one finding, and nothing else did
	runs     int
}

// run ends the work when nobody waits for it.
func (s *scorer) run(p planted) (*analyze.Result, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	return Measure(p.run, analyze.Protocol{})
}

func (t *tally) add(group string, run *runtest.Run, found []detect.Span) {
	hit, off := hits(run, found)
	t.hit, t.n, t.off = t.hit+hit, t.n+len(run.Truth), append(t.off, off...)
	if t.verdicts == nil {
		t.verdicts = map[string][]int{}
	}
	t.verdicts[group] = append(t.verdicts[group], hit)
	t.runs++
	if hit == len(run.Truth) && hit == len(found) {
		t.whole++
	}
}

// invariance is the mean share of phases that give the most frequent verdict,
// found or not (DETECTION 11.2): 1 for a rule that no grid moves.
func (t *tally) invariance() (same, n int) {
	for _, verdicts := range t.verdicts {
		most := 0
		for _, v := range verdicts {
			k := 0
			for _, w := range verdicts {
				if v == w {
					k++
				}
			}
			most = max(most, k)
		}
		same, n = same+most, n+len(verdicts)
	}
	return same, n
}

// freezes looks for single freezes with the grid, the sweep and the gap rule.
func (s *scorer) freezes() error {
	rules := []string{"freeze", "freeze.seconds", "completion-gap"}
	parts := map[string]map[string]*tally{}
	var order []string
	sure, errors := &tally{}, []float64{}
	err := s.singles(func(rate int, share float64, length int, p planted) error {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		part := fmt.Sprintf("%d ms, share %g", length, share)
		if parts[part] == nil {
			parts[part] = map[string]*tally{}
			for _, r := range rules {
				parts[part][r] = &tally{}
			}
			order = append(order, part)
		}
		load := detect.Collect(p.run.Samples, false)[0]
		window := detect.Span{Start: p.run.Start, End: p.run.End}
		sweep := spansOf(detect.PublishedFreeze.Sweep(load, thin(rate)).Episodes)
		parts[part]["freeze"].add(p.group, p.run, sweep)
		parts[part]["freeze.seconds"].add(p.group, p.run, gridSpans(load, window, thin(rate)))
		var gaps []detect.Span
		for _, g := range detect.CompletionGaps(load, int64(100*time.Millisecond)) {
			gaps = append(gaps, g.Span)
		}
		parts[part]["completion-gap"].add(p.group, p.run, gaps)
		if share == 1 && length >= 200 && rate >= 200 {
			sure.add(p.group, p.run, sweep)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, part := range order {
		for _, r := range rules {
			t := parts[part][r]
			s.share(r, "found", part, t.hit, t.n, -1)
		}
		errors = append(errors, parts[part]["freeze"].off...)
	}
	s.share("freeze", "found", "200 ms and more, all requests, any phase", sure.hit, sure.n, 0.99)
	same, n := sure.invariance()
	s.share("freeze", "same at every phase", "200 ms and more, all requests", same, n, 1)
	s.share("freeze", "found as one, and nothing else", "200 ms and more, all requests", sure.whole, sure.runs, -1)
	grid, total := 0, 0
	for _, part := range order {
		k, n := parts[part]["freeze.seconds"].invariance()
		grid, total = grid+k, total+n
	}
	s.share("freeze.seconds", "same at every phase", "all parts", grid, total, -1)
	slices.Sort(errors)
	if n := len(errors); n > 0 {
		s.value("freeze", "onset error, median", "all that were found", errors[n/2], "s", n, 0.05)
		s.value("freeze", "onset error, 95 %", "all that were found", errors[min(n*95/100, n-1)], "s", n, -1)
	}
	return nil
}

// thin lets rates below twenty a second be judged at all.
func thin(rate int) int { return min(rate/2, 20) }

func spansOf(es []detect.Episode) []detect.Span {
	var out []detect.Span
	for _, e := range es {
		out = append(out, detect.Span{Start: e.Onset, End: e.Thaw})
	}
	return out
}

func gridSpans(load *detect.Requests, window detect.Span, thin int) []detect.Span {
	rule := detect.PublishedFreeze
	rule.Thin = thin
	var out []detect.Span
	for _, e := range rule.Frozen(load, window.Start, detect.ByStart).Episodes {
		out = append(out, detect.Span{Start: window.Start + e[0]*rule.Width, End: window.Start + (e[1]+1)*rule.Width})
	}
	return out
}

// quiet counts what is found where nothing is.
func (s *scorer) quiet() error {
	found, looked := map[string]int{}, map[string]int{} // episodes, and minutes that were looked at
	for _, rate := range s.rates {
		for minute := range s.clean {
			p, err := s.corpus.quiet(rate, minute)
			if err != nil {
				return err
			}
			r, err := s.run(p)
			if err != nil {
				return err
			}
			for _, f := range r.Findings {
				found[f.Detector]++
			}
			for _, l := range r.Looked {
				if l.Could {
					looked[l.Detector]++
				}
			}
		}
	}
	for _, d := range detect.All {
		if minutes := looked[d.Name]; slices.Contains(d.Needs, "samples") && minutes > 0 {
			s.value(d.Name, "false episodes in 10 clean minutes", "heavy tails", float64(found[d.Name])*10/float64(minutes), "1", minutes, 1)
		}
	}
	return nil
}

// windows compares the rule of ten seconds with what its grid must miss.
func (s *scorer) windows() error {
	for _, apart := range []int{5, 9, 12} {
		seen, slid := 0, 0
		err := s.pairs(apart, func(p planted) error {
			load, window := detect.Collect(p.run.Samples, false)[0], detect.Span{Start: p.run.Start, End: p.run.End}
			if len(detect.PublishedWindow.Slow(detect.Buckets(load, window, detect.PublishedWindow.Width)).Windows) > 0 {
				seen++
			}
			if len(detect.PublishedWindow.Sliding(load, window, int64(100*time.Millisecond)).Windows) > 0 {
				slid++
			}
			return nil
		})
		if err != nil {
			return err
		}
		analytic := float64(apart) / 10
		if apart > 10 {
			analytic = float64(20-apart) / 10
		}
		of := fmt.Sprintf("two freezes %d s apart", apart)
		s.share("windows.bad", "seen by the grid", of, seen, 10, -1)
		s.value("windows.bad", "off the analytic share", of, math.Abs(float64(seen)/10-analytic), "1", 10, 0.02)
		s.share("slow-window", "seen by the sliding window", of, slid, 10, 1)
	}
	return nil
}

func (s *scorer) rhythms() error {
	for _, events := range []int{8, 12} {
		k, n := rhythmsFound(true, events, s.corpus.rhythms)
		s.share("cadence", "called rhythmic", fmt.Sprintf("%d events, period jittered by a tenth", events), k, n, 0.95)
		k, n = rhythmsFound(false, events, s.corpus.rhythms)
		s.value("cadence", "called rhythmic", fmt.Sprintf("%d events at random", events), float64(k)/float64(n), "1", n, 0.02)
	}
	return nil
}

// String writes the scorecard as a table.
func (c *Card) String() string {
	var b strings.Builder
	for _, r := range c.Rows {
		figure := fmt.Sprintf("%.4g", r.Value)
		switch {
		case r.Unit == "s":
			figure = fmt.Sprintf("%.0f ms", r.Value*1000)
		case r.High > 0:
			figure = fmt.Sprintf("%.3f (%.3f-%.3f)", r.Value, r.Low, r.High)
		}
		must := ""
		if r.Stated != nil {
			must = fmt.Sprintf("  stated %.2f", *r.Stated)
		}
		if r.Must != "" {
			must += "  must be " + r.Must
			if !r.Met {
				must += "  MISSED"
			}
		}
		fmt.Fprintf(&b, "%-19s %-44s %-42s %-22s n %d%s\n", r.Rule, r.What, r.Of, figure, r.N, must)
	}
	return b.String()
}
