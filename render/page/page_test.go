package page

import (
	"errors"
	"html"
	"regexp"
	"strings"
	"testing"

	"headroom/internal/golden"
	"headroom/render/md"
)

// TestWrite compares the page of a small document, without its style sheet.
func TestWrite(t *testing.T) {
	p := Page{
		Title: `A <title> & "more"`, Kind: "Capacity · run", LimitsAt: "caveats", Footer: "Made by headroom.",
		Answer: md.Answer{Outcome: "fail", Verdict: "A gate *failed*.", Limits: "Not shown: the rest.", LimitCount: "1 thing this does not show",
			Statements: []md.Statement{{Lead: "80 <b>events/s</b>", Text: "for a minute"}}},
		Sections: []Section{
			{Name: "measured", Title: "What was measured", Blocks: []md.Block{
				md.Text("Words with **weight**."),
				md.Figure{ID: "sweep-1", Title: "Flat from 16", Notes: []string{"One point a step.", "2 < 3."}},
				md.Table{ID: "steps", Title: "Steps", Columns: []md.Column{{Name: "clients", Right: true}, {Name: "verdict", Doc: "of the gates"}},
					Rows: []md.Row{
						{Class: "knee", ID: "q1", Cells: []md.Cell{{Text: "16", Badge: "knee"}, {Text: "pass", Class: "pass"}}},
						{Cells: []md.Cell{{Text: "3,011", Link: "q1", Note: "floor"}, {Text: strings.Repeat("f", 30)}}},
					}},
				md.Details{ID: "run-1", Summary: "Run <1>", Blocks: []md.Block{md.Code{Text: "echo '<b>'"}, md.Heading{Level: 3, Text: "Inside"}}},
			}},
			{Name: "caveats", Title: "What this does not show", Blocks: []md.Block{md.Text("- The rest."), md.Table{ID: "none", Title: "Nothing"}}},
		},
		Figure: func(id string) (string, error) { return "<svg><title>" + id + "</title></svg>\n", nil },
	}
	var b strings.Builder
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(b.String(), "<style>")
	_, rest, found := strings.Cut(rest, "</style>")
	if !found {
		t.Fatal("the page has no style sheet")
	}
	rest, script, _ := strings.Cut(rest, "<script>")
	text, end, found := strings.Cut(script, "</script>")
	if _, hash := scriptElement(text); !found || !strings.Contains(html.UnescapeString(head), "script-src '"+hash+"'") {
		t.Error("the content policy does not let the page's own script run")
	}
	hash := regexp.MustCompile(`sha256-[^']*`)
	golden.Equal(t, "testdata/page.html.golden", []byte(hash.ReplaceAllString(head, "sha256-…")+"<style></style>"+rest+"<script></script>"+end))
}

func TestFigureMissing(t *testing.T) {
	missing := errors.New("not drawn")
	p := Page{Answer: md.Answer{Outcome: "pass"}, Sections: []Section{{Name: "a", Blocks: []md.Block{md.Figure{ID: "x"}}}},
		Figure: func(string) (string, error) { return "", missing }}
	if err := Write(&strings.Builder{}, p); !errors.Is(err, missing) || !strings.Contains(err.Error(), "section a") {
		t.Errorf("got %v", err)
	}
}

// TestRawHTMLStaysOut checks the door: what looks like HTML in Markdown is not
// passed on, even if a template were to let it through.
func TestRawHTMLStaysOut(t *testing.T) {
	for _, source := range []string{"<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b", "[x](javascript:alert(1))", "http://evil.test"} {
		out, err := convert(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"<script", "<img", "javascript:", "onerror", `href="http`} {
			if strings.Contains(out, bad) {
				t.Errorf("%q became %q", source, out)
			}
		}
	}
}
