package figure

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"headroom/analyze"
	"headroom/render/label"
)

// panel is one plot of a figure, placed and ready to draw.
type panel struct {
	plot   *plot.Plot
	y      scale
	header header
	drawn  int // points
	empty  string
}

// drawPanels draws the panels of a figure below each other on one x axis.
func drawPanels(f analyze.Figure, width vg.Length) (picture, []string) {
	rows := max(len(f.Panels), 1)
	heights := panelHeights(f, rows, width < 500)
	x := newScale(f.X, xExtent(f), width-60, true)
	var panels []panel
	var notes []string
	seen := map[string]bool{}
	total := vg.Length(40)
	for i := range rows {
		p, left := newPanel(f, i, x, heights[i], seen)
		p.header.layout(width)
		total += heights[i] + p.header.height() + panelGap
		panels, notes = append(panels, p), append(notes, left...)
	}
	for i := range panels[:rows-1] { // they share the labels of the last
		panels[i].plot.X.Tick.Marker = plot.ConstantTicks(unlabelled(x.ticks))
	}
	last := panels[rows-1].plot
	last.X.Label.Text = broken(x.label, last.X.Label.TextStyle, width-70)
	total += vg.Length(strings.Count(last.X.Label.Text, "\n")) * headerLine
	c := newCanvas(width, total)
	tiles := aligned(panels, heights, draw.NewCanvas(c, width, total))
	for i, tile := range tiles {
		panels[i].draw(tile)
	}
	return picture{width, total, c.b.String()}, notes
}

// panelGap is the room between two panels.
const panelGap vg.Length = 8

// panelHeights gives the panels of a figure their heights: where there are many,
// the first two are what the figure is about, and the rest are lanes beside them.
func panelHeights(f analyze.Figure, rows int, narrow bool) []vg.Length {
	heights := make([]vg.Length, rows)
	for i := range heights {
		heights[i] = 150
		if narrow {
			heights[i] = 130
		}
		switch {
		case rows == 1:
			heights[i] += 70
		case i < len(f.Panels) && f.Panels[i].Heat != nil:
			heights[i] += 40
		case rows > 3 && i > 1:
			heights[i] -= 60
		}
	}
	return heights
}

// aligned cuts a canvas into one for each panel, from the top, such that what
// they plot begins and ends at the same places. The last one has what is left,
// for the labels of the x axis.
func aligned(panels []panel, heights []vg.Length, c draw.Canvas) []draw.Canvas {
	tiles := make([]draw.Canvas, len(panels))
	top := c.Max.Y
	left, right := vg.Length(0), vg.Length(0)
	for i, p := range panels {
		top -= p.header.height()
		bottom := top - heights[i]
		if i == len(panels)-1 {
			bottom = c.Min.Y + 4
		}
		tile := c
		tile.Rectangle = vg.Rectangle{Min: vg.Point{X: c.Min.X + 2, Y: bottom}, Max: vg.Point{X: c.Max.X - 4, Y: top}}
		data := p.plot.DataCanvas(tile)
		left, right = max(left, data.Min.X-tile.Min.X), max(right, tile.Max.X-data.Max.X)
		tiles[i], top = tile, bottom-panelGap
	}
	for i, p := range panels {
		data := p.plot.DataCanvas(tiles[i])
		tiles[i] = draw.Crop(tiles[i], left-(data.Min.X-tiles[i].Min.X), -(right - (tiles[i].Max.X - data.Max.X)), 0, 0)
	}
	return tiles
}

func unlabelled(ticks []plot.Tick) []plot.Tick {
	out := make([]plot.Tick, len(ticks))
	for i, t := range ticks {
		out[i].Value = t.Value
	}
	return out
}

// xExtent collects the x values of all panels: they share the axis.
func xExtent(f analyze.Figure) extent {
	var e extent
	for _, p := range f.Panels {
		for _, s := range p.Series {
			e.values = append(e.values, s.X...)
			if n := len(s.X); (s.Mark == "steps" || s.Mark == "stack") && n > 0 {
				e.last = max(e.last, s.X[n-1]+bucket(s))
			}
		}
		e.values = append(e.values, atEdges(p.Heat, true)...)
		for _, s := range p.Spans {
			e.spans = append(e.spans, s.X0, s.X1)
		}
	}
	return e
}

