package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"headroom/runs"
)

// runSummary is one run in lists, as JSON.
type runSummary struct {
	Path   string     `json:"path"` // as given
	ID     string     `json:"id"`
	Digest string     `json:"digest"`
	State  runs.State `json:"state"`
	// Withdrawn says when and why somebody withdrew the run; Unread, which of its
	// notes cannot be read, so that nobody knows.
	Withdrawn string `json:"withdrawn,omitempty"`
	Unread    string `json:"unread_notes,omitempty"`

	First  string            `json:"first,omitempty"` // first start of a sample, RFC 3339
	Last   string            `json:"last,omitempty"`  // last end of a sample
	Labels map[string]string `json:"labels"`
	Tables map[string]int64  `json:"tables"` // rows
}

func summarise(path string, run *runs.Run) runSummary {
	m := run.Manifest()
	s := runSummary{
		Path: path, ID: m.ID, Digest: run.Digest(), State: m.State, First: m.First, Last: m.Last,
		Labels: map[string]string{}, Tables: map[string]int64{},
	}
	note, err := run.Withdrawal()
	if err != nil {
		s.Unread = strings.TrimPrefix(err.Error(), "run "+run.Path()+": ")
	}
	if note != nil {
		s.Withdrawn = note.Words()
	}
	maps.Copy(s.Labels, m.Labels)
	for _, t := range m.Tables {
		s.Tables[t.Table] = t.Rows
	}
	return s
}

// stateText is the state in a list: what is to be known before a run is used.
func (s runSummary) stateText() string {
	text := string(s.State)
	switch {
	case s.Withdrawn != "":
		text += ", WITHDRAWN"
	case s.Unread != "":
		text += ", notes unreadable"
	}
	return text
}

// length is the time between the first start and the last end, "" if either is
// not known.
func (s runSummary) length() string {
	first, err1 := time.Parse(time.RFC3339Nano, s.First)
	last, err2 := time.Parse(time.RFC3339Nano, s.Last)
	if err1 != nil || err2 != nil {
		return ""
	}
	return last.Sub(first).Round(time.Millisecond).String()
}

// labelsText writes labels as k=v, in order.
func labelsText(labels map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		parts = append(parts, k+"="+labels[k])
	}
	return strings.Join(parts, " ")
}

// stepsText names what varies within a run: one step by its labels, several by
// their number.
func stepsText(steps []runs.Step) string {
	switch len(steps) {
	case 0:
		return ""
	case 1:
		return labelsText(steps[0].Labels)
	}
	return fmt.Sprintf("%d steps", len(steps))
}
