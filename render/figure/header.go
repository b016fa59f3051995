package figure

import (
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"headroom/analyze"
	"headroom/render/label"
)

// header is the line above a panel: what the y axis shows, then what the lines
// and areas are.
type header struct {
	title   string
	entries []entry
	lines   [][]entry
}

type entry struct {
	ink  ink
	mark string // of a series, or "area"
	dash int
	name string
}

const (
	headerLine vg.Length = 17
	swatch     vg.Length = 18
	entryGap   vg.Length = 16
)

// broken breaks a label that is wider than the room before its parenthesis.
func broken(s string, sty draw.TextStyle, room vg.Length) string {
	if i := strings.LastIndex(s, " ("); i > 0 && sty.Width(s) > room {
		return s[:i] + "\n" + s[i+1:]
	}
	return s
}

// nameEnds writes the name of each line beside its last point.
func nameEnds(traces []trace) {
	for i, t := range traces {
		if n := len(t.segs); n > 0 {
			seg := t.segs[n-1]
			seg[len(seg)-1].text = t.name
			traces[i].end = true
		}
	}
}

// newHeader names the lines of a panel, and the kinds of intervals that no panel
// above has named.
func newHeader(title string, traces []trace, list []analyze.Span, named map[string]bool) header {
	h := header{title: title}
	seen := map[entry]bool{}
	add := func(e entry) {
		if !seen[e] && e.name != "" {
			seen[e] = true
			h.entries = append(h.entries, e)
		}
	}
	for _, t := range traces {
		add(entry{t.ink, t.mark, t.dash, label.Clean(t.name, 48)})
	}
	for _, s := range list {
		if slices.Contains(legendKinds, s.Kind) && !named[s.Kind] {
			named[s.Kind] = true
			add(entry{spanInk(s.Kind), "area", 0, s.Kind})
		}
	}
	if len(h.entries) == 1 && len(traces) == 1 {
		h.entries = nil // the axis says it already
	}
	return h
}

func (e entry) width() vg.Length {
	return swatch + style(inkMuted, smallSize, draw.XLeft, draw.YBottom).Width(e.name) + entryGap
}

func (h header) titleStyle() draw.TextStyle {
	s := style(inkText, textSize, draw.XLeft, draw.YBottom)
	s.Font.Weight = bold
	return s
}

// layout breaks the entries into lines: the first shares its line with the title.
func (h *header) layout(width vg.Length) {
	room := width - 70
	used := h.titleStyle().Width(h.title) + 2*entryGap
	h.lines = [][]entry{nil}
	for _, e := range h.entries {
		if used+e.width() > room {
			h.lines = append(h.lines, nil)
			used = 0
		}
		h.lines[len(h.lines)-1] = append(h.lines[len(h.lines)-1], e)
		used += e.width()
	}
}

func (h header) height() vg.Length { return vg.Length(len(h.lines))*headerLine + 10 }

func (h header) draw(c, data draw.Canvas) {
	for i, line := range h.lines {
		y := data.Max.Y + 9 + vg.Length(len(h.lines)-1-i)*headerLine
		x := data.Min.X
		if i == 0 {
			c.FillText(h.titleStyle(), vg.Point{X: x, Y: y}, h.title)
			x += h.titleStyle().Width(h.title) + 2*entryGap
		}
		for _, e := range line {
			e.draw(c, x, y)
			x += e.width()
		}
	}
}

func (e entry) draw(c draw.Canvas, x, y vg.Length) {
	middle := y + 4
	switch {
	case e.mark == "area":
		under(c).area(e.ink, vg.Rectangle{Min: vg.Point{X: x, Y: middle - 4}, Max: vg.Point{X: x + 12, Y: middle + 5}}, "")
	case e.mark == "bars", e.mark == "stack":
		c.SetColor(e.ink)
		c.Fill(vg.Rectangle{Min: vg.Point{X: x + 2, Y: middle - 4}, Max: vg.Point{X: x + 10, Y: middle + 4}}.Path())
	case e.mark == "rings":
		strokeRings(c, e.ink, [][]vg.Point{{{X: x + 7, Y: middle}}})
	case e.mark == "dots":
		c.StrokeLines(dotStyle(e.ink, 6), []vg.Point{{X: x + 7, Y: middle}, {X: x + 7, Y: middle}})
	default:
		c.StrokeLine2(draw.LineStyle{Color: e.ink, Width: 2, Dashes: dashOf(e.dash)}, x, middle, x+13, middle)
	}
	c.FillText(style(inkMuted, smallSize, draw.XLeft, draw.YBottom), vg.Point{X: x + swatch, Y: y}, e.name)
}
