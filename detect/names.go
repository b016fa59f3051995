package detect

// A Label is what a request is labelled with.
type Label int

// The labels of a request.
const (
	ByOp     Label = colOp
	ByTarget Label = colTarget
	ByWorker Label = colWorker
)

// Labels returns the number of each request's label; Name tells the word.
func (c *Chunk) Labels(by Label) []int64 { return c.column(int(by)) }

// Name returns the word of a label.
func (r *Requests) Name(label int64) string { return r.names[label] }

// CountBy counts the requests by a label.
func (r *Requests) CountBy(by Label) map[string]int64 {
	counts := make([]int64, len(r.names))
	for c := range r.Chunks() {
		for _, label := range c.Labels(by) {
			counts[label]++
		}
	}
	out := map[string]int64{}
	for label, n := range counts {
		if n > 0 {
			out[r.names[label]] = n
		}
	}
	return out
}

// Last returns when the last request started, 0 if there is none.
func (r *Requests) Last() (start int64) {
	if r.ending == nil && r.n > 0 {
		last := *r
		last.from, last.n = r.to-1, 1
		return last.First()
	}
	for c := range r.Chunks() {
		start = c.Start[c.Len()-1]
	}
	return start
}

// Extent returns the first start and the last end of the requests; ok is false if
// there is none.
func (r *Requests) Extent() (first, last int64, ok bool) {
	for c := range r.Chunks() {
		if !ok {
			first, last, ok = c.Start[0], c.End(0), true
		}
		for i := range c.Start {
			last = max(last, c.End(i))
		}
	}
	return first, last, ok
}
