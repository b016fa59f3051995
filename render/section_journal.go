package render

import (
	"cmp"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/render/md"
)

var journal = Section{
	Name: "journal", Title: "Run by run",
	Doc:     "When each run was made, of which system, how, and what it found and could not collect.",
	Applies: func(c *analyze.Capacity) bool { return len(c.Results) > 0 },
	Write: func(w *Writer, c *analyze.Capacity) error {
		t := md.Table{ID: w.tableIDs.unique("journal", "table"), Columns: []md.Column{
			{Name: "run"}, {Name: "measured"}, {Name: "system"}, {Name: "load"}, {Name: "verdict"}, {Name: "remarks"}}}
		list := c.Results
		if n := len(list) - maxRows; n > 0 {
			list = list[:maxRows]
			t.Notes = append(t.Notes, leftRows(n))
		}
		for _, r := range list {
			o := worst(r.Verdicts)
			t.Rows = append(t.Rows, md.Row{Class: o, Cells: []md.Cell{
				{Text: orDash(w.plain.names[r.Run.ID])}, {Text: orDash(interval(r.Run.Start, r.Run.End))}, {Text: orDash(r.Run.System)},
				{Text: orDash(loadText(r.Run.Load))}, {Text: o, Class: o}, {Text: orDash(runRemarks(r))}}})
		}
		numberNotes(&t)
		verdictSecond(&t)
		w.add(t)
		return nil
	},
}

// worst is the outcome of the verdicts that the protocol requires: a fail before
// an unknown before a pass; of none, unknown.
func worst(list []analyze.Verdict) string {
	out := ""
	for _, v := range list {
		switch o := outcome(v.Outcome); {
		case !v.Required:
		case o == analyze.Fail, out == "", out == string(analyze.Pass):
			if out != string(analyze.Fail) {
				out = string(o)
			}
		}
	}
	return cmp.Or(out, string(analyze.Unknown))
}

// runRemarks says that a run is partial, and counts what was found in it and what
// was not collected.
func runRemarks(r analyze.Result) string {
	var parts []string
	if r.Run.State != "" && r.Run.State != "sealed" {
		parts = append(parts, r.Run.State)
	}
	if n := len(r.Findings); n > 0 {
		parts = append(parts, counted(n, "finding"))
	}
	if n := len(r.Warnings); n > 0 {
		parts = append(parts, counted(n, "warning"))
	}
	if n := len(r.Absent); n > 0 {
		parts = append(parts, counted(n, "thing")+" not collected")
	}
	return strings.Join(parts, ", ")
}

// attributions tells what stops were put down to, how surely and how often.
var attributions = Section{
	Name: "attribution", Title: "What the stops are put down to",
	Doc: "Findings by cause and by how far the evidence carries; what stays unexplained is named so.",
	Applies: func(c *analyze.Capacity) bool {
		for _, f := range c.Findings {
			if f.Attribution != nil {
				return true
			}
		}
		return false
	},
	Write: func(w *Writer, c *analyze.Capacity) error {
		type key struct{ detector, status string }
		var order []key
		times, where := map[key]int{}, map[key][]string{}
		for _, f := range c.Findings {
			if f.Attribution == nil { // no cause is looked for of what such a detector finds
				continue
			}
			k := key{f.Detector, attribution(f.Attribution.Status, f.Attribution.Cause)}
			if times[k]++; times[k] == 1 {
				order = append(order, k)
			}
			s := f.Scope
			if place := w.plain.scope(s.Configuration, s.Run, s.Scenario, s.Step, s.Op); place != "" && !slices.Contains(where[k], place) {
				where[k] = append(where[k], place)
			}
		}
		t := md.Table{ID: w.tableIDs.unique("attribution", "table"), Columns: []md.Column{
			{Name: "found by"}, {Name: "put down to"}, {Name: "times", Right: true}, {Name: "in"}}}
		for _, k := range order[:min(len(order), maxRows)] {
			in := "—"
			if len(where[k]) > 0 {
				in = together(where[k])
			}
			t.Rows = append(t.Rows, md.Row{Cells: []md.Cell{{Text: k.detector}, {Text: k.status}, {Text: counted(times[k], "time")}, {Text: in}}})
		}
		w.add(t)
		return nil
	},
}
