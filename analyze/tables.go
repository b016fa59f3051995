package analyze

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"headroom/detect"
)

func left(name string) Column  { return Column{Name: name, Align: "left"} }
func right(name string) Column { return Column{Name: name, Align: "right"} }

func text(s string) Cell { return Cell{Text: s} }

// runColumn names the run in the first column, where there are several.
func (d *document) runColumn(columns ...Column) []Column {
	if len(d.runs) < 2 {
		return columns
	}
	return append([]Column{left("run")}, columns...)
}

// runCell is the cell of runColumn.
func (d *document) runCell(m *Measured, cells ...Cell) []Cell {
	if len(d.runs) < 2 {
		return cells
	}
	return append([]Cell{text(d.callOf(m))}, cells...)
}

// callOf is what a table of the document calls a run: its name, or its ID where
// that is a mere number, or another run's as well, in a document of several
// configurations.
func (d *document) callOf(m *Measured) string {
	name := m.name()
	if !d.several {
		return name
	}
	if strings.Trim(name, "0123456789") == "" || slices.ContainsFunc(d.runs, func(o *Measured) bool { return o != m && o.name() == name }) {
		return m.Result.Run.ID
	}
	return name
}

// show is a cell with a quantity of a run; a dash where there is none, and the
// reason in its note.
func (c *cell) show(id string) Cell { return showQuantity(c.quantity(id), c.m.Result.Run.ID) }

// showDuring is show for what was recorded beside the samples.
func (c *cell) showDuring(id string) Cell { return showQuantity(c.during(id), c.m.Result.Run.ID) }

func showQuantity(q *Quantity, run string) Cell {
	if q == nil {
		return Cell{Text: "—", Note: "not recorded"}
	}
	s := q.Scope
	s.Run = run
	if q.Value == nil {
		return Cell{Text: "—", ID: q.ID, In: &s, Note: q.Why}
	}
	return Cell{Text: q.Display, ID: q.ID, In: &s}
}

// judged is a cell with the outcome of a gate.
func judged(v *Verdict) Cell {
	if v == nil {
		return Cell{Text: "—"}
	}
	return Cell{Text: string(v.Outcome), Note: v.Why}
}

// conditions are what stands beside every rate of the document: no contention, no
// figure. CPU pressure has a column where any run recorded it.
func (d *document) conditions() (columns []Column, ids []string) {
	columns = []Column{right("load average"), right("foreign CPU"), right("steal")}
	ids = []string{"contention.load", "contention.foreign_cpu", "contention.steal"}
	for _, g := range d.groups {
		if slices.ContainsFunc(g.cells, func(c *cell) bool { return c.during("contention.pressure") != nil }) {
			return append(columns, right("CPU pressure")), append(ids, "contention.pressure")
		}
	}
	return columns, ids
}

// conditionColumns are the columns of the conditions and of the bound they give.
func (d *document) conditionColumns() []Column {
	columns, _ := d.conditions()
	return append(columns, left("bound"))
}

// conditionCells are what a cell has in conditionColumns.
func (d *document) conditionCells(c *cell) []Cell {
	bound := Cell{Text: "—", Note: "contention not recorded"}
	if q := c.quantity("throughput"); q != nil && q.Bound != NoBound {
		bound = text(string(q.Bound))
	}
	var cells []Cell
	_, ids := d.conditions()
	for _, id := range ids {
		cells = append(cells, c.showDuring(id))
	}
	return append(cells, bound)
}

func tableID(kind string, g *group, d *document) string {
	if len(d.groups) < 2 {
		return kind
	}
	return fmt.Sprintf("%s-%d", kind, slices.IndexFunc(d.groups, func(h group) bool { return h.name == g.name })+1)
}

func tableTitle(what string, g *group, d *document) string {
	if len(d.groups) < 2 || g.name == "" {
		return what
	}
	return what + ": " + g.name
}

