package figure

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"headroom/analyze"
	"headroom/internal/golden"
)

// TestKinds draws one small figure of each kind and compares the file.
func TestKinds(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no figures in testdata", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var f analyze.Figure
			if err := json.Unmarshal(data, &f); err != nil {
				t.Fatal(err)
			}
			d := mustDraw(t, f)
			again := mustDraw(t, f)
			if d.File() != again.File() || d.Inline("a") != again.Inline("a") {
				t.Error("two drawings of one figure differ")
			}
			_, body, _ := strings.Cut(d.File(), "</style>") // the style sheet is the same for all
			golden.Equal(t, strings.TrimSuffix(path, ".json")+".svg.golden", []byte(body))
		})
	}
}

// TestSpikeSurvives draws runs of up to a day with one bad second and looks
// for its peak in the line.
func TestSpikeSurvives(t *testing.T) {
	for _, n := range []int{10, 600, 7200, 86_400} {
		for _, scaleName := range []string{"", "log"} {
			s := analyze.Series{Name: "p99", Mark: "line", Role: "p99", Gap: 1.5}
			for i := range n {
				y := 0.02
				if i == n/3 {
					y = 3
				}
				s.X, s.Y = append(s.X, float64(i)), append(s.Y, y)
			}
			f := analyze.Figure{ID: "t", Kind: "timeline", X: analyze.Axis{Unit: "s", Start: "2026-01-01T00:00:00Z"},
				Y: []analyze.Axis{{Label: "latency", Unit: "s", Scale: scaleName}}, Panels: []analyze.Panel{{Series: []analyze.Series{s}}}}
			d := mustDraw(t, f)
			for _, p := range []picture{d.wide, d.narrow} {
				low, high := extentOf(t, p.body, "s-p99")
				if high-low < 60 {
					t.Errorf("%d points, axis %q, width %v: the line spans %.1f pixels, so its peak is lost", n, scaleName, p.w, high-low)
				}
			}
			if size := len(d.File()); size > 40_000 {
				t.Errorf("%d points: the file has %d bytes", n, size)
			}
		}
	}
}

// TestFreezeIsSeen draws an interval of a tenth of a second in a day.
func TestFreezeIsSeen(t *testing.T) {
	f := analyze.Figure{ID: "t", Kind: "timeline", X: analyze.Axis{Unit: "s", Start: "2026-01-01T00:00:00Z"}, Y: []analyze.Axis{{Unit: "s"}},
		Panels: []analyze.Panel{{Series: []analyze.Series{{X: []float64{0, 86400}, Y: []float64{1, 1}}},
			Spans: []analyze.Span{{X0: 4000, X1: 4000.1, Kind: "freeze", Label: "freeze"}}}}}
	d := mustDraw(t, f)
	if !strings.Contains(d.wide.body, "<title>freeze, 66:40.0 to 66:40.1</title>") {
		t.Error("no area tells of the freeze")
	}
	if low, high := extentOf(t, d.wide.body, "a-freeze"); high-low < 100 {
		t.Errorf("the mark of the freeze is %.1f pixels high", high-low)
	}
}

// TestFreezeOfAllIsAStrip draws a freeze of the whole run: what else the panel shows
// is not flooded.
func TestFreezeOfAllIsAStrip(t *testing.T) {
	for length, want := range map[float64]bool{100: true, 60: true, 40: false} {
		f := analyze.Figure{ID: "t", Kind: "timeline", X: analyze.Axis{Unit: "s", Start: "2026-01-01T00:00:00Z"}, Y: []analyze.Axis{{Unit: "s"}},
			Panels: []analyze.Panel{{Series: []analyze.Series{{X: []float64{0, 100}, Y: []float64{1, 1}}},
				Spans: []analyze.Span{{X0: 0, X1: length, Kind: "freeze", Label: "freeze"}}}}}
		d := mustDraw(t, f)
		if low, high := areaOf(t, d.wide.body, "freeze"); (high-low < 20) != want {
			t.Errorf("a freeze of %g %% of the axis is %.1f pixels high", length, high-low)
		}
	}
}

// areaOf is the extent of the area that has a title of that kind: not of the swatch
// in the legend.
func areaOf(t *testing.T, body, kind string) (low, high float64) {
	t.Helper()
	_, body, _ = strings.Cut(body, "<g><title>"+kind)
	body, _, _ = strings.Cut(body, "</g>")
	return extentOf(t, body, "a-"+kind)
}

