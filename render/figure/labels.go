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

// write writes s if it fits inside the canvas and covers no other label.
func (l *labels) write(c draw.Canvas, sty text.Style, at vg.Point, s string) bool {
	r := sty.Rectangle(s).Add(at)
	if r.Min.X < c.Min.X-2 || r.Max.X > c.Max.X+2 || r.Min.Y < c.Min.Y || r.Max.Y > c.Max.Y+2 {
		return false
	}
	for _, o := range l.taken {
		if r.Min.X < o.Max.X && o.Min.X < r.Max.X && r.Min.Y < o.Max.Y && o.Min.Y < r.Max.Y {
			return false
		}
	}
	l.force(c, sty, at, s)
	return true
}
