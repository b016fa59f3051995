package rollup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"headroom/runs"
	"headroom/stat"
)

// Version is the number of the computation. A cache of another version is
// not used.
const Version = 1

// second is the length of one, in microseconds.
const second = 1_000_000

// Second is what happened in one second of one scenario. Latencies are in
// nanoseconds on the basis of the options.
type Second struct {
	Scenario string
	Second   int64 // from the anchor; negative before it
	Start    int64 // when it begins, microseconds since the Unix epoch

	// Samples that start in the second. Sent = OK + Failed + Rejected + Timeout.
	Sent, OK, Failed, Rejected, Timeout, Dropped, Skipped int64

	// Latencies of the sent requests that start in the second. A negative
	// service time is a request and no latency.
	Latencies     int64   // how many there are
	P50, P99, Max int64   // exact, nearest rank; runs.Missing where Latencies is 0
	Over          []int64 // how many exceed each of Options.Thresholds, strictly

	// OK samples that end in the second, and the events they carry.
	Completed, Events int64
}

// Seconds returns the seconds of a run in which a sample started or an ok one
// ended, ordered by scenario, then time. A second in which nothing did has no
// row.
//
// The result is exact. It is taken from the run's derived folder if that holds
// it for this version, run and options, undamaged; else it is computed and
// kept there, unless the folder cannot be written to. (The derived folder is
// not sealed: delete it in a run whose source is not trusted.)
//
// While computing, the latencies of a second are held until no sample to come
// can start in it, going by the statistics of the row groups: 8 bytes a sample
// of the open seconds. Samples in an order unlike that of time keep all of it
// open.
func Seconds(ctx context.Context, run *runs.Run, opt Options) ([]Second, error) {
	opt, err := opt.defaults()
	if err != nil {
		return nil, err
	}
	if rows, ok := load(ctx, run, opt); ok {
		return rows, nil
	}
	rows, err := compute(ctx, run, opt)
	if err != nil {
		return nil, err
	}
	store(run, opt, rows)
	return rows, nil
}

// columns are those that the computation reads.
var columns = []runs.Column{
	runs.ColStart, runs.ColStartNS, runs.ColWait, runs.ColService, runs.ColScenario, runs.ColOutcome, runs.ColEvents,
}

func compute(ctx context.Context, run *runs.Run, opt Options) ([]Second, error) {
	b := newBuilder(opt)
	within := runs.Range{}
	if opt.Window != within {
		within = runs.Range{Start: math.MinInt64, End: opt.Window.End}
	}
	if err := run.ScanLabels(ctx, columns, within, b.batch); err != nil {
		return nil, err
	}
	return b.seconds()
}

// builder accumulates seconds.
type builder struct {
	opt       Options
	scenarios map[string]*scenario
	open      []*accumulator
	floor     int64     // seconds that end at or before it are closed
	spare     [][]int64 // memory of closed seconds

	group    int         // of the words
	of       []*scenario // by code
	outcomes []int       // by code, -1 of a word that is none
}

// scenario holds the seconds of one scenario, and the last ones that were met: of
// starts and of ends, which each move on slowly.
type scenario struct {
	name       string
	seconds    map[int64]*accumulator
	start, end *accumulator
}

// outcomes numbers the outcomes.
var outcomes = []runs.Outcome{runs.OK, runs.Failed, runs.Rejected, runs.Timeout, runs.Dropped, runs.Skipped}

const (
	ok      = 0
	dropped = 4 // and above: not sent
)

// accumulator is a second being counted.
type accumulator struct {
	Second
	counts    [6]int64 // by outcome
	latencies []int64
	open      bool // latencies may still come
}

// holds reports whether an instant lies in the second; there may be none.
func (a *accumulator) holds(us int64) bool { return a != nil && us-a.Start >= 0 && us-a.Start < second }

func newBuilder(opt Options) *builder {
	return &builder{opt: opt, scenarios: map[string]*scenario{}, floor: math.MinInt64}
}

// batch adds samples, and closes the seconds that they end.
func (b *builder) batch(batch *runs.Batch) error {
	if batch.Group != b.group {
		b.group = batch.Group
		b.of = make([]*scenario, len(batch.Labels(runs.ColScenario).Words))
		b.outcomes = b.outcomes[:0]
		for _, word := range batch.Labels(runs.ColOutcome).Words {
			b.outcomes = append(b.outcomes, slices.Index(outcomes, runs.Outcome(word)))
		}
	}
	scenarios, ended := batch.Labels(runs.ColScenario), batch.Labels(runs.ColOutcome)
	for i, start := range batch.Start {
		code := scenarios.Codes[i]
		s := b.of[code]
		if s == nil {
			s = b.scenario(scenarios.Words[code])
			b.of[code] = s
		}
		outcome := b.outcomes[ended.Codes[i]]
		if outcome < 0 {
			return fmt.Errorf("samples: outcome %q: want ok, failed, rejected, timeout, dropped or skipped", ended.Words[ended.Codes[i]])
		}
		if b.keeps(start) {
			if !s.start.holds(start) {
				s.start = s.at(b, start)
			}
			if err := b.started(s.start, outcome, batch.Wait[i], batch.Service[i]); err != nil {
				return err
			}
		}
		if outcome != ok {
			continue
		}
		end, _ := runs.SplitNanos(runs.EndNanos(start, batch.StartNS[i], batch.Wait[i], batch.Service[i]))
		if b.keeps(end) {
			if !s.end.holds(end) {
				s.end = s.at(b, end)
			}
			s.end.Completed++
			s.end.Events += batch.Events[i]
		}
	}
	return b.closeBefore(batch.Floor)
}

