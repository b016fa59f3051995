package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/detect"
)

// printCapacity writes a judged document as text: the verdict, the answer, the
// gates, the figures of each run, then what to keep in mind.
func printCapacity(w io.Writer, width int, c *analyze.Capacity, all bool) error {
	writeText(w, width, "", strings.ToUpper(string(c.Outcome))+": "+plain(c.Title))
	answer := &table{indent: "  ", head: []string{"", ""}}
	for _, s := range c.Answer {
		answer.add(s.Lead, s.Text)
	}
	if err := answer.write(w, textWidth(width)); err != nil {
		return err
	}
	if err := section(w, width, gatesOf(c)); err != nil {
		return err
	}
	if err := section(w, width, quantitiesOf("DOCUMENT", c.Quantities)); err != nil {
		return err
	}
	for _, r := range c.Results {
		if err := printResult(w, width, r, all); err != nil {
			return err
		}
	}
	printNotes(w, width, "warning: ", c.Warnings)
	return nil
}

// textWidth is the width that prose is wrapped to.
func textWidth(width int) int {
	if width == 0 {
		return 80
	}
	return max(width, 24)
}

// section writes a table after an empty line, if it has rows.
func section(w io.Writer, width int, t *table) error {
	if len(t.rows) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	return t.write(w, width)
}

// printResult writes what is known about one run.
func printResult(w io.Writer, width int, r analyze.Result, all bool) error {
	fmt.Fprintln(w)
	writeText(w, width, "", plain(r.Run.ID+"  "+runLine(r.Run)))
	whole, steps := splitSteps(r.Quantities)
	if !all {
		whole = pick(whole)
	}
	slices.SortStableFunc(whole, byScenario)
	if err := section(w, width, quantitiesOf("FIGURE", whole)); err != nil {
		return err
	}
	table, shown := stepTable(steps)
	if err := section(w, width, table); err != nil {
		return err
	}
	if n := len(r.Quantities) - len(whole) - shown; n > 0 && !all {
		fmt.Fprintf(w, "\n%s more: --all, or --json\n", counted(n, "figure"))
	}
	if n := len(r.Findings); n > 0 {
		fmt.Fprintf(w, "%s: headroom detect lists them\n", counted(n, "finding"))
	}
	return nil
}

// pick returns the main figures in their order.
func pick(qs []analyze.Quantity) []analyze.Quantity {
	place := func(q analyze.Quantity) int { return slices.Index(mainFigures, q.ID) }
	qs = slices.DeleteFunc(qs, func(q analyze.Quantity) bool { return place(q) < 0 })
	slices.SortStableFunc(qs, func(a, b analyze.Quantity) int { return place(a) - place(b) })
	return qs
}

// byScenario puts the figures of a scenario together, and those of the whole
// run last.
func byScenario(a, b analyze.Quantity) int {
	if (a.Scope.Scenario == "") != (b.Scope.Scenario == "") {
		return len(b.Scope.Scenario) - len(a.Scope.Scenario)
	}
	return strings.Compare(a.Scope.Scenario, b.Scope.Scenario)
}

// mainFigures are what is printed of a run unless --all is given.
var mainFigures = []string{
	"requests", "events", "throughput", "failed", "rejected", "timeout", "dropped",
	"latency.p50", "latency.p95", "latency.p99", "latency.max", "wait.p99",
	"freeze.seconds", "freeze.cadence", "windows.bad", "drift.ratio",
	"contention.load", "contention.foreign_cpu", "contention.steal", "queue.peak", "queue.drain",
}

