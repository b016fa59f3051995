package runtest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/runs"
)

func (b *builder) length() int64 { return b.run.End - b.run.Start }

// marker plants dated things; keys of no meaning here are its attributes.
func (b *builder) marker(s *statement) {
	at, lasting := s.duration("at", "-"), s.duration("lasting", "-1ns")
	every, until := s.duration("every", "0s"), s.duration("until", (time.Duration(at)+1).String())
	kind, source, message := s.text("kind", ""), s.text("source", "postgresql.log"), s.text("message", "")
	attrs := map[string]any{}
	for key, text := range s.keys {
		if s.used[key] {
			continue
		}
		if v, err := strconv.ParseFloat(s.text(key, ""), 64); err == nil {
			attrs[key] = v
		} else {
			attrs[key] = text
		}
	}
	encoded := ""
	if len(attrs) > 0 {
		j, err := json.Marshal(attrs) // sorted by name
		if err != nil {
			s.fail("attributes: %v", err)
		}
		encoded = string(j)
	}
	for ; s.err == nil && at < until; at += every {
		m := runs.Marker{Time: (b.run.Start + at) / 1000, Source: source, Kind: kind, Message: message, Attrs: encoded, Duration: runs.Missing, PID: runs.Missing}
		if lasting >= 0 {
			m.Duration = lasting
		}
		b.run.Markers = append(b.run.Markers, m)
		if every <= 0 {
			return
		}
	}
}

// sessions plants what a sampler of the database's sessions sees.
func (b *builder) sessions(s *statement) {
	at, length, step := s.duration("at", "0s"), s.duration("for", time.Duration(b.length()).String()), s.duration("step", "500ms")
	a := runs.Activity{Source: "activity", BackendType: s.text("backend", "client backend"), State: s.text("state", "active")}
	a.WaitType, a.Wait, _ = strings.Cut(s.text("wait", ""), ":")
	n := int64(s.number("n", "-"))
	pid := int64(s.number("pid", strconv.Itoa(1000+100*len(b.run.Activity)%90000)))
	if step <= 0 || s.err != nil {
		s.fail("step must be positive")
		return
	}
	for t := at; t < at+length; t += step {
		for i := range n {
			a.Time, a.PID = (b.run.Start+t)/1000, pid+i
			b.run.Activity = append(b.run.Activity, a)
		}
	}
}

func (b *builder) claim(s *statement) {
	gained := s.text("gained", "")
	for key := range s.keys {
		if key != "gained" {
			b.run.Claims[key], b.run.Gained[key] = s.text(key, ""), gained
		}
	}
}

// finish turns what was collected into rows, in order of time.
func (b *builder) finish() {
	slices.SortStableFunc(b.requests, func(x, y request) int { return order(x.start, y.start) })
	b.run.Samples = slices.Grow(b.run.Samples, len(b.requests))
	for i := range b.requests {
		q := &b.requests[i]
		s := runs.NewSample()
		s.Start, s.StartNS = runs.SplitNanos(b.run.Start + q.start)
		s.Service, s.Scenario, s.Op, s.Target, s.Outcome = q.service, q.scenario, q.op, q.target, q.outcome
		if b.run.Response {
			s.Wait = q.wait
		}
		if !q.outcome.Sent() {
			s.Wait, s.Service = runs.Missing, runs.Missing
		}
		b.run.Samples = append(b.run.Samples, s)
	}
	for i := range b.run.Truth {
		b.run.Truth[i].Start += b.run.Start
		b.run.Truth[i].End += b.run.Start
	}
	slices.SortStableFunc(b.run.Points, func(x, y runs.Point) int { return order(x.Time, y.Time) })
	b.grow()
	slices.SortStableFunc(b.run.Activity, func(x, y runs.Activity) int { return order(x.Time, y.Time) })
	slices.SortStableFunc(b.run.Markers, func(x, y runs.Marker) int { return order(x.Time, y.Time) })
}

func order(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
