package md

import (
	"strings"
	"testing"

	"headroom/internal/golden"
)

func TestWrite(t *testing.T) {
	doc := []Block{
		Heading{Level: 1, Text: "A title"},
		Answer{Outcome: "unknown", Verdict: "Something could not be judged.", Limits: "Not shown: the rest.",
			Statements: []Statement{{Lead: "80 events/s", Text: "for a minute"}, {Lead: "", Text: "a statement without a figure"}}},
		Text("Words *as they are*.\n"),
		Table{Title: "Steps | of a sweep", Columns: []Column{{Name: "clients", Right: true, Doc: "workers that wait for replies"}, {Name: "name"}, {Name: "verdict"}},
			Rows: []Row{
				{Cells: []Cell{{Text: "1"}, {Text: "a|b"}, {Text: "pass", Class: "pass"}}},
				{Class: "knee", Cells: []Cell{{Text: "128", Badge: "knee", Link: "q1"}, {Text: "", Note: "no name"}, {Text: "fail", Class: "fail"}}},
				{Cells: []Cell{{Text: "2"}}},
				{Cells: []Cell{{Text: "3"}, {Text: strings.Repeat("long ", 12)}, {Text: "x"}, {Text: "a cell too many"}}},
			}, Notes: []string{"A note with <b>."}},
		Table{Title: "Nothing", Columns: []Column{{Name: "a"}}},
		Figure{ID: "sweep-1", Title: "What is seen", Alt: "A line that [bends].", Notes: []string{"One point a step.", "1 point left out."}},
		Details{Summary: "More <i>", Blocks: []Block{Code{Text: "pgbench -c 4\necho ```\x07"}, Text("End.")}},
	}
	golden.Equal(t, "testdata/document.md.golden", []byte(Write(doc)))
}

// TestRowsKeepTheirCells checks that each line of a table has the same number of
// cells, whatever a row brought.
func TestRowsKeepTheirCells(t *testing.T) {
	table := Table{Columns: []Column{{Name: "a"}, {Name: "b"}}, Rows: []Row{{}, {Cells: []Cell{{Text: "1"}, {Text: "2"}, {Text: "3"}}}}}
	for _, line := range strings.Split(strings.TrimSpace(table.Source()), "\n") {
		if n := strings.Count(line, "|"); n != 4 {
			t.Errorf("%d bars in %q, want 4", n, line)
		}
	}
}

func TestLinksOnlyInSource(t *testing.T) {
	table := Table{Columns: []Column{{Name: "a"}}, Rows: []Row{{Cells: []Cell{{Text: "5 ms", Link: "q7"}}}}}
	if s := table.Source(); !strings.Contains(s, "[5 ms](#q7)") {
		t.Errorf("the page's source has no link: %s", s)
	}
	if s := Write([]Block{table}); strings.Contains(s, "#q7") {
		t.Errorf("the Markdown file has a link that leads nowhere: %s", s)
	}
}
