package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/render"
	"headroom/runs"
)

// printCapacity writes a judged document as text: the verdict, the answer, the
// gates that decide, the figures of the document, those of each run, then what to
// keep in mind.
func printCapacity(w io.Writer, width int, c *analyze.Capacity, all bool) error {
	writeText(w, width, "", strings.ToUpper(string(c.Outcome))+": "+plain(c.Title))
	answer := &table{indent: "  ", head: []string{"", ""}}
	for _, s := range c.Answer {
		answer.add(s.Lead, s.Statement())
	}
	if err := answer.write(w, textWidth(width)); err != nil {
		return err
	}
	compared := comparisons(c)
	tables := []*table{decidingGates(c), documentGates(c, "other gate", false), figureTable("document", c.Quantities, scopeNames{})}
	for _, t := range append(tables, compared...) {
		if err := section(w, width, t); err != nil {
			return err
		}
	}
	for _, r := range c.Results {
		if err := printResult(w, width, r, all, len(compared) > 0); err != nil {
			return err
		}
	}
	printNotes(w, width, "warning: ", render.Warnings(c))
	return nil
}

// section writes a table after an empty line, if it has rows.
func section(w io.Writer, width int, t *table) error {
	if len(t.rows) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	return t.write(w, width)
}

// printResult writes what is known about one run: the gates that do not decide,
// its figures, and the steps, unless they are compared above.
func printResult(w io.Writer, width int, r analyze.Result, all, compared bool) error {
	fmt.Fprintln(w)
	writeText(w, width, "", plain(r.Run.ID+": "+runLine(r)))
	if err := section(w, width, otherGates(r)); err != nil {
		return err
	}
	figures, steps := runFigures(r)
	left := 0
	if all {
		figures, steps = append(figures, steps...), nil
	} else {
		left = len(figures) + len(steps)
		figures = mainFigures(figures)
		left -= len(figures)
	}
	slices.SortStableFunc(figures, byScenario)
	if err := section(w, width, figureTable("figure", figures, scopeNamesOf(r))); err != nil {
		return err
	}
	if !compared {
		table, shown := stepTable(steps, scopeNamesOf(r))
		if err := section(w, width, table); err != nil {
			return err
		}
		left -= shown
	}
	if left > 0 || len(r.Findings) > 0 {
		fmt.Fprintln(w)
	}
	if left > 0 {
		fmt.Fprintf(w, "%s more: --all, or --json\n", counted(left, "figure"))
	}
	if n := len(r.Findings); n > 0 {
		fmt.Fprintf(w, "%s: headroom detect lists them\n", counted(n, "finding"))
	}
	return nil
}

// runLine says when and how a run was, on one line.
func runLine(r analyze.Result) string {
	parts := []string{r.Run.Load.Tool}
	paced := r.Run.Load.Model == string(runs.OpenLoop) || r.Run.Load.Model == string(runs.ClosedLoop)
	if r.Run.Start != "" || paced {
		parts = append(parts, loopText(r.Run.Load.Model), wholeStep(r))
	}
	if len(r.Run.Labels) > 0 {
		parts = append(parts, labelsText(r.Run.Labels))
	}
	switch when := r.Run.Start + " to " + r.Run.End; {
	case r.Run.Start == "" && paced: // its load is known by totals
		parts = append(parts, "window not known")
	case r.Run.Start == "": // benchmarks carry no time
	case r.Run.Declared:
		parts = append(parts, when)
	default:
		parts = append(parts, when, "window not declared")
	}
	if r.Run.State != "sealed" {
		parts = append(parts, r.Run.State)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// loopText says what paced a load.
func loopText(model string) string {
	if model == "" || model == string(runs.UnknownLoop) {
		return "load model not known"
	}
	return model + " loop"
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
