package render

import (
	"fmt"
	"unicode/utf8"

	"headroom/render/md"
)

// Notes that are longer stand below the table, by number: a sentence in a narrow
// column of numbers makes its row many lines high.
const (
	noteOfNumber = 14
	noteOfText   = 80
)

// numberNotes moves the long notes of cells below the table; equal notes share a
// number.
func numberNotes(t *md.Table) {
	numbers := map[string]string{}
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
