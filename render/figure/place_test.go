package figure

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"headroom/analyze"
)

func timelineOf(spans ...analyze.Span) analyze.Figure {
	s := analyze.Series{Name: "completed", Mark: "steps", Role: "throughput"}
	for k := range 15 {
		s.X, s.Y = append(s.X, float64(k)), append(s.Y, 100)
	}
	return analyze.Figure{ID: "t", Kind: "timeline", X: analyze.Axis{Label: "time since the window's start", Unit: "s", Start: "2026-11-30T18:00:47.110494Z"},
		Y: []analyze.Axis{{Label: "completed", Unit: "events/s"}}, Panels: []analyze.Panel{{Series: []analyze.Series{s}, Spans: spans}}}
}

var textAt = regexp.MustCompile(`<text class="f-([a-z]+)" x="([^"]*)" y="([^"]*)"[^>]*?(?: textLength="([^"]*)")?[^>]*>([^<]*)</text>`)

type drawnText struct {
	x, y, width float64
	ink, text   string
}

func textsOf(t *testing.T, body string) (out []drawnText) {
	t.Helper()
	number := func(s string) float64 {
		if s == "" {
			return 7
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, m := range textAt.FindAllStringSubmatch(body, -1) {
		out = append(out, drawnText{number(m[2]), number(m[3]), number(m[4]), m[1], m[5]})
	}
	return out
}

// TestSpansDoNotSqueeze checks that an interval that begins before the window, or
// ends after it, leaves the axis as it is, and is marked to go on.
func TestSpansDoNotSqueeze(t *testing.T) {
	bare := mustDraw(t, timelineOf())
	for _, x := range []struct {
		from, to float64
		arrows   int
	}{{-18, 3, 1}, {4, 300, 1}, {-18, 300, 2}, {4, 6, 0}, {14, 15.2, 0}, {-300, -200, 0}} {
		d := mustDraw(t, timelineOf(analyze.Span{X0: x.from, X1: x.to, Kind: "checkpoint"}))
		if got := strings.Count(d.wide.body, `class="f-checkpoint"`); got != x.arrows {
			t.Errorf("from %g to %g: %d arrows, want %d", x.from, x.to, got, x.arrows)
		}
		if got, want := labelsOf(t, d), labelsOf(t, bare); got != want {
			t.Errorf("from %g to %g: the axis is %s, want %s", x.from, x.to, got, want)
		}
	}
}

// labelsOf joins the elapsed times that an axis names.
func labelsOf(t *testing.T, d Drawing) (s string) {
	for _, x := range textsOf(t, d.wide.body) {
		if strings.Contains(x.text, "0:") && len(x.text) < 7 {
			s += x.text + " "
		}
	}
	return s
}

// TestLastStepLasts checks that the last value of steps is drawn as long as the
// others.
func TestLastStepLasts(t *testing.T) {
	if got := bucket(timelineOf().Panels[0].Series[0]); got != 1 {
		t.Errorf("a bucket of %g, want 1", got)
	}
	if got := bucket(analyze.Series{X: []float64{0, 10, 12, 15}}); got != 0 {
		t.Errorf("uneven steps: a bucket of %g, want none", got)
	}
	e := extent{values: []float64{0, 14}, last: 15, spans: []float64{-18, 15.3}}
	if low, high := e.shown(); low != 0 || high != 15.3 {
		t.Errorf("the axis shows %g to %g, want 0 to 15.3", low, high)
	}
}

// TestNothingIsCut checks that every text of a figure lies within it, in both
// widths.
func TestNothingIsCut(t *testing.T) {
	for name, f := range map[string]analyze.Figure{"timeline": timelineOf(), "sweep": sweepFigure(1, 2, 4, 8, 16, 32, 64, 128, 256), "rungs": sweepFigure(25, 50, 75, 100, 125)} {
		d := mustDraw(t, f)
		for _, p := range []picture{d.wide, d.narrow} {
			for _, s := range textsOf(t, p.body) {
				if s.x < 0 || s.x+s.width > p.w.Points() {
					t.Errorf("%s, width %v: %q stands from %.1f to %.1f", name, p.w, s.text, s.x, s.x+s.width)
				}
			}
		}
	}
}

func sweepFigure(settings ...float64) analyze.Figure {
	s := analyze.Series{Name: "p99", Mark: "line", Role: "p99"}
	for i, n := range settings {
		s.X, s.Y = append(s.X, n), append(s.Y, 0.002*float64(int(1)<<i))
	}
	return analyze.Figure{ID: "s", Kind: "sweep", X: analyze.Axis{Label: "concurrency", Unit: "1", Scale: "log"}, Y: []analyze.Axis{{Label: "p99", Unit: "s", Scale: "log"}},
		Panels: []analyze.Panel{{Series: []analyze.Series{s}, Lines: []analyze.HLine{{Y: 0.1, Label: "limit 100 ms"}}}}}
}

// TestMeasuredSettingsAreTheTicks checks that the axis of a sweep names settings
// that were measured and no others, thinned where they would touch.
func TestMeasuredSettingsAreTheTicks(t *testing.T) {
	many := []float64{1, 2, 3, 4, 5, 6, 7, 8, 100, 1000, 10000, 10001}
	for _, x := range []struct {
		settings []float64
		scale    string
		length   vg.Length
		want     string
	}{
		{[]float64{1, 2, 4, 8, 16, 32, 64, 128, 256}, "log", 300, "1 2 4 8 16 32 64 128 256"},
		{[]float64{1, 2, 4, 8, 16, 32, 64, 128, 256}, "log", 120, "1 2 4 8 32 256"},
		{[]float64{25, 50, 75, 100, 125}, "", 300, "25 50 75 100 125"},
		{many, "log", 300, "1 2 4 7 100 1,000 10,001"},
		{[]float64{1000, 1001}, "", 300, "1,000 1,001"},
	} {
		s := newScale(analyze.Axis{Unit: "1", Scale: x.scale}, extent{values: x.settings}, x.length, true)
		var labels []string
		for _, tick := range s.ticks {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != x.want || len(s.ticks) != len(x.settings) {
			t.Errorf("%v on %v: %q of %d ticks, want %q", x.settings, x.length, got, len(s.ticks), x.want)
		}
	}
}

// TestLimitBesideTheCurve checks that the name of a limit does not lie on a line
// where there is a place that is free.
func TestLimitBesideTheCurve(t *testing.T) {
	f := sweepFigure(1, 2, 4, 8, 16, 32, 64)
	f.Panels[0].Series[0].Y = []float64{0.1, 0.1, 0.1, 0.1, 0.11, 0.12, 0.105} // above the limit, at its right end
	d := mustDraw(t, f)
	for _, p := range []picture{d.wide, d.narrow} {
		var curve [][2]float64
		for _, m := range path.FindAllStringSubmatch(p.body, -1) {
			if m[1] == "s-p99" && !strings.Contains(m[2], "l0 0") {
				curve = append(curve, walk(t, m[2])...)
			}
		}
		found := false
		for _, s := range textsOf(t, p.body) {
			if s.ink != "limit" {
				continue
			}
			found = true
			r := vg.Rectangle{Min: vg.Point{X: vg.Length(s.x), Y: vg.Length(s.y - 8)}, Max: vg.Point{X: vg.Length(s.x + s.width), Y: vg.Length(s.y)}}
			for i := 1; i < len(curve); i++ {
				a, b := curve[i-1], curve[i]
				if meets(vg.Point{X: vg.Length(a[0]), Y: vg.Length(a[1])}, vg.Point{X: vg.Length(b[0]), Y: vg.Length(b[1])}, r) {
					t.Errorf("width %v: %q lies on the curve", p.w, s.text)
				}
			}
		}
		if !found || len(curve) < 2 {
			t.Errorf("width %v: no limit, or no curve", p.w)
		}
	}
}

func TestMeets(t *testing.T) {
	r := vg.Rectangle{Min: vg.Point{X: 10, Y: 10}, Max: vg.Point{X: 20, Y: 20}}
	for _, x := range []struct {
		a, b vg.Point
		want bool
	}{
		{vg.Point{X: 0, Y: 15}, vg.Point{X: 30, Y: 15}, true},
		{vg.Point{X: 30, Y: 15}, vg.Point{X: 0, Y: 15}, true},
		{vg.Point{X: 0, Y: 0}, vg.Point{X: 30, Y: 30}, true},
		{vg.Point{X: 0, Y: 0}, vg.Point{X: 30, Y: 5}, false},
		{vg.Point{X: 15, Y: 0}, vg.Point{X: 15, Y: 30}, true},
		{vg.Point{X: 15, Y: 0}, vg.Point{X: 15, Y: 5}, false},
		{vg.Point{X: 15, Y: 15}, vg.Point{X: 15, Y: 15}, true},
		{vg.Point{X: 0, Y: 100}, vg.Point{X: 12, Y: 0}, true},
		{vg.Point{X: 0, Y: 0}, vg.Point{X: 9, Y: 100}, false},
	} {
		if got := meets(x.a, x.b, r); got != x.want {
			t.Errorf("from %v to %v: %v", x.a, x.b, got)
		}
	}
}

// TestSeriesAreToldApart checks that no two series of a panel share ink and dash,
// and that points of one on those of another are drawn as rings around them.
func TestSeriesAreToldApart(t *testing.T) {
	var list []analyze.Series
	for i := range maxSeries {
		list = append(list, analyze.Series{Name: fmt.Sprint(i), Role: "other"})
	}
	inks, rounds := seriesInks(list)
	seen := map[string]bool{}
	for i := range list {
		key := fmt.Sprint(inks[i], dashOf(rounds[i]))
		if seen[key] {
			t.Errorf("series %d looks like another: %s", i, key)
		}
		seen[key] = true
	}
	x := []float64{25, 50, 75}
	d := mustDraw(t, analyze.Figure{ID: "l", Kind: "sweep", X: analyze.Axis{Unit: "requests/s"}, Y: []analyze.Axis{{Label: "delivered"}},
		Panels: []analyze.Panel{{Series: []analyze.Series{{Name: "offered", Mark: "line", Role: "other", X: x, Y: x}, {Name: "delivered", Mark: "dots", Role: "throughput", X: x, Y: x}}}}})
	if n := strings.Count(d.wide.body, `class="s-throughput" stroke-width="1.6"`); n != len(x)+1 { // and one in the legend
		t.Errorf("%d rings, want %d", n, len(x)+1)
	}
}
