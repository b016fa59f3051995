package figure

import (
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// canvas is a vg.Canvas that writes SVG for a themed page: inks become classes,
// coordinates are rounded to a tenth of a pixel and written relative to the one
// before, so that a line of a thousand points takes a few kilobytes. One vg point
// is one pixel of the picture.
type canvas struct {
	w, h  vg.Length
	b     strings.Builder
	state state
	stack []state
}

type state struct {
	ink    ink
	width  vg.Length
	dash   []vg.Length
	groups int // opened since the last Push
}

func newCanvas(w, h vg.Length) *canvas {
	c := &canvas{w: w, h: h}
	vg.Initialize(c)
	return c
}

// under returns the canvas below the areas that gonum cuts out of it.
func under(c vg.Canvas) *canvas {
	for {
		switch v := c.(type) {
		case *canvas:
			return v
		case draw.Canvas:
			c = v.Canvas
		default:
			panic(fmt.Errorf("drawing on a %T", c))
		}
	}
}

// Size implements vg.CanvasSizer.
func (c *canvas) Size() (w, h vg.Length) { return c.w, c.h }

// SetLineWidth implements vg.Canvas.
func (c *canvas) SetLineWidth(w vg.Length) { c.state.width = w }

// SetLineDash implements vg.Canvas. The offset is not used by our styles.
func (c *canvas) SetLineDash(dash []vg.Length, _ vg.Length) { c.state.dash = dash }

// SetColor implements vg.Canvas; a colour that is no ink of ours is text.
func (c *canvas) SetColor(clr color.Color) {
	c.state.ink = inkText
	if i, ok := clr.(ink); ok {
		c.state.ink = i
	}
}

// Rotate implements vg.Canvas. The origin is the lower left corner.
func (c *canvas) Rotate(rad float64) {
	c.group(fmt.Sprintf(`<g transform="rotate(%.5g 0 %.5g)">`, -rad*180/math.Pi, c.h.Points()))
}

// Translate implements vg.Canvas.
func (c *canvas) Translate(pt vg.Point) {
	c.group(fmt.Sprintf(`<g transform="translate(%.5g %.5g)">`, pt.X.Points(), -pt.Y.Points()))
}

// Scale implements vg.Canvas.
func (c *canvas) Scale(x, y float64) {
	h := c.h.Points()
	c.group(fmt.Sprintf(`<g transform="translate(0 %.5g) scale(%.5g %.5g) translate(0 %.5g)">`, h, x, y, -h))
}

func (c *canvas) group(tag string) {
	c.b.WriteString(tag)
	c.state.groups++
}

// Push implements vg.Canvas.
func (c *canvas) Push() {
	c.stack = append(c.stack, c.state)
	c.state.groups = 0
}

// Pop implements vg.Canvas.
func (c *canvas) Pop() {
	c.b.WriteString(strings.Repeat("</g>", c.state.groups))
	c.state = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
}

// Stroke implements vg.Canvas.
func (c *canvas) Stroke(p vg.Path) {
	if c.state.width <= 0 || len(p) == 0 {
		return
	}
	c.b.WriteString(`<path class="s-` + string(c.state.ink) + `"`)
	if c.state.width != 1 {
		c.b.WriteString(` stroke-width="` + num(c.state.width.Points()) + `"`)
	}
	if len(c.state.dash) > 0 {
		var ds []string
		for _, d := range c.state.dash {
			ds = append(ds, num(d.Points()))
		}
		c.b.WriteString(` stroke-dasharray="` + strings.Join(ds, " ") + `"`)
	}
	c.b.WriteString(` d="` + c.data(p) + "\"/>\n")
}

// Fill implements vg.Canvas.
func (c *canvas) Fill(p vg.Path) { c.fill("f-", p) }

// area fills a region that lets what is below shine through. A title, if any, is
// what a pointer that rests on it is told.
func (c *canvas) area(i ink, r vg.Rectangle, title string) {
	c.state.ink = i
	if title == "" {
		c.fill("a-", r.Path())
		return
	}
	c.b.WriteString("<g><title>" + escape(title) + "</title>")
	c.fill("a-", r.Path())
	c.b.WriteString("</g>\n")
}

func (c *canvas) fill(prefix string, p vg.Path) {
	c.b.WriteString(`<path class="` + prefix + string(c.state.ink) + `" d="` + c.data(p) + "\"/>\n")
}

// FillString implements vg.Canvas. textLength keeps the layout when the reader's
// machine has none of our fonts.
func (c *canvas) FillString(f font.Face, pt vg.Point, s string) {
	if f.Font.Size <= 0 || s == "" {
		return
	}
	c.b.WriteString(`<text class="f-` + string(c.state.ink) + `" x="` + num(pt.X.Points()) + `" y="` + num((c.h - pt.Y).Points()) + `"`)
	if f.Font.Size != 12 {
		c.b.WriteString(` style="font-size:` + num(f.Font.Size.Points()) + `px"`)
	}
	if f.Font.Weight > 0 {
		c.b.WriteString(` font-weight="bold"`)
	}
	if len(s) > 1 {
		c.b.WriteString(` textLength="` + num(f.Width(s).Points()) + `" lengthAdjust="spacingAndGlyphs"`)
	}
	c.b.WriteString(`>` + escape(s) + "</text>\n")
}

// DrawImage implements vg.Canvas. No figure holds an image.
func (c *canvas) DrawImage(vg.Rectangle, image.Image) {}

// data is the path in relative coordinates of whole tenths: the rounded points
// are subtracted, not the differences rounded, so that no error adds up. Figures
// are made of straight lines; anything else is a mistake that Draw reports.
func (c *canvas) data(p vg.Path) string {
	w := pathWriter{}
	for _, comp := range p {
		x, y := round(comp.Pos.X), round(c.h-comp.Pos.Y)
		switch comp.Type {
		case vg.MoveComp:
			w.to('m', x, y)
			w.x0, w.y0 = x, y
		case vg.LineComp:
			w.to('l', x, y)
		case vg.CloseComp:
			w.b.WriteByte('z')
			w.command, w.x, w.y = 'z', w.x0, w.y0
		default:
			panic(fmt.Errorf("path component %d is no straight line", comp.Type))
		}
	}
	return w.b.String()
}

type pathWriter struct {
	b       strings.Builder
	command byte
	x, y    int // where the pen is, in tenths
	x0, y0  int // where the subpath began
}

func (w *pathWriter) to(command byte, x, y int) {
	dx, dy := tenths(x-w.x), tenths(y-w.y)
	switch {
	case command != w.command || command == 'm': // pairs after m would be lines
		w.b.WriteByte(command)
	case dx[0] != '-':
		w.b.WriteByte(' ')
	}
	w.b.WriteString(dx)
	if dy[0] != '-' {
		w.b.WriteByte(' ')
	}
	w.b.WriteString(dy)
	w.command, w.x, w.y = command, x, y
}

func round(l vg.Length) int { return int(math.Round(l.Points() * 10)) }

// tenths writes n/10 in the fewest characters: 12.3, 12, .3, -.3, 0.
func tenths(n int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	whole, rest := n/10, n%10
	switch {
	case rest == 0:
		return sign + strconv.Itoa(whole)
	case whole == 0:
		return sign + "." + strconv.Itoa(rest)
	}
	return sign + strconv.Itoa(whole) + "." + strconv.Itoa(rest)
}

func num(v float64) string { return tenths(int(math.Round(v * 10))) }

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder takes everything
	return b.String()
}
