package analyze

import (
	"maps"
	"strconv"
)

// cellsOf returns the cells of a run: its steps where it has any, else itself.
func cellsOf(m *Measured) []*cell {
	var out []*cell
	stepped := len(m.manifest.Steps) > 0
	for _, u := range m.units {
		if u.probe || (u.scope.Step != "") != stepped {
			continue
		}
		labels := maps.Clone(u.labels)
		if name, _ := labelled(labels, concurrencyLabels); name == "" && m.manifest.Load.Concurrency > 0 {
			labels["concurrency"] = strconv.Itoa(m.manifest.Load.Concurrency)
		}
		if name, _ := labelled(labels, rateLabels); name == "" && m.manifest.Load.Rate > 0 {
			labels["rate"] = strconv.FormatFloat(m.manifest.Load.Rate, 'g', -1, 64)
		}
		if scenarios := m.loads(); scenarios > 1 {
			labels["scenario"] = u.scope.Scenario
		}
		out = append(out, &cell{m: m, scope: u.scope, labels: labels})
	}
	return out
}
