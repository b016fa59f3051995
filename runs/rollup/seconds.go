package rollup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

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
	if err := run.ScanSamples(ctx, columns, within, b.batch); err != nil {
		return nil, err
	}
	return b.seconds()
}

// builder accumulates seconds.
type builder struct {
	opt       Options
	scenarios map[string]*scenario
	last      *scenario // of the previous sample
	open      []*accumulator
	floor     int64     // seconds that end at or before it are closed
	spare     [][]int64 // memory of closed seconds
}

// scenario holds the seconds of one scenario.
type scenario struct {
	name    string
	seconds map[int64]*accumulator
	last    *accumulator // of the previous sample
}

// accumulator is a second being counted.
type accumulator struct {
	Second
	latencies []int64
	open      bool // latencies may still come
}

func newBuilder(opt Options) *builder {
	return &builder{opt: opt, scenarios: map[string]*scenario{}, floor: math.MinInt64}
}

// batch adds samples, and closes the seconds that they end.
func (b *builder) batch(batch *runs.Batch) error {
	for i := range batch.Len {
		if err := b.add(batch, i); err != nil {
			return err
		}
	}
	return b.closeBefore(batch.Floor)
}

func (b *builder) add(batch *runs.Batch, i int) error {
	s := b.scenario(batch.Scenario[i])
	start, outcome := batch.Start[i], batch.Outcome[i]
	if b.keeps(start) {
		if err := b.started(s.at(b, start), outcome, batch.Wait[i], batch.Service[i]); err != nil {
			return err
		}
	}
	if outcome == runs.OK {
		end, _ := runs.SplitNanos(runs.EndNanos(start, batch.StartNS[i], batch.Wait[i], batch.Service[i]))
		if b.keeps(end) {
			a := s.at(b, end)
			a.Completed++
			a.Events += batch.Events[i]
		}
	}
	return nil
}

// keeps reports whether an instant lies in the window.
func (b *builder) keeps(us int64) bool {
	w := b.opt.Window
	return w == runs.Range{} || us >= w.Start && us < w.End
}

func (b *builder) scenario(name string) *scenario {
	if b.last != nil && b.last.name == name {
		return b.last
	}
	s := b.scenarios[name]
	if s == nil {
		s = &scenario{name: name, seconds: map[int64]*accumulator{}}
		b.scenarios[name] = s
	}
	b.last = s
	return s
}

// at returns the second that holds an instant.
func (s *scenario) at(b *builder, us int64) *accumulator {
	n := (us - b.opt.Anchor) / second
	if us < b.opt.Anchor+n*second {
		n-- // floored, before the anchor as well
	}
	if s.last != nil && s.last.Second.Second == n {
		return s.last
	}
	a := s.seconds[n]
	if a == nil {
		a = &accumulator{Second: Second{
			Scenario: s.name, Second: n, Start: b.opt.Anchor + n*second,
			P50: runs.Missing, P99: runs.Missing, Max: runs.Missing, Over: make([]int64, len(b.opt.Thresholds)),
		}}
		s.seconds[n] = a
	}
	s.last = a
	return a
}

// started counts a sample in the second of its start.
func (b *builder) started(a *accumulator, outcome runs.Outcome, wait, service int64) error {
	switch outcome {
	case runs.OK:
		a.OK++
	case runs.Failed:
		a.Failed++
	case runs.Rejected:
		a.Rejected++
	case runs.Timeout:
		a.Timeout++
	case runs.Dropped:
		a.Dropped++
	case runs.Skipped:
		a.Skipped++
	default:
		return fmt.Errorf("samples: outcome %q: want ok, failed, rejected, timeout, dropped or skipped", outcome)
	}
	if !outcome.Sent() {
		return nil
	}
	a.Sent++
	if b.opt.Basis == Request {
		wait = runs.Missing
	}
	ns, ok := runs.Latency(wait, service)
	if !ok {
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
	a.Latencies++
	a.latencies = append(a.latencies, ns)
	for i, t := range b.opt.Thresholds {
		if ns > int64(t) {
			a.Over[i]++
		}
	}
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
		q, err := stat.Quantiles(a.latencies, stat.P50, stat.P99)
		if err != nil {
			return err
		}
		a.P50, a.P99, a.Max = q[0], q[1], slices.Max(a.latencies)
		b.spare = append(b.spare, a.latencies)
		a.latencies, a.open = nil, false
	}
	b.open = left
	return nil
}

// seconds closes what is open and returns all seconds in order.
func (b *builder) seconds() ([]Second, error) {
	if err := b.closeBefore(math.MaxInt64); err != nil {
		return nil, err
	}
	rows := []Second{}
	for _, s := range b.scenarios {
		for _, a := range s.seconds {
			rows = append(rows, a.Second)
		}
	}
	slices.SortFunc(rows, func(x, y Second) int {
		return cmp.Or(cmp.Compare(x.Scenario, y.Scenario), cmp.Compare(x.Second, y.Second))
	})
	return rows, nil
}
