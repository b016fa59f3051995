package analyze

import (
	"fmt"

	"headroom/detect"
)

// stageShares are the shares of a whole that a stage has, and the cost that each
// is a share of.
var stageShares = []struct{ id, cost string }{
	{"stage.time_share", "bench.time"}, {"stage.bytes_share", "bench.bytes"}, {"stage.allocs_share", "bench.allocs"},
}

// stages returns what each stage of the declared path has of the whole, and what
// the stages cost together: of the benchmark of the path itself where there is
// one, else of the sum.
func (m *Measured) stages() []Quantity {
	rules := m.protocol.Bench
	var parts []*benchmark
	for _, name := range rules.Stages {
		if b := benchNamed(m.benchmarks, name); b != nil {
			parts = append(parts, b)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	total := benchNamed(m.benchmarks, rules.Total)
	events := m.protocol.Bench.EventsPerOp
	var out []Quantity
	for _, s := range stageShares {
		sum := 0.0
		for _, b := range parts {
			sum += b.cost(s.cost, events)
		}
		of, whole := sum, "the sum of the stages"
		if total != nil {
			of, whole = total.cost(s.cost, events), total.label
		}
		from := From{Tables: []string{"benchmarks"}, Method: "stage-share@1", Params: map[string]any{"of": whole}}
		for _, b := range parts {
			q := quantity(s.id, b.scope(), 0, "1", -1, from)
			switch {
			case of <= 0 || len(b.values[benchUnit(s.cost)]) == 0:
				q = withhold(q, "the stage or the whole has no such measure")
			case b.cost(s.cost, events) > of:
				q = withhold(q, "the stage costs more than "+whole+", which it is said to be part of")
			default:
				q = quantity(s.id, b.scope(), b.cost(s.cost, events)/of, "1", -1, from)
				q.Display = Percent(*q.Value)
			}
			out = append(out, q)
		}
		out = append(out, m.stageSum(s.cost, sum, parts))
	}
	return out
}

// stageSum is what the stages cost together; withheld where one is missing.
func (m *Measured) stageSum(cost string, sum float64, parts []*benchmark) Quantity {
	unit := "1"
	for _, u := range benchUnits {
		if u.id == cost {
			unit = u.si
		}
	}
	id := "stages." + cost[len("bench."):]
	from := From{Tables: []string{"benchmarks"}, Method: "sum-of-medians@1"}
	q := quantity(id, detect.Scope{}, sum, unit, int64(len(parts)), from)
	if n := len(m.protocol.Bench.Stages); len(parts) < n {
		return withhold(q, fmt.Sprintf("%d of %d stages are there", len(parts), n))
	}
	for _, b := range parts {
		if len(b.values[benchUnit(cost)]) == 0 {
			return withhold(q, b.label+" has no such measure")
		}
	}
	return q
}

// benchUnit is the unit that a benchmark reports a cost in.
func benchUnit(cost string) string {
	for _, u := range benchUnits {
		if u.id == cost {
			return u.unit
		}
	}
	return ""
}

// cost is the median of a cost, by event where events are known; 0 of none.
func (b *benchmark) cost(id string, declared float64) float64 {
	v := medianOf(b.values[benchUnit(id)])
	if events, _ := b.events(declared); events > 0 {
		v /= events
	}
	return v
}

// stageTable lists the stages of the path with their shares.
func (d *document) stageTable(m *Measured) (Table, bool) {
	rules := d.protocol.Bench
	t := Table{ID: "stages", Title: "Stages", Columns: []Column{left("stage"), right("time"), right("share of time"), right("bytes"), right("share of bytes"), right("allocations"), right("share of allocations")}}
	row := func(b *benchmark) []Cell {
		cells := []Cell{text(b.label)}
		for _, s := range stageShares {
			share := Cell{Text: ""}
			if b.label != rules.Total {
				share = showQuantity(m.Result.Quantity(s.id, b.scope()), m.Result.Run.ID)
			}
			cells = append(cells, showQuantity(m.benchCost(s.cost, b), m.Result.Run.ID), share)
		}
		return cells
	}
	for _, name := range rules.Stages {
		if b := benchNamed(m.benchmarks, name); b != nil {
			t.Rows = append(t.Rows, Row{Cells: row(b)})
		}
	}
	if len(t.Rows) == 0 {
		return t, false
	}
	sum := []Cell{text("sum of the stages")}
	for _, s := range stageShares {
		sum = append(sum, showQuantity(m.Result.Quantity("stages."+s.cost[len("bench."):], detect.Scope{}), m.Result.Run.ID), text(""))
	}
	t.Rows = append(t.Rows, Row{Cells: sum})
	whole := "their sum"
	if b := benchNamed(m.benchmarks, rules.Total); b != nil {
		t.Rows = append(t.Rows, Row{Cells: row(b)})
		whole = b.label + ", which was measured by itself: the sum of the stages may differ from it"
	}
	t.Notes = append(t.Notes, "Medians over repeats, "+m.benchPer()+". Shares are of "+whole+".")
	return t, true
}

// benchPer says what the costs of the run's benchmarks are by.
func (m *Measured) benchPer() string {
	for _, b := range m.benchmarks {
		if n, _ := b.events(m.protocol.Bench.EventsPerOp); n > 0 {
			return "per event"
		}
	}
	return "per operation"
}

// stageFigure draws the shares of time and of allocations that the stages have.
func (d *document) stageFigure(m *Measured) (Figure, bool) {
	f := Figure{ID: "stage-shares", Kind: "stages", Title: "What the stages have of the time and of the allocations",
		X: Axis{Label: "share", Unit: "1"}, Y: []Axis{{Scale: "category"}}}
	bars := Series{Name: "share", Mark: "bars", Role: "other"}
	for _, s := range []struct{ id, what string }{{"stage.time_share", "time"}, {"stage.allocs_share", "allocations"}} {
		for _, name := range d.protocol.Bench.Stages {
			b := benchNamed(m.benchmarks, name)
			if b == nil {
				continue
			}
			q := m.Result.Quantity(s.id, b.scope())
			if q == nil || q.Value == nil {
				continue
			}
			bars.Y = append(bars.Y, float64(len(f.Y[0].Categories)))
			f.Y[0].Categories = append(f.Y[0].Categories, b.label+", "+s.what)
			bars.X, bars.Text = append(bars.X, *q.Value), append(bars.Text, q.Display)
		}
	}
	if len(bars.X) == 0 {
		return f, false
	}
	largest := 0
	for i, v := range bars.X {
		if v > bars.X[largest] {
			largest = i
		}
	}
	f.Panels = []Panel{{Series: []Series{bars}}}
	f.Alt = fmt.Sprintf("Bars of the shares that each stage has; the largest is %s with %s.", f.Y[0].Categories[largest], bars.Text[largest])
	return f, true
}
