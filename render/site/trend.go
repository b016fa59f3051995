package site

import (
	"fmt"
	"html/template"
	"slices"

	"headroom/analyze"
	"headroom/render/figure"
)

// series is one headline over the versions of a document; nil where a version
// does not have it.
type series struct {
	name string
	unit string
	at   []*Headline // by version, oldest first
}

// seriesOf lines up the headlines of versions, in the order of the newest one
// that has them.
func seriesOf(list []*Version) (out []series) {
	index := map[string]int{}
	for i := len(list) - 1; i >= 0; i-- {
		for k := range list[i].Headlines {
			h := &list[i].Headlines[k]
			n, ok := index[h.key()]
			if !ok {
				if len(out) == maxHeadlines {
					continue
				}
				n = len(out)
				index[h.key()] = n
				out = append(out, series{h.name(), h.Unit, make([]*Headline, len(list))})
			}
			out[n].at[i] = h
		}
	}
	return out
}

// maxTrends bounds the panels of a trend; the table has every headline.
const maxTrends = 6

// trend draws the headlines over the dates of the versions, each in a panel with
// its interval where it has one. It is "" if no headline has two values. What
// rests on withdrawn runs is not drawn.
func trend(list []*Version) (template.HTML, []string, error) {
	all := len(list)
	list = slices.DeleteFunc(slices.Clone(list), func(v *Version) bool { return len(v.withdrawn) > 0 })
	if len(list) == 0 {
		return "", nil, nil
	}
	start := list[0].Date
	f := analyze.Figure{ID: "trend", Kind: "trend", Title: "Headlines by the date of their version",
		X: analyze.Axis{Label: "days since " + day(start)}}
	for _, s := range seriesOf(list) {
		value, low, high := curves(list, s)
		if len(value.X) < 2 || len(f.Y) == maxTrends {
			continue
		}
		p := analyze.Panel{Series: []analyze.Series{value}}
		for _, edge := range []analyze.Series{low, high} {
			if len(edge.X) > 0 {
				p.Series = append(p.Series, edge)
			}
		}
		f.Y = append(f.Y, analyze.Axis{Label: s.name, Unit: s.unit})
		f.Panels = append(f.Panels, p)
	}
	if len(f.Y) == 0 {
		return "", nil, nil
	}
	f.Alt = fmt.Sprintf("%d versions from %s to %s; the table has every value.", len(list), day(start), day(list[len(list)-1].Date))
	d, err := figure.Draw(f)
	if err != nil {
		return "", nil, err
	}
	notes := d.Notes
	switch n := all - len(list); {
	case n == 1:
		notes = append(notes, "1 version rests on a run that was withdrawn and is not drawn; the table has it.")
	case n > 1:
		notes = append(notes, fmt.Sprintf("%d versions rest on runs that were withdrawn and are not drawn; the table has them.", n))
	}
	return template.HTML(d.Inline("trend")), notes, nil
}

// curves are the values of a headline and the ends of its intervals.
func curves(list []*Version, s series) (value, low, high analyze.Series) {
	value = analyze.Series{Name: "as published", Mark: "line", Role: "throughput"}
	low = analyze.Series{Name: "lower end", Mark: "dots", Role: "other"}
	high = analyze.Series{Name: "upper end", Mark: "dots", Role: "other"}
	add := func(to *analyze.Series, v *Version, y *float64) {
		if y != nil {
			to.X, to.Y = append(to.X, v.Date.Sub(list[0].Date).Hours()/24), append(to.Y, *y)
		}
	}
	for i, v := range list {
		h := s.at[i]
		if h == nil {
			continue
		}
		add(&value, v, h.Value)
		add(&low, v, h.Low)
		add(&high, v, h.High)
	}
	return value, low, high
}
