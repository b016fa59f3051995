package analyze

import "fmt"

// history lists the figures that others took the place of: those of configurations
// that were superseded, and those that the study says earlier documents gave.
func (b *builder) history() {
	t := Table{ID: "history", Title: "Superseded figures", Columns: []Column{left("figure"), right("was"), right("is"), right("ratio"), left("until"), left("why")}}
	declared := len(b.study.History) > 0
	for i := range b.parts {
		if p := &b.parts[i]; p.SupersededBy != "" {
			t.Rows = append(t.Rows, b.supersededRows(p)...)
		}
	}
	for i, h := range b.study.History {
		t.Rows = append(t.Rows, b.declaredRow(i, h))
	}
	if len(t.Rows) == 0 {
		return
	}
	if declared {
		t.Notes = append(t.Notes, "Figures of earlier documents are quoted as declared; nothing here rests on them.")
	}
	t.Notes = append(t.Notes, "A figure that was superseded is kept as it was measured. The ratio compares two measurements, and is no capacity.")
	b.Tables = append(b.Tables, t)
}

// replaced are the figures of a configuration that its successor is held against:
// what a reader calls each, and its id with the configuration left open.
var replaced = []struct{ what, id string }{
	{"sustained throughput", "sweep.%s.sustained.throughput"},
	{"p99 at it", "sweep.%s.sustained.p99"},
	{"knee, throughput", "sweep.%s.knee.throughput"},
	{"highest rate that held", "ladder.%s.highest_held"},
	{"throughput, median", "series.%s.throughput.median"},
	{"p99, median", "series.%s.latency.p99.median"},
	{"throughput at the end", "soak.%s.last"},
	{"load that its clean-up keeps up with, below", "prune.%s.keeps_up_below"},
}

// supersededRows set a configuration beside the one that took its place: what came
// of each, then each figure that both have.
func (b *builder) supersededRows(p *part) []Row {
	said := func(name string) string {
		for i := range b.parts {
			if list := b.entriesOf(&b.parts[i]); b.parts[i].Name == name && len(list) == 1 {
				return list[0].Text
			}
		}
		return "—"
	}
	why := text(p.Superseded)
	rows := []Row{{Cells: []Cell{text(p.Name + " → " + p.SupersededBy), text(said(p.Name)), text(said(p.SupersededBy)), text("—"), text("—"), why}}}
	for _, f := range replaced {
		was, is := b.quantityNamed(fmt.Sprintf(f.id, p.Name)), b.quantityNamed(fmt.Sprintf(f.id, p.SupersededBy))
		if was == nil || is == nil {
			continue
		}
		id, now := was.ID, is.ID
		ratio := text("—")
		if was.Value != nil && is.Value != nil && *was.Value != 0 {
			ratio = b.ratioCell("superseded."+id+".ratio", is, *was.Value, map[string]any{"of": now, "over": id})
		}
		rows = append(rows, Row{Cells: []Cell{text(f.what), b.showNamed(id), b.showNamed(now), ratio, text("—"), why}})
	}
	return rows
}

// ratioCell adds the ratio of a figure to the one that it took the place of. The
// list of quantities may move.
func (b *builder) ratioCell(id string, is *Quantity, was float64, params map[string]any) Cell {
	r := quantity(id, is.Scope, *is.Value/was, "1", -1, From{Method: "ratio@1", Params: params})
	r.Bound = ComparisonOnly
	b.Quantities = append(b.Quantities, r)
	scope := r.Scope
	return Cell{Text: "× " + r.Display, ID: r.ID, In: &scope}
}

// declaredRow is a figure that an earlier document gave.
func (b *builder) declaredRow(i int, h Superseded) Row {
	unit, ratio := "1", text("—")
	q := b.quantityNamed(h.Figure)
	if q == nil {
		b.Warnings = append(b.Warnings, fmt.Sprintf("history: no quantity is called %s", h.Figure))
	} else {
		unit = q.Unit
	}
	if q != nil && q.Value != nil && h.Was != 0 {
		ratio = b.ratioCell(fmt.Sprintf("history.%d.ratio", i+1), q, h.Was, map[string]any{"figure": h.Figure, "was": h.Was})
		last := &b.Quantities[len(b.Quantities)-1]
		last.Warnings = append(last.Warnings, "the earlier figure is declared, not measured here")
	}
	is := b.showNamed(h.Figure) // after the ratio was added: the list may have moved
	return Row{Cells: []Cell{text(h.Figure), text(Display(h.Was, unit)), is, ratio, text(h.At), text(h.Why)}}
}
