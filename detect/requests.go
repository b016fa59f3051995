package detect

import (
	"iter"
	"math"
	"slices"

	"headroom/runs"
	"headroom/runs/ordered"
)

// A Request is one request that was sent.
type Request struct {
	Start   int64 // ns since the Unix epoch
	Wait    int64 // ns, runs.Missing where not recorded
	Service int64 // ns as measured: runs.Missing and negative are possible
	Events  int64
	op      uint32
	target  uint32
	worker  uint32
	outcome uint8
}

// outcomes numbers the outcomes of requests that were sent.
var outcomes = []runs.Outcome{runs.OK, runs.Failed, runs.Rejected, runs.Timeout}

// Outcome says how the request ended.
func (q *Request) Outcome() runs.Outcome { return outcomes[q.outcome] }

// OK reports whether the request was answered as its sender expected.
func (q *Request) OK() bool { return q.outcome == 0 }

// End returns the instant at which it ended; its start if it has no service time.
func (q *Request) End() int64 { return endOf(q.Start, q.Wait, q.Service) }

func endOf(start, wait, service int64) int64 {
	if wait != runs.Missing {
		start += wait
	}
	if service != runs.Missing {
		start += service
	}
	return start
}

// Requests are the sent requests of one scenario in order of start, and apart
// from them the instants at which one was due and not sent. They are packed, and
// on disk where there are many: All and Chunks read them, as often as is wanted.
type Requests struct {
	Scenario string
	// Response says what a latency is: true, from when the work was due; false,
	// what the tool itself reports for a request.
	Response bool
	Dropped  []int64 // ns since the Unix epoch, ascending
	Skipped  []int64

	names    []string // of ops, targets and workers
	table    *ordered.Table
	from, to int   // rows of the table
	ending   *Span // only those that end in it; nil: all
	n        int   // how many
	extent   extent
	memo     *memo // shared by all of one table
}

// extent bounds what the requests of a table, or of more than are asked for, are like.
type extent struct {
	longest int64 // ns, the largest end - start, at least 0
	back    int64 // ns, the largest start - end, at least 0: a clock went backwards
	delay   int64 // ns, the largest wait, at least 0
	waits   bool  // some wait was recorded
	allOK   bool  // all ended well
}

// The columns of the table.
const (
	colStart = iota
	colWait
	colService
	colOutcome
	colEvents
	colOp
	colTarget
	colWorker
	requestColumns
)

// NewRequests returns the requests of a scenario, given in any order and kept in
// memory. They have no op, target or worker.
func NewRequests(scenario string, response bool, rows ...Request) *Requests {
	r := &Requests{Scenario: scenario, Response: response, names: []string{""}}
	b := newRows(ordered.NewSpace(0))
	b.Expect(len(rows))
	for i := range rows {
		q := rows[i]
		q.op, q.target, q.worker = 0, 0, 0
		b.add(&q)
	}
	b.into(r)
	return r
}

// rows collects requests.
type rows struct {
	*ordered.Builder
	extent extent
}

func newRows(space *ordered.Space) *rows {
	return &rows{Builder: ordered.NewBuilder(space, requestColumns, colStart), extent: extent{allOK: true}}
}

func (b *rows) add(q *Request) {
	b.put(q.Start, q.Wait, q.Service, int64(q.outcome), q.Events, int64(q.op), int64(q.target), int64(q.worker))
}

// put adds a request, column by column.
func (b *rows) put(start, wait, service, outcome, events, op, target, worker int64) {
	b.Add(start, wait, service, outcome, events, op, target, worker)
	e := &b.extent
	took := endOf(start, wait, service) - start
	e.longest, e.back = max(e.longest, took), max(e.back, -took)
	e.delay = max(e.delay, wait)
	e.waits = e.waits || wait != runs.Missing
	e.allOK = e.allOK && outcome == 0
}

// into ends the collection and makes r that of the requests.
func (b *rows) into(r *Requests) {
	r.table, r.extent, r.memo = b.Table(), b.extent, newMemo()
	r.from, r.to = 0, r.table.Len()
	r.n = r.to
}

// Len returns how many requests there are.
func (r *Requests) Len() int { return r.n }

