package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"headroom/analyze"
	"headroom/render/label"
)

// style is the style of text of a size.
func style(i ink, size vg.Length, x draw.XAlignment, y draw.YAlignment) text.Style {
	return text.Style{Color: i, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler}
}

// bold is WeightBold of golang.org/x/image/font, whose weights count from normal.
const bold = 3

const (
	smallSize vg.Length = 11
	textSize  vg.Length = 12
)

// grid draws a faint line at each tick of the y axis, and of the x axis where
// that is no list of names.
type grid struct{ x, y []plot.Tick }

// Plot implements plot.Plotter.
func (g grid) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	line := draw.LineStyle{Color: inkGrid, Width: 1}
	for _, t := range g.y {
		if y := trY(t.Value); c.ContainsY(y) {
			c.StrokeLine2(line, c.Min.X, y, c.Max.X, y)
		}
	}
	for _, t := range g.x {
		if x := trX(t.Value); c.ContainsX(x) {
			c.StrokeLine2(line, x, c.Min.Y, x, c.Max.Y)
		}
	}
}

// limits draws lines across the panel, each with its label. A limit that the axis
// does not reach is named at the edge it lies beyond.
type limits struct {
	lines  []analyze.HLine
	y      scale
	labels *labels
}

// Plot implements plot.Plotter.
func (l limits) Plot(c draw.Canvas, p *plot.Plot) {
	_, trY := p.Transforms(&c)
	for _, h := range l.lines {
		v := l.y.at(h.Y)
		if math.IsNaN(v) {
			continue
		}
		s := label.Clean(h.Label, 60)
		switch {
		case v > l.y.high:
			l.labels.force(c, style(inkLimit, smallSize, draw.XRight, draw.YTop), vg.Point{X: c.Max.X - 4, Y: c.Max.Y - 3},
				"↑ "+s+", above this axis")
		case v < l.y.low:
			l.labels.force(c, style(inkLimit, smallSize, draw.XRight, draw.YBottom), vg.Point{X: c.Max.X - 4, Y: c.Min.Y + 3},
				"↓ "+s+", below this axis")
		default:
			y := trY(v)
			c.StrokeLine2(draw.LineStyle{Color: inkLimit, Width: 1.2, Dashes: []vg.Length{5, 4}}, c.Min.X, y, c.Max.X, y)
			l.labels.place(c, p, beside(c, y), s)
		}
	}
}

// beside are the places of the label of a line across the panel: above it, where
// there is room, or below; at the right end, the left, or between.
func beside(c draw.Canvas, y vg.Length) (out []place) {
	const away = 4
	xs := []struct {
		x     vg.Length
		align draw.XAlignment
	}{{c.Max.X - away, draw.XRight}, {c.Min.X + away, draw.XLeft}, {(c.Min.X + c.Max.X) / 2, draw.XCenter}}
	above := y <= c.Max.Y-16
	for _, up := range []bool{above, !above} {
		if up && !above || !up && y < c.Min.Y+16 {
			continue
		}
		at, align := y+3, draw.YBottom
		if !up {
			at, align = y-3, draw.YTop
		}
		for _, x := range xs {
			out = append(out, place{style(inkLimit, smallSize, x.align, align), vg.Point{X: x.x, Y: at}})
		}
	}
	return out
}

// spans draws intervals along the x axis behind the lines.
type spans struct {
	list   []analyze.Span
	x      scale
	labels *labels // where names of spans are written; nil for none
	names  bool    // only the names, which belong in front of the lines
}

// narrowest is the width of an interval that is shorter than a pixel.
const narrowest vg.Length = 1.5

// Plot implements plot.Plotter.
func (s spans) Plot(c draw.Canvas, p *plot.Plot) {
	trX, _ := p.Transforms(&c)
	out := under(c)
	for _, g := range s.merged(trX) {
		if s.names {
			if s.labels != nil && g.count == 1 {
				s.labels.span(c, g)
			}
			continue
		}
		r := vg.Rectangle{Min: vg.Point{X: g.from, Y: c.Min.Y}, Max: vg.Point{X: g.to, Y: c.Max.Y}}
		i := spanInk(g.span.Kind)
		if g.covers(c) {
			r.Min.Y = c.Max.Y - stripHeight
		}
		if g.to > g.from && g.span.Kind != "step" {
			out.area(i, r, g.title(s.x))
		}
		s.edges(c, g, i)
		goesOn(c, g, i)
	}
}

// stripHeight is the height of the strip along the top of a panel that stands for an
// interval of most of it.
const stripHeight vg.Length = 7

// covers reports whether a strong area would lie behind most of the panel, and so
// tell nothing but hide what is there.
func (g drawnSpan) covers(c draw.Canvas) bool {
	switch g.span.Kind {
	case "freeze", "slow", "gap":
		return g.to-g.from > (c.Max.X-c.Min.X)/2
	}
	return false
}

