package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func testTable() *table {
	t := &table{head: []string{"GATE", "GOT", "EMPTY", "WHY"}, right: []bool{false, true}}
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
	two := &table{indent: "  ", head: []string{"WHAT", "WHY"}}
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

func TestNearest(t *testing.T) {
	names := []string{"freeze", "slow-window", "sampler-gap"}
	for in, want := range map[string]string{
		"freze": "freeze", "frezee": "freeze", "Freeze": "freeze", "slowwindow": "slow-window", "samp": "sampler-gap",
		"drift": "", "x": "", "": "",
	} {
		if got := nearest(in, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", in, got, want)
		}
	}
}
