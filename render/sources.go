package render

import (
	"fmt"
	"strconv"
	"strings"

	"headroom/analyze"
	"headroom/render/md"
)

// sources knows where on the page each quantity is explained, so that a figure
// in a table can lead there.
type sources struct {
	document []quantity
	runs     [][]quantity // by result
	left     []int        // quantities of a result that are not shown
	anchors  map[string]string
}

type quantity struct {
	analyze.Quantity
	anchor string
}

// newSources gives each quantity that the page will show an anchor: those of the
// document, those that a table shows, and where there are few runs all others.
func newSources(c *analyze.Capacity) sources {
	s := sources{anchors: map[string]string{}, runs: make([][]quantity, len(c.Results)), left: make([]int, len(c.Results))}
	shown := map[string]bool{}
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			for _, cell := range r.Cells {
				if k, ok := cellKey(cell); ok {
					shown[k] = true
				}
			}
		}
	}
	n := 0
	give := func(q analyze.Quantity) quantity {
		n++
		anchor := fmt.Sprintf("q%d", n)
		if k := quantityKey(q); s.anchors[k] == "" {
			s.anchors[k] = anchor
		}
		return quantity{q, anchor}
	}
	for _, q := range c.Quantities {
		s.document = append(s.document, give(q))
	}
	all := 0
	for _, r := range c.Results {
		all += len(r.Quantities)
	}
	for i, r := range c.Results[:min(len(c.Results), maxRuns)] {
		for _, q := range r.Quantities {
			if !shown[quantityKey(q)] {
				if all > maxQuantities {
					s.left[i]++
					continue
				}
			}
			s.runs[i] = append(s.runs[i], give(q))
		}
	}
	return s
}

// anchor is where the figure of a cell is explained, "" if nowhere.
func (s sources) anchor(c analyze.Cell) string {
	k, ok := cellKey(c)
	if !ok {
		return ""
	}
	return s.anchors[k]
}

func cellKey(c analyze.Cell) (string, bool) {
	if c.ID == "" {
		return "", false
	}
	q := analyze.Quantity{ID: c.ID}
	if c.In != nil {
		q.Scope = *c.In
	}
	return quantityKey(q), true
}

func quantityKey(q analyze.Quantity) string {
	s := q.Scope
	return strings.Join([]string{q.ID, s.Configuration, s.Run, s.Scenario, s.Step, s.Op, s.Source, s.Entity}, "\x00")
}

// quantityTable is a table of quantities with their provenance: of a run with that
// window, which goes without saying, or of the document, without one.
func (w *Writer) quantityTable(id, title string, list []quantity, run string) md.Table {
	t := md.Table{ID: w.tableIDs.unique(id, "table"), Title: title, Wide: true, Columns: []md.Column{
		{Name: "figure"}, {Name: "of"}, {Name: "value", Right: true}, {Name: "bound"}, {Name: "n", Right: true},
		{Name: "interval of time"}, {Name: "from"}, {Name: "notes"}}}
	for _, q := range list {
		s := q.Scope
		of := scopeText(s.Scenario, s.Step, s.Op, s.Source, s.Entity)
		if run == "" {
			of = scopeText(s.Configuration, s.Run, s.Scenario, s.Step, s.Op, s.Source, s.Entity)
		}
		n := "—"
		if q.N != nil {
			n = strconv.FormatInt(*q.N, 10)
		}
		window := "—"
		if len(q.From.Window) == 2 {
			if window = interval(q.From.Window[0], q.From.Window[1]); window == run {
				window = "the run's"
			}
		}
		notes := q.Warnings
		if q.Why != "" {
			notes = append([]string{q.Why}, notes...)
		}
		class := ""
		if q.Status == "withheld" {
			class = string(analyze.Unknown)
		}
		t.Rows = append(t.Rows, md.Row{ID: q.anchor, Class: class, Cells: []md.Cell{
			{Text: q.ID}, {Text: orDash(of)}, {Text: orDash(q.Display)}, {Text: orDash(string(q.Bound))}, {Text: n},
			{Text: window}, {Text: orDash(from(q.From))}, {Text: orDash(strings.Join(notes, "; "))}}})
	}
	return t
}

// from is the method of a quantity, its parameters and its tables.
func from(f analyze.From) string {
	s := f.Method
	if p := parameters(f.Params); p != "" {
		s += " (" + p + ")"
	}
	if len(f.Tables) > 0 {
		s += " on " + strings.Join(f.Tables, ", ")
	}
	return strings.TrimSpace(s)
}
