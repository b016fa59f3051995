package analyze

import (
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
)

// Bounds of the pictures of growth.
const (
	growthFigures  = 8 // figures of a document
	growthLines    = 6 // columns in one panel
	growthReadings = 3 // the fewest that show a course
	growthPoints   = 2000
)

// grown is a column of numbers over the runs of a configuration.
type grown struct {
	name, unit string
	readings   series
}

// growthPictures draws how large the tables of each configuration became, or how
// many rows they held, over time: what was read again and again by the user's own
// queries.
func (b *builder) growthPictures() {
	drawn := 0
	for i := range b.parts {
		if drawn == growthFigures {
			return
		}
		if f, ok := b.growthFigure(&b.parts[i]); ok {
			b.Figures = append(b.Figures, f)
			drawn++
		}
	}
}

// growthFigure draws one configuration, a panel for bytes and one for rows. ok is
// false where nothing was read often enough.
func (b *builder) growthFigure(p *part) (f Figure, ok bool) {
	list := p.grownColumns()
	if len(list) == 0 {
		return f, false
	}
	start, end := list[0].readings[0].t, list[0].readings[0].t
	for _, g := range list {
		start, end = min(start, g.readings[0].t), max(end, g.readings[len(g.readings)-1].t)
	}
	f = Figure{
		ID: "growth-" + fileName(p.Name), Kind: "growth", Title: "Sizes and counts over time: " + p.label(),
		X: Axis{Label: "time since the first reading", Unit: "s", Scale: "time", Start: detect.Instant(start)},
	}
	var said []string
	for _, unit := range []string{"B", "1"} {
		panel, label := Panel{}, map[string]string{"B": "size", "1": "count"}[unit]
		for _, g := range list {
			if g.unit != unit || len(panel.Series) == growthLines {
				continue
			}
			s := Series{Name: strings.ReplaceAll(g.name, "_", " "), Mark: "line", Role: "other"}
			for _, r := range g.readings {
				s.X, s.Y = append(s.X, float64(r.t-start)/1e9), append(s.Y, r.v)
			}
			panel.Series = append(panel.Series, s)
			first, last := g.readings[0].v, g.readings[len(g.readings)-1].v
			said = append(said, fmt.Sprintf("%s from %s to %s", s.Name, Display(first, unit), Display(last, unit)))
		}
		if len(panel.Series) > 0 {
			f.Y, f.Panels = append(f.Y, Axis{Label: label, Unit: unit}), append(f.Panels, panel)
		}
	}
	if len(f.Panels) == 0 {
		return f, false
	}
	f.Alt = fmt.Sprintf("%s in %s.", strings.Join(said, "; "), Display(float64(end-start)/1e9, "s"))
	f.Notes = []string{fmt.Sprintf("%s, over %s. Read by own queries beside the load; the axis begins at zero.", strings.Join(said, "; "), Display(float64(end-start)/1e9, "s"))}
	return f, true
}

// grownColumns are the columns of own queries over all runs of a configuration, by
// time, that have a course and change in it.
func (p *part) grownColumns() []grown {
	var out []grown
	for _, m := range p.runs {
		for i := range m.ledger.own {
			s := &m.ledger.own[i]
			if s.why != "" {
				continue
			}
			name := s.column
			if s.unit() == "1" { // rows of which table
				name = s.view + " " + s.column
			}
			k := slices.IndexFunc(out, func(g grown) bool { return g.name == name })
			if k < 0 {
				out, k = append(out, grown{name: name, unit: s.unit()}), len(out)
			}
			out[k].readings = append(out[k].readings, s.readings...)
		}
	}
	for i := range out {
		slices.SortStableFunc(out[i].readings, func(a, c point) int { return compare(a.t, c.t) })
		out[i].readings = thinned(out[i].readings, growthPoints)
	}
	return slices.DeleteFunc(out, func(g grown) bool {
		n := len(g.readings)
		return g.unit != "B" && g.unit != "1" || n < growthReadings || g.readings[n-1].t == g.readings[0].t ||
			!slices.ContainsFunc(g.readings, func(r point) bool { return r.v != g.readings[0].v })
	})
}

// thinned keeps at most n readings, evenly spaced, the first and the last of them.
func thinned(list series, n int) series {
	if len(list) <= n {
		return list
	}
	out := make(series, 0, n)
	for i := range n {
		out = append(out, list[i*(len(list)-1)/(n-1)])
	}
	return out
}
