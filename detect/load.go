package detect

import (
	"context"
	"slices"
	"strings"

	"headroom/runs"
	"headroom/runs/ordered"
)

// columns that Load reads.
var columns = []runs.Column{
	runs.ColStart, runs.ColStartNS, runs.ColWait, runs.ColService, runs.ColScenario,
	runs.ColOp, runs.ColOutcome, runs.ColTarget, runs.ColWorker, runs.ColEvents,
}

// Load reads the samples of a run in one scan, by scenario in alphabetical
// order, into a space. response chooses the latency basis. Of what is computed of
// them nothing may be told before space.Err was asked.
func Load(ctx context.Context, run *runs.Run, response bool, space *ordered.Space) ([]*Requests, error) {
	l := newLoader(response, space)
	err := run.ScanSamples(ctx, columns, runs.Range{}, func(b *runs.Batch) error {
		for i := range b.Len {
			l.add(b, i)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := l.done()
	return all, space.Err()
}

// loader collects batches. Names are numbered once for all scenarios.
type loader struct {
	response  bool
	space     *ordered.Space
	scenarios map[string]*loading
	last      *loading
	ids       map[string]uint32
	names     []string

	op, target, worker named
}

// loading is a scenario that is being read.
type loading struct {
	*Requests
	rows *rows
}

// named is the last name of a column, and its number: names come in runs.
type named struct {
	name string
	id   uint32
	set  bool
}

func newLoader(response bool, space *ordered.Space) *loader {
	return &loader{response: response, space: space, scenarios: map[string]*loading{}, ids: map[string]uint32{}}
}

func (l *loader) id(last *named, name string) uint32 {
	if last.set && last.name == name {
		return last.id
	}
	id, ok := l.ids[name]
	if !ok {
		id = uint32(len(l.names))
		l.ids[name] = id
		l.names = append(l.names, name)
	}
	*last = named{name, id, true}
	return id
}

// scenario returns the scenario of that name.
func (l *loader) scenario(name string) *loading {
	if l.last != nil && l.last.Scenario == name {
		return l.last
	}
	s := l.scenarios[name]
	if s == nil {
		s = &loading{&Requests{Scenario: name, Response: l.response}, newRows(l.space)}
		l.scenarios[name] = s
		for _, other := range l.scenarios {
			other.rows.Share(len(l.scenarios))
		}
	}
	l.last = s
	return s
}

func (l *loader) add(b *runs.Batch, i int) {
	s := l.scenario(b.Scenario[i])
	start := runs.StartNanos(b.Start[i], b.StartNS[i])
	switch b.Outcome[i] {
	case runs.Dropped:
		s.Dropped = append(s.Dropped, start)
		return
	case runs.Skipped:
		s.Skipped = append(s.Skipped, start)
		return
	}
	outcome := slices.Index(outcomes, b.Outcome[i])
	if outcome < 0 { // a word of a later version: not ok, and sent
		outcome = 1
	}
	s.rows.add(&Request{
		Start: start, Wait: b.Wait[i], Service: b.Service[i], Events: b.Events[i],
		op: l.id(&l.op, b.Op[i]), target: l.id(&l.target, b.Target[i]), worker: l.id(&l.worker, b.Worker[i]), outcome: uint8(outcome),
	})
}

func (l *loader) done() []*Requests {
	all := make([]*Requests, 0, len(l.scenarios))
	for _, s := range l.scenarios {
		s.names = l.names
		s.rows.into(s.Requests)
		slices.Sort(s.Dropped)
		slices.Sort(s.Skipped)
		all = append(all, s.Requests)
	}
	slices.SortFunc(all, func(a, b *Requests) int { return strings.Compare(a.Scenario, b.Scenario) })
	return all
}
