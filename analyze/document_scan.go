package analyze

import (
	"fmt"
	"strings"

	"headroom/detect"
	"headroom/internal/thousands"
)

// scanTable says of each line that was fitted what it grows with: the points in
// their groups, then what one more costs, and where a budget is crossed.
func (b *builder) scanTable() Table {
	t := Table{ID: "scan", Title: "What its latency grows with", Columns: []Column{left("run"), left("group"), right("mean of " + b.grownWith()), right("p50"), right("p99"), right("highest"), right("points")}}
	for _, m := range b.runs {
		for i := range m.ledger.fits {
			f := &m.ledger.fits[i]
			t.Rows = append(t.Rows, m.groupRows(f)...)
			t.Notes = append(t.Notes, m.fitWords(f)...)
		}
	}
	return t
}

// grownWith is what latencies were fitted against, where it is one thing.
func (b *builder) grownWith() string {
	var names []string
	for _, m := range b.runs {
		for i := range m.ledger.fits {
			names = append(names, m.ledger.fits[i].xName)
		}
	}
	if names = unique(names); len(names) == 1 && names[0] != "" {
		return strings.ReplaceAll(names[0], "_", " ")
	}
	return "what it grows with"
}

// groupRows has a row for each group of a fit's points.
func (m *Measured) groupRows(f *fitPoints) []Row {
	var rows []Row
	for k := 1; ; k++ {
		id := fmt.Sprintf("fit.%s.group.%d", f.name, k)
		mean := m.Result.Quantity(id+".x_mean", detect.Scope{})
		if mean == nil {
			return rows
		}
		run := m.Result.Run.ID
		of := func(what string) Cell {
			return showQuantity(m.Result.Quantity(id+what, detect.Scope{}), run)
		}
		points := text("—")
		if mean.N != nil {
			points = text(Count(*mean.N))
		}
		name := fmt.Sprint(mean.From.Params[f.groupName])
		rows = append(rows, Row{Cells: []Cell{text(run), text(strings.ReplaceAll(f.groupName, "_", " ") + " " + grouped3(name)), showQuantity(mean, run), of(".p50"), of(".p99"), of(".max"), points}})
	}
}

// grouped3 is a whole number with its thousands apart; anything else as it is.
func grouped3(s string) string {
	if s != "" && strings.Trim(s, "0123456789") == "" {
		return thousands.Group(s)
	}
	return s
}

// fitWords say what a fitted line gives, in its quantities.
func (m *Measured) fitWords(f *fitPoints) []string {
	var out []string
	for _, x := range []struct{ id, words string }{
		{"marginal", "each further one costs %s (the slope of the line)"}, {"average", "at the largest, %s each on average"},
		{"intercept", "the line begins at %s"}, {"r2", "R² %s"}, {"budget_crossed_at", "the budget is crossed at %s"},
	} {
		if q := m.Result.Quantity("fit."+f.name+"."+x.id, detect.Scope{}); q != nil && q.Value != nil {
			out = append(out, fmt.Sprintf(x.words, q.Display))
		}
	}
	if len(out) == 0 {
		return nil
	}
	text := m.Result.Run.ID + ", " + f.yName + " by " + f.xName + ": " + strings.Join(out, "; ") + "."
	if f.budgetKnown {
		text += " The budget is " + Display(f.budget, f.unit) + "."
	}
	return []string{text}
}
