package analyze

import (
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

// withdrawnAnswer says on the first screen which runs of the document somebody
// withdrew: their gates are unknown already, and what is concluded from the other
// runs, as that a step carries at least so much, lacks them.
func (d *document) withdrawnAnswer() {
	for _, m := range d.runs {
		if why := m.notes.withdrawn; why != "" {
			d.say("withdrawn", "withdrawn", "run %s is not to be relied on: %s. What is said of the other runs is said without it.", m.Result.Run.ID, strings.TrimSuffix(why, "."))
		}
	}
}
