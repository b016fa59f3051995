package analyze

import (
	"slices"

	"headroom/detect"
	"headroom/stat"
)

// carried is the load that a document's clean-ups have to keep up with: requests
// a second, and the events of one.
type carried struct {
	requests, perRequest float64
	run                  string
	bound                Bound
}

// load finds the load that a clean-up of a run has to keep up with: the run's own,
// else that of the run which the protocol names, else the most that any other run
// of the document carried without a failure.
func (d *document) load(m *Measured) (carried, bool) {
	if c, ok := m.carried(); ok {
		return c, true
	}
	var most carried
	found := false
	for _, other := range slices.Concat(d.runs, d.loads) {
		if name := d.protocol.Load; name != "" && name != other.Result.Run.ID && name != other.manifest.Labels["run"] {
			continue
		}
		if c, ok := other.carried(); ok && c.requests > most.requests {
			most, found = c, true
		}
	}
	return most, found
}

// carried is what a run carried, over its load together.
func (m *Measured) carried() (carried, bool) {
	var c carried
	events, samples := 0.0, 0.0
	for i := range m.units {
		u := &m.units[i]
		if u.probe || u.scope.Step != "" {
			continue
		}
		rate := m.get("throughput.requests", u)
		if rate == nil || rate.Value == nil {
			return c, false
		}
		c.requests += *rate.Value
		c.bound = rate.Bound
		e, _ := m.Result.value("events", u.scope)
		s, _ := m.Result.value("samples", u.scope)
		if failed, _ := m.Result.value("failed", u.scope); failed > 0 {
			return c, false
		}
		events, samples = events+e, samples+s
	}
	perRequest, ok := stat.Per(events, samples)
	c.perRequest, c.run = perRequest, m.Result.Run.ID
	return c, ok && c.requests > 0
}

// upkeep compares what clean-ups can remove with what arrives: a load leaves so
// many rows a second, and the clean-up removes at most so many.
func (d *document) upkeep() {
	for _, m := range d.runs {
		rows, ok := m.claimValue(claimRowsArrive)
		if !ok {
			continue
		}
		for _, u := range m.upkeeps() {
			if u.why != "" || u.interval == 0 {
				continue
			}
			d.Quantities = append(d.Quantities, d.arrivals(m, &u, rows)...)
		}
	}
}

func (d *document) arrivals(m *Measured, u *upkeep, rows float64) []Quantity {
	scope := detect.Scope{Run: m.Result.Run.ID}
	from := From{Tables: []string{"samples", "points", "run.json"}, Method: "arrivals-against-bound@1",
		Params: map[string]any{"rows_per_request": rows, "limit": u.limit, "interval": u.interval}}
	give := func(name string, v float64, unit string) Quantity {
		return quantity(u.id(name), scope, v, unit, -1, from)
	}
	load, ok := d.load(m)
	if !ok {
		return []Quantity{withhold(give("arrivals", 0, "rows/s"), "no run of the document carried a load without a failure")}
	}
	from.Params["load"] = load.run
	arrivals := give("arrivals", load.requests*rows, "rows/s")
	arrivals.Bound = load.bound
	// Multiplied before it is divided, so that a whole number of events stays one.
	below := give("keeps_up_below", u.limit*load.perRequest/(u.interval*rows), "events/s").counting(d.rateUnit())
	below.Bound = AtMost
	out := []Quantity{arrivals, below}
	if u.prune.Verdict == stat.PruneFallsBack {
		growth := give("growth_per_pass", load.requests*rows*u.interval-u.limit, "rows")
		growth.Warnings = []string{"arrivals of the load less what a pass may remove: not what was counted"}
		out = append(out, growth)
	}
	return out
}
