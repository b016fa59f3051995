package analyze

import (
	"fmt"
	"strings"

	"headroom/detect"
)

// StudyRescan is what a scan of the archive, after the document was made, said of
// it: see package rescan, which makes one from a report.
type StudyRescan struct {
	Statement string         // the paragraph
	Detectors map[string]int // version of each detector that looked
	Tallies   []RescanTally  // by what was published
	Changes   []RescanChange // the first of them
	More      int            // changes beyond those
}

// RescanTally counts what was published by what became of it.
type RescanTally struct {
	What                                        string
	Unchanged, Changed, New, Gone, CouldNotLook int
}

// RescanChange is one published thing that a scan gives differently.
type RescanChange struct{ What, Old, New string }

// rescanned prints what a later scan said, and which detectors have changed since.
func (b *builder) rescanned() {
	r := b.study.Rescan
	if r == nil {
		return
	}
	t := Table{ID: "rescan", Title: "The archive, read again", Columns: []Column{
		left("published"), right("unchanged"), right("changed"), right("new"), right("gone"), right("could not be looked at"),
	}}
	count := func(n int) Cell { return text(Count(int64(n))) }
	for _, x := range r.Tallies {
		t.Rows = append(t.Rows, Row{Cells: []Cell{text(x.What), count(x.Unchanged), count(x.Changed), count(x.New), count(x.Gone), count(x.CouldNotLook)}})
	}
	t.Notes = append(t.Notes, r.Statement)
	if since := r.changedSince(); since != "" {
		t.Notes = append(t.Notes, "Changed since that scan: "+since+". Scan again.")
		b.Warnings = append(b.Warnings, "the re-scan that this page quotes is older than its detectors: "+since)
	}
	b.Tables = append(b.Tables, t)
	if len(r.Changes) == 0 {
		return
	}
	c := Table{ID: "rescan-changes", Title: "What the scan gives differently", Columns: []Column{left("published"), left("was"), left("is")}}
	for _, x := range r.Changes {
		c.Rows = append(c.Rows, Row{Cells: []Cell{text(x.What), text(x.Old), text(x.New)}})
	}
	if r.More > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("And %s more, in the report of the scan.", Count(int64(r.More))))
	}
	b.Tables = append(b.Tables, c)
}

// changedSince names the detectors of today that the scan did not have, or had in
// another version.
func (r *StudyRescan) changedSince() string {
	var out []string
	for _, d := range detect.All {
		switch had, ok := r.Detectors[d.Name]; {
		case !ok:
			out = append(out, d.Name+" is new")
		case had != d.Version:
			out = append(out, fmt.Sprintf("%s@%d is %s@%d", d.Name, had, d.Name, d.Version))
		}
	}
	return strings.Join(out, ", ")
}