// newPanel makes panel i of the figure. Names of spans are written where they are
// first seen, counting from the top.
func newPanel(f analyze.Figure, i int, x scale, height vg.Length, seen map[string]bool) (panel, []string) {
	var axis analyze.Axis
	var content analyze.Panel
	if i < len(f.Y) {
		axis = f.Y[i]
	}
	if i < len(f.Panels) {
		content = f.Panels[i]
	}
	var e extent
	var floors map[int][]float64
	content.Series, floors = cumulated(content.Series)
	for _, s := range content.Series {
		e.values = append(e.values, s.Y...)
		if (s.Mark == "bars" || s.Mark == "stack") && axis.Scale == "" {
			e.values = append(e.values, 0)
		}
	}
	if y := atEdges(content.Heat, false); axis.Scale != "category" {
		e.values = append(e.values, y...)
	}
	for _, l := range content.Lines {
		e.spans = append(e.spans, l.Y)
	}
	y := newScale(axis, e, height, false)
	p := panel{plot: newPlot(x, y), y: y}
	var notes []string
	traces := p.traces(content, floors, x, y, &notes)
	if p.drawn == 0 {
		p.empty = emptyText(notes)
		p.plot.Y.Tick.Marker = plot.ConstantTicks(nil)
		p.header.title = y.label
		return p, notes
	}
	if f.Kind == "distribution" {
		nameEnds(traces)
	}
	l := &labels{traces: traces}
	intervals := spans{list: content.Spans, x: x, labels: l.first(content.Spans, seen)}
	p.plot.Add(grid{y: y.ticks, x: gridX(f, x)}, intervals)
	cells := newHeat(content.Heat, x, y)
	if cells != nil {
		p.plot.Add(cells)
	}
	for _, t := range stacked(traces) {
		p.plot.Add(t)
	}
	intervals.names = true
	p.plot.Add(intervals, limits{content.Lines, y, l}, l)
	p.header = newHeader(y.label, traces, content.Spans, seen)
	if cells != nil {
		p.header.entries = append(p.header.entries, cells.legend()...)
	}
	return p, notes
}

// stacked orders traces from the back to the front: maxima behind all others,
// which they would hide where they are equal, then the last series to the first.
func stacked(traces []trace) []trace {
	out := slices.Clone(traces)
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b trace) int {
		switch {
		case a.ink == b.ink || a.ink != "max" && b.ink != "max":
			return 0
		case a.ink == "max":
			return -1
		}
		return 1
	})
	return out
}

// traces places the series of a panel, and notes what had no place.
func (p *panel) traces(content analyze.Panel, floors map[int][]float64, x, y scale, notes *[]string) (out []trace) {
	inks, rounds := seriesInks(content.Series)
	for k, s := range content.Series {
		t, left := newTrace(s, floors[k], inks[k], x, y)
		t.dash = rounds[k]
		if t.mark == "dots" && t.few && s.Name != content.Series[0].Name {
			t.mark = "rings" // they may lie on the points of the first
		}
		for _, why := range []string{x.why, y.why} {
			if n := left[why]; n > 0 {
				*notes = append(*notes, leftOut(s.Name, n, why))
				delete(left, why)
			}
		}
		p.drawn += t.count()
		out = append(out, t)
	}
	return out
}

func emptyText(notes []string) string {
	if len(notes) == 0 {
		return "no data"
	}
	return "no data: " + label.Clean(notes[0], 90)
}

// gridX returns the ticks that get a line across: those of time and of numbers,
// not those of names.
func gridX(f analyze.Figure, x scale) []plot.Tick {
	if f.X.Scale == "category" {
		return nil
	}
	return x.ticks
}

func newPlot(x, y scale) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.low, x.high, y.low, y.high
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.ConstantTicks(x.ticks), plot.ConstantTicks(y.ticks)
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Color, p.X.Width = inkAxis, 1
	p.Y.Width = 0
	p.X.Tick.Color, p.X.Tick.Width, p.X.Tick.Length = inkAxis, 1, 6
	p.Y.Tick.Width, p.Y.Tick.Length = 0, 0
	p.X.Tick.Label = style(inkMuted, smallSize, draw.XCenter, draw.YTop)
	p.Y.Tick.Label = style(inkMuted, smallSize, draw.XRight, draw.YCenter)
	p.X.Label.TextStyle = style(inkMuted, smallSize, draw.XCenter, draw.YBottom)
	p.X.Label.Padding = 3
	p.Y.Label.TextStyle = style(inkMuted, smallSize, draw.XCenter, draw.YBottom)
	return p
}

// draw draws the panel and its header.
func (p panel) draw(c draw.Canvas) {
	p.plot.Draw(c)
	data := p.plot.DataCanvas(c)
	if p.empty != "" {
		at := vg.Point{X: data.Center().X, Y: data.Center().Y}
		c.FillText(style(inkMuted, textSize, draw.XCenter, draw.YCenter), at, p.empty)
	}
	p.header.draw(c, data)
}

// first returns the labels if a span of the list has a name that no panel above
// has written.
func (l *labels) first(list []analyze.Span, seen map[string]bool) *labels {
	fresh := false
	for _, s := range list {
		key := fmt.Sprint(s.Kind, s.X0, s.Label)
		fresh = fresh || !seen[key]
		seen[key] = true
	}
	if !fresh {
		return nil
	}
	return l
}
