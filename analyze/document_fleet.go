package analyze

import (
	"fmt"
	"slices"
)

// fleetTable is the fleet in both directions: how many endpoints each configuration
// carries at each rate, and whether so many endpoints as are asked for are carried.
// What was superseded carries no fleet.
func (b *builder) fleetTable() Table {
	targets := b.fleetTargets()
	t := Table{ID: "fleet", Title: "Endpoints carried, and what so many endpoints need", Columns: []Column{
		left("configuration"), right("events an hour each"), right("endpoints carried"), left("bound"),
	}}
	priced := b.study.Host.PricePerHour > 0
	for _, n := range targets {
		who := Display(n, "1") + " endpoints"
		t.Columns = append(t.Columns, right(who+" need"), left("carried"), right("hosts for them"))
		if priced {
			t.Columns = append(t.Columns, right("their price"))
		}
	}
	for _, c := range b.Configurations {
		if b.supersededBy(c.Name) != "" {
			continue
		}
		for _, rate := range b.fleetRates() {
			q := b.quantityNamed(fleetID(c.Name, rate))
			if q == nil {
				continue
			}
			row := Row{Cells: []Cell{text(c.Name), text(Display(rate, "1")), b.showNamed(q.ID), text(string(q.Bound))}}
			for _, n := range targets {
				of := func(what string) Cell { return b.showNamed(fmt.Sprintf("fleet.%s.%g.%s.%g", c.Name, rate, what, n)) }
				row.Cells = append(row.Cells, of("required"), outcomeCell(b.verdictOf(c.Name, acceptanceGate(n, rate))), of("hosts"))
				if priced {
					row.Cells = append(row.Cells, of("price"))
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = append(t.Notes, "By arithmetic from the sustained throughput (endpoints = throughput × 3,600 / events an hour), and not run as such. Hosts are of this kind, as if they shared nothing.")
	return t
}

// outcomeCell is a cell with the outcome of a gate, whose reason stands elsewhere.
func outcomeCell(v *Verdict) Cell {
	c := judged(v)
	c.Note = ""
	return c
}

// acceptanceGate is the gate on so many endpoints at a rate.
func acceptanceGate(endpoints, rate float64) string {
	return fmt.Sprintf("acceptance.%g.%g", endpoints, rate)
}

// fleetTargets are the numbers of endpoints that any configuration must carry.
func (b *builder) fleetTargets() []float64 {
	var out []float64
	for i := range b.parts {
		out = append(out, b.parts[i].Protocol.Targets...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// verdictOf is the verdict of a gate on a configuration as a whole, nil if it was
// not judged by it.
func (b *builder) verdictOf(configuration, gate string) *Verdict {
	for i := range b.Verdicts {
		v := &b.Verdicts[i]
		if v.Gate == gate && v.Scope.Configuration == configuration && v.Scope.Step == "" && v.Scope.Run == "" {
			return v
		}
	}
	return nil
}

// supersededBy names the configuration that took the place of one, "" if none did.
// An entry of a configuration with several is named after it.
func (b *builder) supersededBy(entry string) string {
	for i := range b.parts {
		p := &b.parts[i]
		if p.SupersededBy != "" && slices.ContainsFunc(b.entriesOf(p), func(c Configuration) bool { return c.Name == entry }) {
			return p.SupersededBy
		}
	}
	return ""
}

// entriesOf are the entries of the document that a configuration of the study made.
func (b *builder) entriesOf(p *part) []Configuration {
	end := len(b.Configurations)
	for i := range b.parts {
		if r := b.parts[i].result; r > p.result && r < end {
			end = r
		}
	}
	return b.Configurations[p.result:end]
}
