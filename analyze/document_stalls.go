package analyze

import (
	"fmt"
	"slices"
	"strings"
)

// stallTable says of every run when it stood still: those that did each by itself,
// the others of a configuration together.
func (b *builder) stallTable() Table {
	t := Table{ID: "stalls", Title: "Seconds in which it stood still", Columns: []Column{
		left("run"), right("freeze-seconds"), right("expected at any phase"), right("episodes"), right("cadence"), right("worst request"),
		right("bad windows of 10 s"), right("phases of 10 with one"), right("worst 10-s p99"), left("put down to"),
	}}
	seen := map[*Measured]bool{}
	for i := range b.parts {
		p := &b.parts[i]
		var still []*Measured
		for _, m := range p.runs {
			m := b.first[m.Result.Run.Digest]
			if q := m.ofLoad("freeze.seconds", ""); q == nil || q.Value == nil || seen[m] {
				continue
			}
			seen[m] = true
			if !m.stalled() {
				still = append(still, m)
				continue
			}
			t.Rows = append(t.Rows, Row{Cells: append([]Cell{text(b.callOf(m))}, m.stallCells()...)})
		}
		if len(still) > 0 {
			name := p.Name + ", " + countText(len(still), "run")
			if len(still) < len(p.runs) {
				name = p.Name + ", the other " + countText(len(still), "run")
			}
			row := Row{Cells: []Cell{text(name), text("0 s"), text("—"), text("0"), text("—"), text("—"), text("0"), text("—"), text(worstQuiet(still)), text("—")}}
			if len(still) == 1 {
				row.Cells = append([]Cell{text(b.callOf(still[0]))}, still[0].stallCells()...)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = append(t.Notes,
		"A freeze-second is one whose worst request and share of slow ones are over the limits of the detector, by the clock's own seconds; the expected number is the mean over every way to lay seconds over the run. A bad window is two or more tens of seconds in a row over three times the run's median p99; how many of ten phases of the clock would show one is the chance that the rule sees it.",
		"Probes are not in it: they are judged by themselves.")
	return t
}

// stalled reports whether a run froze or had a bad window.
func (m *Measured) stalled() bool {
	for _, id := range []string{"freeze.seconds", "windows.bad"} {
		if q := m.ofLoad(id, ""); q != nil && q.Value != nil && *q.Value > 0 {
			return true
		}
	}
	return false
}

// stallCells are the cells of a run beside its name.
func (m *Measured) stallCells() []Cell {
	run := m.Result.Run.ID
	of := func(id string) Cell {
		q := m.ofLoad(id, "")
		if q == nil {
			return text("—")
		}
		return showQuantity(q, run)
	}
	return []Cell{of("freeze.seconds"), of("freeze.expected"), of("freeze.episodes"), of("freeze.cadence"), of("latency.max"),
		of("windows.bad"), of("windows.phases"), of("windows.worst_p99"), text(m.causesOfFreezes())}
}

// causesOfFreezes says what the freezes of a run were put down to, and how often.
func (m *Measured) causesOfFreezes() string {
	var order []string
	times, caused := map[string]int{}, false
	for _, f := range m.Result.Findings {
		if f.Detector != "freeze" || f.Attribution == nil || m.probes[f.Scope.Scenario] {
			continue
		}
		w := f.Attribution.Words()
		caused = caused || f.Attribution.Cause != ""
		if times[w]++; times[w] == 1 {
			order = append(order, w)
		}
	}
	for i, w := range order {
		if n := times[w]; n > 1 || len(order) > 1 {
			order[i] = fmt.Sprintf("%s (%d)", w, n)
		}
	}
	if q := m.ofLoad("freeze.seconds", ""); q != nil && slowThroughout(q) != "" && !caused {
		return "slow throughout, not frozen"
	}
	if len(order) == 0 {
		return "—"
	}
	return strings.Join(order, ", ")
}

// worstQuiet is the range of the worst ten seconds of runs that did not stand still.
func worstQuiet(ms []*Measured) string {
	var v []float64
	for _, m := range ms {
		if q := m.ofLoad("windows.worst_p99", ""); q != nil && q.Value != nil {
			v = append(v, *q.Value)
		}
	}
	if len(v) == 0 {
		return "—"
	}
	return Display(slices.Min(v), "s") + " to " + Display(slices.Max(v), "s")
}

// stalls adds the table, if anything stood still or could have been seen to.
func (b *builder) stalls() {
	if t := b.stallTable(); len(t.Rows) > 0 {
		b.Tables = append(b.Tables, t)
	}
}
