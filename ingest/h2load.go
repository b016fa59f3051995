package ingest

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"headroom/internal/pattern"
	"headroom/runs"
)

// H2loadLog reads the log of h2load --log-file
// (https://nghttp2.org/documentation/h2load.1.html).
var H2loadLog = &Importer{
	Name: "h2load-log",
	Doc: `h2load log (h2load --log-file FILE)

Recognised by lines of three numbers parted by tabs: the start in microseconds of
the Unix epoch, the status, and the duration in microseconds. A status of -1 is a
request that failed. Lines are in the order of completion.`,
	Gives: []string{"samples: start, service, status, outcome"},
	Lacks: []string{"what was requested", "why a request failed", "the load model and the offered rate"},
	Load:  true,
	Sniff: func(head []byte) bool { return sniffRows(head, isH2loadRow) },
	Read:  readH2loadLog,
}

func isH2loadRow(fields [][]byte) bool {
	if len(fields) != 3 || len(fields[0]) != 16 || !isDigits(fields[0]) || !isDigits(fields[2]) {
		return false
	}
	start, ok := scaled(fields[0], 0)
	return ok && epochUnit(start) == time.Microsecond && (string(fields[1]) == "-1" || len(fields[1]) == 3 && isDigits(fields[1]))
}

func readH2loadLog(in *Input, sink Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit, in.Meta.Zone, in.Meta.Resolution = "h2load", "µs", "Unix epoch, by format", 1
	in.Meta.Model, in.Meta.Basis = runs.UnknownLoop, basisRequest
	words := map[string]string{}
	lines := in.Lines()
	for lines.Next() {
		fields := bytes.Fields(lines.Bytes())
		var err error
		switch {
		case lines.Cut(): // perhaps inside the duration
			err = in.BadAt(lines, "cut")
		case len(fields) == 0:
		case !isH2loadRow(fields):
			err = in.Bad(lines.Number(), "not a start, a status and a duration: %q", clip(string(lines.Bytes())))
		default:
			var s runs.Sample
			if s, err = h2loadSample(in, fields, words); err == nil {
				err = sink.Sample(&s)
			} else {
				err = in.Bad(lines.Number(), "%v", err)
			}
		}
		if err != nil {
			return err
		}
	}
	return lines.Finish()
}

func h2loadSample(in *Input, fields [][]byte, words map[string]string) (runs.Sample, error) {
	s := in.NewSample()
	start, _ := scaled(fields[0], 0)
	ns, ok := scaled(fields[2], 3)
	if !ok || ns > maxDuration {
		return s, fmt.Errorf("a duration of %s µs is none that can be", clip(string(fields[2])))
	}
	status, known := words[string(fields[1])]
	if !known {
		status = string(fields[1])
		words[status] = status // at most a thousand of them: three digits, or -1
	}
	s.Start, s.Service, s.Status = start, ns, status
	if s.Outcome = in.httpOutcome(status); status == "-1" {
		s.Outcome = runs.Failed
	}
	return s, nil
}

// H2loadOutput reads what h2load prints.
var H2loadOutput = &Importer{
	Name: "h2load-output",
	Doc: `h2load output

Recognised by the lines "finished in …" and "time for request:". Times have their
unit attached; req/s of the last line are of single clients.`,
	Gives: []string{"manifest: summaries"},
	Lacks: []string{"single requests, and when they were", "percentiles", "the offered rate"},
	Sniff: func(head []byte) bool {
		return inHead(head, h2loadFinished, "time for request:")
	},
	Read: readH2loadOutput,
}

var (
	h2loadFinished = pattern.New(`(?m)^finished in ([\d.]+\w+), ([\d.]+) req/s`)
	h2loadRequests = pattern.New(`^requests: (\d+) total, (\d+) started, (\d+) done, (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout`)
	h2loadStatus   = pattern.New(`(\d+) (\dxx)`)
	h2loadClients  = pattern.New(`spawning thread #\d+: (\d+) total client`)
)

func readH2loadOutput(in *Input, _ Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit = "h2load", "µs to s, as printed"
	in.Meta.Model, in.Meta.Basis = runs.UnknownLoop, basisRequest
	v := figures{}
	lines := in.Lines()
	for lines.Next() {
		line := string(lines.Bytes())
		if m := h2loadClients.FindStringSubmatch(line); m != nil {
			in.Meta.Concurrency = min(in.Meta.Concurrency+atMostInt(m[1]), 1<<30)
		}
		if m := h2loadFinished.FindStringSubmatch(line); m != nil {
			putDuration(v, "duration", m[1])
			v.put("throughput.requests", jsonNumber(m[2]).scaled(0))
		}
		if m := h2loadRequests.FindStringSubmatch(line); m != nil {
			for i, name := range []string{"requests.planned", "requests.sent", "requests", "successful", "failed", "errors", "timeouts"} {
				v.put(name, jsonNumber(m[i+1]).scaled(0))
			}
		}
		if strings.HasPrefix(line, "status codes: ") {
			for _, m := range h2loadStatus.FindAllStringSubmatch(line, -1) {
				v.put("status."+m[2], jsonNumber(m[1]).scaled(0))
			}
		}
		if rest, ok := strings.CutPrefix(line, "time for request:"); ok {
			names := []string{"latency.min", "latency.max", "latency.mean", "latency.stddev"}
			for i, f := range strings.Fields(rest) {
				if i < len(names) {
					putDuration(v, names[i], f)
				}
			}
		}
	}
	in.summary("", "of h2load's own samples, as printed", v)
	return lines.Finish()
}