// stepTable lists the steps of a sweep.
func (d *document) stepTable(g *group, s Sweep, cells [][]*cell) Table {
	t := Table{ID: tableID("steps", g, d), Title: tableTitle("Steps", g, d)}
	t.Columns = append([]Column{right(g.key), right("throughput"), right("p50"), right("p99"), right("max"), right("requests"), right("failed"), right("frozen s"), left("p99 gate")}, d.conditionColumns()...)
	for i, cs := range cells {
		for _, c := range cs {
			row := Row{Cells: []Cell{text(c.labels[g.key]), c.show("throughput"), c.show("latency.p50"), c.show("latency.p99"), c.show("latency.max"),
				c.show("requests"), c.show("failed"), c.show("freeze.seconds"), judged(c.gate("p99"))}}
			row.Cells = append(row.Cells, d.conditionCells(c)...)
			switch i {
			case s.Sustained:
				row.Mark = "sustained"
			case s.Knee:
				row.Mark = "knee"
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("Percentiles are exact (nearest rank), of ok requests. The first step with a p99 of %s or more is the knee.",
		DisplayLimit(inSeconds(d.protocol.P99Limit), "s")))
	return t
}

// rungTable lists the runs of a ladder.
func (d *document) rungTable(g *group, cells [][]*cell, rungs []Outcome) Table {
	t := Table{ID: tableID("rungs", g, d), Title: tableTitle("Rungs", g, d)}
	t.Columns = append([]Column{right(g.key), left("run"), left("rung"), right("delivered"), right("dropped"), left("reconciled"), right("p50"), right("p99"), right("drift"), right("frozen s")}, d.conditionColumns()...)
	for i, cs := range cells {
		for _, c := range cs {
			row := Row{Mark: string(rungs[i]), Cells: []Cell{text(c.labels[g.key]), text(c.name()), text(string(rungs[i])), c.show("delivered.ratio"), c.show("dropped"),
				judged(c.gate("reconciled")), c.show("latency.p50"), c.show("latency.p99"), c.show("drift.ratio"), c.show("freeze.seconds")}}
			row.Cells = append(row.Cells, d.conditionCells(c)...)
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = append(t.Notes, "A rung is judged on delivery, drops and reconciliation alone; latency and drift are noted beside it.")
	return t
}

// repeatTable lists the repeats of a series, failed ones included.
func (d *document) repeatTable(g *group, outcomes []Outcome) Table {
	t := Table{ID: tableID("repeats", g, d), Title: tableTitle("Repeats", g, d)}
	t.Columns = append([]Column{left("run"), left("verdict"), right("throughput"), right("p50"), right("p99"), right("worst 10 s"), right("max"), right("requests"), right("dropped"), right("failed"), right("drift"), right("frozen s")}, d.conditionColumns()...)
	for i, c := range g.cells {
		row := Row{Mark: string(outcomes[i]), Cells: []Cell{text(c.name()), text(string(outcomes[i])), c.show("throughput"), c.show("latency.p50"), c.show("latency.p99"),
			c.show("windows.worst_p99"), c.show("latency.max"), c.show("requests"), c.show("dropped"), c.show("failed"), c.show("drift.ratio"), c.show("freeze.seconds")}}
		row.Cells = append(row.Cells, d.conditionCells(c)...)
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes, "Medians and ranges elsewhere are over the passing repeats only; failed ones stay listed here.")
	return t
}

// repeatName is what labels call one of equal runs: its name or number; of a pair, which
// of the two arms as well. "" if they say nothing.
func repeatName(labels map[string]string) string {
	for _, l := range repeatLabels {
		if v := labels[l]; v != "" {
			if l == pairLabel && labels[armLabel] != "" {
				return v + " " + labels[armLabel]
			}
			return v
		}
	}
	return ""
}

// name is what a reader calls the run: its own name or number, the setup of its
// only step, or its id.
func (m *Measured) name() string {
	labels := m.labels(nil)
	if name := repeatName(labels); name != "" {
		return name
	}
	if len(m.manifest.Steps) == 1 {
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(labels)) {
			if !constantLabels[k] {
				parts = append(parts, labels[k])
			}
		}
		return strings.Join(append(parts, stepName(m.manifest.Steps[0])), ", ")
	}
	return m.Result.Run.ID
}

// calledRun is what a statement calls the run: its name, and its ID beside it where
// that is another.
func (m *Measured) calledRun() string {
	if name := m.name(); name != m.Result.Run.ID {
		return name + " (" + m.Result.Run.ID + ")"
	}
	return m.Result.Run.ID
}

// constantLabels say what was measured, which is the same for a whole document.
var constantLabels = map[string]bool{"system": true, "host": true, "version": true}

// name is what a reader calls the cell: its repeat label, else its run's name.
func (c *cell) name() string {
	if name := repeatName(c.labels); name != "" {
		return name
	}
	if c.scope.Step != "" && len(c.m.manifest.Steps) > 1 {
		return c.m.name() + " " + c.scope.Step
	}
	return c.m.name()
}

// everyKind is what the rows over all kinds of requests of a scenario are called.
const everyKind = "every kind"

// latencyTable lists the latency of every scenario and op of every run.
func (d *document) latencyTable() Table {
	t := Table{ID: "latency", Title: "Latency by scenario and kind of request", Columns: d.runColumn(
		left("scenario"), left("kind"), right("requests"), right("ok"), right("failed"), right("throughput"),
		right("p50"), right("p90"), right("p95"), right("p99"), right("p99.9"), right("max"),
	)}
	for _, m := range d.runs {
		for _, q := range m.Result.Quantities {
			if q.ID != "requests" || q.Scope.Step != "" {
				continue
			}
			show := func(id string) Cell { return showQuantity(m.Result.Quantity(id, q.Scope), m.Result.Run.ID) }
			op := cmp.Or(q.Scope.Op, everyKind)
			rate := "throughput"
			if m.probes[q.Scope.Scenario] {
				rate = "throughput.requests" // no load: what it asks carries no event
			}
			t.Rows = append(t.Rows, Row{Cells: d.runCell(m, text(q.Scope.Scenario), text(op), show("requests"), show("samples"), show("failed"),
				show(rate), show("latency.p50"), show("latency.p90"), show("latency.p95"), show("latency.p99"), show("latency.p999"), show("latency.max"))})
		}
	}
	if len(t.Rows) > 200 {
		t.Notes = append(t.Notes, fmt.Sprintf("The first 200 of %d rows; capacity.json has them all.", len(t.Rows)))
		t.Rows = t.Rows[:200]
	}
	t.Notes = append(t.Notes, "Exact nearest-rank percentiles of ok requests; a dash stands where too few samples support one. Scenarios are never pooled.")
	return t
}

// gateTable lists every verdict with what was seen and wanted.
func (d *document) gateTable() Table {
	t := Table{ID: "gates", Title: "Gates", Columns: d.runColumn(left("scope"), left("gate"), left("verdict"), left("got"), left("want"), left("decides"), left("why"))}
	for _, m := range d.runs {
		for _, v := range m.Result.Verdicts {
			if len(m.manifest.Steps) > 0 && v.Scope.Scenario != "" && v.Scope.Step == "" && !v.Required {
				continue // the steps are judged
			}
			decides := "no"
			if v.Required {
				decides = "yes"
			}
			got := v.Display
			if got == "" && v.Got != nil {
				got = fmt.Sprint(v.Got)
			}
			if got == "" {
				got = "—"
			}
			t.Rows = append(t.Rows, Row{Mark: string(v.Outcome), Cells: d.runCell(m, text(scopeText(v.Scope)), text(v.Gate), text(string(v.Outcome)),
				text(got), text(v.Want), text(decides), text(v.Why))})
		}
	}
	return t
}

func scopeText(s detect.Scope) string {
	out := s.Scenario
	for _, p := range []string{s.Step, s.Op} {
		if p == "" {
			continue
		}
		if out != "" {
			out += ", "
		}
		out += p
	}
	if out == "" {
		return "run"
	}
	return out
}

// findingTable lists the findings of every run.
func (d *document) findingTable() Table {
	t := Table{ID: "findings", Title: "Findings", Columns: d.runColumn(left("start (UTC)"), left("end (UTC)"), left("detector"), left("scope"), left("what"), left("put down to"))}
	for _, m := range d.runs {
		for _, f := range m.Result.Findings {
			cause := "not attributed"
			if f.Attribution != nil {
				cause = f.Attribution.Words()
			}
			t.Rows = append(t.Rows, Row{Mark: string(f.Severity), Cells: d.runCell(m, text(clock(f.Start)), text(clock(f.End)), text(f.Detector),
				text(scopeText(f.Scope)), text(f.Message), text(cause))})
		}
	}
	if len(t.Rows) > 200 {
		t.Notes = append(t.Notes, fmt.Sprintf("The first 200 of %d findings; capacity.json has them all.", len(t.Rows)))
		t.Rows = t.Rows[:200]
	}
	for _, m := range d.runs {
		for _, l := range m.Result.Looked {
			if !l.Could {
				t.Notes = append(t.Notes, fmt.Sprintf("%s could not look at %s of %s: %s.", l.Detector, scopeText(l.Scope), m.name(), l.Why))
			}
		}
	}
	return t
}

// clock shortens an instant to its time of day with milliseconds.
func clock(instant string) string {
	if len(instant) < len("2006-01-02T15:04:05.000") {
		return instant
	}
	return instant[len("2006-01-02T"):len("2006-01-02T15:04:05.000")]
}

// sourceTable lists what every run was made from.
func (d *document) sourceTable() Table {
	t := Table{ID: "sources", Title: "Sources", Columns: d.runColumn(left("file"), left("format"), right("rows"), right("bad lines"), left("SHA-256"), left("notes"))}
	for _, m := range d.runs {
		for _, s := range m.Result.Sources {
			var notes []string
			if s.Cut {
				notes = append(notes, "cut")
			}
			if s.Zone != "" {
				notes = append(notes, "stamps: "+s.Zone)
			}
			if s.Note != "" {
				notes = append(notes, s.Note)
			}
			t.Rows = append(t.Rows, Row{Cells: d.runCell(m, text(s.File), text(s.Format), text(Count(s.Rows)), text(Count(s.Bad)), text(short(s.SHA256)), text(strings.Join(notes, "; ")))})
		}
	}
	return t
}

func short(digest string) string { return digest[:min(12, len(digest))] }
