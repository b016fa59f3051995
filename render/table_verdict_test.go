package render

import (
	"strings"
	"testing"

	"headroom/render/md"
)

// TestVerdictSecond: what decides stands behind the name of its row, whatever the
// column is called; a matrix of verdicts keeps its order.
func TestVerdictSecond(t *testing.T) {
	for _, x := range []struct{ columns, classes, want string }{
		{"run scope gate verdict got", "- - - fail -", "run verdict scope gate got"},
		{"candidate test result verdict", "- - - -", "candidate verdict test result"},
		{"run sent kept-up probe", "- - pass -", "run kept-up sent probe"},
		{"rate run rung delivered reconciled", "- - pass - unknown", "rate rung run delivered reconciled"},
		{"run a b c d", "- - pass pass fail", "run a b c d"},
		{"run verdict a", "- pass -", "run verdict a"},
		{"run a b", "- - -", "run a b"},
	} {
		var table md.Table
		var row md.Row
		for i, name := range strings.Fields(x.columns) {
			table.Columns = append(table.Columns, md.Column{Name: name})
			class := strings.Trim(strings.Fields(x.classes)[i], "-")
			row.Cells = append(row.Cells, md.Cell{Text: name, Class: class})
		}
		table.Rows = []md.Row{row}
		verdictSecond(&table)
		var heads, cells []string
		for i := range table.Columns {
			heads = append(heads, table.Columns[i].Name)
			cells = append(cells, table.Rows[0].Cells[i].Text)
		}
		if strings.Join(heads, " ") != x.want || strings.Join(cells, " ") != x.want {
			t.Errorf("%s: heads %q, cells %q, want %q", x.columns, heads, cells, x.want)
		}
	}
}
