package runtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"headroom/runs"
)

// Epoch is when a synthetic run begins unless it says otherwise:
// 2026-01-01T00:00:00Z, in ns since the Unix epoch.
const Epoch int64 = 1767225600e9

// Run is a run as the language describes it, in memory.
type Run struct {
	Start, End int64 // ns since the Unix epoch
	Response   bool  // latency counts from when work was due
	Workers    int   // of a closed loop; 0 is an open one
	Samples    []runs.Sample
	Points     []runs.Point
	Activity   []runs.Activity
	Markers    []runs.Marker
	Claims     map[string]string // what the generator says it did
	Gained     map[string]string // what the system gained, by the claim's name
	Truth      []Episode
}

// Episode is a planted stall.
type Episode struct {
	Kind       string // "freeze", "stall", "slow"
	Start, End int64  // ns since the Unix epoch
	Share      float64
}

// request is a sample being made.
type request struct {
	start, wait, service int64 // ns, from the run's start; wait 0
	scenario, op, target string
	outcome              runs.Outcome
}

type builder struct {
	run      *Run
	requests []request
	rnd      *rand.Rand
	growing  map[seriesKey]bool // points whose values are still what is added a second
}

// Run builds the run.
func (c *Case) Run() (*Run, error) {
	b := &builder{growing: map[seriesKey]bool{}, run: &Run{Start: Epoch, End: math.MinInt64, Claims: map[string]string{}, Gained: map[string]string{}}}
	b.rnd = rand.New(rand.NewPCG(1, 0x68656164726f6f6d))
	for i := range c.script {
		s := &c.script[i]
		do, ok := words[s.word]
		if !ok {
			return nil, fmt.Errorf("%s:%d: there is no word %q", c.Name, s.line, s.word)
		}
		do(b, s)
		if err := s.done(); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	b.finish()
	return b.run, nil
}

var words = map[string]func(*builder, *statement){
	"run": (*builder).load, "freeze": (*builder).freeze, "slow": (*builder).slow, "factor": (*builder).factor,
	"ramp": (*builder).ramp, "settle": (*builder).settle, "modulate": (*builder).modulate, "counter": (*builder).counter,
	"stall": (*builder).stall, "silence": (*builder).silence, "errors": (*builder).errors, "drops": (*builder).drops,
	"request": (*builder).request, "marker": (*builder).marker, "points": (*builder).points,
	"sessions": (*builder).sessions, "claim": (*builder).claim,
}

func (b *builder) load(s *statement) {
	if len(s.args) != 2 || !strings.HasSuffix(s.args[1], "/s") {
		s.fail("want run LENGTH RATE/s")
		return
	}
	length, err := time.ParseDuration(s.args[0])
	rate := 0.0
	if _, err2 := fmt.Sscanf(s.args[1], "%g/s", &rate); err != nil || err2 != nil || rate < 0 || length <= 0 || rate*length.Seconds() > 5e6 {
		s.fail("want a length and a rate of at most 5 million requests together")
		return
	}
	if seed := s.number("seed", "0"); seed != 0 {
		b.rnd = rand.New(rand.NewPCG(uint64(seed), 0x68656164726f6f6d))
	}
	b.run.Start = Epoch + s.duration("offset", "0s")
	b.run.End = max(b.run.End, b.run.Start+int64(length))
	b.run.Response = b.run.Response || s.text("response", "no") == "yes"
	b.run.Workers = int(s.number("workers", "0"))
	p50, p99 := s.duration("p50", "8ms"), s.duration("p99", "0s")
	from, until := s.duration("from", "0s"), s.duration("until", length.String())
	scenario, op, target := s.text("scenario", "default"), s.text("op", ""), s.text("target", "")
	count := int64(rate * length.Seconds())
	b.requests = slices.Grow(b.requests, int(count))
	for i := range count {
		at := int64(float64(i) * 1e9 / rate)
		if at < from || at >= until {
			continue
		}
		b.requests = append(b.requests, request{start: at, service: b.latency(p50, p99), scenario: scenario, op: op, target: target, outcome: runs.OK})
	}
}

// latency draws a service time: p50 itself, or log-normal with that median and
// 99th percentile (whose standard normal quantile is 2.326).
func (b *builder) latency(p50, p99 int64) int64 {
	if p99 <= p50 {
		return p50
	}
	sigma := math.Log(float64(p99)/float64(p50)) / 2.3263478740408408
	return int64(float64(p50) * math.Exp(sigma*b.rnd.NormFloat64()))
}

// spans calls fn for each time that a thing happens.
func (b *builder) spans(s *statement, fn func(from, to int64)) {
	at, length := s.duration("at", "-"), s.duration("for", "-")
	every, until := s.duration("every", "0s"), s.duration("until", (time.Duration(at)+1).String())
	if s.err != nil || length < 0 {
		return
	}
	for ; at < until; at += every {
		fn(at, at+length)
		if every <= 0 {
			return
		}
	}
}

func (b *builder) planted(kind string, from, to int64, share float64) {
	b.run.Truth = append(b.run.Truth, Episode{kind, from, to, share})
}

func (b *builder) freeze(s *statement) {
	share := s.number("share", "1")
	b.spans(s, func(from, to int64) {
		b.planted("freeze", from, to, share)
		for i := range b.requests {
			q := &b.requests[i]
			end := q.start + q.wait + q.service
			if q.start >= to || end <= from || share < 1 && b.rnd.Float64() >= share {
				continue
			}
			q.service += to - max(from, q.start+q.wait)
		}
	})
}

func (b *builder) each(s *statement, fn func(*request)) {
	share := s.number("share", "1")
	b.spans(s, func(from, to int64) {
		for i := range b.requests {
			if q := &b.requests[i]; q.start >= from && q.start < to && (share >= 1 || b.rnd.Float64() < share) {
				fn(q)
			}
		}
	})
}

func (b *builder) slow(s *statement) {
	by := s.duration("by", "-")
	b.each(s, func(q *request) { q.service += by })
}

func (b *builder) errors(s *statement) {
	b.each(s, func(q *request) { q.outcome = runs.Failed })
}

// stall holds the generator: what was due is sent when it goes on. With a
// recorded plan (response=yes) that is a wait, else a later start.
func (b *builder) stall(s *statement) {
	b.spans(s, func(from, to int64) {
		b.planted("stall", from, to, 1)
		for i := range b.requests {
			q := &b.requests[i]
			if q.start < from || q.start >= to {
				continue
			}
			if b.run.Response {
				q.wait += to - q.start
			} else {
				q.start = to + (q.start-from)/1000
			}
		}
	})
}

func (b *builder) silence(s *statement) {
	b.spans(s, func(from, to int64) {
		b.requests = slices.DeleteFunc(b.requests, func(q request) bool { return q.start >= from && q.start < to })
	})
}

func (b *builder) drops(s *statement) {
	every := s.duration("every", "-")
	at, length := s.duration("at", "-"), s.duration("for", "-")
	for t := at; s.err == nil && every > 0 && t < at+length; t += every {
		b.requests = append(b.requests, request{start: t, scenario: "default", outcome: runs.Dropped})
	}
}

func (b *builder) request(s *statement) {
	at, latency, every := s.duration("at", "-"), s.duration("latency", "-"), s.duration("every", "1us")
	scenario, op := s.text("scenario", "default"), s.text("op", "")
	for i := range int64(s.number("n", "1")) {
		b.requests = append(b.requests, request{start: at + i*every, service: latency, scenario: scenario, op: op, outcome: runs.OK})
	}
}
