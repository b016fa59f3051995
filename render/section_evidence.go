package render

import (
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/render/md"
)

// owns is what of a capacity a section shows, by names: "steps" is the table
// "steps" and "steps-2". A document that has the section shows it nowhere else.
type owns struct {
	Tables     []string
	Together   []string // of these tables, those of a name and shape stand as one
	OneAnswer  []string // in these tables, rows that say the same of several things are one
	Folded     []string // these tables the reader opens
	Figures    []string // IDs, or kinds of figures
	Quantities []string // of the document: IDs, or how they begin: "fleet."
	// PerRun are quantities of runs, listed where no table of the section is there.
	PerRun []string
}

// base is a name without the number of one of several: "steps-2" is "steps".
func base(id string) string {
	i := strings.LastIndexByte(id, '-')
	if i > 0 && strings.Trim(id[i+1:], "0123456789") == "" && i+1 < len(id) {
		return id[:i]
	}
	return id
}

func (o owns) table(t analyze.Table) bool {
	return isOneOf(t, o.Tables)
}

// figure goes by the ID before the kind, so that a ladder drawn as a sweep is the
// ladder's.
func (o owns) figure(f analyze.Figure) bool {
	named := func(names []string) bool {
		return slices.ContainsFunc(names, func(n string) bool {
			return base(f.ID) == n || slices.Contains(figureIDs, n) && strings.HasPrefix(f.ID, n+"-")
		})
	}
	return named(o.Figures) || slices.Contains(o.Figures, f.Kind) && !named(figureIDs)
}

// figureIDs are figures that have a section of their own whatever their kind.
var figureIDs = []string{"ladder"}

// begins reports whether an ID is one of the names, or begins with one that ends
// in a point.
func begins(id string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return id == n || strings.HasSuffix(n, ".") && strings.HasPrefix(id, n)
	})
}

// evidenceSection shows what it owns: figures, tables, figures of the document
// that no table shows, and those of the runs.
func evidenceSection(name, title, doc string, o owns) Section {
	return Section{
		Name: name, Title: title, Doc: doc, owns: o,
		Applies: func(c *analyze.Capacity) bool {
			return slices.ContainsFunc(c.Tables, o.table) || slices.ContainsFunc(c.Figures, o.figure) ||
				slices.ContainsFunc(c.Quantities, func(q analyze.Quantity) bool { return begins(q.ID, o.Quantities) }) ||
				slices.ContainsFunc(c.Results, func(r analyze.Result) bool {
					return slices.ContainsFunc(r.Quantities, func(q analyze.Quantity) bool { return begins(q.ID, o.PerRun) })
				})
		},
		Write: func(w *Writer, c *analyze.Capacity) error { return w.evidence(c, name, o) },
	}
}

func (w *Writer) evidence(c *analyze.Capacity, name string, o owns) error {
	if err := w.figures(c, name, o.figure); err != nil {
		return err
	}
	shown, tables, said := map[string]bool{}, 0, map[string]bool{}
	for _, f := range c.Figures {
		if o.figure(f) {
			for _, n := range f.Notes {
				said[n] = true
			}
		}
	}
	for _, t := range asOne(c.Tables, o) {
		if isOneOf(t, o.OneAnswer) {
			t = oneAnswer(t)
		}
		if t = newNotes(t, said); isOneOf(t, o.Folded) {
			w.folded(t)
		} else {
			w.table(t)
		}
		tables++
	}
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			for _, cell := range r.Cells {
				if k, ok := cellKey(cell); ok {
					shown[k] = true
				}
			}
		}
	}
	var rest []analyze.Quantity
	for _, q := range c.Quantities {
		if begins(q.ID, o.Quantities) && !shown[quantityKey(q)] {
			rest = append(rest, q)
		}
	}
	if len(rest) > 0 {
		add := func() error { w.add(w.valueTable(name, rest)); return nil }
		if tables == 0 && len(rest) <= fewValues {
			_ = add()
		} else if err := w.details(name+"-further", w.say("values.more", len(rest)), add); err != nil {
			return err
		}
	}
	inProse := slices.ContainsFunc(w.inProse, func(id string) bool { return o.table(analyze.Table{ID: id}) })
	if tables == 0 && !inProse {
		if t := w.runTable(name, c, o.PerRun); len(t.Rows) > 0 {
			w.add(t)
		}
	}
	return nil
}

