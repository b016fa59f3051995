package analyze

import (
	"fmt"
)

// glances are the tables of the first screen: the sweeps to plan with side by side,
// then one row a configuration. Where some configurations decide nothing and many
// stand there, those have a table of their own.
func (b *builder) glances() (out []Table) {
	planned, ok := b.headline()
	if ok {
		out = append(out, planned)
	}
	if t, ok := b.heldTable(); ok {
		out = append(out, t)
	}
	var decide, aside []Configuration
	for _, c := range b.Configurations {
		if c.Aside {
			aside = append(aside, c)
		} else {
			decide = append(decide, c)
		}
	}
	if len(aside) < fewAside || len(decide) == 0 {
		return append(out, b.glanceOf("glance", "At a glance", b.Configurations, !ok))
	}
	return append(out, b.glanceOf("glance", "At a glance", decide, !ok),
		b.glanceOf("glance-aside", "Configurations that decide nothing", aside, !ok))
}

// fewAside is up to how many configurations that decide nothing stand among those
// that do.
const fewAside = 3

// glanceOf is one row a configuration, with its fleet at each rate if asked for.
func (b *builder) glanceOf(id, title string, list []Configuration, fleet bool) Table {
	t := Table{ID: id, Title: title, Columns: []Column{left("configuration"), left("protocol"), left("verdict"), right("passed"), left("result")}}
	decides := false // told apart in one table
	for _, c := range list {
		decides = decides || c.Aside != list[0].Aside
	}
	if decides {
		t.Columns = append(t.Columns, left("decides"))
	}
	var rates []float64
	for _, rate := range b.fleetRates() {
		any := false
		for _, c := range list {
			any = any || fleet && b.quantityNamed(fleetID(c.Name, rate)) != nil
		}
		if any {
			rates = append(rates, rate)
			t.Columns = append(t.Columns, right(fmt.Sprintf("fleet at %s/h", Display(rate, "1"))))
		}
	}
	for _, c := range list {
		name := Cell{Text: c.Name}
		if c.Label != c.Name {
			name.Note = c.Label
		}
		row := Row{Mark: string(c.Outcome), Cells: []Cell{name, text(c.Protocol), text(string(c.Outcome)), text(NofM{c.Passed, c.Of}.String()), text(c.Text)}}
		if decides {
			word := "yes"
			if c.Aside {
				word = "no"
			}
			row.Cells = append(row.Cells, text(word))
		}
		for _, rate := range rates {
			row.Cells = append(row.Cells, b.showNamed(fleetID(c.Name, rate)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
