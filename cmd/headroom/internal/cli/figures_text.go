package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"headroom/analyze"
	"headroom/detect"
)

// figureTable is a table of figures under a heading.
func figureTable(heading string, qs []analyze.Quantity, names scopeNames) *table {
	t := &table{
		head:  []string{heading, "scope", "value", "n", "bound", "notes"},
		right: []bool{false, false, true, true},
		note:  "notes",
		below: []string{"n", "scope"},
	}
	for _, q := range qs {
		n := ""
		if q.N != nil {
			n = fmt.Sprint(*q.N)
		}
		notes := slices.Clone(q.Warnings)
		if q.Why != "" {
			notes = append([]string{q.Why}, notes...)
		}
		t.add(q.ID, names.text(q.Scope), q.Display, n, string(q.Bound), strings.Join(notes, "; "))
	}
	return t
}

// runFigures separates the figures of a whole run from those of its steps. Where
// one step is the whole run its figures are those of the run; else figures that
// have a column in stepTable are not told of the run as well. Figures of single
// ops are left to --json.
func runFigures(r analyze.Result) (whole, steps []analyze.Quantity) {
	type name struct {
		id    string
		scope detect.Scope
	}
	one := wholeStep(r) != ""
	ofSteps := map[name]bool{}
	for _, q := range r.Quantities {
		if q.Scope.Step != "" && q.Scope.Op == "" {
			scope := q.Scope
			scope.Step = ""
			ofSteps[name{q.ID, scope}] = true
		}
	}
	for _, q := range r.Quantities {
		said := ofSteps[name{q.ID, q.Scope}] && (one || stepColumn(q.ID) >= 0)
		switch {
		case q.Scope.Op != "" || said:
		case q.Scope.Step != "" && !one:
			steps = append(steps, q)
		default:
			whole = append(whole, q)
		}
	}
	return whole, steps
}

// mainFigures returns the figures of mainIDs, in their order.
func mainFigures(qs []analyze.Quantity) []analyze.Quantity {
	place := func(q analyze.Quantity) int { return slices.Index(mainIDs, q.ID) }
	qs = slices.DeleteFunc(qs, func(q analyze.Quantity) bool { return place(q) < 0 })
	slices.SortStableFunc(qs, func(a, b analyze.Quantity) int { return place(a) - place(b) })
	return qs
}

// mainIDs are what is printed of a run unless --all is given.
var mainIDs = []string{
	"requests", "events", "throughput", "failed", "rejected", "timeout", "dropped",
	"latency.p50", "latency.p95", "latency.p99", "latency.max", "wait.p99",
	"freeze.seconds", "freeze.cadence", "windows.bad", "drift.ratio",
	"contention.load", "contention.foreign_cpu", "contention.steal", "contention.pressure", "queue.peak", "queue.drain",
	"costs.events", "commits.per_batch", "wal.bytes_per_event", "wal.records_per_event", "stored.bytes_per_event",
	"prune.passes", "prune.passes_at_limit", "prune.bound", "price.per_million_events",
}

// byScenario puts the figures of a scenario together, and those of the whole
// run last.
func byScenario(a, b analyze.Quantity) int {
	if (a.Scope.Scenario == "") != (b.Scope.Scenario == "") {
		return len(b.Scope.Scenario) - len(a.Scope.Scenario)
	}
	return strings.Compare(a.Scope.Scenario, b.Scope.Scenario)
}

// stepFigures are the figures that stepTable has columns for.
var stepFigures = []struct{ id, head string }{
	{"requests", "requests"}, {"throughput", "throughput"},
	{"latency.p50", "p50"}, {"latency.p99", "p99"}, {"failed", "failed"}, {"dropped", "dropped"},
}

// stepColumn is the place of a figure in stepFigures, -1 if it has none.
func stepColumn(id string) int {
	return slices.IndexFunc(stepFigures, func(f struct{ id, head string }) bool { return f.id == id })
}

// stepTable has one row for each step and scenario, and tells how many figures
// it shows. The bound is that of the throughput.
func stepTable(qs []analyze.Quantity, names scopeNames) (t *table, shown int) {
	t = &table{head: []string{"step", "scenario"}, right: []bool{false, false}, below: []string{"dropped", "failed", "requests"}}
	for _, f := range stepFigures {
		t.head, t.right = append(t.head, f.head), append(t.right, true)
	}
	t.head = append(t.head, "bound")
	at := map[detect.Scope][]string{}
	var order []detect.Scope
	for _, q := range qs {
		col := stepColumn(q.ID)
		if col < 0 {
			continue
		}
		row := at[q.Scope]
		if row == nil {
			row = make([]string, len(t.head))
			row[0] = q.Scope.Step
			row[1] = names.text(detect.Scope{Scenario: q.Scope.Scenario})
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

// comparison matches the ids of the tables of a document that set its steps,
// rungs or repeats side by side; they are numbered where there are several.
var comparison = regexp.MustCompile(`^(steps|rungs|repeats)(-\d+)?$`)

// alwaysBeside are the columns of such a table that never leave it: what was
// found and how far it may be trusted.
var alwaysBeside = []string{"verdict", "rung", "throughput", "p99", "bound"}

// comparisons are those tables of the document.
func comparisons(c *analyze.Capacity) []*table {
	var out []*table
	for _, from := range c.Tables {
		if !comparison.MatchString(from.ID) {
			continue
		}
		t := &table{}
		for i, col := range from.Columns {
			t.head, t.right = append(t.head, col.Name), append(t.right, col.Align == "right")
			if i > 0 && !slices.Contains(alwaysBeside, col.Name) {
				t.below = append(t.below, col.Name)
			}
		}
		slices.Reverse(t.below) // the last are the first to leave
		for _, row := range from.Rows {
			cells := make([]string, len(row.Cells))
			for i, cell := range row.Cells {
				cells[i] = cell.Text
			}
			t.add(cells...)
		}
		out = append(out, t)
	}
	return out
}
