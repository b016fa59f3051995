package analyze

import (
	"fmt"
	"math"

	"headroom/detect"
)

// roleLabel says what a run is taken for, where it is not the load itself.
const roleLabel = "role"

// The roles of runs that make no configuration.
const (
	ceilingRole     = "ceiling"     // a closed loop's maximum: never a service level
	denominatorRole = "denominator" // a component by itself: what a throughput is a share of
)

// yardstick is a run that throughputs are compared with.
type yardstick struct {
	m    *Measured
	cell *cell
	name string
	role string
	rate *Quantity // events/s; its bound says in which direction it may be wrong
}

// apart takes the runs that are ceilings and denominators out of those that make
// configurations: they are never pooled with the load. Where there is nothing
// else, they are the document.
func apart(ms []*Measured) (load, others []*Measured) {
	for _, m := range ms {
		switch m.manifest.Labels[roleLabel] {
		case ceilingRole, denominatorRole:
			others = append(others, m)
		default:
			load = append(load, m)
		}
	}
	if len(load) == 0 {
		return others, others
	}
	return load, others
}

// yardsticks measures the ceilings and denominators, ceilings first.
func yardsticks(others []*Measured) []yardstick {
	var out []yardstick
	for _, role := range []string{ceilingRole, denominatorRole} {
		for _, m := range others {
			if m.manifest.Labels[roleLabel] != role {
				continue
			}
			for _, c := range cellsOf(m) {
				y := yardstick{m: m, cell: c, name: c.name(), role: role}
				y.measure()
				out = append(out, y)
			}
		}
	}
	return out
}

// agrees is how far the rate that a tool prints may lie from the count of its
// samples: it leaves out connecting, they do not.
const agrees = 0.05

// measure takes the rate: of a denominator the one that its tool printed, which
// knows when its clients were connected, where its samples bear it out; else the
// samples' own.
func (y *yardstick) measure() {
	q := y.cell.quantity("throughput")
	if q == nil {
		return
	}
	rate := *q
	rate.ID, rate.Scope = y.role+".rate", detect.Scope{Run: y.m.Result.Run.ID, Step: y.cell.scope.Step}
	rate.Warnings = nil
	y.rate = &rate
	if q.Value == nil {
		return
	}
	if y.role == ceilingRole {
		rate.Bound = Ceiling
		return
	}
	if rate.Bound == Ceiling { // the most that the component gives is what it is taken for
		rate.Bound = CapacityBound
	}
	printed, ok := y.reported()
	if !ok || y.cell.scope.Step != "" {
		return
	}
	if math.Abs(printed-*q.Value) > agrees*printed {
		rate = withhold(rate, fmt.Sprintf("the tool printed %s, its samples are %s: part of either is missing", Display(printed, rateUnit(y.m.countsEvents())), q.Display))
		return
	}
	rate.Value = &printed
	rate = rate.counting(rateUnit(y.m.countsEvents()))
	rate.From.Method = "as-reported@1"
}

// reported returns the rate that the generator's own report prints, in events/s.
func (y *yardstick) reported() (float64, bool) {
	events, _ := y.cell.value("events")
	samples, _ := y.cell.value("samples")
	for _, s := range y.m.manifest.Summaries {
		if v, ok := s.Values["throughput.requests"]; ok && s.Of == "" && samples > 0 {
			return v * events / samples, true
		}
	}
	return 0, false
}

// shareBound is the bound of a rate over another. A floor over what is not one is
// at least so much; a ceiling stays one.
func shareBound(part, whole Bound) Bound {
	floor := func(b Bound) bool { return b == Floor || b == AtLeast }
	switch {
	case part == Ceiling:
		return Ceiling
	case floor(part) && floor(whole):
		return ComparisonOnly
	case floor(part):
		return AtLeast
	case floor(whole):
		return AtMost
	}
	return NoBound
}

