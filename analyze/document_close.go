package analyze

import (
	"fmt"
	"slices"
	"strings"
)

// closeStudy adds what belongs to the document as a whole.
func (b *builder) closeStudy() {
	d := b.document
	d.Outcome = Worst(d.outcomes...)
	protocols := b.protocols()
	main := protocols[0]
	d.Protocol = main
	if d.Title == "" {
		var arms []string
		if len(b.study.Arms) == 1 {
			arms = []string{b.study.Arms[0].Control, b.study.Arms[0].Treatment}
		}
		d.Title, _ = titleOf(d.runs, main, arms)
		d.Untitled = true // another study of the same system may be of something else
	}
	if len(protocols) > 1 {
		d.Protocol = "study"
	}
	for i := range b.parts {
		b.residue(&b.parts[i])
		b.unwhole(&b.parts[i])
		b.totals(&b.parts[i])
	}
	d.Tables = slices.Insert(d.Tables, 0, b.glances()...)
	b.compareDeclared()
	b.deriveDeclared()
	b.weigh()
	b.surveys()
	b.stalls()
	b.ranking()
	b.changes()
	b.history()
	b.rescanned()
	d.pictures()
	b.growthPictures()
	b.waitsByPart()
	b.decidesNothing()
	d.results(func(m *Measured) string { return m.Result.Run.ID })
	b.waivers()
	b.sayHeld()
	d.withdrawnAnswer()
	d.Caveats = b.uncovered(protocols)
	d.Method = b.methods(protocols)
	b.again()
	d.Tables = append(d.Tables, detectorTable(b.rules()...))
}

// decidesNothing takes it off the gates of runs that only configurations beside the
// verdict hold that they decide.
func (b *builder) decidesNothing() {
	decides := map[*Measured]bool{}
	for i := range b.parts {
		for _, m := range b.parts[i].runs {
			m = b.first[m.Result.Run.Digest]
			decides[m] = decides[m] || !b.parts[i].Aside
		}
	}
	for _, m := range b.runs {
		for i := range m.Result.Verdicts {
			v := &m.Result.Verdicts[i]
			v.Required = v.Required && decides[m]
		}
	}
}

// protocols returns the protocols of the study, those of configurations that
// decide first, each once.
func (b *builder) protocols() []string {
	var decide, aside []string
	for i := range b.parts {
		if p := &b.parts[i]; p.Aside {
			aside = append(aside, p.Protocol.Name)
		} else {
			decide = append(decide, p.Protocol.Name)
		}
	}
	return unique(append(decide, aside...))
}

// rules returns the rules of the study's configurations, in their order.
func (b *builder) rules() []Protocol {
	out := make([]Protocol, 0, len(b.parts))
	for i := range b.parts {
		out = append(out, b.parts[i].Protocol.Defaults())
	}
	if len(out) == 0 {
		out = append(out, b.protocol)
	}
	return out
}

func fleetID(configuration string, rate float64) string {
	return fmt.Sprintf("fleet.%s.%g.endpoints", configuration, rate)
}

// quantityNamed returns the document's quantity of that id, nil if it has none.
func (b *builder) quantityNamed(id string) *Quantity {
	for i := range b.Quantities {
		if b.Quantities[i].ID == id {
			return &b.Quantities[i]
		}
	}
	return nil
}

// showNamed is a cell with a quantity of the document, a dash where there is none.
func (b *builder) showNamed(id string) Cell {
	q := b.quantityNamed(id)
	if q == nil {
		return Cell{Text: "—"}
	}
	scope := q.Scope
	return Cell{Text: q.Display, ID: id, In: &scope, Note: q.Why}
}

