package render

import (
	"testing"

	"headroom/analyze"
)

func rowsOf(rows ...[]string) (out []analyze.Row) {
	for _, r := range rows {
		row := analyze.Row{}
		for _, c := range r {
			row.Cells = append(row.Cells, analyze.Cell{Text: c})
		}
		out = append(out, row)
	}
	return out
}

func columns(names ...string) (out []analyze.Column) {
	for _, n := range names {
		out = append(out, analyze.Column{Name: n, Align: "left"})
	}
	return out
}

func texts(t analyze.Table) (out [][]string) {
	for _, r := range t.Rows {
		var row []string
		for _, c := range r.Cells {
			row = append(row, c.Text)
		}
		out = append(out, row)
	}
	return out
}

func equalRows(t *testing.T, what string, got, want [][]string) {
	t.Helper()
	same := len(got) == len(want)
	for i := 0; same && i < len(got); i++ {
		same = len(got[i]) == len(want[i])
		for k := 0; same && k < len(got[i]); k++ {
			same = got[i][k] == want[i][k]
		}
	}
	if !same {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestAlike says once what holds of several runs, and keeps what differs.
func TestAlike(t *testing.T) {
	in := analyze.Table{ID: "gates", Columns: columns("run", "scope", "gate", "why"), Rows: rowsOf(
		[]string{"n=1", "default, n=1", "dropped", "not recorded"},
		[]string{"n=2", "default, n=2", "dropped", "not recorded"},
		[]string{"n=2", "default", "p99", "over"},
		[]string{"n=3", "default, n=3", "dropped", "not recorded"})}
	equalRows(t, "rows", texts(alike(in)), [][]string{
		{"all 3 runs", "default", "dropped", "not recorded"},
		{"n=2", "default", "p99", "over"}})
	in.Columns[0].Name = "file" // no table of runs
	equalRows(t, "another table", texts(alike(in)), texts(in))
}

// TestOneAnswer joins what says the same of several things, from three on.
func TestOneAnswer(t *testing.T) {
	in := analyze.Table{ID: "elimination", Columns: columns("candidate", "verdict"), Rows: rowsOf(
		[]string{"a", "could not look"}, []string{"b", "ruled out"}, []string{"c", "could not look"},
		[]string{"d", "could not look"}, []string{"e", "ruled out"})}
	out := oneAnswer(in)
	equalRows(t, "rows", texts(out), [][]string{{"3 others", "could not look"}, {"b", "ruled out"}, {"e", "ruled out"}})
	if got := out.Rows[0].Cells[0].Note; got != "a; c; d" {
		t.Errorf("the joined row names %q", got)
	}
}

// TestAsOne makes one table of those of one shape, and leaves others apart.
func TestAsOne(t *testing.T) {
	o := owns{Tables: []string{"limiter", "memory"}, Together: []string{"limiter"}}
	table := func(id, title string, names []string, rows ...[]string) analyze.Table {
		return analyze.Table{ID: id, Title: title, Columns: columns(names...), Rows: rowsOf(rows...), Notes: []string{"a note"}}
	}
	got := asOne([]analyze.Table{
		table("limiter-a", "Limits: first", []string{"of", "passed"}, []string{"run", "1"}),
		table("memory-a", "Memory: first", []string{"together"}, []string{"2 GB"}),
		table("limiter-b", "Limits: second", []string{"of", "passed"}, []string{"run", "3"}),
		table("limiter-c", "Limits: third", []string{"of", "refused"}, []string{"run", "4"}),
		table("gates", "Gates", []string{"gate"}, []string{"p99"}),
	}, o)
	if len(got) != 3 || got[0].Title != "Limits" || len(got[0].Notes) != 1 {
		t.Fatalf("tables %+v", got)
	}
	equalRows(t, "joined", texts(got[0]), [][]string{{"first", "1"}, {"second", "3"}})
	equalRows(t, "of another shape", texts(got[2]), [][]string{{"4"}})
}
