package analyze

import (
	"fmt"
	"strings"

	"headroom/detect"
)

// contention returns the contention of the run and of each step.
func (m *Measured) contention() []Quantity {
	var out []Quantity
	for _, u := range m.intervals() {
		out = append(out, m.contentionQuantities(u)...)
	}
	return out
}

// intervals returns one unit for the run and one for each step, whatever the
// scenario.
func (m *Measured) intervals() []unit {
	out := []unit{{window: m.window, labels: m.labels(nil)}}
	for _, s := range m.manifest.Steps {
		out = append(out, unit{scope: detect.Scope{Step: stepName(s)}, window: m.stepWindow(s), labels: m.labels(s.Labels)})
	}
	return out
}

func (m *Measured) contentionQuantities(u unit) []Quantity {
	c, extra := m.contentionOf(u.window)
	from := From{Tables: []string{"points"}, Window: u.window.text(), Method: "mean-in-window@1"}
	n := int64(extra["n"])
	var out []Quantity
	give := func(id string, v *float64, unit, method, why string) {
		from.Method = method
		q := quantity(id, u.scope, 0, unit, -1, from)
		if v == nil {
			out = append(out, withhold(q, why))
			return
		}
		q = quantity(id, u.scope, *v, unit, -1, from)
		if id == "contention.steal" || id == "contention.coverage" || id == "contention.pressure" {
			q.Display = Percent(*v)
		}
		if strings.HasPrefix(id, "contention.load") {
			q.N = &n
		}
		if id == "contention.foreign_cpu" && c.Cores > 0 && *v > c.Cores {
			q.Warnings = append(q.Warnings, "more than the host has: not a utilisation")
		}
		out = append(out, q)
	}
	ptr := func(name string) *float64 {
		if v, ok := extra[name]; ok {
			return &v
		}
		return nil
	}
	give("contention.load", c.Load, "1", "mean-in-window@1", "no load average was recorded")
	give("contention.load_first", ptr("first"), "1", "first-in-window@1", "no load average was recorded")
	give("contention.load_last", ptr("last"), "1", "last-in-window@1", "no load average was recorded")
	give("contention.load_min", ptr("min"), "1", "minimum@1", "no load average was recorded")
	give("contention.load_max", ptr("max"), "1", "maximum@1", "no load average was recorded")
	give("contention.coverage", ptr("coverage"), "1", "covered-share@1", "no load average was recorded")
	give("contention.busy_cpu", ptr("busy"), "cores", "cpu-time-delta@1", "no CPU times were recorded")
	give("contention.own_cpu", c.Own, "cores", "cpu-time-delta@1", "no CPU times of our processes were recorded")
	give("contention.foreign_cpu", c.Foreign, "cores", "cpu-time-delta@1", whyNoForeign(c))
	if c.Generator != nil {
		give("contention.generator_cpu", c.Generator, "cores", "cpu-time-delta@1", "")
	}
	if v, ok := m.psForeign(u.window); ok {
		q := quantity("contention.ps_foreign", u.scope, v, "cores", -1, from)
		q.From.Method = "mean-of-ps-sums@1"
		q.Warnings = append(q.Warnings, "ps prints averages over each process's lifetime: their sum is no CPU that was used")
		if c.Cores > 0 && v > c.Cores {
			q.Warnings = append(q.Warnings, fmt.Sprintf("more than the %g cores of the host", c.Cores))
		}
		out = append(out, q)
	}
	give("contention.steal", c.Steal, "1", "cpu-time-delta@1", "no CPU times were recorded")
	if c.Pressure != nil {
		give("contention.pressure", c.Pressure, "1", "pressure-share@1", "")
	}
	return out
}

// whyNoForeign says why there is no figure of foreign CPU.
func whyNoForeign(c Contention) string {
	switch {
	case c.Short:
		return "the CPU times of the host or of our processes cover too little of the window"
	case c.Own != nil:
		return "our processes seem busier than the host: the two records do not fit together"
	}
	return "it takes the CPU times of the host and of our processes"
}

// rateBound is the bound that the contention of its window and the load model
// give a rate.
func (m *Measured) rateBound(u *unit) Bound {
	c, _ := m.contentionOf(u.window)
	label, _ := c.Label()
	switch {
	case label == Floor:
		return Floor
	case m.model.Model == "closed":
		return Ceiling
	}
	return label
}
