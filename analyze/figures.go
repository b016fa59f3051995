package analyze

import (
	"fmt"
	"math"
	"strings"

	"headroom/detect"
)

// sweepFigure draws throughput, with the law that was fitted to it, and p99 against
// concurrency.
func (d *document) sweepFigure(g *group, s Sweep, cells [][]*cell) Figure {
	limit := inSeconds(d.protocol.P99Limit)
	f := Figure{
		ID: tableID("sweep", g, d), Kind: "sweep", Title: tableTitle("Throughput and p99 by "+g.key, g, d),
		X: Axis{Label: g.key, Unit: "1", Scale: "log"},
		Y: []Axis{{Label: "throughput", Unit: d.rateUnit()}, {Label: "p99", Unit: "s", Scale: "log"}},
	}
	rate := Series{Name: "throughput", Mark: "line", Role: "throughput"}
	p99 := Series{Name: "p99", Mark: "line", Role: "p99"}
	for _, step := range s.Steps {
		if step.Throughput != nil {
			rate.X, rate.Y = append(rate.X, step.N), append(rate.Y, *step.Throughput)
		}
		if step.P99 != nil {
			p99.X, p99.Y = append(p99.X, step.N), append(p99.Y, *step.P99)
		}
	}
	panels := []Panel{{Series: []Series{rate}}, {Series: []Series{p99}, Lines: []HLine{{limit, "limit " + DisplayLimit(limit, "s")}}}}
	law, _ := fitLaw(g, s, cells)
	if curve := lawCurve(law); len(curve.X) > 0 {
		panels[0].Series = append(panels[0].Series, curve)
	}
	for i := range panels {
		if s.Sustained >= 0 {
			panels[i].Spans = append(panels[i].Spans, Span{s.Steps[s.Sustained].N, s.Steps[s.Sustained].N, "sustained", "sustained"})
		}
		if s.Knee >= 0 {
			panels[i].Spans = append(panels[i].Spans, Span{s.Steps[s.Knee].N, s.Steps[s.Knee].N, "knee", "knee"})
		}
	}
	f.Panels = panels
	said := turningPoints(s, g.key)
	f.Alt = fmt.Sprintf("Throughput and p99 at %s of %s; %s.", CountOf(int64(len(s.Steps)), "step"), g.key, said)
	f.Notes = append(f.Notes, strings.ToUpper(said[:1])+said[1:]+".")
	return f
}

// turningPoints says at which settings a sweep was sustained and had its knee.
func turningPoints(s Sweep, key string) string {
	at := func(i int) string { return key + " " + Display(s.Steps[i].N, "1") }
	var parts []string
	if s.Sustained >= 0 {
		parts = append(parts, "sustained at "+at(s.Sustained))
	}
	switch {
	case s.Knee >= 0:
		parts = append(parts, "knee at "+at(s.Knee))
	case len(s.Steps) > 0:
		parts = append(parts, "no knee found up to "+at(len(s.Steps)-1))
	default:
		parts = append(parts, "no step")
	}
	return strings.Join(parts, "; ")
}

// ladderFigure draws what was delivered, and the p99, against the offered rate.
func (d *document) ladderFigure(g *group, cells [][]*cell, rungs []Outcome) Figure {
	f := Figure{
		ID: tableID("ladder", g, d), Kind: "sweep", Title: tableTitle("Delivered and p99 by offered rate", g, d),
		X: Axis{Label: "offered", Unit: "requests/s"},
		Y: []Axis{{Label: "delivered", Unit: "requests/s"}, {Label: "p99", Unit: "s", Scale: "log"}},
	}
	sent := Series{Name: "delivered", Mark: "dots", Role: "throughput"}
	ideal := Series{Name: "offered", Mark: "line", Role: "other"}
	p99 := Series{Name: "p99", Mark: "dots", Role: "p99"}
	for i, cs := range cells {
		ideal.X, ideal.Y = append(ideal.X, *cs[0].key), append(ideal.Y, *cs[0].key)
		for _, c := range cs {
			if v, ok := c.value("delivered.ratio"); ok {
				sent.X, sent.Y = append(sent.X, *c.key), append(sent.Y, v**c.key)
			}
			if v, ok := c.value("latency.p99"); ok {
				p99.X, p99.Y = append(p99.X, *c.key), append(p99.Y, v)
			}
		}
		if rungs[i] == Fail {
			f.Notes = append(f.Notes, fmt.Sprintf("%s did not hold.", Display(*cs[0].key, "1/s")))
		}
	}
	f.Panels = []Panel{{Series: []Series{ideal, sent}}, {Series: []Series{p99}}}
	f.Alt = fmt.Sprintf("Delivered rate and p99 at %s.", CountOf(int64(len(cells)), "offered rate"))
	return f
}

// curve is a latency distribution on a percentile axis.
type curve struct{ q, seconds []float64 }

// curveRanks are the ranks, among n, of the quantiles 0, 1-10^(-k/20), … up to the
// last sample's.
func curveRanks(n int) (ranks []int) {
	for k := 0; n > 0; k++ {
		q := 1 - math.Pow(10, -float64(k)/20)
		rank := min(max(int(math.Ceil(q*float64(n))), 1), n)
		if len(ranks) == 0 || rank != ranks[len(ranks)-1] {
			ranks = append(ranks, rank)
		}
		if rank == n {
			break
		}
	}
	return ranks
}

// curveOf takes the quantiles of curveRanks.
func curveOf(ns *values) curve {
	var c curve
	for _, rank := range curveRanks(ns.N()) {
		c.q = append(c.q, float64(rank-1)/float64(ns.N()))
		c.seconds = append(c.seconds, float64(ns.At(rank))/1e9)
	}
	return c
}

// spans marks what happened along a timeline that begins at start.
func (m *Measured) spans(scenario string, start int64) (latency, throughput []Span) {
	for _, f := range m.Result.Findings {
		if f.Scope.Scenario != scenario {
			continue
		}
		kind := map[string]string{"freeze": "freeze", "slow-window": "slow"}[f.Detector]
		if kind != "" {
			latency = append(latency, Span{X0: since(f.Start, start), X1: since(f.End, start), Kind: kind})
		}
	}
	for _, k := range m.evidence.markers {
		at := float64(k.Time*1000-start) / 1e9
		from := at
		if k.Duration > 0 {
			from = at - float64(k.Duration)/1e9
		}
		switch k.Kind {
		case "postgres.checkpoint.complete":
			throughput = append(throughput, Span{X0: from, X1: at, Kind: "checkpoint", Label: "checkpoint"})
		case "postgres.autovacuum":
			throughput = append(throughput, Span{X0: from, X1: at, Kind: "vacuum", Label: "autovacuum"})
		}
	}
	for _, s := range m.manifest.Steps {
		// One that is the whole run divides nothing, and the title names it.
		if (s.Start != 0 || s.End != 0) && len(m.manifest.Steps) > 1 {
			throughput = append(throughput, Span{X0: float64(s.Start*1000-start) / 1e9, X1: float64(s.End*1000-start) / 1e9, Kind: "step", Label: stepName(s)})
		}
	}
	return latency, throughput
}

// keepCurves takes the latency distribution of every unit that is no probe.
func (m *Measured) keepCurves() {
	m.curves = map[detect.Scope]curve{}
	for i := range m.units {
		u := &m.units[i]
		if !u.probe {
			m.curves[u.scope] = u.curve
		}
	}
}
