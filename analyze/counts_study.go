package analyze

import (
	"slices"
	"strings"
)

// countsOf judges the runs of a configuration that sent no request, each by what it
// counted, and compares what one event costs from the earliest of them on.
func (b *builder) countsOf(p *part) {
	d, all := b.document, b.document.runs
	defer func() { d.runs, d.loads = all, nil }()
	d.runs, d.loads = p.runs, all
	for _, m := range p.runs {
		if !m.noLoad() {
			continue
		}
		c := m.costEntry()
		c.Name = p.Name
		if len(p.runs) > 1 {
			c.Name += "." + runInside(p.Name, p.runs, m)
		}
		d.decide(c)
		d.costAnswer(m)
		for i := range m.ledger.fits {
			d.fitFigure(m, &m.ledger.fits[i])
		}
	}
	d.reductions()
	d.upkeep()
}

// costsOf adds the tables of what the runs of a configuration have cost, and of
// the limits that arithmetic puts on them.
func (b *builder) costsOf(p *part, since lengths) {
	d, runs, quantities := b.document, b.document.runs, b.document.Quantities
	defer func() { d.runs = runs }()
	d.runs, d.Quantities = p.runs, quantities[since.quantities:]
	byRun, shown := d.costsByRun()
	rest := d.costTable(shown)
	if p.Protocol.Name != "counts" { // the readings beside a load are no costs of it
		rest.Rows = slices.DeleteFunc(rest.Rows, func(r Row) bool {
			return slices.ContainsFunc(r.Cells, func(c Cell) bool { return strings.HasPrefix(c.ID, "sql.") })
		})
	}
	d.Quantities = quantities
	for _, t := range []Table{byRun, rest} {
		if len(t.Rows) > 0 {
			d.Tables = append(d.Tables, t)
		}
	}
	d.limits()
}
