package analyze

import (
	"cmp"
	"fmt"
	"strings"

	"headroom/detect"
)

// soak judges a configuration whose steps share one setting: throughput first,
// last and lowest over time.
func (d *document) soak(g *group) {
	conf := g.entry()
	conf.Of = len(g.cells)
	var outcomes []Outcome
	t := Table{ID: tableID("soak", g, d), Title: tableTitle("Soak, step by step", g, d)}
	t.Columns = append([]Column{left("step"), left("start (UTC)"), right("throughput"), right("p50"), right("p99"), right("failed"), right("frozen s")}, d.conditionColumns()...)
	own := ownColumns(g.cells)
	for _, name := range own {
		t.Columns = append(t.Columns, right(name))
	}
	var rates []float64
	for _, c := range g.cells {
		o, _ := d.judge(c, d.required("failed"))
		v, ok := c.value("throughput")
		if (!ok || c.unread()) && o == Pass {
			o = Unknown
		}
		if ok {
			rates = append(rates, v)
		}
		if o == Pass {
			conf.Passed++
		}
		outcomes = append(outcomes, o)
		row := Row{Cells: []Cell{text(cmp.Or(c.scope.Step, c.name())), text(clock(detect.Instant(c.window().Start))), c.show("throughput"), c.show("latency.p50"), c.show("latency.p99"), c.show("failed"), c.show("freeze.seconds")}}
		row.Cells = append(row.Cells, d.conditionCells(c)...)
		for _, name := range own {
			row.Cells = append(row.Cells, showQuantity(c.ownAtEnd(name), c.m.Result.Run.ID))
		}
		t.Rows = append(t.Rows, row)
	}
	conf.Outcome = Worst(outcomes...)
	d.Verdicts = append(d.Verdicts, Verdict{Gate: "complete", Scope: g.scope(), Outcome: conf.Outcome, Got: NofM{conf.Passed, conf.Of}.String(), Want: "every step measured, without a failure", Required: true})
	t.Notes = append(t.Notes, d.soakSlopes(g, own)...)
	d.Tables = append(d.Tables, t)
	if len(rates) > 0 {
		d.soakQuantities(g, rates)
		lowest := rates[0]
		for _, v := range rates {
			lowest = min(lowest, v)
		}
		first, last := rates[0], rates[len(rates)-1]
		conf.Text = fmt.Sprintf("first %s, last %s, lowest %s", d.rate(first), d.rate(last), d.rate(lowest))
		d.sayOf(d.named(g), "sustained", d.rate(last), "at the end of %s, %s at its start, %s at its lowest; %s",
			countText(len(rates), "step"), d.rate(first), d.rate(lowest), lastOf(relied(g.cells)).conditions())
	}
	d.decide(conf)
}

func lastOf(cells []*cell) *cell { return cells[len(cells)-1] }

// ownColumns names what the user's own queries counted beside the steps: the size
// of the database, its dead rows.
func ownColumns(cells []*cell) []string {
	var out []string
	for _, c := range cells {
		for i := range c.m.Result.Quantities {
			name := ownColumn(c.m.Result.Quantities[i].ID)
			if name != "" && c.ownAtEnd(name) != nil {
				out = append(out, name)
			}
		}
	}
	return unique(out)
}

// ownColumn is the column of an own query that an id is about, "" if it is of none.
func ownColumn(id string) string {
	rest, ok := strings.CutPrefix(id, "sql.")
	if !ok {
		return ""
	}
	rest = strings.TrimSuffix(rest, ".last")
	return rest[strings.LastIndexByte(rest, '.')+1:]
}

// ownAtEnd is the last reading of a column in a step, or in a run that is the step.
func (c *cell) ownAtEnd(column string) *Quantity {
	for i := range c.m.Result.Quantities {
		q := &c.m.Result.Quantities[i]
		if ownColumn(q.ID) == column && q.Scope.Step == c.scope.Step && (q.Scope.Step != "" || strings.HasSuffix(q.ID, ".last")) {
			return q
		}
	}
	return nil
}

func (d *document) soakQuantities(g *group, rates []float64) {
	from := From{Tables: []string{"samples"}, Method: "soak@1"}
	lowest := rates[0]
	for _, v := range rates {
		lowest = min(lowest, v)
	}
	for _, x := range []struct {
		id string
		v  float64
	}{{"soak.first", rates[0]}, {"soak.last", rates[len(rates)-1]}, {"soak.lowest", lowest}} {
		q := quantity(x.id, g.scope(), x.v, "events/s", int64(len(rates)), from).counting(d.rateUnit())
		q.Bound = boundOf(g.cells, "throughput")
		d.Quantities = append(d.Quantities, q)
	}
}