// valueTable lists quantities of the document with their bound.
func (w *Writer) valueTable(name string, list []analyze.Quantity) md.Table {
	t := md.Table{ID: w.tableIDs.unique(name+"-values", "table"), Columns: []md.Column{
		{Name: "figure"}, {Name: "of"}, {Name: "value", Right: true}, {Name: "bound"}, {Name: "remarks"}}}
	if n := len(list) - maxRows; n > 0 {
		list = list[:maxRows]
		t.Notes = append(t.Notes, leftRows(n))
	}
	for _, q := range list {
		s := q.Scope
		t.Rows = append(t.Rows, md.Row{Class: withheldClass(q), Cells: []md.Cell{
			{Text: q.ID}, {Text: orDash(scopeText(w.plain.scope(s.Configuration, s.Run, s.Scenario, s.Step, s.Op), s.Source, s.Entity))},
			{Text: orDash(q.Display), Link: w.sources.anchors[quantityKey(q)]}, {Text: orDash(string(q.Bound))}, {Text: orDash(remarks(q))}}})
	}
	return t
}

func withheldClass(q analyze.Quantity) string {
	if q.Status == "withheld" {
		return string(analyze.Unknown)
	}
	return ""
}

// remarks are why a quantity is withheld, and its warnings.
func remarks(q analyze.Quantity) string {
	list := q.Warnings
	if q.Why != "" {
		list = append([]string{q.Why}, list...)
	}
	return strings.Join(list, "; ")
}

// columnNames are what the heads of columns call quantities, where an ID is no
// word.
var columnNames = map[string]string{
	"contention.load": "load average", "contention.own_cpu": "own CPU", "contention.foreign_cpu": "foreign CPU", "contention.generator_cpu": "generator CPU", "contention.steal": "steal",
	"contention.pressure": "CPU pressure", "freeze.seconds": "freeze-seconds", "freeze.episodes": "episodes", "freeze.expected": "expected at any phase",
	"freeze.cadence": "cadence", "freeze.worst": "worst", "windows.bad": "bad windows of 10 s", "windows.worst_p99": "worst 10-s p99",
	"queue.processed": "processed", "queue.last_end": "last done after the load", "queue.peak": "most waiting", "queue.drain": "drained after",
}

// columnName is what the head of a column calls a quantity: a replica by its own
// name.
func columnName(id string) string {
	if name, ok := columnNames[id]; ok {
		return name
	}
	if replica, ok := strings.CutPrefix(id, "replica."); ok && strings.HasSuffix(replica, ".served") {
		return "served by " + strings.TrimSuffix(replica, ".served")
	} else if ok && strings.HasSuffix(replica, ".share") {
		return "share served by " + strings.TrimSuffix(replica, ".share")
	}
	return id
}

// runTable has a row for each run, scenario and step, and a column for each
// quantity of the names that any of them has.
func (w *Writer) runTable(name string, c *analyze.Capacity, of []string) md.Table {
	t := md.Table{ID: w.tableIDs.unique(name+"-runs", "table"), Columns: []md.Column{{Name: "of"}}}
	var ids, rows []string
	known := map[string]bool{}
	for _, r := range c.Results {
		for _, q := range r.Quantities {
			known[q.ID] = known[q.ID] || begins(q.ID, of) && q.Status != "withheld"
		}
	}
	cells := map[string]map[string]md.Cell{}
	for _, r := range c.Results {
		for _, q := range r.Quantities {
			if !known[q.ID] {
				continue
			}
			s := q.Scope
			row := orDash(scopeText(w.plain.scope("", r.Run.ID, s.Scenario, s.Step, s.Op), s.Source, s.Entity))
			if cells[row] == nil {
				cells[row] = map[string]md.Cell{}
				rows = append(rows, row)
			}
			if !slices.Contains(ids, q.ID) {
				ids = append(ids, q.ID)
			}
			cell := md.Cell{Text: orDash(q.Display), Link: w.sources.anchors[quantityKey(q)], Note: q.Why}
			if q.Status == "withheld" {
				cell.Text = "—"
			}
			cells[row][q.ID] = cell
		}
	}
	for _, id := range ids {
		t.Columns = append(t.Columns, md.Column{Name: columnName(id), Right: true})
	}
	if n := len(rows) - maxRows; n > 0 {
		rows = rows[:maxRows]
		t.Notes = append(t.Notes, leftRows(n))
	}
	for _, name := range rows {
		row := md.Row{Cells: []md.Cell{{Text: name}}}
		for _, id := range ids {
			cell, ok := cells[name][id]
			if !ok {
				cell.Text = "—"
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	numberNotes(&t)
	return t
}
