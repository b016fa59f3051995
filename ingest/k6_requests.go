package ingest

import (
	"slices"

	"headroom/runs"
)

// k6Field is one of the nine metrics that k6 emits for an HTTP request.
type k6Field uint8

// The metrics of a request, in the order in which k6 writes them.
const (
	k6Reqs k6Field = iota
	k6Duration
	k6Blocked
	k6Connecting
	k6TLS
	k6Sending
	k6Waiting
	k6Receiving
	k6Failed
	k6Fields
	k6NoField k6Field = k6Fields
)

var k6FieldOf = map[string]k6Field{
	"http_reqs": k6Reqs, "http_req_duration": k6Duration, "http_req_blocked": k6Blocked,
	"http_req_connecting": k6Connecting, "http_req_tls_handshaking": k6TLS, "http_req_sending": k6Sending,
	"http_req_waiting": k6Waiting, "http_req_receiving": k6Receiving, "http_req_failed": k6Failed,
}

// k6Request is a request whose metric lines are being gathered.
type k6Request struct {
	key        k6Key
	values     [k6Fields]int64 // ns; for http_req_failed 0 or 1
	seen       uint16          // bit n: values[n] was read
	same       *k6Request      // another request with the same key
	prev, next *k6Request      // in order of appearance
}

// k6Key tells requests apart: all lines of one carry the same end and tags.
type k6Key struct {
	end  int64 // ns since the Unix epoch
	tags *k6Tags
}

const k6Complete = 1<<k6Fields - 1

// k6Window is how many unfinished requests are held. k6 writes the lines of a
// request together, but a file may lack some of the metrics or hold its lines
// in another order; a file of up to so many requests may be in any order.
const k6Window = 1 << 18

// k6Requests gathers the metric lines of requests and hands on whole ones.
type k6Requests struct {
	emit        func(*k6Request) error
	window      int // how many unfinished requests are held
	open        map[k6Key]*k6Request
	first, last *k6Request
	recent      *k6Request // the request that the last line belonged to
	n           int
	free        *k6Request
}

// add takes one metric line of a request.
func (q *k6Requests) add(end int64, tags *k6Tags, field k6Field, value int64) error {
	r := q.find(k6Key{end, tags}, field)
	r.values[field] = value
	r.seen |= 1 << field
	q.recent = r
	if r.seen == k6Complete {
		return q.finish(r)
	}
	if q.n > q.window {
		return q.finish(q.first)
	}
	return nil
}

// find returns the request that a line belongs to: one with its key that lacks
// the metric, or a new one.
func (q *k6Requests) find(key k6Key, field k6Field) *k6Request {
	if r := q.recent; r != nil && r.key == key && r.seen&(1<<field) == 0 {
		return r
	}
	head := q.open[key]
	for r := head; r != nil; r = r.same {
		if r.seen&(1<<field) == 0 {
			return r
		}
	}
	r := q.free
	if r != nil {
		q.free = r.next
	} else {
		r = new(k6Request)
	}
	*r = k6Request{key: key, prev: q.last}
	for i := range r.values {
		r.values[i] = runs.Missing
	}
	if q.last != nil {
		q.last.next = r
	} else {
		q.first = r
	}
	q.last = r
	q.n++
	if head == nil {
		if q.open == nil {
			q.open = map[k6Key]*k6Request{}
		}
		q.open[key] = r
	} else { // behind the older ones, so that lines go to the oldest first
		for head.same != nil {
			head = head.same
		}
		head.same = r
	}
	return r
}

// finish hands a request on and forgets it.
func (q *k6Requests) finish(r *k6Request) error {
	if head := q.open[r.key]; head == r {
		if r.same != nil {
			q.open[r.key] = r.same
		} else {
			delete(q.open, r.key)
		}
	} else {
		for head.same != r {
			head = head.same
		}
		head.same = r.same
	}
	if r.prev != nil {
		r.prev.next = r.next
	} else {
		q.first = r.next
	}
	if r.next != nil {
		r.next.prev = r.prev
	} else {
		q.last = r.prev
	}
	q.n--
	if q.recent == r {
		q.recent = nil
	}
	err := q.emit(r)
	r.next, q.free = q.free, r
	return err
}

// flush hands on what is left, in order of appearance.
func (q *k6Requests) flush() error {
	for q.first != nil {
		if err := q.finish(q.first); err != nil {
			return err
		}
	}
	return nil
}

// request turns a gathered request into a sample.
//
// The lines carry the request's end; http_req_duration is sending + waiting +
// receiving and leaves blocked, connecting and TLS out
// (https://grafana.com/docs/k6/latest/using-k6/metrics/reference/).
func (k *k6Reader) request(r *k6Request) error {
	if r.seen&(1<<k6Duration) == 0 {
		if r.seen&(1<<k6Reqs) != 0 {
			k.noDuration++
		} else {
			k.fragments++
		}
		return nil
	}
	if r.seen&(1<<k6Reqs) == 0 {
		k.uncounted++
	}
	s, tags := &k.sample, r.key.tags
	*s = k.in.NewSample()
	s.Service, s.Wait = r.values[k6Duration], r.values[k6Blocked]
	s.Connecting, s.TLS, s.Sending = r.values[k6Connecting], r.values[k6TLS], r.values[k6Sending]
	s.Waiting, s.Receiving = r.values[k6Waiting], r.values[k6Receiving]
	start := r.key.end
	if ns, ok := s.Latency(); ok {
		start -= ns
	}
	if s.Service < 0 {
		k.negative++
	}
	for _, phase := range r.values[k6Connecting : k6Receiving+1] {
		if phase < 0 && phase != runs.Missing {
			k.negativePhases++
		}
	}
	s.Start, s.StartNS = runs.SplitNanos(start)
	k.label(s, tags)
	s.Op, s.Status, s.Worker, s.ID, s.Tags = tags.name, tags.status, tags.worker, tags.id, tags.rest
	if s.Error = tags.error; s.Error == "" {
		s.Error = tags.errorCode
	}
	s.Outcome = k.outcome(tags, r.values[k6Failed])
	k.samples++
	return k.sink.Sample(s)
}

// label sets the scenario where the source names one.
func (k *k6Reader) label(s *runs.Sample, tags *k6Tags) {
	if tags.scenario != "" {
		s.Scenario = tags.scenario
	}
}

// outcome says how a request ended: by the status that was declared to be a
// refusal, else by k6's own judgement, else by the status.
func (k *k6Reader) outcome(t *k6Tags, failed int64) runs.Outcome {
	if slices.Contains(k.in.Opt.Rejected, t.status) && t.status != "" {
		return runs.Rejected
	}
	ok := t.expected == "true"
	if t.expected == "" {
		switch {
		case failed != runs.Missing:
			ok = failed == 0
		case t.status != "":
			ok = t.status[0] == '2' || t.status[0] == '3'
		default:
			k.unjudged++
			ok = t.error == "" && t.errorCode == ""
		}
	}
	switch {
	case ok:
		return runs.OK
	case t.errorCode == k6RequestTimeout || t.errorCode == k6DialTimeout:
		return runs.Timeout
	}
	return runs.Failed
}

// Error codes of k6 that mean that it stopped waiting
// (https://grafana.com/docs/k6/latest/javascript-api/error-codes/).
const (
	k6RequestTimeout = "1050"
	k6DialTimeout    = "1211"
)
