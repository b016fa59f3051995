package detect

import (
	"context"
	"slices"
	"strings"

	"headroom/runs"
)

// columns that Load reads.
var columns = []runs.Column{
	runs.ColStart, runs.ColStartNS, runs.ColWait, runs.ColService, runs.ColScenario,
	runs.ColOp, runs.ColOutcome, runs.ColTarget, runs.ColWorker, runs.ColEvents,
}

// foreseen is how many requests room is made for at once: the run says how many
// it has, and a run may be anybody's.
const foreseen = 1 << 26

// Load reads the samples of a run in one scan, by scenario in alphabetical
// order. It holds 48 bytes a request. response chooses the latency basis.
func Load(ctx context.Context, run *runs.Run, response bool) ([]*Requests, error) {
	l := newLoader(response)
	err := run.ScanSamples(ctx, columns, runs.Range{}, func(b *runs.Batch) error {
		if l.rows == nil { // growing by copying takes twice the memory
			l.rows = make([]Request, 0, min(samplesOf(run.Manifest()), foreseen))
		}
		for i := range b.Len {
			l.add(b, i)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l.done(), nil
}

// samplesOf is how many rows the table of samples has.
func samplesOf(m *runs.Manifest) int64 {
	for _, t := range m.Tables {
		if t.Table == "samples" {
			return t.Rows
		}
	}
	return 0
}

// loader collects batches. Names are numbered once for all scenarios.
type loader struct {
	response  bool
	rows      []Request // of all scenarios, as they were recorded
	of        []uint32  // index in scenarios, by row; nil while there is one
	scenarios []*Requests
	codes     map[string]uint32 // index in scenarios
	last      uint32            // that of the row before
	ids       map[string]uint32
	names     []string
}

func newLoader(response bool) *loader {
	return &loader{response: response, codes: map[string]uint32{}, ids: map[string]uint32{}}
}

func (l *loader) id(name string) uint32 {
	id, ok := l.ids[name]
	if !ok {
		id = uint32(len(l.names))
		l.ids[name] = id
		l.names = append(l.names, name)
	}
	return id
}

// scenario returns the index of a scenario.
func (l *loader) scenario(name string) uint32 {
	if len(l.scenarios) > 0 && l.scenarios[l.last].Scenario == name {
		return l.last
	}
	code, ok := l.codes[name]
	if !ok {
		code = uint32(len(l.scenarios))
		l.codes[name] = code
		l.scenarios = append(l.scenarios, &Requests{Scenario: name, Response: l.response})
		if code == 1 {
			l.of = make([]uint32, len(l.rows), cap(l.rows)) // so far all are of the first
		}
	}
	l.last = code
	return code
}

func (l *loader) add(b *runs.Batch, i int) {
	code := l.scenario(b.Scenario[i])
	r, start := l.scenarios[code], runs.StartNanos(b.Start[i], b.StartNS[i])
	switch b.Outcome[i] {
	case runs.Dropped:
		r.Dropped = append(r.Dropped, start)
		return
	case runs.Skipped:
		r.Skipped = append(r.Skipped, start)
		return
	}
	outcome := slices.Index(outcomes, b.Outcome[i])
	if outcome < 0 { // a word of a later version: not ok, and sent
		outcome = 1
	}
	if len(l.scenarios) > 1 {
		l.of = append(l.of, code)
	}
	l.rows = append(l.rows, Request{
		Start: start, Wait: b.Wait[i], Service: b.Service[i], Events: b.Events[i],
		op: l.id(b.Op[i]), target: l.id(b.Target[i]), worker: l.id(b.Worker[i]), outcome: uint8(outcome),
	})
}

func (l *loader) done() []*Requests {
	from, ends := 0, l.gather()
	for i, r := range l.scenarios {
		r.names, r.Rows = l.names, l.rows[from:ends[i]:ends[i]]
		from = ends[i]
		if !slices.IsSortedFunc(r.Rows, byStart) {
			slices.SortStableFunc(r.Rows, byStart)
		}
		slices.Sort(r.Dropped)
		slices.Sort(r.Skipped)
	}
	slices.SortFunc(l.scenarios, func(a, b *Requests) int { return strings.Compare(a.Scenario, b.Scenario) })
	return l.scenarios
}

// gather puts the rows of each scenario together, in the order they were
// recorded, and returns where each scenario's end. Rows change places, so that
// none is held twice.
func (l *loader) gather() []int {
	if l.of == nil {
		return []int{len(l.rows)}
	}
	next := make([]int, len(l.scenarios)+1) // where the next row of each scenario belongs
	for _, s := range l.of {
		next[s+1]++
	}
	for s := range l.scenarios {
		next[s+1] += next[s]
	}
	place := l.of
	for i, s := range l.of {
		place[i] = uint32(next[s]) // memory ends long before four billion requests
		next[s]++
	}
	for i := range l.rows {
		for j := place[i]; int(j) != i; j = place[i] {
			l.rows[i], l.rows[j] = l.rows[j], l.rows[i]
			place[i], place[j] = place[j], j
		}
	}
	l.of = nil
	return next[:len(l.scenarios)] // each has reached the next one's beginning
}