// compareDeclared states the declared comparisons, and no others: two
// configurations of a study need not be of one thing.
func (b *builder) compareDeclared() {
	merits := map[string]merit{}
	for _, m := range b.merits {
		merits[m.configuration] = m
	}
	t := Table{ID: "comparison", Title: "Configurations compared", Columns: []Column{
		left("comparison"), left("slower"), left("faster"), right("throughput"), right("share lost"), right("ratio"), right("foreign CPU"), left("claim"),
	}}
	for _, c := range b.study.Comparisons {
		slow, okSlow := merits[c.Slower]
		fast, okFast := merits[c.Faster]
		row := Row{Cells: []Cell{text(c.Slower), text("—"), text("—"), text("—"), text("—"), text("—")}}
		switch {
		case !okSlow || !okFast:
			missing := c.Slower
			if okSlow {
				missing = c.Faster
			}
			row.Cells[5] = text("not comparable: " + missing + " has no throughput")
		case fast.throughput < slow.throughput:
			row.Cells[1] = text(b.rate(slow.throughput))
			row.Cells[5] = text(fmt.Sprintf("not as declared: %s was the faster one, with %s", c.Slower, b.rate(slow.throughput)))
			b.Warnings = append(b.Warnings, fmt.Sprintf("comparison %s: %s is declared the faster one, and %s was", c.Name, c.Faster, c.Slower))
		default:
			row.Cells[1] = text(b.rate(slow.throughput))
			if slow.foreign != nil {
				row.Cells[4] = text(Display(*slow.foreign, "cores"))
			}
			from := len(b.Quantities)
			b.gap(slow, fast, &row)
			for i := from; i < len(b.Quantities); i++ {
				b.Quantities[i].ID = named(b.Quantities[i].ID, c.Name)
			}
			for _, k := range []int{2, 3} {
				row.Cells[k].ID = named(row.Cells[k].ID, c.Name)
			}
		}
		row.Cells = slices.Insert(row.Cells, 0, text(strings.ReplaceAll(c.Name, "_", " ")))
		row.Cells = slices.Insert(row.Cells, 2, text(c.Faster))
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) > 0 {
		t.Notes = append(t.Notes, "A gap is a lower bound only if the faster one's host carried at least as much foreign load: foreign load can only slow a system down. Percentages of lower bounds are rounded down.")
		b.Tables = append(b.Tables, t)
	}
}

// waitsByPart tallies the waits of each configuration by itself.
func (b *builder) waitsByPart() {
	d, all := b.document, b.document.runs
	for i := range b.parts {
		p := &b.parts[i]
		since := d.lengths()
		d.runs = p.runs
		d.waits()
		for k := since.tables; k < len(d.Tables); k++ {
			d.Tables[k].ID += "-" + idOf(p.Name)
			d.Tables[k].Title += ": " + p.label()
		}
		for k := since.figures; k < len(d.Figures); k++ {
			d.Figures[k].ID += "-" + fileName(p.Name)
			d.Figures[k].Title += ": " + p.label()
		}
	}
	d.runs = all
}

// waivedGates are the gates with a waiver that did not pass on every run, in the
// order of Gates: whatever else holds, such a configuration is no pass.
func (p *part) waivedGates() (names []string) {
	for _, g := range Gates {
		if _, waived := p.Waivers[g.Name]; !waived {
			continue
		}
		for _, m := range p.runs {
			if slices.ContainsFunc(m.Result.Verdicts, func(v Verdict) bool { return v.Gate == g.Name && v.Outcome != Pass }) {
				names = append(names, g.Name)
				break
			}
		}
	}
	return names
}

// waivers says of each waiver what became of it.
func (b *builder) waivers() {
	for i := range b.parts {
		p := &b.parts[i]
		for _, g := range Gates {
			reason, ok := p.Waivers[g.Name]
			if !ok {
				continue
			}
			if slices.Contains(p.waivedGates(), g.Name) {
				b.Warnings = append(b.Warnings, fmt.Sprintf("%s: gate %s is waived, which is no pass: %s", p.Name, g.Name, reason))
			} else {
				b.Warnings = append(b.Warnings, fmt.Sprintf("%s: the waiver of gate %s is not needed: it passes", p.Name, g.Name))
			}
		}
	}
}

// uncovered says what the document does not show: the author's words first, then
// what the runs lack.
func (b *builder) uncovered(protocols []string) []string {
	out := slices.Clone(b.study.Uncovered)
	saved := b.Protocol
	b.Protocol, b.denominated = protocols[0], len(b.study.Denominators) > 0
	if slices.Contains(protocols, "repeats") {
		b.Protocol = "repeats"
	}
	out = append(out, b.caveats()...)
	b.Protocol = saved
	return unique(out)
}

// methods states the rules of every protocol of the study, each once.
func (b *builder) methods(protocols []string) []string {
	d := b.document
	savedName, savedRules, savedGroups := d.Protocol, d.protocol, d.groups
	defer func() { d.Protocol, d.protocol, d.groups = savedName, savedRules, savedGroups }()
	var out []string
	for _, name := range protocols {
		for i := range b.parts {
			p := &b.parts[i]
			if p.Protocol.Name != name || name == "sweep" && len(p.groups) == 0 {
				continue
			}
			d.Protocol, d.protocol, d.groups = name, p.Protocol.Defaults(), p.groups
			lines := d.method()
			if out == nil {
				out = lines
				break
			}
			var more []string
			for _, l := range lines {
				if !slices.Contains(out, l) {
					more = append(more, l)
				}
			}
			out = slices.Insert(out, min(2, len(out)), more...)
			break
		}
	}
	return append(out, b.lockWords()...)
}
