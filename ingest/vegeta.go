package ingest

import (
	"strconv"
	"strings"

	"headroom/runs"
)

// vegetaResult is one result of an attack, in any of vegeta's encodings
// (https://pkg.go.dev/github.com/tsenart/vegeta/v12/lib#Result).
type vegetaResult struct {
	start       int64 // ns since the Unix epoch: when the request was sent
	latency     int64 // ns
	code        uint64
	seq         string // "" in files that are older than May 2018
	attack      string
	errorText   string
	method, url string // "" in files that are older than September 2019
}

// vegetaReader turns results into samples. They come in the order in which the
// requests ended.
type vegetaReader struct {
	in       *Input
	sink     Sink
	words    intern
	codes    numbered    // that are small numbers
	blank    runs.Sample // what a sample is before the result's part
	next     runs.Sample // made anew for every result
	attacks  map[string]bool
	negative int64
	bare     int64 // failures without an answer

	// What the attack, method and URL of the result before came to; mostly they are
	// those of the next as well.
	attack, method, url string
	op, target, tags    string
	described           bool
}

func newVegetaReader(in *Input, sink Sink) *vegetaReader {
	return &vegetaReader{in: in, sink: sink, words: intern{}, attacks: map[string]bool{}, blank: in.NewSample()}
}

// result takes one result. It returns the reason if it cannot be used.
func (v *vegetaReader) result(r *vegetaResult) (reason string, err error) {
	if r.latency > maxDuration || r.latency < -maxDuration {
		return "a latency of " + strconv.FormatInt(r.latency, 10) + " ns is none that can be", nil
	}
	s := &v.next
	*s = v.blank
	s.Start, s.StartNS = runs.SplitNanos(r.start)
	s.Service = r.latency
	if r.latency < 0 {
		v.negative++
	}
	s.Status = v.status(r.code)
	s.Error = v.words.word(r.errorText)
	s.Outcome = v.outcome(r, s.Status)
	s.ID = r.seq
	if !v.described || r.url != v.url || r.method != v.method || r.attack != v.attack {
		v.describe(r)
	}
	s.Op, s.Target, s.Tags = v.op, v.target, v.tags
	return "", v.sink.Sample(s)
}

// status returns a code as text, made once.
func (v *vegetaReader) status(code uint64) string {
	if code < uint64(len(v.codes)) && v.codes[code] != "" {
		return v.codes[code]
	}
	return v.codes.word(int64(code), strconv.AppendUint(nil, code, 10), v.words)
}

// describe finds out what attack, method and URL of a result come to.
func (v *vegetaReader) describe(r *vegetaResult) {
	v.described, v.attack, v.method, v.url, v.target = true, r.attack, r.method, r.url, ""
	path := r.url
	if _, rest, ok := strings.Cut(r.url, "://"); ok {
		host, after, _ := strings.Cut(rest, "/")
		v.target, path = v.words.word(host), "/"+after
	}
	path, _, query := strings.Cut(path, "?")
	v.op = v.words.word(strings.TrimSpace(r.method + " " + path))
	full := ""
	if query {
		full = r.url
	}
	v.tags = v.words.labels("attack", r.attack, "url", full)
	if len(v.attacks) < maxMetrics {
		v.attacks[v.words.word(r.attack)] = true
	}
}

// outcome says how a request ended: vegeta counts codes from 200 to 399 as
// success. A code of 0 is a request that got no answer.
func (v *vegetaReader) outcome(r *vegetaResult, status string) runs.Outcome {
	switch {
	case r.code >= 200 && r.code < 400:
		return runs.OK
	case r.code != 0:
		for _, refused := range v.in.Opt.Rejected {
			if refused == status {
				return runs.Rejected
			}
		}
		return runs.Failed
	}
	v.bare++
	for _, words := range []string{"deadline exceeded", "Client.Timeout", "i/o timeout"} {
		if strings.Contains(r.errorText, words) {
			return runs.Timeout
		}
	}
	return runs.Failed
}

// close says what the file tells as a whole.
func (v *vegetaReader) close() {
	m := &v.in.Meta
	m.Tool, m.LatencyUnit = "vegeta", "ns"
	m.Model, m.Basis = runs.OpenLoop, basisRequest
	m.ModelAs = "vegeta's attacks"
	if len(v.attacks) > 1 {
		v.in.Note("it holds %d attacks, told apart by the tag attack", len(v.attacks))
	}
	if v.bare > 0 {
		v.in.Note("%d requests got no answer (code 0): they failed or timed out", v.bare)
	}
	if v.negative > 0 {
		v.in.Note("%d requests have a negative latency: kept as measured, and part of no percentile", v.negative)
	}
}
