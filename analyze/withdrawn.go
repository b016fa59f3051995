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