// TestManySpansStaySmall draws ten thousand freezes: their areas merge.
func TestManySpansStaySmall(t *testing.T) {
	f := analyze.Figure{ID: "t", Kind: "timeline", X: analyze.Axis{Unit: "s", Start: "2026-01-01T00:00:00Z"}, Y: []analyze.Axis{{Unit: "s"}},
		Panels: []analyze.Panel{{Series: []analyze.Series{{X: []float64{0, 60000}, Y: []float64{1, 1}}}}}}
	for i := range 10_000 {
		f.Panels[0].Spans = append(f.Panels[0].Spans, analyze.Span{X0: float64(i) * 6, X1: float64(i)*6 + 1, Kind: "freeze"})
	}
	d := mustDraw(t, f)
	if len(d.File()) > 20_000 {
		t.Errorf("the file has %d bytes", len(d.File()))
	}
	if !strings.Contains(d.wide.body, "10,000 × freeze") {
		t.Error("the merged area does not say how many it holds")
	}
}

// TestBounds draws more panels, series and names than a picture holds.
func TestBounds(t *testing.T) {
	f := analyze.Figure{ID: "t", Kind: "timeline"}
	for range maxPanels + 3 {
		f.Y = append(f.Y, analyze.Axis{})
		var p analyze.Panel
		for i := range maxSeries + 2 {
			p.Series = append(p.Series, analyze.Series{Name: strconv.Itoa(i), X: []float64{0, 1}, Y: []float64{0, 1}})
		}
		f.Panels = append(f.Panels, p)
	}
	notes := strings.Join(mustDraw(t, f).Notes, " ")
	for _, want := range []string{"3 further panels are not drawn.", "2 further series of panel 1 are not drawn."} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q", want)
		}
	}
	waits := analyze.Figure{ID: "w", Kind: "waits", X: analyze.Axis{Scale: "category"}, Panels: []analyze.Panel{{Series: []analyze.Series{{}}}}}
	for i := range maxBars + 5 {
		waits.X.Categories = append(waits.X.Categories, strings.Repeat("name", 100))
		s := &waits.Panels[0].Series[0]
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, float64(i))
	}
	if notes := mustDraw(t, waits).Notes; len(notes) != 1 || notes[0] != "5 further names are not drawn." {
		t.Errorf("notes of the tally: %q", notes)
	}
}

// TestIncomplete draws figures that lack what they refer to.
func TestIncomplete(t *testing.T) {
	for name, f := range map[string]analyze.Figure{
		"nothing":       {},
		"no panels":     {Y: []analyze.Axis{{Label: "y"}}},
		"no axes":       {Panels: []analyze.Panel{{Series: []analyze.Series{{X: []float64{1}, Y: []float64{2}}}}}},
		"uneven":        {Y: []analyze.Axis{{}}, Panels: []analyze.Panel{{Series: []analyze.Series{{X: []float64{1, 2, 3}, Y: []float64{2}}}}}},
		"no categories": {Kind: "waits", X: analyze.Axis{Scale: "category"}, Panels: []analyze.Panel{{Series: []analyze.Series{{X: []float64{0}, Y: []float64{2}}}}}},
		"unknown":       {Kind: "sculpture", X: analyze.Axis{Scale: "spiral"}, Y: []analyze.Axis{{Unit: "furlong"}}, Panels: []analyze.Panel{{Series: []analyze.Series{{Mark: "clay", Role: "text", X: []float64{0, 1}, Y: []float64{2, 3}}}, Spans: []analyze.Span{{X1: 1, Kind: "back"}}}}},
		"huge": {Y: []analyze.Axis{{Scale: "log"}}, Panels: []analyze.Panel{{Series: []analyze.Series{{X: []float64{0, 1, 2}, Y: []float64{1e-149, 1, 1e149}}},
			Spans: []analyze.Span{{X0: math.Inf(-1), X1: 1}}, Lines: []analyze.HLine{{Y: math.NaN()}, {Y: -1}, {Y: 1e300}}}}},
		"no time":     {X: analyze.Axis{Unit: "s", Start: "2026-01-01T00:00:00Z"}, Panels: []analyze.Panel{{Series: []analyze.Series{{X: []float64{-1e100, 1e120}, Y: []float64{1, 2}}}}}},
		"percentiles": {X: analyze.Axis{Scale: "percentile"}, Panels: []analyze.Panel{{Series: []analyze.Series{{X: []float64{-1, 0, 0.5, 1, 2}, Y: []float64{1, 1, 1, 1, 1}}}}}},
	} {
		d := mustDraw(t, f)
		if name == "percentiles" && leftCount(d) != 3 {
			t.Errorf("%s: %q, want 3 points left out", name, d.Notes)
		}
		if name == "uneven" && leftCount(d) != 2 {
			t.Errorf("%s: %q, want 2 points left out", name, d.Notes)
		}
	}
}

