package figure

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"headroom/analyze"
)

// casesDir is the folder of fault cases: HEADROOM_CASES, or ../shared/cases
// beside the folder of go.mod.
func casesDir(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("HEADROOM_CASES"); dir != "" {
		return dir
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "..", "shared", "cases")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no folder of cases at %s; HEADROOM_CASES names another", dir)
	}
	return dir
}

// TestCasesDegenerateSeries draws each series of the case on a linear and on a
// logarithmic axis, and counts what is drawn and what is said to be left out.
func TestCasesDegenerateSeries(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(casesDir(t), "plot-degenerate-series", "input.json"))
	if err != nil {
		t.Fatal(err)
	}
	var input map[string][][2]any
	if err := json.Unmarshal(data, &input); err != nil {
		t.Fatal(err)
	}
	type counts struct{ drawn, left int }
	want := map[string][2]counts{ // linear, logarithmic
		"single_one": {{1, 0}, {1, 0}}, "single_zero": {{1, 0}, {0, 1}}, "with_zero": {{3, 0}, {2, 1}},
		"all_equal": {{3, 0}, {3, 0}}, "with_null": {{2, 1}, {2, 1}}, "infinite": {{2, 2}, {2, 2}},
		"empty": {{0, 0}, {0, 0}}, "negative": {{2, 0}, {1, 1}}, "tiny_range": {{2, 0}, {2, 0}},
	}
	for name, points := range input {
		w, ok := want[name]
		if !ok {
			t.Errorf("series %s: the test has no answer for it", name)
			continue
		}
		for i, axis := range []string{"", "log"} {
			f := analyze.Figure{ID: name, Kind: "timeline", Title: name, Alt: name, X: analyze.Axis{Label: "x"},
				Y: []analyze.Axis{{Label: "y", Scale: axis}}, Panels: []analyze.Panel{{Series: []analyze.Series{caseSeries(name, points)}}}}
			d := mustDraw(t, f)
			if got := (counts{dotCount(d), leftCount(d)}); got != w[i] {
				t.Errorf("%s, axis %q: drawn and left out %v, want %v; notes %q", name, axis, got, w[i], d.Notes)
			}
			if w[i].drawn == 0 && !strings.Contains(d.wide.body, "no data") {
				t.Errorf("%s, axis %q: nothing is drawn, and no placeholder says so", name, axis)
			}
			if name == "with_null" && strings.Contains(d.wide.body, `stroke-width="1.6"`) {
				t.Errorf("%s, axis %q: a line joins the points across the gap", name, axis)
			}
			if name == "tiny_range" {
				ticksDiffer(t, d, axis)
			}
		}
	}
}

func caseSeries(name string, points [][2]any) analyze.Series {
	s := analyze.Series{Name: name, Mark: "line", Role: "other"}
	number := func(v any) float64 {
		switch v := v.(type) {
		case float64:
			return v
		case string:
			var f float64
			if _, err := fmt.Sscan(v, &f); err == nil {
				return f
			}
		}
		return math.NaN()
	}
	for _, p := range points {
		s.X, s.Y = append(s.X, number(p[0])), append(s.Y, number(p[1]))
	}
	return s
}

// mustDraw draws a figure and checks what holds for every drawing.
func mustDraw(t *testing.T, f analyze.Figure) Drawing {
	t.Helper()
	d, err := Draw(f)
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, d.File())
	checkSVG(t, "<div>"+d.Inline("x")+"</div>")
	return d
}

var (
	noNumber = regexp.MustCompile(`(?i)\b(nan|inf|infinity)\b`)
	classes  = regexp.MustCompile(`class="([sfa]-[a-z0-9]+)"`)
)

// checkSVG checks that a drawing is well-formed, made of the elements we draw
// with, and that its numbers are numbers and its colours those of the theme.
func checkSVG(t *testing.T, svg string) {
	t.Helper()
	allowed := map[string]bool{"svg": true, "div": true, "title": true, "desc": true, "style": true, "rect": true, "g": true, "path": true, "text": true}
	attributes := regexp.MustCompile(`^(xmlns|class|viewBox|width|height|role|aria-labelledby|id|d|stroke-width|stroke-dasharray|x|y|style|font-weight|textLength|lengthAdjust)$`)
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, svg)
		}
		if e, ok := tok.(xml.StartElement); ok {
			if !allowed[e.Name.Local] {
				t.Errorf("element %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				if !attributes.MatchString(a.Name.Local) {
					t.Errorf("attribute %s of %s", a.Name.Local, e.Name.Local)
				}
			}
		}
	}
	if m := noNumber.FindString(svg); m != "" {
		t.Errorf("the drawing holds %q", m)
	}
	css := CSS()
	for _, m := range classes.FindAllStringSubmatch(svg, -1) {
		if !strings.Contains(css, "."+m[1]) {
			t.Errorf("class %s has no colour", m[1])
		}
	}
}

// dotCount counts the points of the wide picture, which marks each of a few by a
// dot: a move and a line of no length.
func dotCount(d Drawing) int { return strings.Count(d.wide.body, "l0 0") }

var leftNote = regexp.MustCompile(`(\d+) points? left out`)

func leftCount(d Drawing) (n int) {
	for _, note := range d.Notes {
		for _, m := range leftNote.FindAllStringSubmatch(note, -1) {
			var k int
			if _, err := fmt.Sscan(m[1], &k); err == nil {
				n += k
			}
		}
	}
	return n
}

var label11 = regexp.MustCompile(`text-?[^>]*>([^<]*)</text>`)

func ticksDiffer(t *testing.T, d Drawing, axis string) {
	t.Helper()
	seen := map[string]bool{}
	n := 0
	for _, m := range label11.FindAllStringSubmatch(d.wide.body, -1) {
		if strings.HasPrefix(m[1], "1,000,000") {
			n++
			seen[m[1]] = true
		}
	}
	if n < 2 || len(seen) != n {
		t.Errorf("axis %q: the ticks do not tell the values apart: %v", axis, seen)
	}
}
