package render

import (
	"cmp"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/render/md"
)

var glance = Section{
	Name:  "glance",
	Title: "At a glance",
	Doc:   "The table \"glance\", or the configurations with their outcome.",
	owns:  owns{Tables: []string{"headline", "glance"}},
	Applies: func(c *analyze.Capacity) bool {
		return hasTable(c, "glance") || len(c.Configurations) > 0
	},
	Write: func(w *Writer, c *analyze.Capacity) error {
		if hasTable(c, "glance") {
			return w.glance(c)
		}
		type configuration struct{ Name, Sign, Text md.Inline }
		var list []configuration
		for _, k := range c.Configurations {
			o := string(outcome(k.Outcome))
			text := k.Text
			if text == "" {
				text = o
			}
			list = append(list, configuration{named(k.Name), md.Inline(md.Sign(o)), md.Escape(text, lineRoom)})
		}
		return w.Text("glance.configurations", list)
	},
}

// glance shows what to plan with and the configurations that decide; those that
// decide nothing are opened by the reader.
func (w *Writer) glance(c *analyze.Capacity) error {
	w.tables(c, "headline")
	for _, t := range c.Tables {
		if t.ID == asideTable || !isTable(t, "glance") {
			continue
		}
		w.table(t)
	}
	for _, t := range c.Tables {
		if t.ID != asideTable {
			continue
		}
		w.folded(t)
	}
	return nil
}

// asideTable has the configurations that decide nothing.
const asideTable = "glance-aside"

// named is a name for a sentence: never nothing.
func named(s string) md.Inline {
	if n := md.Escape(s, cellRoom); n != "" {
		return n
	}
	return md.Empty
}

var measured = Section{
	Name:  "measured",
	Title: "What was measured",
	Doc:   "Every figure and table that no other section of the document shows, so that nothing of the capacity is lost.",
	Applies: func(c *analyze.Capacity) bool {
		return len(c.Tables)+len(c.Figures) > 0
	},
	Write: func(w *Writer, c *analyze.Capacity) error {
		for _, f := range c.Figures {
			if !slices.ContainsFunc(w.owned, func(o owns) bool { return o.figure(f) }) {
				w.figure(f)
			}
		}
		for _, t := range c.Tables {
			if !slices.ContainsFunc(w.owned, func(o owns) bool { return o.table(t) }) {
				w.table(t)
			}
		}
		return nil
	},
}

var timeline = figureSection("timeline", "Over time", "timeline",
	"What happened second by second, with freezes and other evidence on one axis.")

var latency = figureSection("latency", "Latency distribution", "distribution",
	"Latency against a percentile axis.")

// figureSection shows the figures of one kind.
func figureSection(name, title, kind, doc string) Section {
	return evidenceSection(name, title, doc, owns{Figures: []string{kind}})
}

var waits = evidenceSection("waits", "What it waited for", "The tally of sampled waits with its denominator.",
	owns{Tables: []string{"waits"}, Figures: []string{"waits"}})

// isTable reports whether a table is one of a name: "steps", "steps-2"; of
// "elimination.", "elimination.2".
func isTable(t analyze.Table, name string) bool {
	return t.ID == name || strings.HasPrefix(t.ID, name+"-") || strings.HasSuffix(name, ".") && strings.HasPrefix(t.ID, name)
}

func isOneOf(t analyze.Table, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return isTable(t, name) })
}

func hasTable(c *analyze.Capacity, name string) bool {
	return slices.ContainsFunc(c.Tables, func(t analyze.Table) bool { return isTable(t, name) })
}

func (w *Writer) tables(c *analyze.Capacity, name string) {
	for _, t := range c.Tables {
		if isTable(t, name) {
			w.table(t)
		}
	}
}

// openFigures is how many figures of a section are shown at once; the reader opens
// the others.
const openFigures = 3

