package render

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"headroom/render/md"
)

// Notes that are longer stand below the table, by number: a sentence in a narrow
// column of numbers makes its row many lines high.
const (
	noteOfNumber = 14
	noteOfText   = 80
)

// foldAbsent takes out each column in which every row lacks its value for one and
// the same reason, and says so once below the table: a column of equal dashes tells
// a reader no more than that, and pushes others off the screen.
func foldAbsent(t *md.Table) {
	if len(t.Rows) < 2 {
		return
	}
	var said []string
	for i := len(t.Columns) - 1; i > 0; i-- {
		why, ok := absentFor(t.Rows, i)
		if !ok {
			continue
		}
		said = append(said, t.Columns[i].Name+" ("+why+")")
		t.Columns = slices.Delete(t.Columns, i, i+1)
		for r := range t.Rows {
			t.Rows[r].Cells = slices.Delete(t.Rows[r].Cells, i, i+1)
		}
	}
	if len(said) > 0 {
		slices.Reverse(said)
		t.Notes = append(t.Notes[:len(t.Notes):len(t.Notes)], "Not known of any row: "+strings.Join(said, "; ")+".")
	}
}

// absentFor is the reason that all rows give for having nothing in a column.
func absentFor(rows []md.Row, column int) (why string, ok bool) {
	for i, r := range rows {
		if column >= len(r.Cells) {
			return "", false
		}
		c := r.Cells[column]
		if c.Text != nothing || c.Note == "" || i > 0 && c.Note != why {
			return "", false
		}
		why = c.Note
	}
	return why, true
}

// seenCount is how a note ends that says how many samples there were.
var seenCount = regexp.MustCompile(`, there are [0-9,]+$`)

// bare is a note without the count that there was: notes that differ in nothing else
// are one, and the table says how many samples each row has.
func bare(note string) string { return seenCount.ReplaceAllString(note, "") }

// numberNotes moves the long notes of cells below the table; equal notes share a
// number.
func numberNotes(t *md.Table) {
	numbers, counts := map[string]string{}, map[string]string{}
	several := map[string]bool{}
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			before, ok := counts[bare(c.Note)]
			several[bare(c.Note)] = several[bare(c.Note)] || ok && before != c.Note
			counts[bare(c.Note)] = c.Note
		}
	}
	for _, r := range t.Rows {
		for i := range r.Cells {
			c := &r.Cells[i]
			room := noteOfText
			if i < len(t.Columns) && t.Columns[i].Right {
				room = noteOfNumber
			}
			if utf8.RuneCountInString(c.Note) <= room {
				continue
			}
			if several[bare(c.Note)] {
				c.Note = bare(c.Note)
			}
			name, ok := numbers[c.Note]
			if !ok {
				name = fmt.Sprintf("note %d", len(numbers)+1)
				numbers[c.Note] = name
				t.Notes = append(t.Notes[:len(t.Notes):len(t.Notes)], name+": "+c.Note)
			}
			c.Note = name
		}
	}
}
