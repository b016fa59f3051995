package analyze

import (
	"slices"
	"strings"

	"headroom/detect"
)

// slowWords stand for the frozen seconds of what was slow all along: a number of
// seconds would read as a system that stood still.
const slowWords = "slow throughout"

// frozenIDs are the figures that count frozen seconds, however they are laid.
var frozenIDs = []string{"freeze.seconds", "freeze.episodes", "freeze.expected", "freeze.seconds_by_end"}

// slowNotFrozen writes "slow throughout" for the freeze-seconds of every scope of
// which most seconds are over the limits of the rule, as in a queue under overload.
// Where requests are slow and few seconds are over the limits, those stay a number. The values stay in any case, since they are what
// the published rule counts.
func slowNotFrozen(qs []Quantity) {
	slow := map[detect.Scope]bool{}
	for i := range qs {
		q := &qs[i]
		slow[q.Scope] = slow[q.Scope] || q.ID == "freeze.seconds" && slowThroughout(q) != ""
	}
	for i := range qs {
		if q := &qs[i]; slow[q.Scope] && q.Value != nil && *q.Value > 0 && slices.Contains(frozenIDs, q.ID) {
			q.Display = slowWords
		}
	}
}

// frozenSecondsOf are the freeze-seconds of a cell; none are known of what was slow
// throughout.
func frozenSecondsOf(c *cell) (float64, bool) {
	q := c.quantity("freeze.seconds")
	if q == nil || q.Value == nil || q.slowAllAlong() {
		return 0, false
	}
	return *q.Value, true
}

// slowAllAlong reports whether a figure of frozen seconds is of what was slow
// throughout.
func (q *Quantity) slowAllAlong() bool { return q.Display == slowWords }

// slowThroughout says why the freeze-seconds of a run are no freeze, "" if they are.
func slowThroughout(q *Quantity) string {
	return warned(q, detect.SlowNotFrozen)
}

// notTold says why nobody can tell whether the seconds over the limits were frozen,
// "" if somebody can.
func notTold(q *Quantity) string { return warned(q, detect.FrozenNotTold) }

func warned(q *Quantity, suffix string) string {
	for _, w := range q.Warnings {
		if why, ok := strings.CutSuffix(w, suffix); ok {
			return why
		}
	}
	return ""
}

// leaveSlow takes the attribution off freezes of what was slow throughout, where no
// cause was found: nothing stood still there that wants one. A cause that was found is
// kept, since it may be why all of it was slow.
func (m *Measured) leaveSlow() {
	for i := range m.Result.Findings {
		f := &m.Result.Findings[i]
		if f.Detector != "freeze" || f.Attribution == nil || f.Attribution.Cause != "" {
			continue
		}
		if q := m.Result.Quantity("freeze.seconds", f.Scope); q != nil && slowThroughout(q) != "" {
			f.Attribution = nil
		}
	}
}

// askedFor reports whether a cause was looked for of a freeze of the run.
func (m *Measured) askedFor() bool {
	return slices.ContainsFunc(m.Result.Findings, func(f detect.Finding) bool { return f.Detector == "freeze" && f.Attribution != nil })
}
