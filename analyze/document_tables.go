package analyze

import (
	"math/big"
	"slices"
	"strings"

	"headroom/detect"
)

// surveys adds the tables that set the configurations side by side: queues, probes
// and what was stored.
func (b *builder) surveys() {
	for _, t := range []Table{b.fleetTable(), b.queueTable(), b.probeTable(), b.scanTable(), b.reconciliationTable()} {
		if len(t.Rows) > 0 {
			b.Tables = append(b.Tables, t)
		}
	}
}

// queueTable has a row for each run with a queue: what was sent, how long it
// waited, how far the queue grew, and what a reader noticed of it.
func (b *builder) queueTable() Table {
	t := Table{ID: "queue", Title: "Queues, run by run", Columns: []Column{
		left("run"), right("sent"), right("accepted"), right("refused"), right("wait p50"), right("wait p95"), right("processing p50"), right("processing p95"),
		right("most waiting"), right("drained after"), left("kept up"), right("probe p95"),
	}}
	held := b.heldColumns()
	for _, id := range held {
		t.Columns = append(t.Columns, right("held: "+strings.TrimPrefix(id, "held.")))
	}
	for i := range b.parts {
		p := &b.parts[i]
		for _, m := range p.runs {
			if !m.hasQueue() {
				continue
			}
			run := m.Result.Run.ID
			whole := func(id string) Cell { return showQuantity(m.Result.Quantity(id, detect.Scope{}), run) }
			of := func(jobs bool, id string) Cell { return showQuantity(m.only(id, jobs), run) }
			load := func(id string) Cell { return showQuantity(m.ofLoad(id, ""), run) }
			name := p.label()
			if len(p.runs) > 1 {
				name += ": " + m.name()
			}
			row := Row{Cells: []Cell{text(name), load("requests"), load("samples"), load("rejected"), of(true, "wait.p50"), of(true, "wait.p95"), of(true, "service.p50"), of(true, "service.p95"),
				whole("queue.peak"), whole("queue.drain"), judged(m.Result.verdict("drained", detect.Scope{})), of(false, "latency.p95")}}
			for _, id := range held {
				row.Cells = append(row.Cells, whole(id))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = []string{"Percentiles are exact (nearest rank). Refused is by design and no failure; waiting and processing are of what was accepted."}
	return t
}

// heldColumns are the counts that runs with a queue took of what the system held
// at the end.
func (b *builder) heldColumns() []string {
	var out []string
	for _, m := range b.runs {
		for i := range m.Result.Quantities {
			if id := m.Result.Quantities[i].ID; m.hasQueue() && strings.HasPrefix(id, "held.") {
				out = append(out, id)
			}
		}
	}
	return b.differing(unique(out))
}

// differing leaves out the counts that say in every run what an earlier one says.
func (b *builder) differing(ids []string) (out []string) {
	seen := map[string]bool{}
	for _, id := range ids {
		var all []string
		for _, m := range b.runs {
			if q := m.Result.Quantity(id, detect.Scope{}); q != nil {
				all = append(all, m.Result.Run.ID+" "+q.Display)
			}
		}
		if key := strings.Join(all, "\n"); !seen[key] {
			seen[key] = true
			out = append(out, id)
		}
	}
	return out
}

// only returns a quantity of the only scenario of jobs, or of the only probe; nil
// where there are several.
func (m *Measured) only(id string, jobs bool) *Quantity {
	var found *Quantity
	for i := range m.units {
		u := &m.units[i]
		if u.scope.Step != "" || m.jobs[u.scope.Scenario] != jobs || !jobs && !u.probe {
			continue
		}
		if found != nil {
			return nil
		}
		found = m.Result.Quantity(id, u.scope)
	}
	return found
}

// probeTable has a row for each kind of request of a probe in each configuration,
// over its runs: the probe is judged by itself, and never pooled with the load.
func (b *builder) probeTable() Table {
	t := Table{ID: "probe", Title: "Probes, judged apart", Columns: []Column{
		left("configuration"), left("probe"), left("request"), right("runs"), right("p50, lowest"), right("p50, highest"), right("p99, lowest"), right("p99, highest"), left("within its budget"),
	}}
	type key struct{ scenario, op string }
	for i := range b.parts {
		p := &b.parts[i]
		var order []key
		cells := map[key]map[string][]Cell{}
		values := map[key]map[string][]float64{}
		passed, judgedRuns := 0, 0
		for _, m := range p.runs {
			if o := m.probeOutcome(); o != "" {
				judgedRuns++
				if o == Pass {
					passed++
				}
			}
			for j := range m.Result.Quantities {
				q := &m.Result.Quantities[j]
				if m.jobs[q.Scope.Scenario] || !m.probes[q.Scope.Scenario] || q.Scope.Step != "" || q.Value == nil || q.ID != "latency.p50" && q.ID != "latency.p99" {
					continue
				}
				k := key{q.Scope.Scenario, q.Scope.Op}
				if cells[k] == nil {
					cells[k], values[k] = map[string][]Cell{}, map[string][]float64{}
					order = append(order, k)
				}
				cells[k][q.ID] = append(cells[k][q.ID], showQuantity(q, m.Result.Run.ID))
				values[k][q.ID] = append(values[k][q.ID], *q.Value)
			}
		}
		for _, k := range order {
			lo50, hi50 := lowestHighest(cells[k]["latency.p50"], values[k]["latency.p50"])
			lo99, hi99 := lowestHighest(cells[k]["latency.p99"], values[k]["latency.p99"])
			op, within := k.op, NofM{passed, judgedRuns}.String()
			if op == "" {
				op = everyKind
			} else {
				within = "—"
			}
			t.Rows = append(t.Rows, Row{Cells: []Cell{text(p.label()), text(k.scenario), text(op), text(Count(int64(len(cells[k]["latency.p50"])))), lo50, hi50, lo99, hi99, text(within)}})
		}
	}
	t.Notes = []string{"The budget is of the probe as a whole, in each run; its samples are in no figure of the load."}
	return t
}

// lowestHighest returns the cells of the lowest and of the highest value.
func lowestHighest(cells []Cell, values []float64) (lowest, highest Cell) {
	if len(values) == 0 {
		return text("—"), text("—")
	}
	return cells[slices.Index(values, slices.Min(values))], cells[slices.Index(values, slices.Max(values))]
}

// probeOutcome is the verdict on the probes of a run, "" without one.
func (m *Measured) probeOutcome() Outcome {
	var out []Outcome
	for i := range m.Result.Verdicts {
		if v := &m.Result.Verdicts[i]; v.Gate == "probe" && v.Scope.Step == "" {
			out = append(out, v.Outcome)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return Worst(out...)
}

// reconciliationTable sets what was claimed beside what the system gained, over
// the runs of each configuration.
func (b *builder) reconciliationTable() Table {
	t := Table{ID: "reconciliation", Title: "Claimed and gained", Columns: []Column{
		left("configuration"), left("count"), left("claim"), right("claimed"), right("gained"), right("runs that agree"), left("verdict"),
	}}
	for i := range b.parts {
		p := &b.parts[i]
		var columns []string
		byColumn := map[string][]pair{}
		for _, m := range p.runs {
			for _, x := range m.pairs() {
				columns = append(columns, x.column)
				byColumn[x.column] = append(byColumn[x.column], x)
			}
		}
		for _, column := range unique(columns) {
			claimed, gained, agree := new(big.Rat), new(big.Rat), 0
			var outcomes []Outcome
			known := true
			for _, x := range byColumn[column] {
				outcomes = append(outcomes, x.outcome())
				if x.outcome() == Pass {
					agree++
				}
				if x.claimed == nil || x.gained == nil {
					known = false
					continue
				}
				claimed.Add(claimed, x.claimed)
				gained.Add(gained, x.gained)
			}
			o := Worst(outcomes...)
			row := Row{Mark: string(o), Cells: []Cell{text(p.label()), text(column), text(byColumn[column][0].claim), text("—"), text("—"), text(NofM{agree, len(outcomes)}.String()), text(string(o))}}
			if known {
				row.Cells[3], row.Cells[4] = text(decimal(claimed)), text(decimal(gained))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = []string{"Exact sums over the runs; a run counts as agreeing only if its own two counts are equal. Where a count of one run is missing, no sum is given."}
	return t
}

// queueAnswer states of a run with a queue, in one sentence in place of those of its
// requests, whether the queue kept up.
func (b *builder) queueAnswer(p *part, g *group, since int) {
	if p.Protocol.Name != "run" || len(g.cells) != 1 || !g.cells[0].m.hasQueue() {
		return
	}
	m := g.cells[0].m
	peak, drain := m.Result.Quantity("queue.peak", detect.Scope{}), m.Result.Quantity("queue.drain", detect.Scope{})
	if peak == nil || drain == nil || peak.Value == nil || drain.Value == nil {
		return
	}
	parts := []string{peak.Display + " waiting at most, of what was read of the queue"}
	if q := m.only("wait.p95", true); q != nil && q.Value != nil {
		parts = append(parts, "p95 of the wait "+q.Display)
	}
	if q := m.only("latency.p95", false); q != nil && q.Value != nil {
		parts = append(parts, "of a reader's requests "+q.Display)
	}
	lead := "drained in " + drain.Display
	if *drain.Value == 0 {
		lead = "nothing left over"
	}
	b.Answer = b.Answer[:since]
	b.sayOf(p.label(), "queue", lead, "%s", strings.Join(parts, ", "))
}
