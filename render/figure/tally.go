package figure

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"headroom/analyze"
	"headroom/render/label"
)

// bar is one name of a tally.
type bar struct {
	name  string
	value float64
	text  string
	ink   ink
}

const (
	barRow    vg.Length = 22
	barHeight vg.Length = 14
)

// drawBars draws a tally: a row per name, its bar, its count.
func drawBars(f analyze.Figure, width vg.Length) (picture, []string) {
	bars, unitAxis, notes := tally(f)
	if n := len(bars) - maxBars; n > 0 {
		notes = append(notes, fmt.Sprintf("%d further names are not drawn.", n))
		bars = bars[:maxBars]
	}
	height := vg.Length(max(len(bars), 2))*barRow + 2*headerLine
	c := newCanvas(width, height)
	dc := draw.NewCanvas(c, width, height)
	header{title: unitAxis.label, lines: [][]entry{nil}}.draw(dc, draw.Canvas{Canvas: c,
		Rectangle: vg.Rectangle{Min: vg.Point{X: 2}, Max: vg.Point{Y: height - headerLine - 6}}})
	if len(bars) == 0 {
		dc.FillText(style(inkMuted, textSize, draw.XCenter, draw.YCenter), dc.Center(), emptyText(notes))
		return picture{width, height, c.b.String()}, notes
	}
	names := style(inkText, smallSize, draw.XRight, draw.YCenter)
	counts := style(inkMuted, smallSize, draw.XLeft, draw.YCenter)
	var nameWidth, countWidth vg.Length
	for i := range bars {
		bars[i].name = fit(bars[i].name, width*0.42)
		nameWidth = max(nameWidth, names.Width(bars[i].name))
		countWidth = max(countWidth, counts.Width(bars[i].text))
	}
	left, right := nameWidth+10, width-countWidth-10
	for i, b := range bars {
		y := height - 2*headerLine - vg.Length(i)*barRow - barRow/2
		dc.FillText(names, vg.Point{X: left - 8, Y: y}, b.name)
		length := (right - left) * vg.Length(b.value/unitAxis.high)
		r := vg.Rectangle{Min: vg.Point{X: left, Y: y - barHeight/2}, Max: vg.Point{X: left + max(length, 1), Y: y + barHeight/2}}
		c.SetColor(b.ink)
		c.Fill(r.Path())
		dc.FillText(counts, vg.Point{X: r.Max.X + 6, Y: y}, b.text)
	}
	dc.StrokeLine2(draw.LineStyle{Color: inkAxis, Width: 1}, left, height-2*headerLine, left, height-2*headerLine-vg.Length(len(bars))*barRow)
	return picture{width, height, c.b.String()}, notes
}

// tally reads the names and counts of a figure, whichever of its two axes has the
// names, and the scale of the counts.
func tally(f analyze.Figure) (bars []bar, counts scale, notes []string) {
	names, values := f.X, analyze.Axis{}
	if len(f.Y) > 0 {
		values = f.Y[0]
	}
	onX := names.Scale == "category" || values.Scale != "category"
	if !onX {
		names, values = values, f.X
	}
	left := 0
	e := extent{values: []float64{0}}
	for _, p := range f.Panels {
		inks, _ := seriesInks(p.Series)
		for n, s := range p.Series {
			for k := range s.X {
				at, v := s.X[k], s.Y[k]
				if !onX {
					at, v = v, at
				}
				i := int(at)
				if i < 0 || i >= len(names.Categories) || v < 0 {
					left++
					continue
				}
				b := bar{name: label.Clean(names.Categories[i], label.Cell), value: v, ink: inks[n]}
				if k < len(s.Text) {
					b.text = label.Clean(s.Text[k], 40)
				}
				bars = append(bars, b)
				e.values = append(e.values, v)
			}
		}
	}
	if left > 0 {
		notes = append(notes, leftOut("", left, "no such name, or below zero"))
	}
	values.Scale = ""
	counts = linearScale(values, e, 5, false)
	for i := range bars {
		if bars[i].text == "" {
			bars[i].text = counts.unit.number(bars[i].value)
		}
	}
	_, high := span(e.values)
	counts.high = max(high, 1e-300)
	return bars, counts, notes
}

// fit cuts a name to a width.
func fit(s string, width vg.Length) string {
	sty := style(inkText, smallSize, draw.XRight, draw.YCenter)
	if sty.Width(s) <= width {
		return s
	}
	rs := []rune(s)
	for len(rs) > 1 && sty.Width(string(rs)+label.Ellipsis) > width {
		rs = rs[:len(rs)-1]
	}
	return string(rs) + label.Ellipsis
}
