package md

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

var (
	row  = regexp.MustCompile(`(?s)<tr>(.*?)</tr>`)
	cell = regexp.MustCompile(`(?s)<t[dh][^>]*>(.*?)</t[dh]>`)
	tag  = regexp.MustCompile(`</?([a-z0-9]+)[^>]*>`)
)

// TestCasesTableCells renders each name of the case as the first of four cells,
// by goldmark with everything that GitHub adds, and reads the table back.
func TestCasesTableCells(t *testing.T) {
	data, err := os.ReadFile(casesDir(t) + "/md-table-cells/input.names.json")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := json.Unmarshal(data, &names); err != nil {
		t.Fatal(err)
	}
	table := Table{Columns: []Column{{Name: "name"}, {Name: "a"}, {Name: "b"}, {Name: "c"}}}
	for i, name := range names {
		table.Rows = append(table.Rows, Row{Cells: []Cell{
			{Text: name}, {Text: fmt.Sprint(i)}, {Text: fmt.Sprint(i + 1)}, {Text: fmt.Sprint(i + 2)}}})
	}
	var out bytes.Buffer
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM))
	if err := gfm.Convert([]byte(Write([]Block{table})), &out); err != nil {
		t.Fatal(err)
	}
	rows := row.FindAllStringSubmatch(out.String(), -1)
	if len(rows) != len(names)+1 {
		t.Fatalf("%d rows, want %d and the header:\n%s", len(rows), len(names), out.String())
	}
	for i, name := range names {
		cells := cell.FindAllStringSubmatch(rows[i+1][1], -1)
		if len(cells) != 4 {
			t.Errorf("name %d (%q): %d cells, want 4: %s", i, name, len(cells), rows[i+1][0])
			continue
		}
		for k, want := range []string{shown(name), fmt.Sprint(i), fmt.Sprint(i + 1), fmt.Sprint(i + 2)} {
			if got := textOf(cells[k][1]); got != want {
				t.Errorf("name %d, cell %d: shows %q, want %q", i, k, got, want)
			}
		}
		for _, m := range tag.FindAllStringSubmatch(cells[0][1], -1) {
			if m[1] != "a" || !strings.Contains(cells[0][1], `href="`+html.EscapeString(name)+`"`) {
				t.Errorf("name %d (%q) made an element: %s", i, name, cells[0][1])
			}
		}
	}
}

// shown is what a reader must see for a name.
func shown(name string) string {
	if s := strings.TrimSpace(strings.ReplaceAll(name, "\n", " ")); s != "" {
		return s
	}
	return string(Empty)
}

func textOf(s string) string {
	return strings.TrimSpace(html.UnescapeString(tag.ReplaceAllString(s, "")))
}
