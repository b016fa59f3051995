package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
	"headroom/stat"
)

// loadsOf leaves out the runs of benchmarks or of counts alone, which are no steps
// of anything.
func loadsOf(ms []*Measured) []*Measured {
	return slices.DeleteFunc(slices.Clone(ms), func(m *Measured) bool { return m.benchOnly() || m.noLoad() })
}

// benchmarks adds what the benchmarks of all runs say: tables, a figure, and, for
// runs without a load, a verdict.
func (d *document) benchmarks() {
	var with []*Measured
	for _, m := range d.runs {
		if len(m.benchmarks) > 0 {
			with = append(with, m)
		}
	}
	if len(with) == 0 && len(d.protocol.Bench.Expect) == 0 {
		return
	}
	for _, m := range with {
		if m.benchOnly() {
			d.judgeBench(m)
		}
	}
	d.expected(with)
	if len(with) > 0 {
		d.Tables = append(d.Tables, d.benchTable(with))
	}
	for _, m := range with {
		if t, ok := d.stageTable(m); ok {
			if n := d.count("stages"); n > 0 {
				t.ID, t.Title = fmt.Sprintf("stages-%d", n+1), t.Title+" of "+m.name()
			}
			d.Tables = append(d.Tables, t)
		}
		if f, ok := d.stageFigure(m); ok && !slices.ContainsFunc(d.Figures, func(g Figure) bool { return g.ID == f.ID }) {
			d.Figures = append(d.Figures, f)
		}
	}
	d.compareBenchmarks(with)
}

// judgeBench makes a configuration of a run of benchmarks, and says what it is.
func (d *document) judgeBench(m *Measured) {
	var outcomes []Outcome
	var why []string
	for _, gate := range d.required("bench-repeats", "bench-allocs") {
		v := m.Result.verdict(gate, detect.Scope{})
		if v == nil && d.protocol.Required == nil {
			continue // no limit was given
		}
		if v == nil {
			v = &Verdict{Outcome: Unknown, Why: "not measured"}
		}
		v.Required = true
		outcomes = append(outcomes, v.Outcome)
		if v.Outcome != Pass {
			why = append(why, gate+" "+string(v.Outcome)+reason(v))
		}
	}
	conf := Configuration{Name: m.name(), Runs: []string{m.Result.Run.ID}, Of: 1, Outcome: Worst(outcomes...)}
	if conf.Outcome == Pass {
		conf.Passed = 1
	}
	conf.Text = countText(len(m.benchmarks), "benchmark")
	d.say("bench", d.benchLead(m), "%s", d.benchText(m))
	if len(why) > 0 {
		d.say("verdict", string(conf.Outcome), "%s: %s", m.name(), strings.Join(why, "; "))
	}
	d.decide(conf)
}

// benchLead is the cost of the whole path, or of the first benchmark.
func (d *document) benchLead(m *Measured) string {
	if q := m.benchCost("bench.time", d.mainBenchmark(m)); q != nil {
		return q.Display + " " + m.benchPer()
	}
	return countText(len(m.benchmarks), "benchmark")
}

func (d *document) mainBenchmark(m *Measured) *benchmark {
	if b := benchNamed(m.benchmarks, d.protocol.Bench.Total); b != nil {
		return b
	}
	return m.benchmarks[0]
}

func (d *document) benchText(m *Measured) string {
	b := d.mainBenchmark(m)
	n, _ := b.repeats()
	parts := []string{fmt.Sprintf("%s, median of %s", b.label, countText(n, "repeat"))}
	if len(d.runs) > 1 {
		parts[0] = m.name() + ": " + parts[0]
	}
	for _, c := range []struct{ id, what string }{{"bench.bytes", "allocated"}, {"bench.allocs", "allocations"}} {
		if q := m.benchCost(c.id, b); q != nil && q.Value != nil {
			parts = append(parts, q.Display+" "+c.what)
		}
	}
	if q := m.Result.Quantity("bench.events_per_s", b.scope()); q != nil && q.Value != nil {
		parts = append(parts, q.Display+" by one core")
	}
	return strings.Join(parts, ", ")
}

// expected gives the verdict on the benchmarks that must be there: present, and
// repeated as they should be. What is missing is unknown.
func (d *document) expected(with []*Measured) {
	v := Verdict{Gate: "bench-complete", Want: "every benchmark, repeated as often as the others", Outcome: Unknown, Required: true}
	var why []string
	for _, name := range d.protocol.Bench.Expect {
		if !slices.ContainsFunc(with, func(m *Measured) bool { return benchNamed(m.benchmarks, name) != nil }) {
			why = append(why, "no benchmark "+name)
		}
	}
	for _, m := range with {
		switch r := m.Result.verdict("bench-repeats", detect.Scope{}); {
		case r == nil:
			why = append(why, m.name()+": not judged")
		case r.Outcome != Pass:
			why = append(why, m.name()+": "+r.Why)
		}
	}
	if len(with) == 0 {
		why = append(why, "no benchmark was recorded")
	}
	v.Why = strings.Join(why, "; ")
	if len(why) == 0 {
		v.Outcome = Pass
	}
	d.Verdicts = append(d.Verdicts, v)
	d.outcomes = append(d.outcomes, v.Outcome)
}

