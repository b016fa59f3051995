package detect

import (
	"fmt"
	"maps"
	"slices"

	"headroom/internal/rule"
	"headroom/runs"
	"headroom/stat"
)

// sessions judges each look at the database's sessions.
func (r ruleRun) sessions(p *Pass) error {
	scope := p.Scope("")
	var out []judged
	step := (&Series{At: visitTimes(p.Evidence.Visits)}).Step()
	for _, v := range p.Evidence.Visits {
		if !p.Window.Contains(v.At) {
			continue
		}
		vars := r.vars(p)
		wait, top := v.top()
		vars["sessions"], vars["active"], vars["waiting"] = float64(v.Sessions), float64(v.Active), float64(v.Waiting)
		vars["blocked"], vars["top"], vars["wait"] = float64(v.Blocked), float64(top), wait
		out = append(out, judged{Span{v.At - step, v.At}, vars})
	}
	if len(out) == 0 {
		p.CouldNotLook(scope, "database sessions were not sampled")
		return nil
	}
	p.Looked(scope)
	return r.report(p, scope, "", out)
}

func visitTimes(vs []Visit) []int64 {
	out := make([]int64, len(vs))
	for i, v := range vs {
		out[i] = v.At
	}
	return out
}

// top is the wait that most sessions have, the first by name of equals.
func (v *Visit) top() (wait string, n int) {
	for _, w := range slices.Sorted(maps.Keys(v.Waits)) {
		if v.Waits[w] > n {
			wait, n = w, v.Waits[w]
		}
	}
	return wait, n
}

// samples judges windows of requests, of each group for itself.
func (r ruleRun) samples(p *Pass) error {
	if len(p.Requests) == 0 {
		p.CouldNotLook(p.Scope(""), "no raw samples")
	}
	for _, q := range p.Requests {
		scope := p.Scope(q.Scenario)
		groups, err := r.groups(p, q)
		if err != nil {
			return err
		}
		if _, unnamed := groups[""]; r.Group != "" && unnamed {
			p.CouldNotLook(scope, "the %s of a request was not recorded", r.Group)
			continue
		}
		p.Looked(scope)
		all := len(q.Rows)
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			if err := r.group(p, scope, name, groups[name], len(groups), all); err != nil {
				return err
			}
		}
	}
	return nil
}

// groups splits the requests that the rows expression keeps by what the
// definition groups by.
func (r ruleRun) groups(p *Pass, q *Requests) (map[string]*Requests, error) {
	out := map[string]*Requests{}
	vars := r.vars(p)
	for i := range q.Rows {
		row := &q.Rows[i]
		if r.Rows != nil {
			latency, ok := q.Latency(row)
			if !ok {
				continue
			}
			vars["latency"], vars["op"], vars["target"], vars["worker"] = seconds(latency), q.Op(row), q.Target(row), q.Worker(row)
			vars["outcome"], vars["scenario"] = string(row.Outcome()), q.Scenario
			keep, err := r.Rows.True(vars)
			if err != nil {
				return nil, fmt.Errorf("%s: rows: %w", r.File, err)
			}
			if !keep {
				continue
			}
		}
		name := map[string]func(*Request) string{"": func(*Request) string { return "" }, "op": q.Op, "target": q.Target, "worker": q.Worker}[r.Group](row)
		g := out[name]
		if g == nil {
			g = &Requests{Scenario: q.Scenario, Response: q.Response, Dropped: q.Dropped}
			out[name] = g
		}
		g.Rows = append(g.Rows, *row)
	}
	return out, nil
}

// group judges the windows of one group. A sliding window moves by a tick from
// the first request, so that it moves with the requests.
func (r ruleRun) group(p *Pass, scope Scope, name string, g *Requests, groups, all int) error {
	length, step, from := int64(r.Length), tick, g.Rows[0].Start
	switch {
	case r.WholeRun:
		length, from = p.Window.Len(), p.Window.Start
		step = max(length, 1)
	case r.Tumbling:
		step, from = length, p.Window.Start
	}
	run := summary(g, p.Window, all)
	var out []judged
	for t := from; t+length <= p.Window.End; t += step {
		span := Span{t, t + length}
		part := g.Starting(span)
		if len(part.Rows)+len(part.Dropped) < r.Least {
			continue
		}
		vars := r.vars(p)
		maps.Copy(vars, summary(part, span, all))
		vars["group"], vars["groups"] = name, float64(groups)
		vars["run_rate"], vars["run_p50"], vars["run_p99"] = run["rate"], run["p50"], run["p99"]
		out = append(out, judged{span, vars})
	}
	return r.report(p, scope, name, out)
}

// summary is what expressions may ask of requests.
func summary(g *Requests, span Span, all int) rule.Vars {
	v := rule.Vars{"n": float64(len(g.Rows)), "dropped": float64(len(g.Dropped)), "seconds": seconds(span.Len())}
	counts := map[runs.Outcome]float64{}
	latencies := make([]int64, 0, len(g.Rows))
	for i := range g.Rows {
		counts[g.Rows[i].Outcome()]++
		if l, ok := g.Latency(&g.Rows[i]); ok {
			latencies = append(latencies, l)
		}
	}
	v["failed"], v["rejected"], v["timeouts"] = counts[runs.Failed], counts[runs.Rejected], counts[runs.Timeout]
	v["rate"], v["share"] = 0.0, 0.0
	if span.Len() > 0 {
		v["rate"] = float64(len(g.Rows)) / seconds(span.Len())
	}
	if all > 0 {
		v["share"] = float64(len(g.Rows)) / float64(all)
	}
	v["p50"], v["p99"], v["max"] = 0.0, 0.0, 0.0
	if q, err := stat.Quantiles(latencies, stat.P50, stat.P99); err == nil {
		v["p50"], v["p99"], v["max"] = seconds(q[0]), seconds(q[1]), seconds(slices.Max(latencies))
	}
	return v
}