// edges marks what an area alone would not show: a freeze has a mark at the top of
// the panel, a step the line where it begins, a knee at one setting a line.
func (s spans) edges(c draw.Canvas, g drawnSpan, i ink) {
	switch g.span.Kind {
	case "freeze":
		mark := vg.Path{}
		x := (g.from + g.to) / 2
		mark.Move(vg.Point{X: x - 5, Y: c.Max.Y})
		mark.Line(vg.Point{X: x + 5, Y: c.Max.Y})
		mark.Line(vg.Point{X: x, Y: c.Max.Y - 7})
		mark.Close()
		c.SetColor(i)
		c.Fill(mark)
	case "step":
		c.StrokeLine2(draw.LineStyle{Color: inkAxis, Width: 1, Dashes: []vg.Length{2, 3}}, g.from, c.Min.Y, g.from, c.Max.Y)
	case "knee", "sustained":
		x := (g.from + g.to) / 2
		if g.span.X0 == g.span.X1 {
			c.StrokeLine2(draw.LineStyle{Color: i, Width: 1.4, Dashes: []vg.Length{4, 3}}, x, c.Min.Y, x, c.Max.Y)
		}
	}
}

// goesOn marks the edge of the axis beyond which an interval goes on.
func goesOn(c draw.Canvas, g drawnSpan, i ink) {
	arrow := func(x, direction vg.Length) {
		y := c.Min.Y + 8
		p := vg.Path{}
		p.Move(vg.Point{X: x, Y: y})
		p.Line(vg.Point{X: x - 7*direction, Y: y + 4.5})
		p.Line(vg.Point{X: x - 7*direction, Y: y - 4.5})
		p.Close()
		c.SetColor(i)
		c.Fill(p)
	}
	if g.before {
		arrow(c.Min.X, -1)
	}
	if g.after {
		arrow(c.Max.X, 1)
	}
}

// drawnSpan is one area: an interval, or several that would touch.
type drawnSpan struct {
	span     analyze.Span // the first
	last     analyze.Span
	count    int
	from, to vg.Length
	// before and after: it goes on beyond the ends of a time axis.
	before, after bool
}

// merged clips the intervals to the axis and joins those of one kind and label
// that lie within a pixel of each other, so that their number is bounded by the
// width of the picture.
func (s spans) merged(trX func(float64) vg.Length) (out []drawnSpan) {
	last := map[string]int{}
	for _, sp := range s.list {
		from, to, ok := s.place(sp)
		if !ok {
			continue
		}
		g := drawnSpan{span: sp, last: sp, count: 1, from: trX(from), to: trX(to)}
		g.before = s.x.time && sp.Kind != "step" && min(sp.X0, sp.X1) < s.x.low
		g.after = s.x.time && sp.Kind != "step" && max(sp.X0, sp.X1) > s.x.high
		if w := g.to - g.from; w < narrowest && sp.Kind != "knee" && sp.Kind != "sustained" {
			g.from -= (narrowest - w) / 2
			g.to += (narrowest - w) / 2
		}
		if k, ok := last[sp.Kind]; ok && sp.Kind != "step" && g.from >= out[k].from && g.from <= out[k].to+0.5 {
			out[k].to = max(out[k].to, g.to)
			out[k].last = sp
			out[k].before, out[k].after = out[k].before || g.before, out[k].after || g.after
			out[k].count++
			continue
		}
		last[sp.Kind] = len(out)
		out = append(out, g)
	}
	return out
}

// place returns the ends of an interval on the plane, cut to the axis.
func (s spans) place(sp analyze.Span) (from, to float64, ok bool) {
	x0, x1 := min(sp.X0, sp.X1), max(sp.X0, sp.X1)
	from, to = s.x.at(x0), s.x.at(x1)
	if math.IsNaN(from) { // begins where the axis has no place
		from = s.x.low
	}
	if math.IsNaN(to) {
		to = s.x.high
	}
	if to < s.x.low || from > s.x.high {
		return 0, 0, false
	}
	return max(from, s.x.low), min(to, s.x.high), true
}

// title is what a pointer on the area is told.
func (g drawnSpan) title(x scale) string {
	name := label.Clean(g.span.Label, label.Cell)
	if name == "" {
		name = label.Clean(g.span.Kind, label.Cell)
	}
	if g.count > 1 {
		return unit{"", 1}.number(float64(g.count)) + " × " + label.Clean(g.span.Kind, label.Cell) + ", " +
			x.tell(g.span.X0) + " to " + x.tell(g.last.X1)
	}
	if g.span.X0 == g.span.X1 {
		return name + ", " + x.tell(g.span.X0)
	}
	return name + ", " + x.tell(g.span.X0) + " to " + x.tell(g.span.X1)
}