func TestPanicNamesTheFigure(t *testing.T) {
	err := protect("timeline-7", func() { panic(errors.New("illegal range")) })
	if err == nil || err.Error() != `figure "timeline-7": illegal range` {
		t.Errorf("got %v", err)
	}
	c := newCanvas(10, 10)
	if err := protect("arc", func() { c.Fill(vg.Path{{Type: vg.ArcComp}}) }); err == nil {
		t.Error("an arc, which the canvas cannot write, was lost silently")
	}
}

// TestDrawLeavesFigure checks that a figure is not changed by drawing it.
func TestDrawLeavesFigure(t *testing.T) {
	f := analyze.Figure{ID: "t", Y: []analyze.Axis{{}}, Notes: make([]string, 0, 8),
		Panels: []analyze.Panel{{Series: []analyze.Series{{X: []float64{0, 1, 2}, Y: []float64{1, math.NaN(), 3}, Text: []string{"a", "b", "c"}}}}}}
	before := fmt.Sprint(f)
	mustDraw(t, f)
	if after := fmt.Sprint(f); after != before {
		t.Errorf("the figure was changed:\n%s\n%s", before, after)
	}
}

var path = regexp.MustCompile(`<path class="([^"]+)"[^>]* d="([^"]*)"`)

// extentOf walks the paths of a class and returns their lowest and highest y.
func extentOf(t *testing.T, body, class string) (low, high float64) {
	t.Helper()
	low, high = math.Inf(1), math.Inf(-1)
	for _, m := range path.FindAllStringSubmatch(body, -1) {
		if m[1] != class {
			continue
		}
		for _, p := range walk(t, m[2]) {
			low, high = min(low, p[1]), max(high, p[1])
		}
	}
	if low > high {
		t.Errorf("no path of class %s", class)
	}
	return low, high
}

var token = regexp.MustCompile(`[mlz]|-?(?:\d+\.\d+|\d+|\.\d+)`)

// walk reads path data of relative moves and lines back into points.
func walk(t *testing.T, d string) (points [][2]float64) {
	t.Helper()
	var x, y, x0, y0 float64
	command, pending := "", []float64{}
	for _, tok := range token.FindAllString(d, -1) {
		switch tok {
		case "m", "l":
			command = tok
			continue
		case "z":
			x, y = x0, y0
			continue
		}
		v, err := strconv.ParseFloat(tok, 64)
		if err != nil {
			t.Fatal(err)
		}
		if pending = append(pending, v); len(pending) < 2 {
			continue
		}
		x, y = x+pending[0], y+pending[1]
		pending = pending[:0]
		if command == "m" {
			x0, y0 = x, y
			command = "l"
		}
		points = append(points, [2]float64{x, y})
	}
	return points
}

func TestPathData(t *testing.T) {
	c := newCanvas(100, 100)
	pts := [][2]float64{{10, 90}, {10.04, 89.96}, {10.5, 120}, {-3.2, 90}, {0, 0}}
	var p vg.Path
	for i, q := range pts {
		at := vg.Point{X: vg.Length(q[0]), Y: vg.Length(100 - q[1])}
		if i == 0 || i == 3 {
			p.Move(at)
			continue
		}
		p.Line(at)
	}
	got := walk(t, c.data(p))
	if len(got) != len(pts) {
		t.Fatalf("%d points of %d in %q", len(got), len(pts), c.data(p))
	}
	for i, q := range pts {
		if math.Abs(got[i][0]-q[0]) > 0.051 || math.Abs(got[i][1]-q[1]) > 0.051 {
			t.Errorf("point %d of %q is %v, want %v within a twentieth of a pixel", i, c.data(p), got[i], q)
		}
	}
}

// FuzzDraw draws figures from JSON: no panic, no error, well-formed pictures.
func FuzzDraw(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var fig analyze.Figure
		if json.Unmarshal(data, &fig) != nil {
			return
		}
		mustDraw(t, fig)
	})
}