// denominators sets every throughput of the document beside the ceilings and
// denominators that were measured, and says so where none was.
func (d *document) denominators() {
	if len(d.yardsticks) == 0 {
		return
	}
	t := Table{ID: "denominators", Title: "Throughput beside what it is a share of", Columns: []Column{
		left("what"), right("rate"), left("bound"), right("p50"), right("p99"), left("denominator"), right("its rate"), right("share"),
	}}
	for i := range d.yardsticks {
		if y := &d.yardsticks[i]; y.rate != nil {
			d.Quantities = append(d.Quantities, *y.rate)
		}
	}
	for _, m := range d.merits {
		d.shares(&t, m.configuration, m.throughput, m.bound, Cell{Text: "—"}, Cell{Text: "—"})
	}
	for i := range d.yardsticks {
		y := &d.yardsticks[i]
		if y.role != ceilingRole || y.rate == nil || y.rate.Value == nil {
			continue
		}
		d.shares(&t, y.name+" (closed-loop maximum, not a service level)", *y.rate.Value, Ceiling, y.cell.show("latency.p50"), y.cell.show("latency.p99"))
	}
	t.Notes = append(t.Notes, "A share over 100 % is of another protocol, or of a denominator that was itself held back.")
	d.Tables = append(d.Tables, t)
}

// loadCountsEvents reports whether the samples of the load carry events, so that
// its rates are of what a denominator counts.
func (d *document) loadCountsEvents() bool {
	for _, m := range d.runs {
		if m.manifest.Labels[roleLabel] != denominatorRole && m.countsEvents() {
			return true
		}
	}
	return false
}

// shares adds one throughput's rows: one for each denominator.
func (d *document) shares(t *Table, what string, rate float64, bound Bound, p50, p99 Cell) {
	any := false
	for i := range d.yardsticks {
		y := &d.yardsticks[i]
		if y.role != denominatorRole || y.rate == nil {
			continue
		}
		any = true
		row := Row{Cells: []Cell{text(what), text(d.rate(rate)), text(string(bound)), p50, p99, text(y.name), showQuantity(y.rate, ""), text("—")}}
		if y.rate.Value != nil && *y.rate.Value > 0 {
			q := d.share(what, rate, bound, y)
			d.Quantities = append(d.Quantities, q)
			d.headroom = append(d.headroom, headroom{q, y.m.name(), y.m.Result.Run.ID})
			row.Cells[7] = Cell{Text: q.Display, ID: q.ID, In: &q.Scope, Note: shareNote(&q)}
		}
		t.Rows = append(t.Rows, row)
	}
	if !any {
		t.Rows = append(t.Rows, Row{Cells: []Cell{text(what), text(d.rate(rate)), text(string(bound)), p50, p99, text("none measured"), text("—"), text("—")}})
	}
}

// overWhole says of a share over 100 % that it is none.
const overWhole = "over 100 %, and so no share of a limit: the denominator is of another protocol, or was itself held back"

// shareNote explains a share where its number stands.
func shareNote(q *Quantity) string {
	if q.Value != nil && *q.Value > 1 {
		return overWhole
	}
	return ""
}

// headroom is a throughput over a denominator: what that is, and the run that
// measured it.
type headroom struct {
	Quantity
	what, run string
}

// share is the part that a throughput is of a denominator.
func (d *document) share(what string, rate float64, bound Bound, y *yardstick) Quantity {
	scope := detect.Scope{Configuration: what, Run: y.m.Result.Run.ID, Step: y.cell.scope.Step}
	from := From{Method: "rate-over-denominator@1", Params: map[string]any{"rate": rate, "denominator": *y.rate.Value}}
	q := quantity("headroom.share", scope, rate / *y.rate.Value, "1", -1, from)
	q.Bound = shareBound(bound, y.rate.Bound)
	q.Display = Percent(*q.Value)
	switch q.Bound {
	case AtLeast:
		q.Display = DisplayRounded(*q.Value*100, "%", Down)
	case AtMost:
		q.Display = DisplayRounded(*q.Value*100, "%", Up)
	}
	if !d.loadCountsEvents() && y.m.countsEvents() {
		q.Warnings = append(q.Warnings, "the load's samples carry one event each, the denominator's more: if a request is a batch, say of how many (--events)")
	}
	if *q.Value > 1 {
		q.Warnings = append(q.Warnings, overWhole)
	}
	return q
}
