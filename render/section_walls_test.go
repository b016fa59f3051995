package render

import (
	"slices"
	"testing"

	"headroom/analyze"
)

// TestWallsHaveTheirElimination checks that what was suspected of each wall stands
// below the order of the walls, to be opened, and nowhere else.
func TestWallsHaveTheirElimination(t *testing.T) {
	var c analyze.Capacity
	for _, id := range []string{"bottlenecks", "elimination", "ranked", "elimination.1", "elimination.2", "elimination-2"} {
		c.Tables = append(c.Tables, analyze.Table{ID: id, Title: id, Columns: columns("candidate", "test", "result", "verdict"), Rows: rowsOf([]string{"a", "b", "c", "d"})})
	}
	for section, want := range map[string][]string{
		first.Name:       {"bottlenecks", "ranked", "elimination.1 folded", "elimination.2 folded"},
		elimination.Name: {"elimination", "elimination-2"},
	} {
		o := map[string]owns{first.Name: firstOwns, elimination.Name: elimination.owns}[section]
		var got []string
		for _, x := range asOne(c.Tables, o) {
			id := x.ID
			if isOneOf(x, o.Folded) {
				id += " folded"
			}
			got = append(got, id)
		}
		if !slices.Equal(got, want) {
			t.Errorf("section %s shows %q, want %q", section, got, want)
		}
	}
}
