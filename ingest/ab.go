package ingest

import (
	"strconv"
	"strings"

	"headroom/internal/pattern"
	"headroom/runs"
)

// Ab reads the report that ApacheBench prints, as text or (-w) as HTML.
var Ab = &Importer{
	Name: "ab",
	Doc: `ApacheBench's own report (ab's standard output, also with -w)

Recognised by "This is ApacheBench". Gives what ab says: complete and failed
requests, answers that were not 2xx, rate, latency and its percentiles in whole
ms. ab calls an answer failed when its length differs from the first one's, so a
page that changes fails; failed here is the larger of ab's failed requests and
its non-2xx answers, since ab does not say which are both. "Time per request (mean)" is the
time of the run times the concurrency over the requests; the mean kept here is
that of the table of connection times. A report without its numbers is that of a
run that ab gave up.`,
	Gives: []string{"manifest: summaries, load (concurrency, model)"},
	Lacks: []string{"single requests, and when they were: it has no start", "which requests failed"},
	Sniff: func(head []byte) bool { return inHead(head, abBanner, "This is ApacheBench, Version ") },
	Read:  readAb,
}

var (
	abBanner     = pattern.New(`(?m)^\s*(?:<p>)?\s*This is ApacheBench, Version (\S+)`)
	abTag        = pattern.New(`<[^<>]*>|&nbsp;`)
	abValue      = pattern.New(`^\s*([A-Z][\w /-]*\w):\s+(\S+)\s*(\[[^\]]*\])?\s*(\([^)]*\))?`)
	abTotals     = pattern.New(`^\s*Total:\s+(\d+)\s+(\d+)\s+([\d.]+)\s+(\d+)\s+(\d+)\s*$`)
	abPercentile = pattern.New(`^\s*(\d+)%\s+(\d+)`)
)

// abValues are the lines with one number.
var abValues = map[string]string{
	"Complete requests": "requests", "Failed requests": "failed.ab", "Non-2xx responses": "failed.status",
	"Write errors": "failed.write", "Time taken for tests": "duration", "Requests per second": "throughput.requests",
	"Total transferred": "bytes_in", "Concurrency Level": "",
}

func readAb(in *Input, _ Sink) error {
	values := map[string]float64{}
	m := &in.Meta
	m.Tool, m.LatencyUnit, m.Model, m.Basis = "ab", "ms", runs.ClosedLoop, basisRequest
	m.ModelAs = "ab's clients"
	lines, reports := in.Lines(), 0
	for lines.Next() {
		line := string(lines.Bytes())
		if b := abBanner.FindStringSubmatch(line); b != nil {
			if reports++; reports > 1 {
				in.Note("line %d: a further report begins; only the first was read: make a file of each", lines.Number())
				break
			}
			m.Version = strings.Trim(b[1], "<>,")
		}
		abLine(abTag.ReplaceAllString(line, " "), values, m)
	}
	if err := lines.Finish(); err != nil {
		return err
	}
	if _, ok := values["requests"]; !ok {
		m.Cut = true
		in.Note("there are no results in it: ab gave the run up, or was stopped")
		return nil
	}
	if _, ok := values["failed.ab"]; ok {
		values["failed"] = max(values["failed.ab"], values["failed.status"])
	}
	m.Summaries = append(m.Summaries, runs.Summary{Source: in.Name, Values: values, Method: "whole ms; failed = the larger of ab's failed requests (length differs, too) and non-2xx answers"})
	return nil
}

// abLine takes one line of the report.
func abLine(line string, values map[string]float64, m *Meta) {
	if t := abTotals.FindStringSubmatch(line); t != nil {
		for i, name := range []string{"latency.min", "latency.mean", "latency.stddev", "", "latency.max"} {
			if v, ok := shifted([]byte(t[i+1]), -3); ok && name != "" {
				values[name] = v
			}
		}
		return
	}
	if p := abPercentile.FindStringSubmatch(line); p != nil {
		v, ok := shifted([]byte(p[2]), -3)
		if ok && p[1] != "100" && len(values) < maxSummary {
			values["latency.p"+p[1]] = v
		}
		return
	}
	v := abValue.FindStringSubmatch(line)
	if v == nil {
		return
	}
	if v[1] == "Concurrency Level" {
		m.Concurrency, _ = strconv.Atoi(v[2])
		return
	}
	name, known := abValues[v[1]]
	n, ok := shifted([]byte(v[2]), 0)
	if _, twice := values[name]; known && ok && !twice {
		values[name] = n
	}
}
