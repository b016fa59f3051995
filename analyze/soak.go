package analyze

import (
	"fmt"

	"headroom/detect"
)

// soak judges a configuration whose steps share one setting: throughput first,
// last and lowest over time.
func (d *document) soak(g *group) {
	conf := g.entry()
	conf.Of = len(g.cells)
	var outcomes []Outcome
	t := Table{ID: tableID("soak", g, d), Title: tableTitle("Soak, step by step", g, d)}
	t.Columns = append([]Column{left("step"), left("start (UTC)"), right("throughput"), right("p50"), right("p99"), right("failed"), right("frozen s")}, conditionColumns...)
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
		row := Row{Cells: []Cell{text(c.scope.Step), text(clock(detect.Instant(c.window().Start))), c.show("throughput"), c.show("latency.p50"), c.show("latency.p99"), c.show("failed"), c.show("freeze.seconds")}}
		row.Cells = append(row.Cells, c.conditionCells()...)
		t.Rows = append(t.Rows, row)
	}
	conf.Outcome = Worst(outcomes...)
	d.Verdicts = append(d.Verdicts, Verdict{Gate: "complete", Scope: g.scope(), Outcome: conf.Outcome, Got: NofM{conf.Passed, conf.Of}.String(), Want: "every step measured, without a failure", Required: true})
	d.Tables = append(d.Tables, t)
	if len(rates) > 0 {
		d.soakQuantities(g, rates)
		lowest := rates[0]
		for _, v := range rates {
			lowest = min(lowest, v)
		}
		first, last := rates[0], rates[len(rates)-1]
		conf.Text = fmt.Sprintf("first %s, last %s, lowest %s", d.rate(first), d.rate(last), d.rate(lowest))
		d.say("sustained", d.rate(last), "%sat the end of %s, %s at its start, %s at its lowest; %s", d.prefix(g),
			countText(len(rates), "step"), d.rate(first), d.rate(lowest), g.cells[len(g.cells)-1].conditions())
	}
	d.decide(conf)
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
		q := quantity(x.id, g.scope(), x.v, "events/s", int64(len(rates)), from)
		q.Bound = boundOf(g.cells)
		d.Quantities = append(d.Quantities, q)
	}
}
