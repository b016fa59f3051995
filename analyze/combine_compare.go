package analyze

import (
	"cmp"
	"fmt"
	"slices"

	"headroom/detect"
)

// merit is the throughput that a configuration stands for.
type merit struct {
	configuration string
	throughput    float64
	bound         Bound
	foreign       *float64 // CPUs' worth on its host meanwhile
	load          *float64
}

// keepMerit remembers what a configuration sustained, and what its host did.
func (d *document) keepMerit(g *group, throughput float64, cells []*cell) {
	cells = relied(cells)
	m := merit{configuration: g.entry().Name, throughput: throughput, bound: boundOf(cells, "throughput")}
	mean := func(id string) *float64 {
		sum, n := 0.0, 0
		for _, c := range cells {
			if q := c.during(id); q != nil && q.Value != nil {
				sum, n = sum+*q.Value, n+1
			}
		}
		if n < len(cells) || n == 0 {
			return nil
		}
		v := sum / float64(n)
		return &v
	}
	m.foreign, m.load = mean("contention.foreign_cpu"), mean("contention.load")
	d.merits = append(d.merits, m)
}

// compare states by how much each configuration falls short of the fastest.
// Two hosts' loads differ, so a gap is a lower bound or no comparison at all.
func (d *document) compare() {
	if len(d.merits) < 2 {
		return
	}
	ms := slices.Clone(d.merits)
	slices.SortStableFunc(ms, func(a, b merit) int { return cmp.Compare(b.throughput, a.throughput) })
	best := ms[0]
	t := Table{ID: "comparison", Title: "Configurations compared with the fastest, " + best.configuration, Columns: []Column{
		left("configuration"), right("throughput"), right("share lost"), right("ratio"), right("foreign CPU"), left("claim"),
	}}
	for _, m := range ms {
		foreign := text("—")
		if m.foreign != nil {
			foreign = text(Display(*m.foreign, "cores"))
		}
		row := Row{Cells: []Cell{text(m.configuration), text(d.rate(m.throughput)), text("—"), text("—"), foreign, text("—")}}
		if m.configuration != best.configuration {
			d.gap(m, best, &row)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes, "A gap is a lower bound only if the faster one's host carried at least as much foreign load: foreign load can only slow a system down. Percentages of lower bounds are rounded down.")
	d.Tables = append(d.Tables, t)
}

// gap adds the quantities of one comparison and fills its row.
func (d *document) gap(slow, fast merit, row *Row) {
	g := Gap{Slower: slow.throughput, Faster: fast.throughput, ForeignSlower: slow.foreign, ForeignFaster: fast.foreign}
	scope := detect.Scope{Configuration: slow.configuration + " against " + fast.configuration}
	from := From{Method: "gap@1", Params: map[string]any{"premise": "foreign load only slows the system down"}}
	share := quantity("compare.gap", scope, g.Share(), "1", -1, from)
	share.Display = Percent(g.Share())
	ratio := quantity("compare.ratio", scope, fast.throughput/slow.throughput, "1", -1, from)
	ok, why := g.AtLeast()
	for _, q := range []*Quantity{&share, &ratio} {
		q.Bound = ComparisonOnly
		if ok {
			q.Bound = AtLeast
		} else {
			q.Warnings = append(q.Warnings, "not comparable: "+why)
		}
	}
	if ok {
		share.Display = DisplayRounded(g.Share()*100, "%", Down)
	}
	d.Quantities = append(d.Quantities, share, ratio)
	row.Cells[2] = Cell{Text: share.Display, ID: share.ID, In: &scope}
	row.Cells[3] = Cell{Text: "× " + ratio.Display, ID: ratio.ID, In: &scope}
	claim := g.Claim()
	if !ok {
		claim += ": " + why
	} else {
		claim += fmt.Sprintf(" below %s", fast.configuration)
	}
	row.Cells[5] = text(claim)
}
