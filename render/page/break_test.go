package page

import (
	"strconv"
	"strings"
	"testing"

	"headroom/render/md"
)

// TestSameName: the name that a row shares with the one above it stands back.
func TestSameName(t *testing.T) {
	var rows []md.Row
	for _, name := range []string{"a", "a", "b", "a"} {
		rows = append(rows, md.Row{Cells: []md.Cell{{Text: name}}})
	}
	rows = append(rows, md.Row{Cells: []md.Cell{{Text: "a", Note: "note 1"}}})
	s, err := table(md.Table{ID: "t", Columns: []md.Column{{Name: "run"}}, Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range strings.Split(s, "<tr>")[2:] {
		got = append(got, strconv.FormatBool(strings.Contains(row, `class="same"`)))
	}
	if want := "false true false false false"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %s in\n%s", got, want, s)
	}
}

// TestBreakable: a long word may be broken behind what joins its parts, in a column
// that has one, and says the same; a number is not cut.
func TestBreakable(t *testing.T) {
	tests := []struct{ text, want string }{
		{"sweep.tpcb.sustained.throughput", "sweep.<wbr>tpcb.<wbr>sustained.<wbr>throughput"},
		{"usl@1 (r2=0.98434404931857791, steps=9)", "usl@<wbr>1 (r2=<wbr>0.98434404931857791, steps=<wbr>9)"},
		{"of=waits.LWLock:BufferContent_a|b", "of=<wbr>waits.<wbr>LWLock:<wbr>BufferContent_<wbr>a|b"},
		{"_a_.<b>&amp;.ccccccccccccccccccccc_", "_a_.<wbr>&lt;b&gt;&amp;amp;.<wbr>ccccccccccccccccccccc_"},
		{strings.Repeat("f", 64), strings.Repeat("f", 64)},
	}
	for _, test := range tests {
		s, err := table(md.Table{ID: "t", Columns: []md.Column{{Name: "a"}, {Name: "short.name"}},
			Rows: []md.Row{{Cells: []md.Cell{{Text: test.text}, {Text: "p.99"}}}}})
		if err != nil {
			t.Fatal(err)
		}
		_, s, _ = strings.Cut(s, "<tbody>")
		if !strings.Contains(s, ">"+test.want+"</th>") || !strings.Contains(s, ">p.99</td>") {
			t.Errorf("%q:\n%s\nwant %s", test.text, s, test.want)
		}
	}
}
