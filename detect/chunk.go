package detect

import (
	"iter"
	"sync"

	"headroom/runs"
	"headroom/runs/ordered"
)

// Chunk is consecutive requests, by column. It is valid until the next one.
type Chunk struct {
	Start   []int64 // ns since the Unix epoch, ascending
	Wait    []int64 // ns, runs.Missing where not recorded
	Service []int64 // ns as measured: runs.Missing and negative are possible

	r       *Requests
	reader  ordered.Reader
	outcome []int64
	same    [requestColumns]constant // what fills the memory of a column
	kept    []int32                  // rows of the part of the table, where some are left out
	some    bool                     // some are left out
	rest    [requestColumns][]int64  // the columns that few ask for
	read    [requestColumns]bool     // those that were read
}

// chunks are used again: they hold some 300 kB each.
var chunks = sync.Pool{New: func() any { return new(Chunk) }}

// Chunks returns the requests in order of start.
func (r *Requests) Chunks() iter.Seq[*Chunk] {
	return func(yield func(*Chunk) bool) {
		if r.from >= r.to {
			return
		}
		c := r.chunk()
		defer c.release()
		for c.next() && yield(c) {
		}
	}
}

// All returns the requests in order of start, one by one. A Request is valid until
// the next one.
func (r *Requests) All() iter.Seq[*Request] {
	return func(yield func(*Request) bool) {
		var q Request
		for c := range r.Chunks() {
			for i := range c.Start {
				c.request(i, &q)
				if !yield(&q) {
					return
				}
			}
		}
	}
}

// chunk returns a Chunk that is before the first request.
func (r *Requests) chunk() *Chunk {
	c := chunks.Get().(*Chunk)
	c.r = r
	c.reader.Reset(r.table, r.from, r.to)
	return c
}

// release gives the memory of the chunk back.
func (c *Chunk) release() {
	c.r = nil
	c.reader.Reset(nil, 0, 0)
	chunks.Put(c)
}

// next goes on to the next chunk that holds a request; false at the end.
func (c *Chunk) next() bool {
	for c.reader.Next() > 0 {
		c.Start = c.load(colStart, c.Start)
		c.Wait = c.load(colWait, c.Wait)
		c.Service = c.load(colService, c.Service)
		c.outcome = c.load(colOutcome, c.outcome)
		clear(c.read[:])
		c.some = false
		if c.r.ending != nil {
			c.keep(*c.r.ending)
		}
		if len(c.Start) > 0 {
			return true
		}
	}
	return false
}

// constant is a value that the first n places of a column's memory hold.
type constant struct {
	value int64
	n     int
}

// load reads a column of the part of the table that was reached. One that is the
// same in all of it, as most are, is in memory already if it was before.
func (c *Chunk) load(column int, into []int64) []int64 {
	same := &c.same[column]
	n, v, ok := c.reader.Constant(column)
	switch {
	case !ok:
		same.n = 0
		return c.reader.Column(column, into[:0])
	case same.n < n || same.value != v:
		into = c.reader.Column(column, into[:0])
		*same = constant{v, n}
	}
	return into[:n]
}

// keep leaves out the requests that do not end in the span.
func (c *Chunk) keep(s Span) {
	c.kept = c.kept[:0]
	for i := range c.Start {
		if s.Contains(c.End(i)) {
			c.kept = append(c.kept, int32(i))
		}
	}
	if len(c.kept) == len(c.Start) {
		return
	}
	c.some = true
	c.Start, c.Wait, c.Service = pick(c.Start, c.kept), pick(c.Wait, c.kept), pick(c.Service, c.kept)
	c.outcome = pick(c.outcome, c.kept)
}

// pick leaves of values those of the rows, which are ascending.
func pick(values []int64, rows []int32) []int64 {
	for i, row := range rows {
		values[i] = values[row]
	}
	return values[:len(rows)]
}

// column returns one of the columns that few ask for.
func (c *Chunk) column(i int) []int64 {
	if !c.read[i] {
		c.rest[i] = c.load(i, c.rest[i])
		if c.some {
			c.rest[i] = pick(c.rest[i], c.kept)
		}
		c.read[i] = true
	}
	return c.rest[i]
}

// Len returns how many requests the chunk holds, at least one.
func (c *Chunk) Len() int { return len(c.Start) }

// Latency returns the latency of request i in ns, on the basis of the Requests. ok
// is false when there is none: no service time, or a negative one.
func (c *Chunk) Latency(i int) (ns int64, ok bool) {
	ns = c.Service[i]
	if ns >= 0 && c.r.Response && c.Wait[i] != runs.Missing {
		ns += c.Wait[i]
	}
	return ns, ns >= 0 // runs.Missing is negative
}

// End returns when request i ended; its start if it has no service time.
func (c *Chunk) End(i int) int64 { return endOf(c.Start[i], c.Wait[i], c.Service[i]) }

// Sent returns when request i was sent: its start, and its wait where one was recorded.
func (c *Chunk) Sent(i int) int64 { return c.Start[i] + max(c.Wait[i], 0) }

// OK reports whether request i was answered as its sender expected.
func (c *Chunk) OK(i int) bool { return c.outcome[i] == 0 }

// Outcome says how request i ended.
func (c *Chunk) Outcome(i int) runs.Outcome { return outcomes[c.outcome[i]] }

// Events returns the units of load that request i carried.
func (c *Chunk) Events(i int) int64 { return c.column(colEvents)[i] }

// Op returns the kind of request i.
func (c *Chunk) Op(i int) string { return c.r.names[c.column(colOp)[i]] }

// Target returns which replica or host served request i.
func (c *Chunk) Target(i int) string { return c.r.names[c.column(colTarget)[i]] }

// Worker returns the client, thread or virtual user that sent request i.
func (c *Chunk) Worker(i int) string { return c.r.names[c.column(colWorker)[i]] }

// request copies request i.
func (c *Chunk) request(i int, q *Request) {
	*q = Request{
		Start: c.Start[i], Wait: c.Wait[i], Service: c.Service[i], Events: c.column(colEvents)[i],
		op: uint32(c.column(colOp)[i]), target: uint32(c.column(colTarget)[i]),
		worker: uint32(c.column(colWorker)[i]), outcome: uint8(c.outcome[i]),
	}
}

// cursor walks over requests one by one.
type cursor struct {
	c *Chunk // nil at the end
	i int
}

// walk returns a cursor at the first request. One that is not at its end must be
// closed.
func (r *Requests) walk() *cursor {
	if r.from >= r.to {
		return &cursor{}
	}
	w := &cursor{c: r.chunk()}
	if !w.c.next() {
		w.close()
	}
	return w
}

// step goes on to the next request.
func (w *cursor) step() {
	if w.i++; w.i < len(w.c.Start) {
		return
	}
	if w.i = 0; !w.c.next() {
		w.close()
	}
}

// close gives the memory of the cursor back.
func (w *cursor) close() {
	if w.c != nil {
		w.c.release()
		w.c = nil
	}
}