// Latency returns the latency of q in ns on the basis of r. ok is false when
// there is none: no service time, or a negative one.
func (r *Requests) Latency(q *Request) (ns int64, ok bool) {
	if r.Response {
		return runs.Latency(q.Wait, q.Service)
	}
	return runs.Latency(runs.Missing, q.Service)
}

// Op returns the kind of request q is.
func (r *Requests) Op(q *Request) string { return r.names[q.op] }

// Target returns which replica or host served q.
func (r *Requests) Target(q *Request) string { return r.names[q.target] }

// Worker returns the client, thread or virtual user that sent q.
func (r *Requests) Worker(q *Request) string { return r.names[q.worker] }

// All latencies, or those of requests that ended well.
const (
	AnyOutcome = false
	OnlyOK     = true
)

// Latencies returns the latencies of the requests that have one, of all or of
// those that were answered as their sender expected, in order of start. They can be
// read as often as is wanted.
func (r *Requests) Latencies(onlyOK bool) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		var out []int64
		for c := range r.Chunks() {
			out = out[:0]
			for i := range c.Start {
				if ns, ok := c.Latency(i); ok && (!onlyOK || c.OK(i)) {
					out = append(out, ns)
				}
			}
			if !yield(out) {
				return
			}
		}
	}
}

// held is how many latencies are held at a time, about, while one is looked for by
// its rank.
const held = 1 << 16

// First returns when the first request started, 0 if there is none.
func (r *Requests) First() (start int64) {
	for c := range r.Chunks() {
		return c.Start[0]
	}
	return 0
}

// Span is a half-open interval of time [Start, End), ns since the Unix epoch.
type Span struct{ Start, End int64 }

// Len returns the length in ns.
func (s Span) Len() int64 { return s.End - s.Start }

// Contains reports whether t lies in the span.
func (s Span) Contains(t int64) bool { return s.Start <= t && t < s.End }

// Starting returns the requests that start in the span, and the drops and skips
// that were due in it. Nothing is copied.
func (r *Requests) Starting(s Span) *Requests {
	out := r.between(s)
	out.Dropped, out.Skipped = within(r.Dropped, s), within(r.Skipped, s)
	return out
}

// between returns the requests that start in the span; drops and skips are those of r.
func (r *Requests) between(s Span) *Requests {
	out := *r
	out.from, out.to = r.cut(s)
	switch out.n = out.to - out.from; {
	case out.ending == nil:
	case out.n == r.to-r.from:
		out.n = r.n
	default:
		out.n = out.count()
	}
	return &out
}

// cut returns which rows of r start in the span.
func (r *Requests) cut(s Span) (from, to int) {
	if r.table.Len() == 0 {
		return 0, 0
	}
	from = r.table.Search(colStart, s.Start, r.from, r.to)
	return from, r.table.Search(colStart, s.End, from, r.to)
}

// Ending returns the requests that end in the span, and the drops and skips
// that were due in it. Nothing is copied.
func (r *Requests) Ending(s Span) *Requests {
	out := r.between(Span{plus(s.Start, -r.extent.longest), plus(s.End, r.extent.back)})
	out.Dropped, out.Skipped = within(r.Dropped, s), within(r.Skipped, s)
	if r.ending != nil {
		s = Span{max(s.Start, r.ending.Start), min(s.End, r.ending.End)}
	}
	out.ending = &s
	if out.n = out.count(); out.n == out.to-out.from {
		out.ending = nil
	}
	return out
}

// count counts the requests that end in the span that is asked for.
func (r *Requests) count() (n int) {
	for c := range r.Chunks() {
		n += c.Len()
	}
	return n
}

// plus adds, and stays within the range of instants.
func plus(a, b int64) int64 {
	switch sum := a + b; {
	case b > 0 && sum < a:
		return math.MaxInt64
	case b < 0 && sum > a:
		return math.MinInt64
	default:
		return sum
	}
}

func within(ts []int64, s Span) []int64 {
	lo, _ := slices.BinarySearch(ts, s.Start)
	hi, _ := slices.BinarySearch(ts, s.End)
	return ts[lo:max(lo, hi)]
}
