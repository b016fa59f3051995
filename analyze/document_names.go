package analyze

import (
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
)

// settle gives what a configuration added its names, and takes back what it has
// no say in.
func (b *builder) settle(p *part, since lengths) {
	d := b.document
	if !p.Headline {
		d.Answer = d.Answer[:since.answer]
	}
	waived := p.waivedGates()
	if p.Aside {
		d.outcomes = d.outcomes[:since.outcomes]
	} else if len(waived) > 0 {
		d.outcomes = append(d.outcomes, Unknown)
	}
	now := b.namesOf(p, since)
	for i := since.configurations; i < len(d.Configurations); i++ {
		c := &d.Configurations[i]
		if name, ok := now[c.Name]; ok {
			c.Name = name
		}
		c.Label, c.Protocol, c.Aside = p.label(), p.Protocol.Name, p.Aside
		if len(waived) > 0 && c.Outcome == Pass {
			c.Outcome, c.Text = Unknown, c.Text+"; "+strings.Join(waived, ", ")+" waived"
		}
	}
	b.nameQuantities(p, since)
	for i := since.verdicts; i < len(d.Verdicts); i++ {
		if name, ok := now[d.Verdicts[i].Scope.Configuration]; ok {
			d.Verdicts[i].Scope.Configuration = name
		} else if d.Verdicts[i].Scope.Configuration == "" {
			d.Verdicts[i].Scope.Configuration = p.Name
		}
		d.Verdicts[i].Required = d.Verdicts[i].Required && !p.Aside
	}
	for i := since.tables; i < len(d.Tables); i++ {
		t := &d.Tables[i]
		t.ID = unnumbered(t.ID) + "-" + idOf(p.Name)
		if len(b.parts) > 1 && !strings.Contains(t.Title, ": "+p.Name) {
			t.Title += ": " + p.label()
		}
	}
	for i := since.figures; i < len(d.Figures); i++ {
		d.Figures[i].ID = unnumbered(d.Figures[i].ID) + "-" + fileName(p.Name)
	}
}

// namesOf are the names that the entries of a configuration get, where its protocol
// names them after runs or arms.
func (b *builder) namesOf(p *part, since lengths) map[string]string {
	list := b.Configurations[since.configurations:]
	out, begin := map[string]string{}, idOf(p.Name)+"-"
	if slices.ContainsFunc(list, func(c Configuration) bool { return !strings.HasPrefix(idOf(c.Name), begin) }) {
		begin = ""
	}
	for _, c := range list {
		switch p.Protocol.Name {
		case "pairs":
			out[c.Name] = p.Name
		case "bench", "scenario":
			out[c.Name] = p.Name
			if len(list) > 1 {
				out[c.Name] += "." + strings.TrimPrefix(idOf(c.Name), begin)
			}
		}
	}
	return out
}

// fileName makes a part of a file's name of a name: files of a document have small
// letters only.
func fileName(name string) string { return strings.ReplaceAll(strings.ToLower(idOf(name)), "_", "-") }

// unnumbered takes the number of a configuration from an id: its name takes the
// place.
func unnumbered(id string) string {
	if i := strings.LastIndexByte(id, '-'); i > 0 && strings.Trim(id[i+1:], "0123456789") == "" {
		return id[:i]
	}
	return id
}

// named puts a configuration's name after the family of an id:
// sweep.sustained.p99 of matching is sweep.matching.sustained.p99.
func named(id, configuration string) string {
	family, rest, _ := strings.Cut(id, ".")
	return family + "." + configuration + "." + rest
}

// nameQuantities names what a configuration added, in the list and in the cells
// that show it, and says of each figure what its reader must know.
func (b *builder) nameQuantities(p *part, since lengths) {
	d := b.document
	type key struct {
		id string
		in detect.Scope
	}
	now := map[key]key{}
	for i := since.quantities; i < len(d.Quantities); i++ {
		q := &d.Quantities[i]
		old := key{q.ID, q.Scope}
		inside := p.Name
		if p.Protocol.Name == "pairs" {
			if n, ok := strings.CutPrefix(q.Scope.Configuration, "pair "); ok {
				inside += "." + n
			}
			q.Scope.Configuration = p.Name
		} else if q.Scope.Configuration != "" {
			inside = q.Scope.Configuration
		}
		q.ID = named(q.ID, inside)
		now[old] = key{q.ID, q.Scope}
		if p.SupersededBy != "" {
			q.Warnings = append(q.Warnings, fmt.Sprintf("superseded by %s: %s", p.SupersededBy, p.Superseded))
		}
	}
	for i := since.tables; i < len(d.Tables); i++ {
		for j := range d.Tables[i].Rows {
			for k := range d.Tables[i].Rows[j].Cells {
				c := &d.Tables[i].Rows[j].Cells[k]
				if c.In == nil {
					continue
				}
				if to, ok := now[key{c.ID, *c.In}]; ok {
					c.ID, c.In = to.id, &to.in
				}
			}
		}
	}
}
