package analyze

import (
	"fmt"
	"slices"
)

// mostColumns bounds the sweeps that stand side by side in the headline.
const mostColumns = 4

// headline sets the sweeps that a reader is to plan with side by side, one column
// each: what is sustained, where the knee is, what fleet that is, and under which
// conditions it was measured. ok is false where no sweep decides.
func (b *builder) headline() (t Table, ok bool) {
	var parts []*part
	for i := range b.parts {
		if p := &b.parts[i]; p.Protocol.Name == "sweep" && !p.Aside && len(p.groups) == 1 {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 || len(parts) > mostColumns {
		return Table{}, false
	}
	t = Table{ID: "headline", Title: "What to plan with", Columns: []Column{left("what")}}
	for _, p := range parts {
		t.Columns = append(t.Columns, right(p.label()))
	}
	for _, r := range b.headlineRows(parts) {
		row := Row{Cells: []Cell{text(r.name)}}
		known := false
		for _, p := range parts {
			c := b.showNamed(fmt.Sprintf(r.id, p.Name))
			known = known || c.ID != ""
			row.Cells = append(row.Cells, c)
		}
		if known {
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = append(t.Notes, "Fleets are arithmetic on the sustained throughput, not run as such. Foreign CPU is what neither the system nor the load generator used; a throughput measured beside it is a floor.")
	return t, true
}

// headlineRow is a row of the headline: its name, and the id of its quantity with
// the configuration left open.
type headlineRow struct{ name, id string }

func (b *builder) headlineRows(parts []*part) []headlineRow {
	key := parts[0].groups[0].key
	for _, p := range parts {
		if p.groups[0].key != key {
			key = "setting"
		}
	}
	rows := []headlineRow{
		{"sustained", "sweep.%s.sustained.throughput"},
		{"sustained: p99", "sweep.%s.sustained.p99"},
		{"sustained: at " + key, "sweep.%s.sustained.concurrency"},
		{"knee: at " + key, "sweep.%s.knee.concurrency"},
		{"knee: throughput", "sweep.%s.knee.throughput"},
		{"knee: p99", "sweep.%s.knee.p99"},
	}
	for _, rate := range b.fleetRates() {
		rows = append(rows, headlineRow{fmt.Sprintf("fleet at %s events an hour each", Display(rate, "1")), "fleet.%s." + fmt.Sprintf("%g", rate) + ".endpoints"})
	}
	return append(rows,
		headlineRow{"failed requests, all steps", "over.%s.failed"},
		headlineRow{"foreign CPU, mean of the steps", "over.%s.foreign_cpu"},
		headlineRow{"the same, by the list of processes", "over.%s.ps_foreign"},
		headlineRow{"load average, lowest", "over.%s.load_min"},
		headlineRow{"load average, highest", "over.%s.load_max"},
	)
}

// fleetRates are the rates of an endpoint that any configuration is asked for, in
// events an hour, rising.
func (b *builder) fleetRates() []float64 {
	var rates []float64
	for i := range b.parts {
		rates = append(rates, b.parts[i].Protocol.Defaults().FleetRates...)
	}
	slices.Sort(rates)
	return slices.Compact(rates)
}

// heldTable sets the configurations that were repeated side by side: how many
// repeats passed, and the figures over those that did. ok is false without one.
func (b *builder) heldTable() (t Table, ok bool) {
	t = Table{ID: "headline-repeats", Title: "What was held, again and again", Columns: []Column{
		left("configuration"), right("passed"), right("throughput"), right("p50"), right("p99"), right("p99, lowest"), right("p99, highest"), right("worst 10-s p99"),
	}}
	for i := range b.parts {
		p := &b.parts[i]
		if p.Protocol.Name != "repeats" || p.Aside {
			continue
		}
		for _, c := range b.entriesOf(p) {
			name := Cell{Text: c.Name}
			if c.Label != c.Name {
				name.Note = c.Label
			}
			row := Row{Mark: string(c.Outcome), Cells: []Cell{name}}
			for _, id := range []string{"passed", "throughput.median", "latency.p50.median", "latency.p99.median", "latency.p99.min", "latency.p99.max", "windows.worst_p99.max"} {
				row.Cells = append(row.Cells, b.showNamed("series."+c.Name+"."+id))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = append(t.Notes, "Medians and ranges are over the repeats that passed; the worst ten seconds are of any of those.")
	return t, len(t.Rows) > 0
}
