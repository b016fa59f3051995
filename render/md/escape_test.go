package md

import (
	"bytes"
	"html"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"headroom/render/label"
)

// TestEscapeShowsTheText renders texts made of everything Markdown could read as
// markup, in a paragraph, a heading, a list, a cell, in bold and in italics, and
// checks that the reader sees the very text.
func TestEscapeShowsTheText(t *testing.T) {
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM))
	pieces := []string{"*", "**", "_", "__", "`", "```", "~", "~~", "#", "-", "+", "=", "==", "1.", "2)", ">", "<", "<b>", "</b>", "<!--", "<?",
		"&", "&amp;", "&#124;", "&lt", "|", "\\", "[", "]", "(", ")", "![", "](", "http://a.b", "www.", "ftp://", "a@b.cc", "javascript:x", "[x]", "[ ]", "$", "!", "\n", "\t", " ", "  ", "a", "B", "é", "漢", "🚀", "0", ":", "\"", "'", "@me", "^", "{#id}"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := b.String()
		want := strings.Join(strings.Fields(label.Clean(text, label.Line)), " ")
		if want == "" {
			continue
		}
		inline := Escape(text, label.Line)
		for name, block := range map[string]Block{
			"paragraph": Text(inline), "heading": Heading{Level: 2, Text: inline}, "item": Text("- " + inline), "bold": Text(bold(inline)),
			"sentence": Text("See " + inline + " here."), "cell": Table{Columns: []Column{{Name: "a"}}, Rows: []Row{{Cells: []Cell{{Text: text}}}}},
			"note": Table{Columns: []Column{{Name: "a"}}, Rows: []Row{{Cells: []Cell{{Text: "x", Note: text}}}}},
		} {
			source := Write([]Block{block})
			var out bytes.Buffer
			if err := gfm.Convert([]byte(source), &out); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), "<a ") {
				t.Errorf("%s of %q became a link: %s", name, text, out.String())
			}
			got := strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(out.String(), ""))), " ")
			expected := map[string]string{"sentence": "See " + want + " here.", "cell": "a " + want, "note": "a x (" + want + ")"}[name]
			if expected == "" {
				expected = want
			}
			if got != expected {
				t.Errorf("%s of %q: %q shows %q", name, text, source, got)
			}
		}
	}
}

func TestEscapeStaysLegible(t *testing.T) {
	for _, s := range []string{"concurrency_8", "2.9 ms", "-5", "= 0", "≤ 1.25", "a & b", "x < y", "p99.9", "#818", "3,385 events/s", "8.9 / 16", "50 % (4/5)"} {
		if got := Escape(s, label.Cell); string(got) != s {
			t.Errorf("%q needs no escape, got %q", s, got)
		}
	}
}

func TestEscapeCuts(t *testing.T) {
	got := Escape(strings.Repeat("*", 1<<20), 20)
	if want := Inline(strings.Repeat(`\*`, 20) + label.Ellipsis); got != want {
		t.Errorf("got %q", got)
	}
}
