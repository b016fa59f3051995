package detect

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// The statuses of an attribution, strongest first.
const (
	Attributed      = "attributed"        // statistics and mechanism agree
	MostLikely      = "most_likely"       // the evidence goes with it, and the mechanism was seen or chance is out
	Candidate       = "candidate"         // more often with it than without
	DidNotReplicate = "did_not_replicate" // seen once, not again: said of runs compared, never by one run
	Unexplained     = "unexplained"       // what was recorded shows nothing
	NotCollected    = "not_collected"     // nothing was recorded that could show anything
)

// Limits of the words (DETECTION 4.7).
const (
	causeNecessity = 0.8  // share of episodes with the evidence
	causeLikely    = 10.0 // likelihood ratio
	causeCandidate = 3.0
	causeRival     = 3.0  // a rival's likelihood ratio is at most this part of the leader's
	causeAlpha     = 0.01 // of the shift test, after Holm over the causes
	causeChance    = 0.05 // of the shift test by itself: over it and without the mechanism, not even a candidate
	causeFamily    = 0.2  // likewise after Holm, of evidence that is weak: many causes are compared, and one of them fits by chance
	causeWeak      = 0.5  // evidence with a smaller share of the episodes is weak; so is that with less than causeNecessity and a ratio under causeLikely
)

// suspect is a cause compared with the episodes of one scope.
type suspect struct {
	*Cause
	trace     *Trace
	seen      seen
	score     Score
	p         float64 // ShiftP after Holm
	signature []bool  // by episode
	signs     string  // what the signature was
	measured  bool    // a signature could be looked for
	period    bool    // it comes with every episode of a rhythm, so that no shift could tell them apart
}

// Attribute gives every freeze and generator stall among the findings an
// attribution: it compares the causes with what was recorded beside the
// requests, for each scope by itself. Only where load was offered on a schedule
// (open) was a request due that was not sent: elsewhere a pause may be the
// script's own. It returns the comparisons behind the attributions of freezes.
func Attribute(findings []Finding, requests []*Requests, e *Evidence, window Span, open bool) []Comparison {
	var out []Comparison
	for _, r := range requests {
		var episodes []Span
		var of []int
		for i := range findings {
			f := &findings[i]
			if f.Scope.Scenario != r.Scenario || f.Detector != freeze.Name && f.Detector != generatorStall.Name {
				continue
			}
			if span, ok := f.span(); ok {
				if f.Detector == generatorStall.Name {
					f.Attribution = &Attribution{Status: Attributed, Cause: "generator", Evidence: []string{"the trace itself: requests were due, and none was sent or given up"}}
					if !open {
						f.Attribution = &Attribution{Status: Candidate, Cause: "generator", Evidence: []string{"no request was sent; whether one was due is not known, since load was not offered on a schedule"}}
					}
					continue
				}
				episodes, of = append(episodes, span), append(of, i)
			}
		}
		if len(episodes) == 0 {
			continue
		}
		suspects := question(episodes, r, e, window)
		for k, i := range of {
			findings[i].Attribution = judge(k, episodes, suspects, e)
		}
		for _, s := range suspects {
			out = append(out, s.comparison(findings[of[0]].Scope))
		}
	}
	return out
}

// Comparison is how the evidence of one cause goes with the freezes of a scope.
type Comparison struct {
	Scope      Scope
	Cause      string
	Evidence   string // what it looks like, in words
	Resolution int64  // ns that a piece of evidence stands for
	Coarse     bool   // too coarse to tell one freeze from the next, or for the cause
	Score      Score
	HolmP      float64 // Score.ShiftP after Holm over the causes compared
	Signatures int     // freezes in which the mechanism itself was seen
}

func (s *suspect) comparison(scope Scope) Comparison {
	n := 0
	for _, yes := range s.signature {
		if yes {
			n++
		}
	}
	return Comparison{
		Scope: scope, Cause: s.Name, Evidence: s.trace.What, Resolution: s.seen.resolution,
		Coarse: s.seen.resolution > s.Finest, Score: s.score, HolmP: s.p, Signatures: n,
	}
}

// span reads a finding's times back.
func (f *Finding) span() (Span, bool) {
	start, err1 := time.Parse(time.RFC3339Nano, f.Start)
	end, err2 := time.Parse(time.RFC3339Nano, f.End)
	return Span{start.UnixNano(), end.UnixNano()}, err1 == nil && err2 == nil
}

