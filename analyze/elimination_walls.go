package analyze

import (
	"fmt"
	"slices"
	"strings"
)

// eliminateByWall lists, for each thing that the author ranks, what else was suspected
// in the runs that show it. What another run ruled out says nothing of them: a disk
// that idled there may be the limit here. A thing whose figures are of no run with a
// suspicion has no table.
func (b *builder) eliminateByWall() (out []Table) {
	for i, r := range b.study.First.Ranked {
		ids := map[string]bool{}
		for _, f := range r.Figures {
			for _, id := range b.runsBehind(f.Operand) {
				ids[id] = true
			}
		}
		list := b.within(ids).suspicions()
		if len(list) == 0 {
			continue
		}
		t := eliminationTable(fmt.Sprintf("elimination.%d", i+1), fmt.Sprintf("What was suspected of %d, %s", i+1, r.What), list)
		var names []string
		for _, m := range b.runs {
			if ids[m.Result.Run.ID] {
				names = append(names, m.name())
			}
		}
		t.Notes = append(t.Notes, fmt.Sprintf("Of %s: %s.", countText(len(names), "run"), strings.Join(names, ", ")))
		out = append(out, t)
	}
	return out
}

// within is the document as far as some runs go, by their ids: enough of it to say
// what was suspected in them.
func (d *document) within(ids map[string]bool) *document {
	other := func(m *Measured) bool { return !ids[m.Result.Run.ID] }
	foreign := func(c suspicion) bool { return !slices.ContainsFunc(c.of, func(id string) bool { return ids[id] }) }
	out := &document{Capacity: &Capacity{}, several: d.several}
	out.runs = slices.DeleteFunc(slices.Clone(d.runs), other)
	for _, g := range d.groups {
		g.cells = slices.DeleteFunc(slices.Clone(g.cells), func(c *cell) bool { return other(c.m) })
		if len(g.cells) > 0 {
			out.groups = append(out.groups, g)
		}
	}
	out.headroom = slices.DeleteFunc(slices.Clone(d.headroom), func(h headroom) bool { return !ids[h.run] })
	out.swept = slices.DeleteFunc(slices.Clone(d.swept), foreign)
	out.treated = slices.DeleteFunc(slices.Clone(d.treated), foreign)
	return out
}

// runsBehind are the ids of the runs that a figure is of: the one that it names, those
// of the configurations that a figure of the document stands for, or those of its
// parts where it is made of others.
func (b *builder) runsBehind(o Operand) (ids []string) {
	of := func(names ...string) (ids []string) {
		for _, name := range names {
			if p := b.partOf(name); p != nil {
				ids = append(ids, runIDs(p.runs)...)
			}
		}
		return ids
	}
	for _, a := range b.study.Arms {
		if strings.HasPrefix(o.ID, "arms."+a.Name+".") {
			return of(a.Control, a.Treatment)
		}
	}
	for _, c := range b.study.Comparisons {
		if strings.HasPrefix(o.ID, "compare."+c.Name+".") {
			return of(c.Faster, c.Slower)
		}
	}
	for _, x := range b.study.Denominators {
		if o.ID == named("headroom.share", x.Name) {
			return of(x.Of, x.By)
		}
	}
	for _, want := range b.derivations() {
		if o.ID == "derived."+want.Name {
			for _, part := range append([]Operand{want.Over, want.Under}, want.Sum...) {
				if part.ID != "" {
					ids = append(ids, b.runsBehind(part)...)
				}
			}
			return ids
		}
	}
	if q := b.quantityNamed(o.ID); q != nil && o.Run == "" && q.Scope.Configuration != "" {
		return of(q.Scope.Configuration)
	}
	return b.runsWith(o)
}

// runsWith are the ids of the runs that have a quantity, or that an operand names.
func (b *builder) runsWith(o Operand) (ids []string) {
	for _, m := range b.runs {
		id := m.Result.Run.ID
		if o.Run != "" && (o.Run == id || o.Run == m.manifest.Labels["run"]) ||
			o.Run == "" && slices.ContainsFunc(m.Result.Quantities, func(q Quantity) bool { return o.matches(&q) }) {
			ids = append(ids, id)
		}
	}
	return ids
}

// partOf returns the configuration that a scope's name is of: its own, or that of one
// of its runs or steps, NAME.RUN.
func (b *builder) partOf(name string) *part {
	for ; name != ""; name = name[:max(0, strings.LastIndexByte(name, '.'))] {
		if p := b.partNamed(name); p != nil {
			return p
		}
	}
	return nil
}

func runIDs(ms []*Measured) (ids []string) {
	for _, m := range ms {
		ids = append(ids, m.Result.Run.ID)
	}
	return ids
}
