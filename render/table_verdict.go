package render

import (
	"slices"

	"headroom/render/md"
)

// fewVerdictColumns is up to how many columns of verdicts a table may have for the
// first of them to be moved; more are a matrix that is read across.
const fewVerdictColumns = 2

// verdictSecond moves the column that decides behind the name of its row: on a
// narrow screen what stands to the right is out of sight.
func verdictSecond(t *md.Table) {
	from := verdictColumn(*t)
	if from < 2 {
		return
	}
	t.Columns = moved(t.Columns, from)
	for i, r := range t.Rows {
		t.Rows[i].Cells = moved(r.Cells, from)
	}
}

// verdictColumn is the column that decides: the one of that name, else the first
// that holds verdicts; -1 where none does, or where they are a matrix.
func verdictColumn(t md.Table) int {
	if i := slices.IndexFunc(t.Columns, func(c md.Column) bool { return c.Name == "verdict" }); i >= 0 {
		return i
	}
	first, n := -1, 0
	for i := range t.Columns {
		if slices.ContainsFunc(t.Rows, func(r md.Row) bool { return i < len(r.Cells) && isVerdict(r.Cells[i].Class) }) {
			n++
			if first < 0 {
				first = i
			}
		}
	}
	if n > fewVerdictColumns {
		return -1
	}
	return first
}

// moved returns the list with its element at from as the second; a shorter list as
// it is.
func moved[T any](list []T, from int) []T {
	if from >= len(list) {
		return list
	}
	out := slices.Delete(slices.Clone(list), from, from+1)
	return slices.Insert(out, 1, list[from])
}
