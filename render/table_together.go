package render

import (
	"slices"
	"strings"

	"headroom/analyze"
)

// fewValues is up to how many figures without a table of their own are shown at
// once.
const fewValues = 24

// asOne returns the tables that a section owns, in their order. Those whose name
// the section lists, and whose columns are alike, stand as one, where the first of
// them stood: what each is of becomes a column.
func asOne(all []analyze.Table, o owns) (out []analyze.Table) {
	for _, t := range all {
		if !o.table(t) {
			continue
		}
		if i := slices.IndexFunc(out, func(s analyze.Table) bool { return o.joins(s, t) }); i >= 0 {
			out[i] = joined(out[i], t)
			continue
		}
		out = append(out, t)
	}
	for i := range out {
		out[i] = onlyOne(out[i])
	}
	return out
}

// joins reports whether t may be added to s, which may have been added to before.
func (o owns) joins(s, t analyze.Table) bool {
	if !slices.ContainsFunc(o.Together, func(name string) bool { return isTable(s, name) && isTable(t, name) }) {
		return false
	}
	title, of := titleOf(t)
	before, _ := titleOf(s)
	columns := s.Columns
	if isJoined(s) {
		before, columns = s.Title, s.Columns[1:]
	}
	return of != "" && title == before && slices.Equal(columns, t.Columns)
}

// joinedColumn heads the column that says what each row of a joined table is of.
const joinedColumn = "of what"

func isJoined(t analyze.Table) bool { return len(t.Columns) > 0 && t.Columns[0].Name == joinedColumn }

// titleOf cuts a title into what a table shows and what it is of: "Limits: the
// first run" is "Limits" of "the first run".
func titleOf(t analyze.Table) (what, of string) {
	what, of, _ = strings.Cut(t.Title, ": ")
	return what, of
}

func joined(s, t analyze.Table) analyze.Table {
	if !isJoined(s) {
		s = labelled(s)
	}
	more := labelled(t)
	s.Rows = append(slices.Clip(s.Rows), more.Rows...)
	for _, n := range t.Notes {
		if !slices.Contains(s.Notes, n) {
			s.Notes = append(slices.Clip(s.Notes), n)
		}
	}
	return s
}

// labelled is a table with what it is of in its first column.
func labelled(t analyze.Table) analyze.Table {
	what, of := titleOf(t)
	t.Title = what
	t.Columns = append([]analyze.Column{{Name: joinedColumn, Align: "left"}}, t.Columns...)
	rows := make([]analyze.Row, len(t.Rows))
	for i, r := range t.Rows {
		r.Cells = append([]analyze.Cell{{Text: of}}, r.Cells...)
		rows[i] = r
	}
	t.Rows = rows
	return t
}

// onlyOne takes out the columns that say of every row that it is of the run as a
// whole.
func onlyOne(t analyze.Table) analyze.Table {
	for k := len(t.Columns) - 1; k >= 0; k-- {
		c := t.Columns[k]
		if c.Name != "of" && c.Name != "scope" || len(t.Columns) < 2 || !slices.ContainsFunc(t.Rows, func(r analyze.Row) bool { return len(r.Cells) > 0 }) {
			continue
		}
		if slices.ContainsFunc(t.Rows, func(r analyze.Row) bool { return k >= len(r.Cells) || r.Cells[k].Text != "run" }) {
			continue
		}
		t.Columns = slices.Delete(slices.Clone(t.Columns), k, k+1)
		rows := make([]analyze.Row, len(t.Rows))
		for i, r := range t.Rows {
			r.Cells = slices.Delete(slices.Clone(r.Cells), k, k+1)
			rows[i] = r
		}
		t.Rows = rows
	}
	return t
}

// newNotes is a table without the notes that stand below an earlier one of the
// section.
func newNotes(t analyze.Table, said map[string]bool) analyze.Table {
	var fresh []string
	for _, n := range t.Notes {
		if !said[n] {
			fresh = append(fresh, n)
		}
		said[n] = true
	}
	t.Notes = fresh
	return t
}
