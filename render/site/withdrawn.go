package site

import (
	"fmt"
	"strings"

	"headroom/render/label"
)

// Withdrawal names a run that somebody withdrew: it is not to be relied on. Whoever
// withdraws a run does so after documents were published that rest on it.
type Withdrawal struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
	Why    string `json:"why"` // when it was withdrawn, and why
}

func withdrawal(id, digest, why string) Withdrawal {
	return Withdrawal{label.Clean(id, label.Cell), label.Clean(digest, label.Cell), label.Clean(why, label.Line)}
}

// mark gives every version those of its runs that are withdrawn, whichever version
// of whichever document says so: a later build of one document knows what an
// earlier one could not.
func mark(all map[string][]*Version) {
	known := map[string]string{} // why, by digest; of several notes the first one counts
	for _, list := range all {
		for _, v := range list {
			for _, w := range v.Withdrawn {
				if had, ok := known[w.Digest]; !ok || w.Why < had { // they begin with their instant
					known[w.Digest] = w.Why
				}
			}
		}
	}
	for _, list := range all {
		for _, v := range list {
			v.withdrawn = nil
			for _, r := range v.Runs {
				if why, ok := known[r.Digest]; ok && r.Digest != "" {
					v.withdrawn = append(v.withdrawn, withdrawal(r.ID, r.Digest, why))
				}
			}
		}
	}
}

// mostWithdrawn bounds the runs that a note names.
const mostWithdrawn = 5

// withdrawnWords says which runs of a version were withdrawn, "" if none was.
func (v *Version) withdrawnWords() string {
	if len(v.withdrawn) == 0 {
		return ""
	}
	var parts []string
	for i, w := range v.withdrawn {
		if i == mostWithdrawn {
			parts = append(parts, fmt.Sprintf("and %d more", len(v.withdrawn)-i))
			break
		}
		parts = append(parts, "run "+w.ID+" ("+w.Why+")")
	}
	return "This document rests on what was withdrawn: " + strings.Join(parts, "; ") + ". Its figures are not to be relied on."
}
