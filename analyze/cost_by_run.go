package analyze

import (
	"slices"
	"strings"

	"headroom/detect"
)

// sharedCosts are the costs of an event or a batch, in the order of the columns
// of a table that has a row for each run.
var sharedCosts = []string{
	"commits.per_batch", "commits.per_event", "wal.bytes_per_event", "wal.records_per_event", "wal.fpi_per_event",
	"alloc.bytes_per_event", "growth.bytes_per_event", "price.per_million_events",
}

// rareCall is how many calls an event a kind of statement must have in some run,
// to have a column: one statement in a hundred events.
const rareCall = 0.01

// costsByRun is the table of the costs that several runs have: what an event costs
// at each setting. Its columns are returned as ids; nil where the runs share none.
func (d *document) costsByRun() (t Table, ids []string) {
	if len(d.runs) < 2 {
		return Table{}, nil
	}
	for _, id := range append(slices.Clone(sharedCosts), d.sharedCalls()...) {
		if d.haveCost(id) >= 2 && !(id == "commits.per_event" && slices.Contains(ids, "commits.per_batch") && d.onePerBatch()) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return Table{}, nil
	}
	t = Table{ID: "costs-by-run", Title: "What an event costs", Columns: d.runColumn(right("events"))}
	for _, id := range ids {
		t.Columns = append(t.Columns, right(costName(&Quantity{ID: strings.TrimSuffix(strings.Replace(id, "_per_event", "", 1), ".per_event")})))
	}
	for _, m := range d.runs {
		cells, some := []Cell{m.costCell("costs.events")}, false
		for _, id := range ids {
			c := m.costCell(id)
			some = some || c.ID != ""
			cells = append(cells, c)
		}
		if some {
			t.Rows = append(t.Rows, Row{Cells: d.runCell(m, cells...)})
		}
	}
	t.Notes = append(t.Notes, "From counters of the database read before and after the load, over the events between: per event, but commits per batch. Statements of one in a hundred events and rarer, totals and shares of time are in the appendix.")
	return t, ids
}

// haveCost counts the runs that were to have a cost.
func (d *document) haveCost(id string) (n int) {
	for _, m := range d.runs {
		if m.Result.Quantity(id, detect.Scope{}) != nil {
			n++
		}
	}
	return n
}

// onePerBatch reports whether a batch is an event in every run: the two costs are
// one then.
func (d *document) onePerBatch() bool {
	for _, m := range d.runs {
		batch, ok1 := m.Result.value("commits.per_batch", detect.Scope{})
		event, ok2 := m.Result.value("commits.per_event", detect.Scope{})
		if ok1 != ok2 || batch != event {
			return false
		}
	}
	return true
}

// sharedCalls are the kinds of statements that an event makes, but for rare ones.
func (d *document) sharedCalls() (ids []string) {
	for _, m := range d.runs {
		for i := range m.Result.Quantities {
			q := &m.Result.Quantities[i]
			if q.Scope == (detect.Scope{}) && strings.HasPrefix(q.ID, "calls.") && strings.HasSuffix(q.ID, "_per_event") &&
				q.Value != nil && *q.Value >= rareCall && !slices.Contains(ids, q.ID) {
				ids = append(ids, q.ID)
			}
		}
	}
	return ids
}

// costCell shows a cost of the run, a dash where it has none.
func (m *Measured) costCell(id string) Cell {
	q := m.Result.Quantity(id, detect.Scope{})
	if q == nil {
		return text("—")
	}
	return showQuantity(q, m.Result.Run.ID)
}

// isCounted reports whether a quantity is one of the counters behind a table of
// costs by run: a total, a share of time, or a cost that has a column there.
func isCounted(q *Quantity, columns []string) bool {
	family, _, _ := strings.Cut(q.ID, ".")
	return q.Scope == (detect.Scope{}) && len(columns) > 0 &&
		(slices.Contains(columns, q.ID) || slices.Contains([]string{"commits", "costs", "wal", "calls"}, family))
}
