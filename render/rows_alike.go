package render

import (
	"fmt"
	"slices"
	"strings"

	"headroom/analyze"
)

// alike says once what holds of several runs: rows of a table that begins with the
// columns run and scope, and that are equal beyond them, become one row that names
// the runs. All rows stand in capacity.json.
func alike(t analyze.Table) analyze.Table {
	if len(t.Columns) < 3 || t.Columns[0].Name != "run" || t.Columns[1].Name != "scope" {
		return t
	}
	type group struct {
		row          analyze.Row
		runs, scopes []string
	}
	var order []string
	groups, of := map[string]*group{}, map[string]bool{}
	for _, r := range t.Rows {
		if len(r.Cells) < 3 {
			return t
		}
		of[r.Cells[0].Text] = true
		key := rest(r)
		g := groups[key]
		if g == nil {
			g = &group{row: r}
			groups[key] = g
			order = append(order, key)
		}
		if !slices.Contains(g.runs, r.Cells[0].Text) {
			g.runs = append(g.runs, r.Cells[0].Text)
		}
		if s := scopeWithout(r.Cells[1].Text, r.Cells[0].Text); !slices.Contains(g.scopes, s) {
			g.scopes = append(g.scopes, s)
		}
	}
	out := t
	out.Rows = nil
	for _, key := range order {
		g := groups[key]
		cells := slices.Clone(g.row.Cells)
		switch n := len(g.runs); {
		case n == len(of) && n > 1:
			cells[0].Text = allRuns(n)
		case n > fewRuns:
			cells[0].Text = fmt.Sprintf("%d of %d runs", n, len(of))
		case n > 1:
			cells[0].Text = together(g.runs)
		}
		if len(g.runs) > 1 {
			cells[1].Text = strings.Join(g.scopes, "; ")
		}
		out.Rows = append(out.Rows, analyze.Row{Cells: cells, Mark: g.row.Mark})
	}
	return out
}

// fewRuns is up to how many runs a row names.
const fewRuns = 6

// fewAlike is from how many rows on that differ in their first cell only they stand
// as one.
const fewAlike = 3

// oneAnswer joins the rows of a table that say the same of several things, where
// the first of them stood: what nobody could look at is one row.
func oneAnswer(t analyze.Table) analyze.Table {
	key := func(r analyze.Row) string {
		parts := []string{r.Mark}
		for _, c := range r.Cells[min(1, len(r.Cells)):] {
			parts = append(parts, c.Text, c.Note, c.ID)
		}
		return strings.Join(parts, "\x00")
	}
	times, names := map[string]int{}, map[string][]string{}
	for _, r := range t.Rows {
		if len(r.Cells) == 0 {
			return t
		}
		times[key(r)]++
		names[key(r)] = append(names[key(r)], r.Cells[0].Text)
	}
	var rows []analyze.Row
	done := map[string]bool{}
	for _, r := range t.Rows {
		k := key(r)
		if times[k] < fewAlike {
			rows = append(rows, r)
			continue
		}
		if done[k] {
			continue
		}
		done[k] = true
		r.Cells = slices.Clone(r.Cells)
		r.Cells[0] = analyze.Cell{Text: fmt.Sprintf("%d others", times[k]), Note: strings.Join(names[k], "; ")}
		rows = append(rows, r)
	}
	t.Rows = rows
	return t
}

// rest is what a row says beyond its first two columns.
func rest(r analyze.Row) string {
	parts := []string{r.Mark}
	for _, c := range r.Cells[2:] {
		parts = append(parts, c.Text, c.Note)
	}
	return strings.Join(parts, "\x00")
}

// scopeWithout is a scope without the step that names the run: "default,
// concurrency=8" of the run concurrency=8 is "default".
func scopeWithout(scope, run string) string {
	if s, ok := strings.CutSuffix(scope, ", "+run); ok {
		return s
	}
	return scope
}