func (w *Writer) figures(c *analyze.Capacity, name string, shown func(analyze.Figure) bool) error {
	var list []analyze.Figure
	for _, f := range c.Figures {
		if shown(f) {
			list = append(list, f)
		}
	}
	for _, f := range list[:min(len(list), openFigures)] {
		w.figure(f)
	}
	if len(list) <= openFigures {
		return nil
	}
	return w.details("more-"+name, w.say("figures.more", len(list)-openFigures), func() error {
		for _, f := range list[openFigures:] {
			w.figure(f)
		}
		return nil
	})
}

// figure adds a figure with its notes and with what could not be drawn.
func (w *Writer) figure(f analyze.Figure) {
	notes := slices.Concat(f.Notes, w.drawings[f.ID].Notes)
	w.add(md.Figure{ID: f.ID, Title: f.Title, Alt: f.Alt, Notes: notes})
}

// maxRows bounds the rows of a table on the page; capacity.json has them all.
const maxRows = 400

// table adds a table of the capacity.
func (w *Writer) table(t analyze.Table) {
	out := md.Table{ID: w.tableIDs.unique(t.ID, "table"), Title: t.Title, Notes: t.Notes}
	if out.Title == w.title {
		out.Title = "" // the heading above says it
	}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, md.Column{Name: c.Name, Right: c.Align == "right", Doc: c.Doc})
	}
	rows := t.Rows
	if n := len(rows) - maxRows; n > 0 {
		rows = rows[:maxRows]
		out.Notes = append(slices.Clone(out.Notes), leftRows(n))
	}
	for _, r := range rows {
		out.Rows = append(out.Rows, w.row(t, r))
	}
	foldAbsent(&out)
	numberNotes(&out)
	verdictSecond(&out)
	if len(out.Rows) <= openRows || w.opened {
		w.add(out)
		return
	}
	summary := w.say("table.long", longTable{md.Escape(cmp.Or(t.Title, w.title), titleRoom), len(t.Rows)})
	w.add(md.Details{ID: out.ID + "-rows", Summary: summary, Blocks: []md.Block{out}})
}

// folded adds a table that the reader opens.
func (w *Writer) folded(t analyze.Table) {
	summary := w.say("table.long", longTable{md.Escape(cmp.Or(t.Title, w.title), titleRoom), len(t.Rows)})
	t.Title = ""
	_ = w.details(t.ID+"-rows", summary, func() error { w.table(t); return nil })
}

// openRows is how many rows of a table are shown at once; of a longer one the
// reader opens all.
const openRows = 48

// longTable names a table that the reader opens.
type longTable struct {
	Title md.Inline
	Rows  int
}

// nothing stands in a cell without a value.
const nothing = "—"

func (w *Writer) row(t analyze.Table, r analyze.Row) md.Row {
	row := md.Row{Class: rowClass(r.Mark)}
	verdict := false
	for i, c := range r.Cells {
		cell := md.Cell{Text: c.Text, Note: c.Note, Link: w.sources.anchor(c)}
		if isVerdict(c.Text) {
			cell.Class = c.Text
			verdict = true
		} else if c.Text == "" && i > 0 { // an empty name, in the first column, is said to be empty
			cell.Text = nothing
		}
		row.Cells = append(row.Cells, cell)
	}
	said := r.Mark == "" || says(r, r.Mark) || verdict && isVerdict(r.Mark)
	if !said && len(row.Cells) > 0 {
		row.Cells[0].Badge = r.Mark
	}
	return row
}

// says reports whether a cell of the row is the word itself.
func says(r analyze.Row, word string) bool {
	return slices.ContainsFunc(r.Cells, func(c analyze.Cell) bool { return strings.EqualFold(c.Text, word) })
}

func isVerdict(s string) bool {
	return s == string(analyze.Pass) || s == string(analyze.Fail) || s == string(analyze.Unknown)
}

// rowClass is a mark as a word for the style sheet; a mark that is not known
// has none and is only written.
func rowClass(mark string) string {
	if slices.Contains([]string{"sustained", "knee", "fail", "unknown", "pass", "serious", "warning", "info"}, mark) {
		return mark
	}
	return ""
}
