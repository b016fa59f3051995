package analyze

import (
	"slices"
	"strings"

	"headroom/runs"
)

// notes is what humans wrote of a run after it was sealed.
type notes struct {
	withdrawn string // when and why; "" if nobody withdrew it
	unread    string // which of them cannot be read; "" if all can
}

// readNotes reads the notes of a run. Those that cannot be read do not keep it
// from being measured: its warnings say so.
func readNotes(run *runs.Run) (n notes) {
	note, err := run.Withdrawal()
	if err != nil {
		n.unread = strings.TrimPrefix(err.Error(), "run "+run.Path()+": ") // where the run stands is no part of its result
	}
	if note != nil {
		n.withdrawn = note.Words()
	}
	return n
}

// withdrawnWhy says that somebody withdrew the run, when and why; "" if nobody did.
func (m *Measured) withdrawnWhy() string {
	if m.notes.withdrawn == "" {
		return ""
	}
	return "the run was withdrawn, " + m.notes.withdrawn
}

// withdraw takes the figures of a withdrawn run away, so that no answer, table or
// comparison rests on them. What its gates said stays: they passed nothing, and a
// failure that was proven is not undone by a withdrawal.
func (m *Measured) withdraw() {
	why := m.withdrawnWhy()
	if why == "" {
		return
	}
	for i := range m.Result.Quantities {
		q := &m.Result.Quantities[i]
		if q.Bound = NoBound; q.Value != nil {
			*q = withhold(*q, why)
		}
	}
	for i := range m.Result.Verdicts {
		if v := &m.Result.Verdicts[i]; v.Outcome == Unknown {
			v.Got, v.Display = nil, ""
		}
	}
}

// relied returns the cells whose runs nobody withdrew; all of them where each was
// withdrawn, so that a reader is told of those.
func relied(cells []*cell) []*cell {
	kept := make([]*cell, 0, len(cells))
	for _, c := range cells {
		if c.m.notes.withdrawn == "" {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return cells
	}
	return kept
}

// reliedRuns are the runs of the document that nobody withdrew.
func (d *document) reliedRuns() []*Measured {
	return slices.DeleteFunc(slices.Clone(d.runs), func(m *Measured) bool { return m.notes.withdrawn != "" })
}

// withdrawnAnswer says on the first screen which runs of the document somebody
// withdrew: their gates are unknown already, and what is concluded from the other
// runs, as that a step carries at least so much, lacks them.
func (d *document) withdrawnAnswer() {
	for _, m := range d.runs {
		if why := m.notes.withdrawn; why != "" {
			d.say("withdrawn", "withdrawn", "run %s is not to be relied on, and its figures are withheld: %s. What is said of the other runs is said without it.", m.calledRun(), strings.TrimSuffix(why, "."))
		}
	}
}
