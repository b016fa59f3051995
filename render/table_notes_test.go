package render

import (
	"slices"
	"strings"
	"testing"

	"headroom/render/md"
)

func TestNumberNotes(t *testing.T) {
	long, longer := strings.Repeat("why ", 10), strings.Repeat("because ", 12)
	notes := append(make([]string, 0, 8), "first")
	table := md.Table{Notes: notes, Columns: []md.Column{{Name: "text"}, {Name: "number", Right: true}},
		Rows: []md.Row{
			{Cells: []md.Cell{{Text: "a", Note: long}, {Text: "1", Note: long}, {Text: "beyond the columns", Note: long}}},
			{Cells: []md.Cell{{Text: "b", Note: longer}, {Text: "2", Note: long}}},
			{Cells: []md.Cell{{Text: "c"}, {Text: "3", Note: "short"}}},
		}}
	numberNotes(&table)
	var got []string
	for _, r := range table.Rows {
		for _, c := range r.Cells {
			got = append(got, c.Note)
		}
	}
	if want := []string{long, "note 1", long, "note 2", "note 1", "", "short"}; !slices.Equal(got, want) {
		t.Errorf("notes of the cells %q, want %q", got, want)
	}
	if want := []string{"first", "note 1: " + long, "note 2: " + longer}; !slices.Equal(table.Notes, want) {
		t.Errorf("notes below %q, want %q", table.Notes, want)
	}
	if more := notes[:2]; more[1] != "" {
		t.Error("the notes of the capacity were written over")
	}
}