// question compares every cause that was recorded with the episodes.
func question(episodes []Span, r *Requests, e *Evidence, window Span) []*suspect {
	var out []*suspect
	var ps []float64
	for _, c := range Causes {
		s := &suspect{Cause: c, signature: make([]bool, len(episodes))}
		for i := range c.Evidence {
			found := c.Evidence[i].look(e, r, window)
			if found.recorded && (s.trace == nil || s.seen.weaker(found)) {
				s.trace, s.seen = &c.Evidence[i], found
			}
		}
		if s.trace == nil {
			continue
		}
		lag := c.Lag
		lag.Lo -= s.seen.resolution / 2
		lag.Hi += s.seen.resolution / 2
		s.score = ScoreEvidence(anchored(episodes, c.Anchor), s.seen.spans, lag, window)
		for i := range c.Signature {
			t := &c.Signature[i]
			found := t.look(e, r, window)
			s.measured = s.measured || found.recorded
			if !found.recorded || found.resolution > c.Finest {
				continue
			}
			for k, f := range episodes {
				if t.shows(found, f) && !s.signature[k] {
					s.signature[k], s.signs = true, t.What
				}
			}
		}
		out, ps = append(out, s), append(ps, s.score.ShiftP)
	}
	for i, p := range Holm(ps) {
		out[i].p = p
	}
	if slices.ContainsFunc(out, (*suspect).unshiftable) && rhythmic(episodes) {
		for _, s := range out {
			s.period = s.unshiftable()
		}
	}
	return out
}

// unshiftable reports whether every one of many episodes has the evidence, and
// more shifts of it than by chance meet as many.
func (s *suspect) unshiftable() bool { return s.inStep() && s.score.ShiftP > causeAlpha }

// rhythmic reports whether the episodes have a period. They are of one scope, and
// as the freezes of it are in order of time.
func rhythmic(episodes []Span) bool {
	at := make([]float64, len(episodes))
	for i, f := range episodes {
		at[i] = seconds(f.Start - episodes[0].Start)
	}
	slices.Sort(at)
	return TestRhythm(at, 1).Rhythmic
}

func anchored(episodes []Span, a Anchor) []Span {
	out := slices.Clone(episodes)
	for i, f := range out {
		switch a {
		case AtOnset:
			out[i].End = f.Start
		case AtThaw:
			out[i].Start = f.End
		}
	}
	return out
}

// judge gives episode k its attribution: that of the strongest cause with
// evidence there.
func judge(k int, episodes []Span, suspects []*suspect, e *Evidence) *Attribution {
	var best *suspect
	status := Unexplained
	for _, s := range suspects {
		if !s.score.hit[k] {
			continue
		}
		if st := s.status(k, episodes, suspects); rank(st) < rank(status) || rank(st) == rank(status) && best != nil && s.before(best, k, suspects) {
			best, status = s, st
		}
	}
	if status != Unexplained && best != nil {
		a := &Attribution{Status: status, Cause: best.Name, Evidence: []string{best.sentence(status)}}
		return a
	}
	if e == nil || len(e.Series) == 0 && len(e.Visits) == 0 && e.unlogged(loggedCauses()) != "" {
		return &Attribution{Status: NotCollected, Evidence: []string{"nothing was recorded beside the requests"}}
	}
	return &Attribution{Status: Unexplained, Evidence: []string{"compared with " + names(suspects) + ": none goes with it"}}
}

func rank(status string) int {
	return slices.Index([]string{Attributed, MostLikely, Candidate, DidNotReplicate, Unexplained, NotCollected}, status)
}

func names(suspects []*suspect) string {
	var out []string
	for _, s := range suspects {
		out = append(out, s.Name)
	}
	return strings.Join(out, ", ")
}

// status says how far the evidence carries for episode k.
//
// The freezes of a run may have several causes, so that none is necessary for
// all of them. An episode in which the mechanism itself was seen is most likely
// this cause's, as long as the evidence hardly ever comes without a freeze, or is
// itself the mechanism and covers the freeze.
func (s *suspect) status(k int, episodes []Span, all []*suspect) string {
	sc := &s.score
	coarse := s.seen.resolution > s.Finest || s.tooCoarse(episodes)
	if s.signature[k] && !coarse && sc.Likelihood < causeLikely && (s.sufficient() || s.direct()) && !s.rivalled(k, all) {
		return MostLikely
	}
	if sc.Likelihood < causeCandidate || !s.signature[k] && !coarse && s.byChance() {
		return Unexplained
	}
	if coarse || sc.Likelihood < causeLikely || s.rivalled(k, all) {
		return Candidate
	}
	necessary := float64(sc.Hits) >= causeNecessity*float64(sc.Episodes)
	chance := s.p > causeAlpha
	switch {
	case necessary && s.signature[k] && (!chance || s.direct()):
		return Attributed
	case s.signature[k], necessary && !chance:
		return MostLikely
	}
	return Candidate
}

