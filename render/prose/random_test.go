package prose

import (
	"bytes"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"headroom/analyze"
	"headroom/render/label"
)

// hidden is what of a template is no running text: actions, code, addresses.
var hidden = regexp.MustCompile("(?s)\\{\\{.*?\\}\\}|```.*?```|`[^`\n]*`|\\]\\([^)]*\\)")

// TestTypedDigitsAreNamed types a digit somewhere into the running text of a
// template without faults: its place is named, and nothing else.
func TestTypedDigitsAreNamed(t *testing.T) {
	data, err := os.ReadFile("testdata/sweep-good.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	text, c := string(data), sample(t, "sweep")
	free := []byte(hidden.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\x00", len(s)) }))
	r := rand.New(rand.NewPCG(7, 4))
	for i := range 300 {
		at := r.IntN(len(free))
		for !(free[at] >= 'a' && free[at] <= 'z') {
			at = r.IntN(len(free))
		}
		typed := text[:at] + fmt.Sprint(r.IntN(10)) + text[at:]
		line := strings.Count(text[:at], "\n") + 1
		_, problems := render(t, c, typed)
		faults := Faults(problems)
		if len(faults) != 1 || faults[0].Line != line || !strings.Contains(faults[0].Msg, "digit string") {
			t.Errorf("case %d, line %d, %q: %v", i, line, typed[max(0, at-10):min(len(typed), at+10)], faults)
		}
	}
}

// TestValuesAreData prints hostile texts in a paragraph, in bold, in a list and in
// a table: a reader sees the very text.
func TestValuesAreData(t *testing.T) {
	tag := regexp.MustCompile(`</?[a-z0-9]+[^>]*>`)
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM))
	for _, payload := range []string{
		"<script>alert(1)</script>", "[x](javascript:alert(1))", "a | b\n|---|", "**b** `c` ~d~", "# h", "![x](http://evil.test/x.png)", "\u202ereversed", "{{verdict}}", "&lt;b&gt;", "1. a",
	} {
		c := &analyze.Capacity{Findings: []analyze.Finding{{Detector: "freeze", Message: payload}}}
		for form, frame := range map[string]string{
			"paragraph": "Seen: %s here.", "bold": "Seen **%s** here.", "item": "- %s\n- x", "cell": "| a |\n|---|\n| %s |",
		} {
			d, problems := render(t, c, fmt.Sprintf(frame, `{{finding "freeze"}}`))
			if len(problems) > 0 || len(d.Sections) != 1 {
				t.Fatalf("%s: %v", form, problems)
			}
			var out bytes.Buffer
			if err := gfm.Convert([]byte(d.Sections[0].Parts[0].Text), &out); err != nil {
				t.Fatal(err)
			}
			shown := strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(out.String(), ""))), " ")
			want := strings.Join(strings.Fields(label.Clean(payload, label.Line)), " ")
			if !strings.Contains(shown, want) || strings.Contains(out.String(), "<script") || strings.Contains(out.String(), "<img") || strings.Contains(out.String(), "<a ") {
				t.Errorf("%s of %q shows %q", form, payload, out.String())
			}
		}
	}
}

// FuzzRender reads any text as a template: every problem has a place in it.
func FuzzRender(f *testing.F) {
	for _, name := range []string{"good", "bad"} {
		data, err := os.ReadFile("testdata/sweep-" + name + ".md.tmpl")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add("{{define \"x\"}}5{{end}}{{template \"x\"}}")
	f.Add("> - `{{const \"limit\"}}`\n\n    {{verdict}}\n\n[a]: <{{const \"limit\"}}> '1'\n\n<!-- {{passed}} -->")
	c := sample(f, "sweep")
	f.Fuzz(func(t *testing.T, text string) {
		_, problems := render(t, c, text)
		lines := strings.Count(text, "\n") + 1
		for _, p := range problems {
			if p.Line < 1 || p.Line > lines || p.Column < 1 || p.Msg == "" {
				t.Errorf("%v in a text of %d lines", p, lines)
			}
		}
	})
}
