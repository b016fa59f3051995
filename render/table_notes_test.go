package render

import (
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
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

func TestFoldAbsent(t *testing.T) {
	absent := func(why string) md.Cell { return md.Cell{Text: nothing, Note: why} }
	columns := []md.Column{{Name: "run"}, {Name: "p99"}, {Name: "load"}, {Name: "foreign CPU"}}
	rows := func(last md.Cell) []md.Row {
		return []md.Row{
			{Cells: []md.Cell{{Text: "a"}, {Text: "1 s"}, absent("not recorded"), absent("not recorded")}},
			{Cells: []md.Cell{{Text: "b"}, {Text: "2 s"}, absent("not recorded"), last}},
		}
	}
	tests := []struct {
		name    string
		rows    []md.Row
		columns []string
		notes   []string
	}{
		{"one reason in both", rows(absent("not recorded")), []string{"run", "p99"},
			[]string{"Not known of any row: load (not recorded); foreign CPU (not recorded)."}},
		{"another reason", rows(absent("died")), []string{"run", "p99", "foreign CPU"}, []string{"Not known of any row: load (not recorded)."}},
		{"a value", rows(md.Cell{Text: "0"}), []string{"run", "p99", "foreign CPU"}, []string{"Not known of any row: load (not recorded)."}},
		{"no reason", rows(md.Cell{Text: nothing}), []string{"run", "p99", "foreign CPU"}, []string{"Not known of any row: load (not recorded)."}},
		{"one row", rows(md.Cell{})[:1], []string{"run", "p99", "load", "foreign CPU"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table := md.Table{Columns: slices.Clone(columns), Rows: test.rows}
			foldAbsent(&table)
			var names []string
			for _, c := range table.Columns {
				names = append(names, c.Name)
			}
			if !slices.Equal(names, test.columns) || !slices.Equal(table.Notes, test.notes) {
				t.Errorf("columns %q and notes %q, want %q and %q", names, table.Notes, test.columns, test.notes)
			}
			for _, r := range table.Rows {
				if len(r.Cells) != len(names) {
					t.Errorf("a row of %d cells under %d columns", len(r.Cells), len(names))
				}
			}
		})
	}
}

// TestNotesOfCounts: what too few samples do not support is said once, however many
// there were in each row; where all rows had as many, that is said too.
func TestNotesOfCounts(t *testing.T) {
	few := func(n string) md.Row {
		return md.Row{Cells: []md.Cell{{Text: nothing, Note: "p99.9 needs at least 1,000 samples, there are " + n}}}
	}
	for _, x := range []struct {
		rows []md.Row
		want string
	}{
		{[]md.Row{few("256"), few("444"), few("256")}, "note 1: p99.9 needs at least 1,000 samples"},
		{[]md.Row{few("256"), few("256")}, "note 1: p99.9 needs at least 1,000 samples, there are 256"},
	} {
		table := md.Table{Columns: []md.Column{{Name: "p99.9", Right: true}}, Rows: x.rows}
		numberNotes(&table)
		if !slices.Equal(table.Notes, []string{x.want}) || table.Rows[1].Cells[0].Note != "note 1" {
			t.Errorf("notes %q, the second row has %q, want %q", table.Notes, table.Rows[1].Cells[0].Note, x.want)
		}
	}
}

// TestQuietNamesItsScope: a detector that found something elsewhere in the run is not
// said to have found nothing without what it looked at.
func TestQuietNamesItsScope(t *testing.T) {
	look := func(detector, scenario string, found int) analyze.Look {
		l := analyze.Look{Detector: detector, Version: 1, Could: true, Found: found}
		l.Scope.Scenario = scenario
		return l
	}
	var w Writer
	w.tableIDs = names{}
	table := w.lookTable([]analyze.Look{look("freeze", "ingest", 2), look("freeze", "probe", 0), look("drift", "ingest", 0), look("drift", "probe", 0)})
	if want := []string{"Looked, and found nothing: freeze@1 of probe, drift@1."}; !slices.Equal(table.Notes, want) {
		t.Errorf("%q, want %q", table.Notes, want)
	}
}
