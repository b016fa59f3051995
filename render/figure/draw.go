package figure

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"headroom/analyze"
	"headroom/render/label"
)

// Widths of the two pictures of a figure, in pixels of the page.
const (
	wideWidth   vg.Length = 860
	narrowWidth vg.Length = 360
)

// Bounds on what one figure draws; what is beyond them is counted in the notes.
const (
	maxPanels = 24
	maxSeries = 24 // of a panel
	maxBars   = 60 // names of a tally
	maxPoints = 5_000_000
)

// Drawing is a drawn figure.
type Drawing struct {
	Notes  []string // what was not drawn, and why
	title  string
	alt    string
	wide   picture
	narrow picture
}

// picture is the inside of an SVG element of a size.
type picture struct {
	w, h vg.Length
	body string
}

// Draw draws a figure. It never panics; an error names the figure. A panel that
// has nothing to draw says so in its place.
func Draw(f analyze.Figure) (d Drawing, err error) {
	err = protect(f.ID, func() { d = drawing(f) })
	return d, err
}

// protect turns a panic of draw into an error that names the figure: gonum/plot
// panics where a value does not suit it.
func protect(id string, draw func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("figure %q: %v", label.Clean(id, label.Cell), r)
		}
	}()
	draw()
	return nil
}

func drawing(f analyze.Figure) (d Drawing) {
	before := len(f.Notes)
	f = Finite(f)
	d.Notes = f.Notes[before:]
	d.title, d.alt = label.Clean(f.Title, label.Title), label.Clean(f.Alt, label.Line)
	f, cut := bounded(f)
	d.Notes = append(d.Notes, cut...)
	draw := drawPanels
	if flat(f) {
		draw = drawBars
	}
	var notes []string
	d.wide, notes = draw(f, wideWidth)
	d.narrow, _ = draw(f, narrowWidth)
	d.Notes = append(d.Notes, notes...)
	return d
}

// flat reports whether a figure is a tally of names: its bars lie flat.
func flat(f analyze.Figure) bool {
	if f.Kind == "waits" {
		return true
	}
	return len(f.Y) > 0 && f.Y[0].Scale == "category"
}

// bounded cuts a figure to what one picture can hold.
func bounded(f analyze.Figure) (analyze.Figure, []string) {
	var notes []string
	if n := len(f.Panels) - maxPanels; n > 0 {
		notes = append(notes, fmt.Sprintf("%d further panels are not drawn.", n))
		f.Panels = f.Panels[:maxPanels]
	}
	panels := make([]analyze.Panel, len(f.Panels))
	points := 0
	for i, p := range f.Panels {
		names, kept := map[string]bool{}, []analyze.Series{}
		for _, s := range p.Series {
			points += len(s.X)
			if (names[s.Name] || len(names) < maxSeries) && points <= maxPoints {
				names[s.Name] = true
				kept = append(kept, s)
			}
		}
		if n := len(p.Series) - len(kept); n > 0 {
			notes = append(notes, fmt.Sprintf("%d further series of panel %d are not drawn.", n, i+1))
		}
		p.Series = kept
		panels[i] = p
	}
	f.Panels = panels
	return f, notes
}

// Inline returns the figure as two SVG elements for a page that holds [CSS]: one
// for wide screens and print, one for narrow screens; the style sheet of the page
// shows one of them (classes wide and narrow). The id makes the ids inside unique.
func (d Drawing) Inline(id string) string {
	return d.element(d.wide, id, "wide", "") + d.element(d.narrow, id, "narrow", "")
}

// InlineWide returns only the wide picture, for a page that has many (class only).
func (d Drawing) InlineWide(id string) string { return d.element(d.wide, id, "only", "") }

// File returns the wide picture as an SVG file that reads well by itself, on
// white and on dark.
func (d Drawing) File() string {
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + d.element(d.wide, "figure", "wide", CSS())
}

// tall is the height of a picture, in widths, from which it is one of many lanes:
// printed as high as others are, nobody could read it.
const tall = 0.7

func (d Drawing) element(p picture, id, class, css string) string {
	w, h := num(p.w.Points()), num(p.h.Points())
	name := escape(id + "-" + class)
	if p.h > p.w*tall {
		class += " tall"
	}
	open := `<svg xmlns="http://www.w3.org/2000/svg" class="plot ` + class + `" viewBox="0 0 ` + w + ` ` + h +
		`" width="` + w + `" height="` + h + `" role="img" aria-labelledby="` + name + `-t ` + name + `-d">` + "\n"
	open += `<title id="` + name + `-t">` + escape(d.title) + `</title><desc id="` + name + `-d">` + escape(d.alt) + "</desc>\n"
	if css != "" {
		open += "<style>\n" + css + `</style><rect width="100%" height="100%" class="f-` + string(inkBack) + `"/>` + "\n"
	}
	return open + p.body + "</svg>\n"
}
