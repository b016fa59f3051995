package analyze

import (
	"cmp"
	"maps"
	"slices"

	"headroom/detect"
	"headroom/runs"
	"headroom/stat"
)

// heldValues is how many values are held at a time, about, while some are looked for by
// their rank: a run may have any number of requests.
const heldValues = 1 << 16

// tally counts requests by how they ended.
type tally struct {
	op                                               string
	requests, ok, failed, rejected, timeout, invalid int64
	events                                           int64   // of ok requests
	claimed                                          int64   // of all requests sent
	latency                                          *values // of ok requests
	wait, service, response                          *values // likewise, nil if none waited

	buffers [4][]int64 // values of a chunk on their way to the selections
}

func newTally(op string, room int, waits bool) *tally {
	t := &tally{op: op, latency: newValues(room)}
	if waits {
		t.wait, t.service, t.response = newValues(room), newValues(room), newValues(room)
	}
	return t
}

// all are the values that there are, in the order of the buffers.
func (t *tally) all() []*values {
	if t.wait == nil {
		return []*values{t.latency}
	}
	return []*values{t.latency, t.wait, t.service, t.response}
}

// count counts a request.
func (t *tally) count(c *detect.Chunk, i int) {
	t.requests++
	t.claimed += c.Events(i)
	if s := c.Service[i]; s < 0 && s != runs.Missing {
		t.invalid++
	}
	switch c.Outcome(i) {
	case runs.OK:
		t.ok++
		t.events += c.Events(i)
	case runs.Rejected:
		t.rejected++
	case runs.Timeout:
		t.timeout++
		t.failed++
	default:
		t.failed++
	}
}

// times collects the durations of a request, if it ended well.
func (t *tally) times(c *detect.Chunk, i int) {
	latency, ok := c.Latency(i)
	if !ok || !c.OK(i) {
		return
	}
	t.buffers[0] = append(t.buffers[0], latency)
	if t.wait == nil {
		return
	}
	t.buffers[2] = append(t.buffers[2], c.Service[i])
	if c.Wait[i] == runs.Missing {
		return
	}
	t.buffers[1] = append(t.buffers[1], c.Wait[i])
	if response, ok := runs.Latency(c.Wait[i], c.Service[i]); ok {
		t.buffers[3] = append(t.buffers[3], response)
	}
}

// flush gives what was collected to the selections.
func (t *tally) flush(to func(s *stat.Selection, values ...int64)) {
	for i, v := range t.all() {
		to(v.Selection, t.buffers[i]...)
		t.buffers[i] = t.buffers[i][:0]
	}
}

// tallies counts the requests of a unit: all of them, and those of each op where
// there is more than one, by its name.
func tallies(u *unit) (whole *tally, ops []*tally, err error) {
	p := population{r: u.all, whole: newTally("", heldValues, u.all.Waits())}
	p.byOp()
	p.read(true)
	others := p.whole.wanted(u) // of its latencies
	for _, v := range p.values() {
		if err := v.want(others...); err != nil {
			return nil, nil, err
		}
		others = nil
	}
	for slices.ContainsFunc(p.values(), (*values).More) {
		p.read(false)
		for _, v := range p.values() {
			if err := v.Done(); err != nil {
				return nil, nil, err
			}
		}
	}
	if !u.probe {
		u.curve = curveOf(p.whole.latency)
	}
	return p.whole, p.ops, nil
}

// wanted are the ranks of latencies that are asked for beside those of the
// distribution: of the curve, and of the p99 with drops.
func (t *tally) wanted(u *unit) (ranks []int) {
	n := t.latency.N()
	if !u.probe {
		ranks = curveRanks(n)
	}
	if drops := len(u.all.Dropped); drops > 0 {
		if k := stat.Rank(stat.P99, n+drops); k <= n {
			ranks = append(ranks, k)
		}
	}
	return ranks
}

// population is what tallies are counted of.
type population struct {
	r     *detect.Requests
	whole *tally
	ops   []*tally // by name, none if there is one op only
	of    []*tally // by label, nil of one that no request has
}

// byOp makes a tally for each op.
func (p *population) byOp() {
	ops := map[int64]bool{}
	for c := range p.r.Chunks() {
		last := int64(-1)
		for _, op := range c.Labels(detect.ByOp) {
			if op != last {
				ops[op], last = true, op
			}
		}
	}
	if len(ops) < 2 {
		return
	}
	p.of = make([]*tally, slices.Max(slices.Collect(maps.Keys(ops)))+1)
	for op := range ops {
		t := newTally(p.r.Name(op), heldValues/len(ops), p.whole.wait != nil)
		p.of[op] = t
		p.ops = append(p.ops, t)
	}
	slices.SortFunc(p.ops, func(a, b *tally) int { return cmp.Compare(a.op, b.op) })
}

// values are those of all tallies, the latencies of the whole first.
func (p *population) values() (all []*values) {
	for _, t := range append([]*tally{p.whole}, p.ops...) {
		all = append(all, t.all()...)
	}
	return all
}

// read reads all requests, first or again.
func (p *population) read(first bool) {
	to := (*stat.Selection).Again
	if first {
		to = (*stat.Selection).Add
	}
	for c := range p.r.Chunks() {
		for i := range c.Start {
			if first {
				p.whole.count(c, i)
			}
			p.whole.times(c, i)
		}
		p.whole.flush(to)
		if p.of != nil {
			p.split(c, first, to)
		}
	}
}

// split gives the requests of a chunk to the tallies of their ops.
func (p *population) split(c *detect.Chunk, first bool, to func(s *stat.Selection, values ...int64)) {
	for i, op := range c.Labels(detect.ByOp) {
		t := p.of[op]
		if first {
			t.count(c, i)
		}
		t.times(c, i)
	}
	for _, t := range p.ops {
		t.flush(to)
	}
}
