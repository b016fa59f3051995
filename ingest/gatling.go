package ingest

import (
	"fmt"
	"strings"

	"headroom/runs"
)

// gatlingReader makes rows of what both forms of simulation.log record.
type gatlingReader struct {
	in    *Input
	sink  Sink
	words intern

	scenarios       map[string]bool // that users were started of
	scenarioOfUsers map[string]string
	started, ended  int64
	requests, ko    int64
	first, last     int64 // ms: the first start and the last end of requests
	unmatched       int64 // inbound events that belong to no request
	backward        int64 // requests that ended before they began
	absurd          int64 // requests longer than maxDuration
}

func newGatlingReader(in *Input, sink Sink) *gatlingReader {
	return &gatlingReader{in: in, sink: sink, words: intern{}, scenarios: map[string]bool{}, scenarioOfUsers: map[string]string{}}
}

// gatlingRequest is one request. Times are ms since the Unix epoch.
type gatlingRequest struct {
	scenario, user, groups, name string
	start, end                   int64
	ok                           bool
	message                      string
}

// request writes a request as a sample.
func (g *gatlingReader) request(r *gatlingRequest) error {
	s := g.in.NewSample()
	if r.scenario == "" {
		r.scenario = g.scenarioOfUsers[r.user]
	}
	if r.scenario != "" {
		s.Scenario = g.words.word(r.scenario)
	}
	s.Op, s.Worker, s.Tags = g.words.word(r.name), g.words.word(r.user), g.words.labels("groups", r.groups)
	s.Start, s.StartNS = runs.SplitNanos(r.start * 1e6)
	s.Service = (r.end - r.start) * 1e6
	s.Outcome, s.Status = runs.OK, "OK"
	if !r.ok {
		s.Outcome, s.Status, s.Error = runs.Failed, "KO", g.words.word(r.message)
		for _, words := range []string{"TimeoutException", "Request timeout", "timeout after"} {
			if strings.Contains(r.message, words) {
				s.Outcome = runs.Timeout
			}
		}
		g.ko++
	}
	switch ms := r.end - r.start; {
	case ms > maxDuration/1e6 || ms < -maxDuration/1e6:
		s.Service, r.end = runs.Missing, r.start
		g.absurd++
	case ms < 0:
		g.backward++
	}
	if g.requests == 0 || r.start < g.first {
		g.first = r.start
	}
	g.last = max(g.last, r.end)
	g.requests++
	return g.sink.Sample(&s)
}

// user writes that a virtual user started or ended as a point.
func (g *gatlingReader) user(scenario string, start bool, ms int64) error {
	p := runs.Point{Time: ms * 1000, Entity: g.words.word(scenario), Metric: "gatling.users_ended", Kind: runs.Delta, Value: 1, Unit: "1"}
	if start {
		p.Metric = "gatling.users_started"
		g.started++
		if len(g.scenarios) < maxMetrics {
			g.scenarios[p.Entity] = true
		}
	} else {
		g.ended++
	}
	return g.sink.Point(&p)
}

// group writes how long a group of requests took, pauses included (duration) and
// left out (cumulated), as points at its end.
func (g *gatlingReader) group(groups string, start, end, cumulated int64, ok bool) error {
	status := "KO"
	if ok {
		status = "OK"
	}
	p := runs.Point{Time: end * 1000, Entity: g.words.word(groups), Kind: runs.Gauge, Unit: "s", Tags: g.words.labels("status", status)}
	p.Metric, p.Value = "gatling.group_duration", float64(end-start)/1e3
	if err := g.sink.Point(&p); err != nil {
		return err
	}
	p.Metric, p.Value = "gatling.group_cumulated", float64(cumulated)/1e3
	return g.sink.Point(&p)
}

// failure writes an error of the simulation that is no request's as a marker.
func (g *gatlingReader) failure(message string, ms int64) error {
	m := runs.Marker{Time: ms * 1000, Kind: "gatling.error", Message: cutTag(message), Duration: runs.Missing, PID: runs.Missing}
	return g.sink.Marker(&m)
}

// close says what the file tells as a whole.
func (g *gatlingReader) close() {
	m := &g.in.Meta
	m.Tool, m.LatencyUnit, m.Basis = "gatling", "ms", basisRequest
	m.Model = runs.UnknownLoop
	m.Zone, m.Resolution = "Unix epoch in milliseconds, by format", 1000
	if g.started > g.ended {
		g.in.Note("%d users started and %d ended: the simulation was stopped, or its log is cut", g.started, g.ended)
	}
	if g.unmatched > 0 {
		g.in.Note("%d inbound messages belong to no request and were left out", g.unmatched)
	}
	if g.backward > 0 {
		g.in.Note("%d requests have a negative duration: kept as measured, and part of no percentile", g.backward)
	}
	if g.absurd > 0 {
		g.in.Note("%d requests end more than 11 days before or after they begin, which is no duration: they are requests, and part of no percentile", g.absurd)
	}
	if len(g.scenarios) > 1 && len(g.scenarioOfUsers) == 0 {
		g.in.Note("%d scenarios ran, and the log does not say which a request is of", len(g.scenarios))
	}
}

// simulation notes what the record of the run says.
func (g *gatlingReader) simulation(class, description, version string, startMs int64) {
	g.in.Meta.Version = clip(version)
	text := ""
	if d := strings.TrimSpace(description); d != "" && d != "null" {
		text = fmt.Sprintf(" (%s)", clip(d))
	}
	g.in.Note("simulation %s%s began %s", clip(class), text, stampText(startMs*1000))
}
