package detect

import (
	"iter"
	"maps"
	"slices"

	"headroom/internal/rule"
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
	return r.report(p, scope, "", "", each(out))
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
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			if err := r.group(p, scope, name, groups[name], len(groups), q.Len()); err != nil {
				return err
			}
		}
	}
	return nil
}

// groups splits the requests that the rows expression keeps by what the
// definition groups by.
func (r ruleRun) groups(p *Pass, q *Requests) (map[string]*Requests, error) {
	if q.Len() == 0 {
		return nil, nil
	}
	column, grouped := map[string]int{"op": colOp, "target": colTarget, "worker": colWorker}[r.Group]
	if r.Rows == nil {
		if !grouped {
			return map[string]*Requests{"": q}, nil
		}
		if name, only := q.onlyOne(column); only {
			return map[string]*Requests{name: q}, nil
		}
	}
	keep := func(*Request) (bool, error) { return true, nil }
	if r.Rows != nil {
		keep = r.keeps(p, q)
	}
	return q.split(column, grouped, keep)
}

// keeps is the rows expression. A request without a latency is not kept.
func (r ruleRun) keeps(p *Pass, q *Requests) func(*Request) (bool, error) {
	vars := r.vars(p)
	vars["scenario"] = q.Scenario
	return func(row *Request) (bool, error) {
		latency, ok := q.Latency(row)
		if !ok {
			return false, nil
		}
		vars["latency"], vars["op"], vars["target"], vars["worker"] = seconds(latency), q.Op(row), q.Target(row), q.Worker(row)
		vars["outcome"] = string(row.Outcome())
		keep, err := r.Rows.True(vars)
		if err != nil {
			return false, err
		}
		return keep, nil
	}
}

// group judges the windows of one group. A sliding window moves by a tick from
// the first request, so that it moves with the requests.
func (r ruleRun) group(p *Pass, scope Scope, name string, g *Requests, groups, all int) error {
	length, step, from := int64(r.Length), tick, g.First()
	switch {
	case r.WholeRun:
		length, from = p.Window.Len(), p.Window.Start
		step = max(length, 1)
	case r.Tumbling:
		step, from = length, p.Window.Start
	}
	whole := newCounter(g, r.Uses("run_p50") || r.Uses("run_p99"))
	defer whole.close()
	run := whole.summary(p.Window, all)
	c := newCounter(g, r.Uses("p50") || r.Uses("p99") || r.Uses("max"))
	defer c.close()
	return r.report(p, scope, name, "", func(yield func(Span, rule.Vars) bool) {
		for span := range c.windows(Span{from, from + length}, step, p.Window.End, r.Least) {
			vars := c.vars(span, all)
			for _, q := range r.Params {
				vars[q.Name] = p.Param(q.Name)
			}
			vars["group"], vars["groups"] = name, float64(groups)
			vars["run_rate"], vars["run_p50"], vars["run_p99"] = run["rate"], run["p50"], run["p99"]
			if !yield(span, vars) {
				return
			}
		}
	})
}

// counter counts the requests in a window that moves forward: each enters and
// leaves once.
type counter struct {
	g                  *Requests
	quantiles          bool // whether latencies are asked for
	in, gone           *cursor
	n                  int // requests in the window
	moved              int // that entered or left
	looks              int // windows that were looked at
	dropsIn, dropsGone int
	by                 [4]int    // by outcome
	out                rule.Vars // of the last window
}

// newCounter returns a counter before the first request. It must be closed.
func newCounter(g *Requests, quantiles bool) *counter {
	return &counter{g: g, quantiles: quantiles, in: g.walk(), gone: g.walk(), out: rule.Vars{}}
}

func (c *counter) close() {
	c.in.close()
	c.gone.close()
}

// move lets requests in or out that start before t.
func (c *counter) move(w *cursor, t int64, by int) {
	for w.c != nil && w.c.Start[w.i] < t {
		c.n += by
		c.by[w.c.outcome[w.i]] += by
		c.moved++
		w.step()
	}
}

// to moves the window, which begins no later than the one before it ends or where
// that one was empty, and returns how many requests, sent or dropped, are in it.
func (c *counter) to(span Span) int {
	c.move(c.in, span.End, 1)
	c.move(c.gone, min(span.Start, span.End), -1)
	for ; c.dropsIn < len(c.g.Dropped) && c.g.Dropped[c.dropsIn] < span.End; c.dropsIn++ {
	}
	for ; c.dropsGone < c.dropsIn && c.g.Dropped[c.dropsGone] < span.Start; c.dropsGone++ {
	}
	return c.n + c.dropsIn - c.dropsGone
}

// next is when the first request after the window was due; ok is false if there is
// none.
func (c *counter) next() (t int64, ok bool) {
	if c.in.c != nil {
		t, ok = c.in.c.Start[c.in.i], true
	}
	if c.dropsIn < len(c.g.Dropped) && (!ok || c.g.Dropped[c.dropsIn] < t) {
		t, ok = c.g.Dropped[c.dropsIn], true
	}
	return t, ok
}

// windows moves from the first window on by steps, to the last that ends by end, and
// gives those that hold at least so many requests, one at least. What is silent for
// hours costs one look.
func (c *counter) windows(w Span, step, end int64, least int) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for ; w.End <= end; w.Start, w.End = w.Start+step, w.End+step {
			c.looks++
			n := c.to(w)
			if n >= max(least, 1) && !yield(w) {
				return
			}
			if n > 0 {
				continue
			}
			next, ok := c.next()
			if !ok {
				return
			}
			skip := (next - w.End) / step * step // they end before it
			w.Start, w.End = w.Start+skip, w.End+skip
		}
	}
}

// summary moves the window and returns what expressions may ask of it, until the
// next call.
func (c *counter) summary(span Span, all int) rule.Vars {
	c.to(span)
	return c.vars(span, all)
}

// vars is what expressions may ask of the window, until the next call.
func (c *counter) vars(span Span, all int) rule.Vars {
	v := c.out
	clear(v)
	v["n"], v["dropped"], v["seconds"] = float64(c.n), float64(c.dropsIn-c.dropsGone), seconds(span.Len())
	v["rate"], v["share"], v["p50"], v["p99"], v["max"] = 0.0, 0.0, 0.0, 0.0, 0.0
	v["failed"], v["rejected"], v["timeouts"] = float64(c.by[1]), float64(c.by[2]), float64(c.by[3])
	if span.Len() > 0 {
		v["rate"] = float64(c.n) / seconds(span.Len())
	}
	if all > 0 {
		v["share"] = float64(c.n) / float64(all)
	}
	if c.quantiles {
		c.latencies(span, v)
	}
	return v
}

// latencies adds the quantiles of the window.
func (c *counter) latencies(span Span, v rule.Vars) {
	s := stat.NewSelection(held)
	window := c.g.between(span).Latencies(AnyOutcome)
	for part := range window {
		s.Add(part...)
	}
	if s.N() == 0 {
		return
	}
	p50, p99 := stat.Rank(stat.P50, s.N()), stat.Rank(stat.P99, s.N())
	if err := s.FindIn(window, p50, p99); err == nil {
		v["p50"], v["p99"], v["max"] = seconds(s.At(p50)), seconds(s.At(p99)), seconds(s.Max())
	}
}
