package render

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/internal/browsertest"
)

// explorable is a document with a table, figures over time and a fleet.
func explorableSample(t *testing.T) (page string, c *analyze.Capacity) {
	t.Helper()
	c = samples(t)["sweep"]
	out := filepath.Join(t.TempDir(), "sweep")
	if err := Build(c, out, Options{}); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(out, filePage), c
}

const clickOn = `const click = e => e.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
const q = s => document.querySelector(s);
`

// TestSortInBrowser sorts the steps by p99, which has values in µs, ms and s, up,
// down and back.
func TestSortInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	page, _ := explorableSample(t)
	b.Open(page, screens[0])
	var got struct {
		As                 []string
		Up, Down, Back, In []string
	}
	b.Eval(clickOn+`
const table = q("#table-steps table");
const at = [...table.tHead.rows[0].cells].findIndex(c => c.textContent.startsWith("p99"));
const column = () => [...table.tBodies[0].rows].map(r => r.cells[at].textContent);
const th = table.tHead.rows[0].cells[at], as = [];
const press = () => { click(th.querySelector("button")); as.push(th.getAttribute("aria-sort") || "none"); return column(); };
const In = column();
return {In, Up: press(), Down: press(), Back: press(), As: as};`, &got)
	if !slices.Equal(got.As, []string{"ascending", "descending", "none"}) || !slices.Equal(got.Back, got.In) || len(got.Up) < 3 {
		t.Fatalf("sorted as %v: %v", got.As, got)
	}
	slices.Reverse(got.Down)
	if !slices.Equal(got.Up, got.Down) {
		t.Errorf("up %v, down %v", got.Up, got.Down)
	}
	if said := b.Console(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// TestZoomInBrowser opens the explorer of a timeline: each lane is a plot, all
// have one range, which narrows and widens by buttons, and closing brings the
// picture back.
func TestZoomInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	page, c := explorableSample(t)
	i := slices.IndexFunc(c.Figures, func(f analyze.Figure) bool { return f.X.Start != "" })
	b.Open(page, screens[0])
	type span struct{ Min, Max float64 }
	var opened bool
	b.Eval(clickOn+`click(q("button.explore")); return true`, &opened)
	look := `const f = q("figure.exploring");
return {Picture: !!f?.querySelector("svg.plot")?.getClientRects().length, Ranges: f.plots.map(p => ({Min: p.scales.x.min, Max: p.scales.x.max})), Legend: f.querySelectorAll(".u-legend .u-value").length}`
	var whole, zoomed struct {
		Picture bool
		Ranges  []span
		Legend  int
	}
	b.Eval(clickOn+look, &whole)
	b.Eval(clickOn+`click(q("[aria-label='zoom in']")); return true`, &opened)
	b.Eval(clickOn+look, &zoomed)
	if whole.Picture || len(whole.Ranges) != len(c.Figures[i].Panels) || whole.Legend == 0 {
		t.Errorf("of %d panels, %d are explored, picture shown: %v", len(c.Figures[i].Panels), len(whole.Ranges), whole.Picture)
	}
	for k, r := range zoomed.Ranges {
		w := whole.Ranges[k]
		if r != zoomed.Ranges[0] || w != whole.Ranges[0] || r.Max-r.Min > 0.51*(w.Max-w.Min) || r.Max <= r.Min {
			t.Errorf("panel %d: %v of %v", k, r, w)
		}
	}
	var back bool
	b.Eval(clickOn+`click(q("button.explore")); return !!q("figure svg.plot").getClientRects().length && !q(".explorer")`, &back)
	if !back {
		t.Error("the picture is not back")
	}
	if said := b.Console(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// TestSetUpLate: what nobody has asked for is not set up when a page opens. No plot is
// drawn before its button is pressed, and then only those of its figure; a table in
// a folded part can be sorted once that is open.
func TestSetUpLate(t *testing.T) {
	b := browsertest.Start(t)
	page, _ := explorableSample(t)
	b.Open(page, screens[0])
	var got struct{ Folded, Plots, Buttons, Sortable int }
	b.Eval(clickOn+`
const count = s => document.querySelectorAll(s).length;
return {Folded: count("details:not([open]) th .sort"), Plots: count("canvas, .uplot"), Buttons: count("button.explore"), Sortable: count("th .sort")};`, &got)
	if got.Folded > 0 || got.Plots > 0 || got.Buttons == 0 || got.Sortable == 0 {
		t.Errorf("on opening: %+v", got)
	}
	var opened struct{ Figures, Plots int }
	b.Eval(clickOn+`click(q("button.explore"));
return {Figures: document.querySelectorAll("figure:has(.uplot)").length, Plots: document.querySelectorAll(".uplot").length}`, &opened)
	if opened.Figures != 1 || opened.Plots == 0 {
		t.Errorf("after one button: %+v", opened)
	}
	var folds bool
	b.Eval(`document.querySelectorAll("details").forEach(d => { d.open = true; }); return true`, &folds)
	var left, tables int
	b.Eval(`return [...document.querySelectorAll("details .scroll > table")].filter(t => t.tBodies[0].rows.length > 2).length`, &tables)
	b.Eval(`return [...document.querySelectorAll("details .scroll > table")].filter(t => t.tBodies[0].rows.length > 2 && !t.querySelector(".sort")).length`, &left)
	if tables == 0 || left > 0 {
		t.Errorf("%d of %d tables in open parts cannot be sorted", left, tables)
	}
}

// TestProvenanceInBrowser asks a number where it comes from: the row of the
// appendix stands beside it, Escape closes it and gives the focus back.
func TestProvenanceInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	page, _ := explorableSample(t)
	b.Open(page, screens[1])
	var got struct {
		Terms              []string
		Row                []string
		Left, Right, Width float64
		Closed, Focus      bool
	}
	b.Eval(clickOn+`
const link = q("#table-steps td a[href^='#']"), pop = q(".pop");
click(link);
const row = document.getElementById(link.hash.slice(1)), box = pop.getBoundingClientRect();
const out = {Terms: [...pop.querySelectorAll("dd")].map(e => e.textContent), Row: [...row.cells].map(e => e.textContent.trim()), Left: box.left, Right: box.right, Width: document.documentElement.clientWidth};
document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
out.Closed = pop.hidden; out.Focus = document.activeElement === link;
return out`, &got)
	for _, term := range got.Terms {
		if !slices.Contains(got.Row, term) {
			t.Errorf("%q is not in the row %q", term, got.Row)
		}
	}
	if len(got.Terms) < 3 || !got.Closed || !got.Focus || got.Left < 0 || got.Right > got.Width {
		t.Errorf("shown %+v", got)
	}
}

// TestCalculatorInBrowser computes a fleet from the page's own figure, both ways,
// and keeps the direction of its bound.
func TestCalculatorInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	page, c := explorableSample(t)
	var rate float64
	var bound analyze.Bound
	for _, q := range c.Quantities {
		if per := perEndpoint(&q); per > 0 && rate == 0 {
			rate, bound = *q.Value*per/3600, q.Bound
		}
	}
	b.Open(page, screens[0])
	var lines []string
	b.Eval(clickOn+`
for (const [id, v] of [["rate", "3600"], ["endpoints", "1000000"], ["price", "2"]]) q("#calculator-" + id).value = v;
q(".calculator").dispatchEvent(new Event("input", {bubbles: true}));
return [...document.querySelectorAll("#calculator-answer p")].map(p => p.textContent)`, &lines)
	up, down := boundWords(bound)
	one := analyze.WholeEndpoints(rate * 3600 / 3600)
	n := math.Ceil(1e6 / one)
	want := []string{
		"One installation carries " + up + grouped(one) + " endpoints.",
		"1,000,000 endpoints need " + down + grouped(n) + " installations, " + down + grouped(2*n) + " an hour.",
	}
	if len(lines) < 2 || lines[0] != want[0] || lines[1] != want[1] {
		t.Errorf("said %q, want %q", lines, want)
	}
}

