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
	if len(q.Rows) == 0 {
		return nil, nil
	}
	if r.Group == "" && r.Rows == nil {
		return map[string]*Requests{"": q}, nil
	}
	out := map[string]*Requests{}
	vars := r.vars(p)
	nameOf := map[string]func(*Request) string{"": func(*Request) string { return "" }, "op": q.Op, "target": q.Target, "worker": q.Worker}[r.Group]
	sizes := map[string]int{} // upper bounds, so that no group is moved while it grows
	for i := range q.Rows {
		sizes[nameOf(&q.Rows[i])]++
	}
	if name := nameOf(&q.Rows[0]); r.Rows == nil && sizes[name] == len(q.Rows) {
		return map[string]*Requests{name: {Scenario: q.Scenario, Response: q.Response, Dropped: q.Dropped, Rows: q.Rows}}, nil
	}
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
		name := nameOf(row)
		g := out[name]
		if g == nil {
			g = &Requests{Scenario: q.Scenario, Response: q.Response, Dropped: q.Dropped, Rows: make([]Request, 0, sizes[name])}
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
	c := counter{g: g, quantiles: r.Uses("p50") || r.Uses("p99") || r.Uses("max")}
	whole := counter{g: g, quantiles: r.Uses("run_p50") || r.Uses("run_p99")}
	run := whole.summary(p.Window, all)
	var out []judged
	for t := from; t+length <= p.Window.End; t += step {
		span := Span{t, t + length}
		vars := c.summary(span, all)
		if c.in-c.gone+c.dropsIn-c.dropsGone < r.Least {
			continue
		}
		for _, q := range r.Params {
			vars[q.Name] = p.Param(q.Name)
		}
		vars["group"], vars["groups"] = name, float64(groups)
		vars["run_rate"], vars["run_p50"], vars["run_p99"] = run["rate"], run["p50"], run["p99"]
		out = append(out, judged{span, vars})
	}
	return r.report(p, scope, name, out)
}

// counter counts the requests in a window that moves forward: each enters and
// leaves once.
type counter struct {
	g                  *Requests
	quantiles          bool // whether latencies are asked for
	in, gone           int  // Rows[gone:in] are in the window
	dropsIn, dropsGone int
	by                 [8]int // by outcome
}

// summary moves the window and returns what expressions may ask of it.
func (c *counter) summary(span Span, all int) rule.Vars {
	rows := c.g.Rows
	for ; c.in < len(rows) && rows[c.in].Start < span.End; c.in++ {
		c.by[rows[c.in].outcome]++
	}
	for ; c.gone < c.in && rows[c.gone].Start < span.Start; c.gone++ {
		c.by[rows[c.gone].outcome]--
	}
	for ; c.dropsIn < len(c.g.Dropped) && c.g.Dropped[c.dropsIn] < span.End; c.dropsIn++ {
	}
	for ; c.dropsGone < c.dropsIn && c.g.Dropped[c.dropsGone] < span.Start; c.dropsGone++ {
	}
	n := c.in - c.gone
	v := rule.Vars{
		"n": float64(n), "dropped": float64(c.dropsIn - c.dropsGone), "seconds": seconds(span.Len()),
		"rate": 0.0, "share": 0.0, "p50": 0.0, "p99": 0.0, "max": 0.0,
	}
	for i, word := range map[runs.Outcome]string{runs.Failed: "failed", runs.Rejected: "rejected", runs.Timeout: "timeouts"} {
		v[word] = float64(c.by[slices.Index(outcomes, i)])
	}
	if span.Len() > 0 {
		v["rate"] = float64(n) / seconds(span.Len())
	}
	if all > 0 {
		v["share"] = float64(n) / float64(all)
	}
	if c.quantiles {
		c.latencies(v)
	}
	return v
}

func (c *counter) latencies(v rule.Vars) {
	latencies := make([]int64, 0, c.in-c.gone)
	for i := c.gone; i < c.in; i++ {
		if l, ok := c.g.Latency(&c.g.Rows[i]); ok {
			latencies = append(latencies, l)
		}
	}
	if q, err := stat.Quantiles(latencies, stat.P50, stat.P99); err == nil {
		v["p50"], v["p99"], v["max"] = seconds(q[0]), seconds(q[1]), seconds(slices.Max(latencies))
	}
}