// runLine says when and how a run was, on one line.
func runLine(r analyze.RunInfo) string {
	parts := []string{r.Load.Tool, r.Load.Model + " loop"}
	if len(r.Labels) > 0 {
		parts = append(parts, labelsText(r.Labels))
	}
	when := r.Start + " to " + r.End
	if !r.Declared {
		when += ", window not declared"
	}
	parts = append(parts, when)
	if r.State != "sealed" {
		parts = append(parts, r.State)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// gatesOf lists the verdicts: those that decide first.
func gatesOf(c *analyze.Capacity) *table {
	t := &table{head: []string{"GATE", "SCOPE", "VERDICT", "DECIDES", "GOT", "WANT", "WHY"}}
	add := func(v analyze.Verdict, run string) {
		decides := ""
		if v.Required {
			decides = "yes"
		}
		got := v.Display
		if got == "" && v.Got != nil {
			got = fmt.Sprint(v.Got)
		}
		t.add(v.Gate, strings.TrimSpace(run+" "+scopeText(v.Scope)), string(v.Outcome), decides, got, v.Want, v.Why)
	}
	for _, required := range []bool{true, false} {
		for _, v := range c.Verdicts {
			if v.Required == required {
				add(v, v.Scope.Run)
			}
		}
		for _, r := range c.Results {
			run := ""
			if len(c.Results) > 1 {
				run = r.Run.ID
			}
			for _, v := range r.Verdicts {
				if v.Required == required {
					add(v, run)
				}
			}
		}
	}
	return t
}

// quantitiesOf is a table of figures under a heading.
func quantitiesOf(heading string, qs []analyze.Quantity) *table {
	t := &table{head: []string{heading, "SCOPE", "VALUE", "N", "BOUND", "NOTES"}, right: []bool{false, false, true, true}}
	for _, q := range qs {
		n := ""
		if q.N != nil {
			n = fmt.Sprint(*q.N)
		}
		notes := slices.Clone(q.Warnings)
		if q.Why != "" {
			notes = append([]string{q.Why}, notes...)
		}
		t.add(q.ID, scopeText(q.Scope), q.Display, n, string(q.Bound), strings.Join(notes, "; "))
	}
	return t
}

// splitSteps separates the figures of a whole run from those of its steps.
// Figures of single ops are left to --json.
func splitSteps(qs []analyze.Quantity) (whole, steps []analyze.Quantity) {
	for _, q := range qs {
		switch {
		case q.Scope.Op != "":
		case q.Scope.Step != "":
			steps = append(steps, q)
		default:
			whole = append(whole, q)
		}
	}
	return whole, steps
}

// stepFigures are the figures that the table of steps has columns for.
var stepFigures = []struct{ id, head string }{
	{"requests", "REQUESTS"}, {"throughput", "THROUGHPUT"},
	{"latency.p50", "P50"}, {"latency.p99", "P99"}, {"failed", "FAILED"}, {"dropped", "DROPPED"},
}

// stepTable has one row for each step and scenario, and tells how many figures
// it shows. The bound is that of the throughput.
func stepTable(qs []analyze.Quantity) (t *table, shown int) {
	t = &table{head: []string{"STEP", "SCENARIO"}, right: []bool{false, false}}
	for _, f := range stepFigures {
		t.head, t.right = append(t.head, f.head), append(t.right, true)
	}
	t.head = append(t.head, "BOUND")
	at := map[detect.Scope][]string{}
	var order []detect.Scope
	for _, q := range qs {
		col := slices.IndexFunc(stepFigures, func(f struct{ id, head string }) bool { return f.id == q.ID })
		if col < 0 {
			continue
		}
		row := at[q.Scope]
		if row == nil {
			row = make([]string, len(t.head))
			row[0], row[1] = q.Scope.Step, q.Scope.Scenario
			at[q.Scope] = row
			order = append(order, q.Scope)
		}
		row[col+2] = q.Display
		if q.ID == "throughput" {
			row[len(row)-1] = string(q.Bound)
		}
		shown++
	}
	for _, s := range order {
		t.add(at[s]...)
	}
	return t, shown
}

// printNotes writes sentences after an empty line, each with a lead.
func printNotes(w io.Writer, width int, lead string, notes []string) {
	if len(notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, note := range notes {
		writeText(w, width, "", lead+plain(note))
	}
}