// byChance reports whether evidence alone, without the mechanism, is as likely to
// go with the episodes by chance.
func (s *suspect) byChance() bool {
	sc := &s.score
	share := float64(sc.Hits) / float64(sc.Episodes)
	weak := share < causeWeak || share < causeNecessity && sc.Likelihood < causeLikely
	return !s.inStep() && (sc.ShiftP > causeChance || weak && s.p > causeFamily)
}

// sufficient reports whether the evidence comes with a freeze nearly always, and
// never in a moment far from one.
func (s *suspect) sufficient() bool {
	return s.score.ControlHits == 0 && float64(s.score.Followed) >= causeNecessity*float64(s.score.Events)
}

// inStep reports whether every one of many episodes has the evidence: that of
// the same period as theirs cannot be told from them by watching.
func (s *suspect) inStep() bool {
	return s.score.Hits == s.score.Episodes && s.score.Episodes >= rhythmEvents
}

// direct reports whether the evidence is the mechanism itself, in the trace.
func (s *suspect) direct() bool { return s.trace.Silence }

// tooCoarse reports whether the evidence is too coarse for the rhythm of the
// episodes: it cannot tell one from the next.
func (s *suspect) tooCoarse(episodes []Span) bool {
	for i := 1; i < len(episodes); i++ {
		if d := episodes[i].Start - episodes[i-1].Start; d > 0 && d < s.seen.resolution {
			return true
		}
	}
	return false
}

// before reports whether of two causes with one status this one is to be named in
// episode k: the one whose mechanism was seen, the one that no other explains, the
// likelier.
func (s *suspect) before(o *suspect, k int, all []*suspect) bool {
	if s.signature[k] != o.signature[k] {
		return s.signature[k]
	}
	if a, b := s.explained(k, all), o.explained(k, all); a != b {
		return b
	}
	return s.score.Likelihood > o.score.Likelihood
}

// explained reports whether another cause explains this one's evidence.
func (s *suspect) explained(k int, all []*suspect) bool {
	return slices.ContainsFunc(all, func(o *suspect) bool { return o.explains(s, k) })
}

// explains reports whether the other's evidence in episode k is a symptom of this
// cause: it acts through the other, and its mechanism was seen there, or its own
// evidence goes with as many of the episodes, by more than chance.
func (s *suspect) explains(o *suspect, k int) bool {
	if !slices.Contains(s.Through, o.Name) || !s.score.hit[k] || s.seen.resolution > s.Finest {
		return false
	}
	return s.signature[k] || s.score.Hits >= o.score.Hits && s.score.ShiftP <= causeChance && s.score.Likelihood >= causeCandidate
}

// rivalled reports whether another cause explains the evidence of this one, or
// goes with the episode nearly as well. What a cause acts through is no rival of
// it; a cause that acts through this one is.
func (s *suspect) rivalled(k int, all []*suspect) bool {
	if s.explained(k, all) {
		return true
	}
	for _, o := range all {
		if o == s || !o.score.hit[k] || slices.Contains(s.Through, o.Name) {
			continue
		}
		if len(s.Signature) > 0 && s.signature[k] && !o.signature[k] && !slices.Contains(o.Through, s.Name) {
			continue // only this one's mechanism was seen
		}
		if o.score.Likelihood*causeRival >= s.score.Likelihood && o.score.Likelihood >= causeCandidate {
			return true
		}
	}
	return false
}

// sentence is printed from the numbers.
func (s *suspect) sentence(status string) string {
	sc := &s.score
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %s with %s", sc.Hits, plural(sc.Episodes, "freeze"), s.trace.What)
	fmt.Fprintf(&b, "; %d of %d such moments with a freeze", sc.Followed, sc.Events)
	fmt.Fprintf(&b, "; control moments %s", rate(sc.ControlHits, sc.Controls))
	fmt.Fprintf(&b, "; likelihood ratio %.0f; shift p %.4f (%.4f over the causes compared)", sc.Likelihood, sc.ShiftP, s.p)
	n := 0
	for _, yes := range s.signature {
		if yes {
			n++
		}
	}
	switch {
	case n > 0:
		fmt.Fprintf(&b, "; signature in %d: %s", n, s.signs)
	case len(s.Signature) > 0 && !s.measured:
		b.WriteString("; its mechanism was not recorded")
	default:
		b.WriteString("; no signature")
	}
	if s.seen.resolution > s.Finest {
		fmt.Fprintf(&b, "; recorded only every %s", short(s.seen.resolution))
	}
	if s.period {
		b.WriteString("; both recur with one period: only a change of its interval could tell them apart")
	}
	return b.String() + " -> " + strings.ReplaceAll(status, "_", " ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// rate prints a share as a percentage, rounded up: fewer controls with the
// evidence is the stronger claim.
func rate(part, n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("%.1f %% of %d", math.Ceil(1000*float64(part)/float64(n))/10, n)
}
