package check

import (
	"cmp"
	"fmt"
	"slices"
)

// The ways in which a document can differ from what it must be.
const (
	Number  = "number"  // a number is another
	Words   = "words"   // words or marks are others
	Line    = "line"    // a line is there that must not be, or is missing
	Missing = "missing" // a whole file is
	Changed = "changed" // a line of capacity.json is not as it was sealed
)

// Difference is one place of a document that is not what it must be.
type Difference struct {
	File string `json:"file"`
	// Line and Column count from 1, columns in characters; 0 where the place has
	// none.
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Kind   string `json:"kind"`
	Got    string `json:"got,omitempty"`
	Want   string `json:"want,omitempty"`
	// What says what the place shows: the section, the quantity, the path in JSON.
	What string `json:"what,omitempty"`
}

// String is "file:line:column: what differs".
func (d Difference) String() string {
	s := d.File
	if d.Line > 0 {
		s += fmt.Sprintf(":%d", d.Line)
	}
	if d.Column > 0 {
		s += fmt.Sprintf(":%d", d.Column)
	}
	s += ": "
	switch {
	case d.Kind == Missing:
		s += "the file is missing"
	case d.Kind == Changed:
		s += "changed since it was written"
		if d.Got != "" {
			s += fmt.Sprintf(": %q", d.Got)
		}
	case d.Got == "":
		s += fmt.Sprintf("missing here: %q", d.Want)
	case d.Want == "":
		s += fmt.Sprintf("nothing says %q", d.Got)
	case d.Kind == Number: // nothing but a number on either side
		s += fmt.Sprintf("%s must be %s", d.Got, d.Want)
	default:
		s += fmt.Sprintf("%q must be %q", d.Got, d.Want)
	}
	if d.What != "" {
		s += " (" + d.What + ")"
	}
	return s
}

// ordered sorts differences by file and place.
func ordered(list []Difference) []Difference {
	slices.SortStableFunc(list, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return list
}
