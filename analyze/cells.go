package analyze

import (
	"maps"
	"slices"
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

// toolLabel is the label under which load generators set runs apart.
const toolLabel = "tool"

// labelTools labels what different tools measured with the tool's name, so that it is
// never taken for repeats of one configuration: what two tools call a request and its
// latency is not the same. tool names the tool of the i-th, "" if it has none. What
// has such a label of its own keeps it.
func labelTools(labels []map[string]string, tool func(i int) string) {
	var tools []string
	for i := range labels {
		if name := tool(i); name != "" {
			tools = append(tools, name)
		}
	}
	if len(unique(tools)) < 2 || slices.ContainsFunc(labels, func(l map[string]string) bool { return l[toolLabel] != "" }) {
		return
	}
	for i, l := range labels {
		if name := tool(i); name != "" {
			l[toolLabel] = name
		}
	}
}