// keeps reports whether an instant lies in the window.
func (b *builder) keeps(us int64) bool {
	w := b.opt.Window
	return us >= w.Start && us < w.End || w == runs.Range{}
}

func (b *builder) scenario(name string) *scenario {
	s := b.scenarios[name]
	if s == nil {
		s = &scenario{name: name, seconds: map[int64]*accumulator{}}
		b.scenarios[name] = s
	}
	return s
}

// at returns the second that holds an instant.
func (s *scenario) at(b *builder, us int64) *accumulator {
	n := (us - b.opt.Anchor) / second
	if us < b.opt.Anchor+n*second {
		n-- // floored, before the anchor as well
	}
	a := s.seconds[n]
	if a == nil {
		a = &accumulator{Second: Second{
			Scenario: s.name, Second: n, Start: b.opt.Anchor + n*second,
			P50: runs.Missing, P99: runs.Missing, Max: runs.Missing, Over: make([]int64, len(b.opt.Thresholds)),
		}}
		s.seconds[n] = a
	}
	return a
}

// started counts a sample in the second of its start.
func (b *builder) started(a *accumulator, outcome int, wait, service int64) error {
	a.counts[outcome]++
	if outcome >= dropped {
		return nil
	}
	if b.opt.Basis == Request {
		wait = runs.Missing
	}
	ns, has := runs.Latency(wait, service)
	if !has {
		return nil
	}
	if !a.open {
		if a.Latencies > 0 || a.Start+second <= b.floor {
			return errors.New("samples: one starts in a second that was over by the statistics of the row groups: the run is damaged")
		}
		a.open = true
		a.latencies = b.memory()
		b.open = append(b.open, a)
	}
	a.latencies = append(a.latencies, ns)
	return nil
}

// memory returns an empty slice, that of a closed second if there is one.
func (b *builder) memory() []int64 {
	n := len(b.spare)
	if n == 0 {
		return nil
	}
	m := b.spare[n-1]
	b.spare = b.spare[:n-1]
	return m[:0]
}

// closeBefore reduces the latencies of the seconds that end at or before floor.
func (b *builder) closeBefore(floor int64) error {
	if floor <= b.floor {
		return nil
	}
	b.floor = floor
	left := b.open[:0]
	for _, a := range b.open {
		if a.Start+second > floor {
			left = append(left, a)
			continue
		}
		if err := a.reduce(b.opt.Thresholds); err != nil {
			return err
		}
		b.spare = append(b.spare, a.latencies)
		a.latencies, a.open = nil, false
	}
	b.open = left
	return nil
}

// reduce takes from the latencies what is told of them.
func (a *accumulator) reduce(thresholds []time.Duration) error {
	for i, t := range thresholds {
		over := int64(0)
		for _, ns := range a.latencies {
			if ns > int64(t) {
				over++
			}
		}
		a.Over[i] = over
	}
	a.Latencies = int64(len(a.latencies))
	a.Max = slices.Max(a.latencies)
	q, err := stat.Quantiles(a.latencies, stat.P50, stat.P99)
	if err != nil {
		return err
	}
	a.P50, a.P99 = q[0], q[1]
	return nil
}

// row is the second as it is told.
func (a *accumulator) row() Second {
	s, n := a.Second, a.counts
	s.OK, s.Failed, s.Rejected, s.Timeout, s.Dropped, s.Skipped = n[0], n[1], n[2], n[3], n[4], n[5]
	s.Sent = s.OK + s.Failed + s.Rejected + s.Timeout
	return s
}

// seconds closes what is open and returns all seconds in order.
func (b *builder) seconds() ([]Second, error) {
	if err := b.closeBefore(math.MaxInt64); err != nil {
		return nil, err
	}
	rows := []Second{}
	for _, s := range b.scenarios {
		for _, a := range s.seconds {
			rows = append(rows, a.row())
		}
	}
	slices.SortFunc(rows, func(x, y Second) int {
		return cmp.Or(cmp.Compare(x.Scenario, y.Scenario), cmp.Compare(x.Second, y.Second))
	})
	return rows, nil
}
