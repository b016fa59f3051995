package analyze

import (
	"strings"

	"headroom/detect"
)

// limits adds what arithmetic says of limits beside what was seen: of a rate
// limiter, and of the memory that requests at once take together.
func (d *document) limits() {
	for _, t := range []Table{d.limiterTable(), d.memoryTable()} {
		if len(t.Rows) > 0 {
			d.Tables = append(d.Tables, t)
		}
	}
}

// limiterTable sets what token buckets let pass beside what was let pass.
func (d *document) limiterTable() Table {
	t := Table{ID: "limiter", Title: "The rate limiter, by arithmetic and as seen", Columns: d.runColumn(
		left("of"), right("passed, by arithmetic"), right("accepted"), right("refused, by arithmetic"), right("refused"),
		right("burst spent after"), right("rate before"), right("rate after"))}
	for _, m := range d.runs {
		for i := range m.Result.Quantities {
			passed := &m.Result.Quantities[i]
			if passed.ID != "limiter.passed" {
				continue
			}
			run, scope := m.Result.Run.ID, passed.Scope
			show := func(id string) Cell { return showQuantity(m.Result.Quantity(id, scope), run) }
			seen := func(id string) Cell { return showQuantity(m.ofLoad(id, scope.Step), run) }
			t.Rows = append(t.Rows, Row{Cells: d.runCell(m, text(scopeText(scope)), showQuantity(passed, run), seen("samples"), show("limiter.refused"), seen("rejected"),
				show("limiter.empty_at"), show("limiter.rate_before"), show("limiter.rate_after"))})
		}
	}
	t.Notes = []string{"Each source has a bucket that begins full: it may burst, then earns back at its refill. What the arithmetic says and what was seen may differ by what arrived unevenly."}
	return t
}

// ofLoad returns a quantity of the only scenario that is a load, nil where there
// are several.
func (m *Measured) ofLoad(id, step string) *Quantity {
	var found *Quantity
	for i := range m.units {
		u := &m.units[i]
		if u.probe || u.scope.Step != step || m.jobs[u.scope.Scenario] {
			continue
		}
		q := m.Result.Quantity(id, u.scope)
		if found != nil && q != nil {
			return nil
		}
		if q != nil {
			found = q
		}
	}
	return found
}

// memoryTable lists what the requests in flight allocate together, and which of
// the factors nothing bounds.
func (d *document) memoryTable() Table {
	t := Table{ID: "memory", Title: "Memory by arithmetic", Columns: d.runColumn(
		right("requests at once"), right("events in one"), right("allocated by event"), right("together"), right("ceiling"), left("bounded"))}
	for _, m := range d.runs {
		at := m.Result.Quantity("memory.in_flight", detect.Scope{})
		if at == nil {
			continue
		}
		run := m.Result.Run.ID
		factor := func(name string) Cell {
			if v, ok := at.From.Params[name].(float64); ok {
				return text(Display(v, "1"))
			}
			return text("—")
		}
		bounded := "by both factors"
		if free := m.protocol.Scenario.unbounded(); len(free) > 0 {
			bounded = "no: nothing limits " + strings.Join(free, " nor ")
		}
		t.Rows = append(t.Rows, Row{Cells: d.runCell(m, factor("concurrency"), factor("batch"), showQuantity(m.Result.Quantity("alloc.bytes_per_event", detect.Scope{}), run),
			showQuantity(at, run), showQuantity(m.Result.Quantity("memory.ceiling", detect.Scope{}), run), text(bounded))})
	}
	t.Notes = []string{"Requests at once × events in one × bytes allocated for each event. A product of which one factor has no limit has no ceiling."}
	return t
}
