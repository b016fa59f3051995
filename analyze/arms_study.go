package analyze

import (
	"fmt"
	"slices"

	"headroom/detect"
)

// weigh says what the configurations of a study show of one another: its arms, its
// denominators, what may hold the throughput and what became of each suspicion.
func (b *builder) weigh() {
	for i, a := range b.study.Arms {
		b.armsOf(i, a)
	}
	b.denominatorsOf()
	b.bottlenecks()
	b.eliminate()
}

// partNamed returns the configuration of that name.
func (b *builder) partNamed(name string) *part {
	for i := range b.parts {
		if b.parts[i].Name == name {
			return &b.parts[i]
		}
	}
	return nil
}

// whole is all cells of a configuration as one group.
func (p *part) whole() *group {
	g := group{name: p.Name}
	for i := range p.groups {
		g.cells = append(g.cells, p.groups[i].cells...)
	}
	return &g
}

// armsOf compares the two configurations of a pair of arms. The ids of what they
// show carry the arms' name, and which of the two it is of.
func (b *builder) armsOf(i int, a StudyArms) {
	control, treatment := b.partNamed(a.Control), b.partNamed(a.Treatment)
	if control == nil || treatment == nil {
		return
	}
	of := []*arm{{control.label(), control.whole()}, {treatment.label(), treatment.whole()}}
	if len(of[0].group.cells) == 0 || len(of[1].group.cells) == 0 {
		return
	}
	from := len(b.Quantities)
	t := b.armTable(of[0], of[1:], a.Tests)
	t.ID, t.Title = "arms", "Control and treatment: "+a.Name
	if i > 0 {
		t.ID = fmt.Sprintf("arms-%d", i+1)
	}
	if a.Changed != "" {
		t.Notes = append([]string{"Changed: " + a.Changed + "."}, t.Notes...)
	}
	sides := map[string]string{a.Control: a.Name + ".control", a.Treatment: a.Name + ".treatment"}
	id := func(id string, scope detect.Scope) string {
		name := sides[scope.Configuration]
		if name == "" {
			name = a.Name
		}
		return named(id, name)
	}
	for i := from; i < len(b.Quantities); i++ {
		b.Quantities[i].ID = id(b.Quantities[i].ID, b.Quantities[i].Scope)
	}
	for _, r := range t.Rows {
		for i := range r.Cells {
			if c := &r.Cells[i]; c.ID != "" {
				c.ID = id(c.ID, *c.In)
			}
		}
	}
	b.Tables = append(b.Tables, t)
}

// denominatorsOf sets the declared configurations beside their denominators, and
// says of every other that stands for a throughput that none was measured.
func (b *builder) denominatorsOf() {
	if len(b.study.Denominators) == 0 {
		return
	}
	t := Table{ID: "denominators", Title: "Throughput beside what it is a share of", Columns: []Column{
		left("configuration"), right("rate"), left("bound"), left("denominator"), right("its rate"), right("share"),
	}}
	var of []string
	for _, x := range b.study.Denominators {
		of = append(of, x.Of, x.By)
		t.Rows = append(t.Rows, b.denominatorRow(x))
	}
	for _, m := range b.merits {
		if p := b.partNamed(m.configuration); p != nil && !p.Aside && !slices.Contains(of, m.configuration) {
			t.Rows = append(t.Rows, Row{Cells: []Cell{text(p.label()), text(b.rate(m.throughput)), text(orDash(string(m.bound))), text("none measured"), text("—"), text("—")}})
		}
	}
	t.Notes = append(t.Notes, "A share over 100 % is of another protocol, or of a denominator that was itself held back. A closed loop's maximum is a ceiling, never a service level.")
	b.Tables = append(b.Tables, t)
}

// lonelyMerit is the throughput of a configuration of one run that is no part of a
// curve or series.
func (b *builder) lonelyMerit(name string) (merit, bool) {
	p := b.partNamed(name)
	if p == nil {
		return merit{}, false
	}
	cells := p.whole().cells
	if len(cells) != 1 {
		return merit{}, false
	}
	q := cells[0].quantity("throughput")
	if q == nil || q.Value == nil {
		return merit{}, false
	}
	return merit{configuration: name, throughput: *q.Value, bound: q.Bound}, true
}

// denominatorRow sets one configuration beside one denominator.
func (b *builder) denominatorRow(x StudyDenominator) Row {
	what := x.What
	if what == "" {
		what = x.By
	}
	row := Row{Cells: []Cell{text(x.Of), text("—"), text("—"), text(what), text("—"), text("—")}}
	by := b.partNamed(x.By)
	i := slices.IndexFunc(b.merits, func(m merit) bool { return m.configuration == x.Of })
	if by == nil || len(by.whole().cells) == 0 {
		return row
	}
	y := yardstick{m: by.runs[0], cell: by.whole().cells[0], name: x.By, role: denominatorRole}
	y.measure()
	if y.rate == nil {
		return row
	}
	rate := *y.rate
	rate.ID, rate.Scope = named("denominator.rate", x.Name), detect.Scope{Configuration: x.By}
	b.Quantities = append(b.Quantities, rate)
	row.Cells[4] = Cell{Text: rate.Display, ID: rate.ID, In: &rate.Scope, Note: rate.Why}
	m, ok := b.lonelyMerit(x.Of)
	if i >= 0 {
		m, ok = b.merits[i], true
	}
	if !ok {
		row.Cells[1] = Cell{Text: "—", Note: "it has no throughput"}
		return row
	}
	row.Cells[1], row.Cells[2] = text(b.rate(m.throughput)), text(orDash(string(m.bound)))
	if rate.Value != nil && *rate.Value > 0 {
		q := b.share(fmt.Sprintf("%s of %s", x.Of, x.By), m.throughput, m.bound, &y)
		q.ID, q.Scope.Run, q.Scope.Step = named(q.ID, x.Name), "", ""
		b.Quantities = append(b.Quantities, q)
		b.headroom = append(b.headroom, headroom{q, what, y.m.Result.Run.ID})
		row.Cells[5] = Cell{Text: q.Display, ID: q.ID, In: &q.Scope, Note: shareNote(&q)}
	}
	return row
}
