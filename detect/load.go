package detect

import (
	"context"
	"math"
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
	for _, t := range run.Manifest().Tables {
		if t.Table == "samples" {
			l.expected = int(min(t.Rows, math.MaxInt32))
		}
	}
	err := run.ScanLabels(ctx, columns, runs.Range{}, func(b *runs.Batch) error {
		l.batch(b)
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
	ids       map[string]int64
	names     []string
	expected  int // rows of all scenarios, 0 if that is not known

	group              int // of the words
	op, target, worker numbers
	of                 []*loading // by code of the scenario
	ends               []int      // by code of the outcome: see outcomeOf
}

// loading is a scenario that is being read.
type loading struct {
	*Requests
	rows *rows
}

func newLoader(response bool, space *ordered.Space) *loader {
	return &loader{response: response, space: space, scenarios: map[string]*loading{}, ids: map[string]int64{}}
}

// numbers are those of the words of a column, by code.
type numbers struct {
	words []string
	of    []int64 // -1 until the word is met
}

func (n *numbers) start(words []string) {
	n.words, n.of = words, n.of[:0]
	for range words {
		n.of = append(n.of, -1)
	}
}

// number returns that of the word of a code.
func (l *loader) number(n *numbers, code int32) int64 {
	if id := n.of[code]; id >= 0 {
		return id
	}
	n.of[code] = l.id(n.words[code])
	return n.of[code]
}

func (l *loader) id(name string) int64 {
	id, ok := l.ids[name]
	if !ok {
		id = int64(len(l.names))
		l.ids[name] = id
		l.names = append(l.names, name)
	}
	return id
}

// scenario returns the scenario of that name.
func (l *loader) scenario(name string) *loading {
	s := l.scenarios[name]
	if s == nil {
		s = &loading{&Requests{Scenario: name, Response: l.response}, newRows(l.space)}
		l.scenarios[name] = s
		for _, other := range l.scenarios {
			other.rows.Share(len(l.scenarios))
		}
		s.rows.Expect(l.expected / len(l.scenarios))
	}
	return s
}

// What became of a request that was not sent, beside the numbers of outcomes.
const (
	notDue  = -1 - iota // dropped: it was due and not sent
	notMade             // skipped
)

// outcomeOf is the number of an outcome.
func outcomeOf(word runs.Outcome) int {
	switch word {
	case runs.Dropped:
		return notDue
	case runs.Skipped:
		return notMade
	}
	if i := slices.Index(outcomes, word); i >= 0 {
		return i
	}
	return 1 // a word of a later version: not ok, and sent
}

// words prepares for the words of a row group.
func (l *loader) words(b *runs.Batch) {
	l.op.start(b.Labels(runs.ColOp).Words)
	l.target.start(b.Labels(runs.ColTarget).Words)
	l.worker.start(b.Labels(runs.ColWorker).Words)
	l.of = make([]*loading, len(b.Labels(runs.ColScenario).Words))
	l.ends = l.ends[:0]
	for _, word := range b.Labels(runs.ColOutcome).Words {
		l.ends = append(l.ends, outcomeOf(runs.Outcome(word)))
	}
}

func (l *loader) batch(b *runs.Batch) {
	if b.Group != l.group {
		l.words(b)
		l.group = b.Group
	}
	scenarios, ends := b.Labels(runs.ColScenario), b.Labels(runs.ColOutcome).Codes
	ops, targets, workers := b.Labels(runs.ColOp).Codes, b.Labels(runs.ColTarget).Codes, b.Labels(runs.ColWorker).Codes
	for i, code := range scenarios.Codes {
		s := l.of[code]
		if s == nil {
			s = l.scenario(scenarios.Words[code])
			l.of[code] = s
		}
		s.add(runs.StartNanos(b.Start[i], b.StartNS[i]), b.Wait[i], b.Service[i], l.ends[ends[i]], b.Events[i],
			l.number(&l.op, ops[i]), l.number(&l.target, targets[i]), l.number(&l.worker, workers[i]))
	}
}

func (s *loading) add(start, wait, service int64, end int, events, op, target, worker int64) {
	switch end {
	case notDue:
		s.Dropped = append(s.Dropped, start)
	case notMade:
		s.Skipped = append(s.Skipped, start)
	default:
		s.rows.put(start, wait, service, int64(end), events, op, target, worker)
	}
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