// boundWords are how a bound reads, of what is carried and of what is needed.
func boundWords(b analyze.Bound) (carried, needed string) {
	switch b {
	case analyze.Floor, analyze.AtLeast:
		return "at least ", "at most "
	case analyze.Ceiling, analyze.AtMost:
		return "at most ", "at least "
	}
	return "about ", "about "
}

// grouped writes a whole number with its thousands in groups.
func grouped(v float64) string {
	s := strconv.FormatInt(int64(v), 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// TestWithoutScripts: what needs a script is not on a page where none runs.
func TestWithoutScripts(t *testing.T) {
	b := browsertest.Start(t)
	page, _ := explorableSample(t)
	b.Open(page, browsertest.View{Width: 1280, Height: 800, NoScripts: true})
	var got struct {
		Text    string
		Buttons int
	}
	b.Eval(`return {Text: document.body.innerText, Buttons: document.querySelectorAll("button, input").length}`, &got)
	if got.Buttons > 0 || strings.Contains(got.Text, "Fleet calculator") || !strings.Contains(got.Text, "Over time") {
		t.Errorf("%d buttons; text: %.300s", got.Buttons, got.Text)
	}
}

// TestPerEndpoint reads the rate of a fleet from its ID, with and without a
// configuration in it.
func TestPerEndpoint(t *testing.T) {
	for id, want := range map[string]float64{
		"fleet.60.endpoints": 60, "fleet.0.5.endpoints": 0.5, "fleet.matching.600.endpoints": 600, "fleet.v2.600.endpoints": 600,
		"fleet.60.required.1000": 0, "fleet.endpoints": 0, "sweep.60.endpoints": 0,
	} {
		if got := perEndpoint(&analyze.Quantity{ID: id}); got != want {
			t.Errorf("%s: %g, want %g", id, got, want)
		}
	}
}
