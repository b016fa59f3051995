package analyze

import (
	"fmt"
	"maps"
	"slices"

	"headroom/detect"
)

// scenariosOf judges the runs of a configuration one by one, by the checks that
// each can answer.
func (b *builder) scenariosOf(p *part) {
	saved := b.groups
	b.groups, b.Protocol = p.groups, "scenarios"
	b.scenarios()
	b.groups, b.Protocol = saved, p.Protocol.Name
}

// benchmarksOf judges the benchmarks of a configuration.
func (b *builder) benchmarksOf(p *part) {
	saved := b.runs
	b.runs = p.runs
	b.benchmarks()
	b.runs = saved
}

// partNamed returns the configuration of that name.
func (b *builder) partNamed(name string) *part {
	i := slices.IndexFunc(b.parts, func(p part) bool { return p.Name == name })
	return &b.parts[i]
}

// compareArms makes each declared comparison of a treatment with its control.
func (b *builder) compareArms() error {
	for _, a := range b.study.Arms {
		control, treatment := b.partNamed(a.Control), b.partNamed(a.Treatment)
		if len(control.groups) != 1 || len(treatment.groups) != 1 {
			return fmt.Errorf("arms %s: %s and %s need to be one series of repeats each", a.Name, a.Control, a.Treatment)
		}
		b.compareArm(a, control, treatment)
	}
	return nil
}

// compareArm compares two configurations by the rules for runs that are labelled
// as arms: for the time of the comparison their runs bear those labels.
func (b *builder) compareArm(a StudyArms, control, treatment *part) {
	d := b.document
	since := d.lengths()
	savedRuns, savedGroups := d.runs, d.groups
	labels := map[string]map[string]string{}
	for _, side := range []struct {
		p    *part
		name string
	}{{control, "control"}, {treatment, a.Treatment}} {
		for _, m := range side.p.runs {
			id := m.Result.Run.ID
			labels[id] = m.Result.Run.Labels
			own := map[string]string{}
			maps.Copy(own, m.Result.Run.Labels)
			own[armLabel] = side.name
			if side.p == treatment && a.Tests != "" {
				own[treatsLabel] = a.Tests
			}
			m.Result.Run.Labels = own
		}
	}
	d.runs = slices.Concat(control.runs, treatment.runs)
	with := func(p *part, name string) group {
		g := p.groups[0]
		g.labels = map[string]string{armLabel: name}
		return g
	}
	d.groups = []group{with(control, "control"), with(treatment, a.Treatment)}
	d.compareTreatments()
	marked := d.runs
	d.runs, d.groups = savedRuns, savedGroups
	for _, m := range slices.Concat(control.runs, treatment.runs, marked) {
		m.Result.Run.Labels = labels[m.Result.Run.ID]
	}
	for _, m := range marked { // findings may have been marked: the page shows those
		for i := range d.runs {
			if d.runs[i].Result.Run.Digest == m.Result.Run.Digest {
				d.runs[i].Result.Findings = m.Result.Findings
			}
		}
	}
	b.nameArm(a, since)
}

// nameArm gives what a comparison added the names of the declared one.
func (b *builder) nameArm(a StudyArms, since lengths) {
	b.rename(since, func(q *Quantity) string {
		inside := a.Name
		switch q.Scope.Configuration {
		case a.Control:
			inside += ".control"
		case a.Treatment:
			inside += ".treatment"
		}
		return named(q.ID, inside)
	})
	for i := since.tables; i < len(b.Tables); i++ {
		t := &b.Tables[i]
		t.ID, t.Title = t.ID+"-"+idOf(a.Name), t.Title+": "+a.Name
		if a.Changed != "" {
			t.Notes = append([]string{"What was changed: " + a.Changed + "."}, t.Notes...)
		}
	}
}

// rename gives quantities that were added new ids, in the list and in the cells
// that show them.
func (b *builder) rename(since lengths, to func(*Quantity) string) {
	type key struct {
		id string
		in detect.Scope
	}
	now := map[key]string{}
	for i := since.quantities; i < len(b.Quantities); i++ {
		q := &b.Quantities[i]
		id := to(q)
		now[key{q.ID, q.Scope}] = id
		q.ID = id
	}
	for i := since.tables; i < len(b.Tables); i++ {
		for j := range b.Tables[i].Rows {
			for k := range b.Tables[i].Rows[j].Cells {
				c := &b.Tables[i].Rows[j].Cells[k]
				if c.In == nil {
					continue
				}
				if id, ok := now[key{c.ID, *c.In}]; ok {
					c.ID = id
				}
			}
		}
	}
}

// readDenominators sets each rate beside the declared whole, and says so where a
// rate has none.
func (b *builder) readDenominators() {
	d := b.document
	if len(b.study.Denominators) == 0 {
		return
	}
	since := d.lengths()
	names := map[string]string{} // scope of a share → part of its id
	all := map[string]merit{}
	for _, m := range d.merits {
		all[m.configuration] = m
	}
	t := Table{ID: "denominators", Title: "Throughput beside what it is a share of", Columns: []Column{
		left("what"), right("rate"), left("bound"), right("p50"), right("p99"), left("denominator"), right("its rate"), right("share"),
	}}
	saved := d.yardsticks
	for _, x := range b.study.Denominators {
		y, ok := b.yardstickOf(b.partNamed(x.By), x.What)
		m, has := all[x.Of]
		if !ok || !has {
			t.Rows = append(t.Rows, Row{Cells: []Cell{text(x.Of), text("—"), text("—"), text("—"), text("—"), text(y.name), text("—"), {Text: "—", Note: "one of the two has no throughput"}}})
			continue
		}
		d.yardsticks = []yardstick{y}
		d.shares(&t, x.Of, m.throughput, m.bound, Cell{Text: "—"}, Cell{Text: "—"})
		names[x.Of+"\x00"+y.m.Result.Run.ID] = x.Of + "." + x.Name
		for _, n := range y.notes {
			t.Notes = append(t.Notes, y.name+": "+n+".")
		}
	}
	d.yardsticks = saved
	t.Notes = append(t.Notes, "A share over 100 % is of another protocol, or of a denominator that was itself held back.")
	d.Tables = append(d.Tables, t)
	b.afterRanking = func() {
		b.rename(since, func(q *Quantity) string {
			if inside, ok := names[q.Scope.Configuration+"\x00"+q.Scope.Run]; ok && q.ID == "headroom.share" {
				return named(q.ID, inside)
			}
			return q.ID
		})
	}
}

// yardstickOf takes the rate of a configuration for a whole: that of its best run.
func (b *builder) yardstickOf(p *part, what string) (yardstick, bool) {
	name := p.label()
	if what != "" {
		name = what + " (" + p.Name + ")"
	}
	best := yardstick{name: name, role: denominatorRole}
	for i := range p.groups {
		for _, c := range p.groups[i].cells {
			y := yardstick{m: c.m, cell: c, name: name, role: denominatorRole}
			y.measure()
			if y.rate == nil || y.rate.Value == nil {
				continue
			}
			if best.rate == nil || *y.rate.Value > *best.rate.Value {
				best = y
			}
		}
	}
	return best, best.rate != nil
}

// deriveDeclared adds the ratios and sums that the study asks for.
func (b *builder) deriveDeclared() {
	for i := range b.parts {
		if len(b.parts[i].Protocol.Derived) > 0 {
			saved := b.protocol
			b.protocol = b.parts[i].Protocol
			b.derived()
			b.protocol = saved
			return // they are the study's: every configuration has the same
		}
	}
}
