package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"headroom/detect"
)

// totals adds what holds over all steps of a configuration: errors, events,
// counts gained, and what else its host did. A total is given only if every run
// has its part.
func (b *builder) totals(p *part) {
	from := From{Tables: []string{"samples", "points"}, Method: "over-steps@1"}
	scope := detect.Scope{Configuration: p.Name}
	give := func(id string, v float64, unit, method string) {
		if math.IsNaN(v) {
			return
		}
		from.Method = method
		b.Quantities = append(b.Quantities, quantity("over."+p.Name+"."+id, scope, v, unit, int64(len(p.runs)), from))
	}
	var cells []*cell
	for _, m := range loadsOf(p.runs) {
		cells = append(cells, cellsOf(m)...)
	}
	sample := func(id string) []float64 {
		return collect(cells, func(c *cell) *Quantity { return c.quantity(id) })
	}
	beside := func(id string) []float64 {
		return collect(cells, func(c *cell) *Quantity { return c.during(id) })
	}
	for _, id := range []string{"requests", "events", "failed", "rejected", "dropped"} {
		give(id, sum(sample(id)), "1", "sum-over-steps@1")
	}
	for _, column := range p.gainedColumns() {
		give("gained."+column, sum(collectRuns(p.runs, "gained."+column)), "1", "sum-over-runs@1")
	}
	give("foreign_cpu", mean64(beside("contention.foreign_cpu")), "cores", "mean-over-steps@1")
	give("ps_foreign", mean64(beside("contention.ps_foreign")), "cores", "mean-over-steps@1")
	if v := beside("contention.load_min"); len(v) > 0 {
		give("load_min", slices.Min(v), "1", "minimum-over-steps@1")
	}
	if v := beside("contention.load_max"); len(v) > 0 {
		give("load_max", slices.Max(v), "1", "maximum-over-steps@1")
	}
}

// collect returns the values of a quantity of each cell; nil if one has none.
func collect(cells []*cell, of func(*cell) *Quantity) []float64 {
	var out []float64
	for _, c := range cells {
		q := of(c)
		if q == nil || q.Value == nil {
			return nil
		}
		out = append(out, *q.Value)
	}
	return out
}

func collectRuns(ms []*Measured, id string) []float64 {
	var out []float64
	for _, m := range ms {
		v, ok := m.Result.value(id, detect.Scope{})
		if !ok {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// sum of values; NaN of none.
func sum(vs []float64) float64 {
	if len(vs) == 0 {
		return math.NaN()
	}
	out := 0.0
	for _, v := range vs {
		out += v
	}
	return out
}

func mean64(vs []float64) float64 { return sum(vs) / float64(len(vs)) }

// gainedColumns returns the count columns that the runs have: those that are
// reconciled, and those of a table of counts. What a program says of itself
// (memstats.Sys) goes up and down, and its sum means nothing.
func (p *part) gainedColumns() []string {
	var out []string
	for _, m := range p.runs {
		for i := range m.Result.Quantities {
			c, ok := strings.CutPrefix(m.Result.Quantities[i].ID, "gained.")
			if _, paired := m.manifest.Reconcile[c]; ok && (paired || !strings.Contains(c, ".")) {
				out = append(out, c)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// hosts adds how many installations each target needs at each rate, and what
// they cost an hour: the other way round of the fleet. A rate that is at least
// so much makes a number of hosts that is at most so much.
func (b *builder) hosts(p *part, since lengths) {
	for i, end := since.quantities, len(b.Quantities); i < end; i++ {
		q := b.Quantities[i]
		rate, _ := q.From.Params["events_per_endpoint_hour"].(float64)
		endpoints, _ := q.From.Params["endpoints"].(float64)
		if q.ID != fmt.Sprintf("fleet.%g.required.%g", rate, endpoints) || q.Value == nil {
			continue
		}
		var one *Quantity
		for j := since.quantities; j < end; j++ {
			if b.Quantities[j].ID == fmt.Sprintf("fleet.%g.endpoints", rate) && b.Quantities[j].Scope == q.Scope {
				one = &b.Quantities[j]
			}
		}
		if one == nil || one.Value == nil || WholeEndpoints(*one.Value) < 1 {
			continue
		}
		n := hostsFor(endpoints, *one.Value)
		h := quantity(fmt.Sprintf("fleet.%g.hosts.%g", rate, endpoints), q.Scope, n, "1", -1, From{Method: "fleet@1", Params: map[string]any{
			"endpoints": endpoints, "events_per_endpoint_hour": rate, "endpoints_per_host": *one.Value}})
		h.Bound = turned(one.Bound)
		h.Warnings = append(h.Warnings, "by arithmetic: hosts of this kind, as if they did not share anything; not run as such")
		b.Quantities = append(b.Quantities, h)
		if price := b.study.Host.PricePerHour; price > 0 {
			c := quantity(fmt.Sprintf("fleet.%g.price.%g", rate, endpoints), q.Scope, n*price, b.currency(), -1, From{Method: "fleet@1", Params: map[string]any{"hosts": n, "price_per_hour": price}})
			c.Bound, c.Warnings = h.Bound, h.Warnings
			b.Quantities = append(b.Quantities, c)
		}
	}
}

// hostsFor returns how many hosts so many endpoints take, of which one carries
// perHost: of whole endpoints, as they are printed, and rounded up.
func hostsFor(endpoints, perHost float64) float64 {
	return math.Ceil(endpoints / WholeEndpoints(perHost) * (1 - 1e-12))
}

// turned is the bound of what is divided by a quantity of bound b.
func turned(b Bound) Bound {
	switch b {
	case Floor, AtLeast:
		return AtMost
	case AtMost, Ceiling:
		return AtLeast
	}
	return b
}

func (b *builder) currency() string {
	if c := b.study.Host.Currency; c != "" {
		return c + "/h"
	}
	return "1/h"
}