// benchTable lists every benchmark with its costs.
func (d *document) benchTable(with []*Measured) Table {
	t := Table{ID: "benchmarks", Title: "Benchmarks", Columns: d.runColumn(left("benchmark"), left("per"), right("repeats"), right("time"), right("±"),
		right("bytes"), right("±"), right("allocations"), right("±"), right("events/s"))}
	for _, m := range with {
		index := m.Result.index()
		for _, b := range m.benchmarks {
			find := func(id string) *Quantity { return index[quantityKey{id, b.scope()}] }
			show := func(q *Quantity) []Cell { return []Cell{showQuantity(q, m.Result.Run.ID), text(spread(q))} }
			per := "operation"
			if n, _ := b.events(d.protocol.Bench.EventsPerOp); n > 0 {
				per = "event"
			}
			cells := []Cell{text(b.label), text(per), showQuantity(find("bench.repeats"), m.Result.Run.ID)}
			for _, u := range benchUnits {
				cells = append(cells, show(cmp.Or(find(u.id+perEvent), find(u.id)))...)
			}
			cells = append(cells, showQuantity(find("bench.events_per_s"), m.Result.Run.ID))
			t.Rows = append(t.Rows, Row{Cells: d.runCell(m, cells...)})
		}
		if row, ok := d.geoRow(m); ok {
			t.Rows = append(t.Rows, Row{Cells: d.runCell(m, row...)})
		}
	}
	t.Notes = append(t.Notes, "Medians over repeats. ± is how far the interval that covers 95 % of them reaches from the median, as benchstat prints it; ∞ where there are too few repeats for one.",
		"One process, no network and no other load: what a service adds is not in it.")
	return t
}

// geoRow is the geometric mean over the benchmarks of a run.
func (d *document) geoRow(m *Measured) ([]Cell, bool) {
	if len(m.benchmarks) < 2 {
		return nil, false
	}
	row := []Cell{text("geometric mean"), text(""), text("")}
	any := false
	for _, u := range benchUnits {
		q := m.Result.Quantity("bench.geomean."+u.id[len("bench."):], detect.Scope{})
		cell := text("")
		if q != nil && q.Value != nil {
			cell, any = showQuantity(q, m.Result.Run.ID), true
		}
		row = append(row, cell, text(""))
	}
	return append(row, text("")), any
}

// geoMeans returns the geometric mean of each cost over the benchmarks, where all
// have it and none is zero.
func (m *Measured) geoMeans() []Quantity {
	var out []Quantity
	for _, u := range benchUnits {
		var vs []float64
		for _, b := range m.benchmarks {
			if len(b.values[u.unit]) > 0 {
				vs = append(vs, b.cost(u.id, m.protocol.Bench.EventsPerOp))
			}
		}
		if len(vs) == 0 {
			continue
		}
		if m.mixedPer() {
			continue // costs by event and by operation have no mean
		}
		q := quantity("bench.geomean."+u.id[len("bench."):], detect.Scope{}, 0, u.si, int64(len(vs)), From{Tables: []string{"benchmarks"}, Method: "geometric-mean@1", Params: map[string]any{"per": m.benchPer()}})
		g, err := stat.GeoMean(vs)
		if err != nil {
			out = append(out, withhold(q, "a geometric mean is of values above zero"))
			continue
		}
		out = append(out, quantity(q.ID, q.Scope, g, u.si, *q.N, q.From))
	}
	return out
}

// benchCaveats says what benchmarks alone do not show.
func benchCaveats() []string {
	return []string{
		"A service under load: benchmarks run one piece of code by itself, without network, other requests or a database.",
		"Latency, and how it spreads: a benchmark gives the mean of its iterations.",
		"Another machine, compiler or input: counts of bytes and allocations carry over, times do not.",
	}
}

// mixedPer reports whether some benchmarks are by event and others are not.
func (m *Measured) mixedPer() bool {
	by := 0
	for _, b := range m.benchmarks {
		if n, _ := b.events(m.protocol.Bench.EventsPerOp); n > 0 {
			by++
		}
	}
	return by > 0 && by < len(m.benchmarks)
}
