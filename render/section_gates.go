package render

import (
	"slices"

	"headroom/analyze"
	"headroom/render/md"
)

var gates = Section{
	Name:    "gates",
	Title:   "Gates",
	owns:    owns{Tables: []string{"gates"}},
	Doc:     "The table \"gates\", or one made of the verdicts: first those that did not pass.",
	Applies: func(*analyze.Capacity) bool { return true },
	Write: func(w *Writer, c *analyze.Capacity) error {
		if len(c.Verdicts) == 0 && !hasTable(c, "gates") {
			return w.Text("gates.none", nil)
		}
		if err := w.Text("gates.intro", nil); err != nil {
			return err
		}
		if !hasTable(c, "gates") {
			return writeVerdicts(w, c.Verdicts)
		}
		for _, t := range c.Tables {
			if isTable(t, "gates") {
				if err := writeGates(w, t); err != nil {
					return err
				}
			}
		}
		return nil
	},
}

// writeGates shows a table of gates; of a long one the reader opens the rows that
// passed.
func writeGates(w *Writer, t analyze.Table) error {
	passed := slices.DeleteFunc(slices.Clone(t.Rows), func(r analyze.Row) bool { return r.Mark != string(analyze.Pass) })
	if len(t.Rows) <= fewVerdicts || len(passed) == 0 {
		w.table(alike(t))
		return nil
	}
	all := t.Rows
	t.Rows = slices.DeleteFunc(slices.Clone(all), func(r analyze.Row) bool { return r.Mark == string(analyze.Pass) })
	if len(t.Rows) > 0 {
		w.table(alike(t))
	}
	t.ID, t.Rows, t.Notes = "gates-passed", passed, nil
	t = alike(t)
	t.Title = w.title
	return w.details("gates-passed", w.say("gates.passed", len(passed)), func() error {
		w.table(t)
		return nil
	})
}

// fewVerdicts is how many verdicts are shown in one table.
const fewVerdicts = 24

func writeVerdicts(w *Writer, all []analyze.Verdict) error {
	if len(all) <= fewVerdicts {
		w.add(w.verdictTable("gates", "", all))
		return nil
	}
	var open, passed []analyze.Verdict
	for _, v := range all {
		if outcome(v.Outcome) == analyze.Pass {
			passed = append(passed, v)
		} else {
			open = append(open, v)
		}
	}
	if len(open) > 0 {
		w.add(w.verdictTable("gates", "Gates that did not pass", open))
	}
	if len(passed) == 0 {
		return nil
	}
	return w.details("gates-passed", w.say("gates.passed", len(passed)), func() error {
		w.add(w.verdictTable("gates-passed", "", passed))
		return nil
	})
}

func (w *Writer) verdictTable(id, title string, list []analyze.Verdict) md.Table {
	t := md.Table{ID: w.tableIDs.unique(id, "table"), Title: title, Columns: []md.Column{
		{Name: "gate"}, {Name: "of"}, {Name: "verdict"}, {Name: "got", Right: true}, {Name: "want"}, {Name: "required"}, {Name: "why"}}}
	if n := len(list) - maxRows; n > 0 {
		list = list[:maxRows]
		t.Notes = append(t.Notes, leftRows(n))
	}
	for _, v := range list {
		o := string(outcome(v.Outcome))
		required := "no"
		if v.Required {
			required = "yes"
		}
		t.Rows = append(t.Rows, md.Row{Class: o, Cells: []md.Cell{
			{Text: v.Gate}, {Text: orDash(w.plain.verdict(v))}, {Text: o, Class: o}, {Text: orDash(got(v))},
			{Text: orDash(v.Want)}, {Text: required}, {Text: orDash(v.Why)}}})
	}
	verdictSecond(&t)
	return t
}

func (p plain) verdict(v analyze.Verdict) string {
	return p.scope(v.Scope.Configuration, v.Scope.Run, v.Scope.Scenario, v.Scope.Step, v.Scope.Op)
}

func orDash(s string) string {
	if s == "" {
		return "—"
	}
	return s
}
