package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func testTable() *table {
	t := &table{head: []string{"gate", "got", "empty", "why"}, right: []bool{false, true}}
	t.add("dropped", "8", "", "eight requests were due and never sent, so the load was not what it claims")
	t.add("failed", "0", "", "")
	return t
}

func drawn(t *table, width int) string {
	var b bytes.Buffer
	t.write(&b, width)
	return b.String()
}

func TestTable(t *testing.T) {
	want := strings.Join([]string{
		"GATE     GOT  WHY",
		"dropped    8  eight requests were due and never sent, so the load was not what it claims",
		"failed     0",
		"",
	}, "\n")
	if got := drawn(testTable(), 0); got != want {
		t.Errorf("without limit:\n%s\nwant:\n%s", got, want)
	}
	want = strings.Join([]string{
		"GATE     GOT  WHY",
		"dropped    8  eight requests were due",
		"              and never sent, so the",
		"              load was not what it",
		"              claims",
		"failed     0",
		"",
	}, "\n")
	if got := drawn(testTable(), 40); got != want {
		t.Errorf("at 40 columns:\n%s\nwant:\n%s", got, want)
	}
	want = strings.Join([]string{
		"dropped",
		"  got: 8",
		"  why: eight requests",
		"    were due and never",
		"    sent, so the load",
		"    was not what it",
		"    claims",
		"failed",
		"  got: 0",
		"",
	}, "\n")
	if got := drawn(testTable(), 24); got != want {
		t.Errorf("at 24 columns:\n%s\nwant:\n%s", got, want)
	}
	two := &table{indent: "  ", head: []string{"what", "why"}}
	two.add("a column of some length", "and another one that is as long")
	want = strings.Join([]string{
		"  WHAT             WHY",
		"  a column of      and another one",
		"  some length      that is as long",
		"",
	}, "\n")
	if got := drawn(two, 34); got != want {
		t.Errorf("two columns at 34:\n%s\nwant:\n%s", got, want)
	}
}

// TestTableNarrow takes columns out of the grid, in their order, before it makes
// a list.
func TestTableNarrow(t *testing.T) {
	for width, want := range map[int]string{
		50: `
GATE     GOT  WANT          ID    WHY
dropped  8    none dropped  a1b2  never sent
failed   0    none failed   c3d4
`,
		36: `
GATE     GOT  WANT
dropped  8    none dropped
    never sent
failed   0    none failed
`,
		20: `
GATE     GOT
dropped  8
    want: none
      dropped
    never sent
failed   0
    want: none
      failed
`,
	} {
		table := &table{
			head:  []string{"gate", "got", "want", "id", "why"},
			spare: []string{"id"}, note: "why", below: []string{"want", "got"},
		}
		table.add("dropped", "8", "none dropped", "a1b2", "never sent")
		table.add("failed", "0", "none failed", "c3d4", "")
		if got := drawn(table, width); "\n"+got != want {
			t.Errorf("at %d columns:\n%s\nwant:%s", width, got, want)
		}
	}
}

// TestManual ends the lines of a manual where the terminal does.
func TestManual(t *testing.T) {
	const text = "A paragraph whose lines\nend early.\n\n  kept as it is, however long\nAnother."
	for width, want := range map[int]string{
		0:  text + "\n",
		30: "A paragraph whose lines end\nearly.\n\n  kept as it is, however long\nAnother.\n",
	} {
		var b bytes.Buffer
		writeManual(&b, width, text)
		if b.String() != want {
			t.Errorf("width %d: %q, want %q", width, b.String(), want)
		}
	}
}

func TestWrap(t *testing.T) {
	text := "a überlangesWort and short ones"
	for width := 1; width < 40; width++ {
		lines := wrap(text, width)
		for _, line := range lines {
			if utf8.RuneCountInString(line) > width {
				t.Errorf("width %d: %q is longer", width, line)
			}
		}
		if joined := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); joined != strings.ReplaceAll(text, " ", "") {
			t.Errorf("width %d: letters are lost: %q", width, lines)
		}
	}
	if got := wrap("", 10); !slices.Equal(got, []string{""}) {
		t.Errorf("no text: %q", got)
	}
}

// TestPlain keeps text of foreign origin from acting on a terminal.
func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"plain text, 3 ms":       "plain text, 3 ms",
		"two\nlines":             "two; lines",
		"\x1b[31mred\x1b[0m":     `\x1b[31mred\x1b[0m`,
		"bell\a, tab\t, del\x7f": `bell\x07, tab\x09, del\x7f`,
		"right\u202eleft":        `right\x202eleft`,
		"\u009bcsi":              `\x9bcsi`,
		" ends ":                 "ends",
	} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
}
