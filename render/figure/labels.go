package figure

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"headroom/render/label"
)

// legendKinds are the kinds of spans that the legend names; the others are named
// where they stand.
var legendKinds = []string{"freeze", "slow", "gap", "checkpoint", "vacuum"}

// labels writes names beside spans and points, and leaves out those that would
// cover another: the table beside the figure has them all.
type labels struct {
	taken  []vg.Rectangle
	traces []trace
}

// span writes the name of an interval at its top, inside if it is wide enough,
// else beside its line.
func (l *labels) span(c draw.Canvas, g drawnSpan) {
	s := label.Clean(g.span.Label, 40)
	if s == "" || g.span.Kind != "freeze" && slices.Contains(legendKinds, g.span.Kind) {
		return // the legend names the kind, a pointer the interval
	}
	sty := style(inkMuted, smallSize, draw.XCenter, draw.YTop)
	y := c.Max.Y - 3
	if w := sty.Width(s); g.to-g.from > w-8 {
		l.write(c, sty, vg.Point{X: (g.from + g.to) / 2, Y: y}, s)
		return
	}
	if g.span.Kind == "step" {
		return
	}
	sty.XAlign = draw.XLeft
	if !l.write(c, sty, vg.Point{X: g.to + 6, Y: y}, s) {
		sty.XAlign = draw.XRight
		l.write(c, sty, vg.Point{X: g.from - 6, Y: y}, s)
	}
}

// Plot implements plot.Plotter: the labels of points, above them or below.
func (l *labels) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for _, t := range l.traces {
		for _, seg := range t.segs {
			for _, q := range seg {
				s := label.Clean(q.text, 40)
				if s == "" {
					continue
				}
				at := vg.Point{X: trX(q.x), Y: trY(q.y)}
				if t.end {
					l.end(c, p, at, s)
					continue
				}
				sty := style(inkMuted, smallSize, draw.XCenter, draw.YBottom)
				if l.write(c, sty, at.Add(vg.Point{Y: 5}), s) {
					continue
				}
				sty.YAlign = draw.YTop
				l.write(c, sty, at.Add(vg.Point{Y: -6}), s)
			}
		}
	}
}

// force writes s whatever it covers, and keeps others away.
func (l *labels) force(c draw.Canvas, sty text.Style, at vg.Point, s string) {
	l.taken = append(l.taken, sty.Rectangle(s).Add(at))
	c.FillText(sty, at, s)
}

// end writes the name of a line beside its last point, where no line runs through
// it; else only the legend has it.
func (l *labels) end(c draw.Canvas, p *plot.Plot, at vg.Point, s string) {
	sty := style(inkMuted, smallSize, draw.XCenter, draw.YBottom)
	right := min(at.X+sty.Width(s)/2, c.Max.X) // the name stands within the panel
	sty.XAlign = draw.XRight
	for _, y := range []vg.Length{4, 8} {
		pt := vg.Point{X: right, Y: at.Y + y}
		if r := sty.Rectangle(s).Add(pt); !l.crossed(c, p, r) && l.write(c, sty, pt, s) {
			return
		}
	}
	sty.YAlign = draw.YTop
	for _, y := range []vg.Length{-5, -9} {
		pt := vg.Point{X: right, Y: at.Y + y}
		if r := sty.Rectangle(s).Add(pt); !l.crossed(c, p, r) && l.write(c, sty, pt, s) {
			return
		}
	}
}

// place writes s at the first of the places where it covers neither a line nor
// another label; at the first of all if it does everywhere.
func (l *labels) place(c draw.Canvas, p *plot.Plot, places []place, s string) {
	for _, at := range places {
		r := at.style.Rectangle(s).Add(at.point)
		if r.Min.X >= c.Min.X && r.Max.X <= c.Max.X && !l.covers(r) && !l.crossed(c, p, r) {
			l.force(c, at.style, at.point, s)
			return
		}
	}
	l.force(c, places[0].style, places[0].point, s)
}

// place is where a label may stand.
type place struct {
	style text.Style
	point vg.Point
}

// crossed reports whether a line of the panel runs through the rectangle.
func (l *labels) crossed(c draw.Canvas, p *plot.Plot, r vg.Rectangle) bool {
	trX, trY := p.Transforms(&c)
	for _, t := range l.traces {
		for _, line := range t.lines(trX, trY) {
			for i, q := range line {
				from := q
				if i > 0 {
					from = line[i-1]
				}
				if meets(from, q, r) {
					return true
				}
			}
		}
	}
	return false
}

// meets reports whether a line from a to b passes through the rectangle: it is cut
// to the rectangle's columns, then to its rows.
func meets(a, b vg.Point, r vg.Rectangle) bool {
	if a.X > b.X {
		a, b = b, a
	}
	if b.X < r.Min.X || a.X > r.Max.X {
		return false
	}
	low, high := a.Y, b.Y
	if b.X > a.X {
		at := func(x vg.Length) vg.Length { return a.Y + (b.Y-a.Y)*((x-a.X)/(b.X-a.X)) }
		low, high = at(max(a.X, r.Min.X)), at(min(b.X, r.Max.X))
	}
	return max(low, high) >= r.Min.Y && min(low, high) <= r.Max.Y
}

// covers reports whether the rectangle lies on another label.
func (l *labels) covers(r vg.Rectangle) bool {
	return slices.ContainsFunc(l.taken, func(o vg.Rectangle) bool {
		return r.Min.X < o.Max.X && o.Min.X < r.Max.X && r.Min.Y < o.Max.Y && o.Min.Y < r.Max.Y
	})
}

// write writes s if it fits inside the canvas and covers no other label.
func (l *labels) write(c draw.Canvas, sty text.Style, at vg.Point, s string) bool {
	r := sty.Rectangle(s).Add(at)
	if r.Min.X < c.Min.X-2 || r.Max.X > c.Max.X+2 || r.Min.Y < c.Min.Y || r.Max.Y > c.Max.Y+2 || l.covers(r) {
		return false
	}
	l.force(c, sty, at, s)
	return true
}
