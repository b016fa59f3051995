package detect

import (
	"slices"

	"headroom/runs"
)

// A Request is one request that was sent, as small as it can be held.
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
func (q *Request) End() int64 {
	end := q.Start
	if q.Wait != runs.Missing {
		end += q.Wait
	}
	if q.Service != runs.Missing {
		end += q.Service
	}
	return end
}

// Requests holds the sent requests of one scenario in order of start, and
// apart from them the instants at which one was due and not sent.
type Requests struct {
	Scenario string
	// Response says what a latency is: true, from when the work was due; false,
	// what the tool itself reports for a request.
	Response bool
	Rows     []Request
	Dropped  []int64 // ns since the Unix epoch, ascending
	Skipped  []int64

	names []string // of ops, targets and workers
}

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

func byStart(a, b Request) int {
	switch {
	case a.Start < b.Start:
		return -1
	case a.Start > b.Start:
		return 1
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
// that were due in it. The rows are shared with r.
func (r *Requests) Starting(s Span) *Requests {
	find := func(t int64) int {
		i, _ := slices.BinarySearchFunc(r.Rows, t, func(q Request, t int64) int {
			if q.Start < t {
				return -1
			}
			return 1
		})
		return i
	}
	out := *r
	out.Rows = r.Rows[find(s.Start):max(find(s.Start), find(s.End))]
	out.Dropped = within(r.Dropped, s)
	out.Skipped = within(r.Skipped, s)
	return &out
}

// Ending returns the requests that end in the span, and the drops and skips
// that were due in it. The rows are copied, unless all of them do.
func (r *Requests) Ending(s Span) *Requests {
	out := *r.Starting(s)
	if !slices.ContainsFunc(r.Rows, func(q Request) bool { return !s.Contains(q.End()) }) {
		out.Rows = r.Rows
		return &out
	}
	n := 0
	for i := range r.Rows {
		if s.Contains(r.Rows[i].End()) {
			n++
		}
	}
	out.Rows = make([]Request, 0, n) // these may be millions: none is moved twice
	for i := range r.Rows {
		if s.Contains(r.Rows[i].End()) {
			out.Rows = append(out.Rows, r.Rows[i])
		}
	}
	return &out
}

func within(ts []int64, s Span) []int64 {
	lo, _ := slices.BinarySearch(ts, s.Start)
	hi, _ := slices.BinarySearch(ts, s.End)
	return ts[lo:max(lo, hi)]
}
