package ingest

import (
	"bytes"
	"strings"

	"headroom/internal/pattern"
	"headroom/runs"
)

// AutocannonJSON reads the result of autocannon --json
// (https://github.com/mcollina/autocannon).
var AutocannonJSON = &Importer{
	Name: "autocannon-json",
	Doc: `autocannon result (autocannon --json)

Recognised by an object with latency.p99, requests.total and 2xx. Latencies are
whole milliseconds, so that everything below one is 0. requests and throughput
are statistics of one sample a second, not of requests; of them only the totals
are kept. With a rate (-R) latencies are filled up for coordinated omission, and
latency.totalCount exceeds the requests: the percentiles are then not those of
the requests, which is said. With a warm-up (-W) there are two documents, and the
first is the warm-up.`,
	Gives: []string{"manifest: summaries, load (connections)"},
	Lacks: []string{"single requests", "latency below a millisecond", "the offered rate"},
	Sniff: func(head []byte) bool { return hasMembers(head, "latency.p99", "requests.total", "2xx") },
	Read:  readAutocannonJSON,
}

type autocannonResult struct {
	Connections              int
	Duration                 jsonNumber
	Start, Finish            string
	Errors, Timeouts, Non2xx jsonNumber
	Resets                   jsonNumber
	C1xx                     jsonNumber `json:"1xx"`
	C2xx                     jsonNumber `json:"2xx"`
	C3xx                     jsonNumber `json:"3xx"`
	C4xx                     jsonNumber `json:"4xx"`
	C5xx                     jsonNumber `json:"5xx"`
	Latency                  map[string]jsonNumber
	Requests                 struct{ Total, Sent jsonNumber }
	StatusCodeStats          map[string]struct{ Count jsonNumber }
}

func readAutocannonJSON(in *Input, _ Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit = "autocannon", "ms"
	in.Meta.Model, in.Meta.Basis = runs.ClosedLoop, basisRequest
	in.Meta.ModelAs = "autocannon's connections"
	var all []*autocannonResult
	err := documents(in, func(r *autocannonResult) error {
		if len(all) < maxMetrics {
			all = append(all, r)
		}
		return nil
	})
	for i, r := range all {
		of := ""
		if i < len(all)-1 {
			of = "warm-up"
		}
		r.describe(in, of)
	}
	if len(all) > 1 {
		in.Note("%d documents: the last is the measured run, the ones before are warm-up", len(all))
	}
	return err
}

// describe records one document.
func (r *autocannonResult) describe(in *Input, of string) {
	in.Meta.Concurrency = max(r.Connections, 0)
	v := figures{}
	v.counts("status.", map[string]jsonNumber{"1xx": r.C1xx, "2xx": r.C2xx, "3xx": r.C3xx, "4xx": r.C4xx, "5xx": r.C5xx})
	for _, status := range inOrder(r.StatusCodeStats) {
		v.put("status."+status, r.StatusCodeStats[status].Count.scaled(0))
	}
	v.put("requests", r.Requests.Total.scaled(0))
	v.put("requests.sent", r.Requests.Sent.scaled(0))
	v.put("failed", r.Non2xx.scaled(0)+r.Errors.scaled(0))
	v.put("errors", r.Errors.scaled(0))
	v.put("timeouts", r.Timeouts.scaled(0))
	v.put("resets", r.Resets.scaled(0))
	v.put("duration", r.Duration.scaled(0))
	method := "HdrHistogram of whole milliseconds"
	for _, name := range inOrder(r.Latency) {
		n := r.Latency[name]
		switch name {
		case "mean", "stddev", "min", "max":
			v.put("latency."+name, n.scaled(-3))
		case "totalCount":
			v.put("latency.count", n.scaled(0))
			if n.scaled(0) > v["requests"] {
				method = "HdrHistogram of whole milliseconds, filled up for coordinated omission"
				in.Note("%s latencies of %s requests: autocannon filled them up for coordinated omission (-R); no percentile is one of the requests", clip(string(n)), clip(string(r.Requests.Total)))
			}
		default:
			if p := strings.TrimPrefix(name, "p"); p != name && p != "" && isDigit(p[0]) {
				v.put("latency."+percentileKey(strings.ReplaceAll(p, "_", ".")), n.scaled(-3))
			}
		}
	}
	for _, stamp := range []string{r.Start, r.Finish} {
		if stamp == "" {
			continue
		}
		if _, err := in.Stamps().Parse(stamp); err != nil {
			in.Note("start or finish cannot be read: %v", err)
		}
	}
	if r.Start != "" && of == "" {
		in.Note("it ran from %s to %s", clip(r.Start), clip(r.Finish))
	}
	in.summary(of, method, v)
}

// AutocannonTable reads the table that autocannon prints.
var AutocannonTable = &Importer{
	Name: "autocannon-text",
	Doc: `autocannon's printed table

Recognised by lines "Running … test @ URL" and a box with a row Latency. Numbers
have thousands separators and are rounded ("5k requests"): counts are taken from
the line of responses.`,
	Gives: []string{"manifest: summaries, load (connections)"},
	Lacks: []string{"single requests, and when they were", "exact totals", "the offered rate"},
	Sniff: func(head []byte) bool {
		return bytes.Contains(head, []byte("│ Latency │")) && bytes.Contains(head, []byte("test @ "))
	},
	Read: readAutocannonTable,
}

var (
	autocannonConnections = pattern.New(`^(\d+) connections`)
	autocannonResponses   = pattern.New(`([\d,]+) 2xx responses, ([\d,]+) non 2xx responses`)
	autocannonErrors      = pattern.New(`([\d,]+) errors \(([\d,]+) timeouts\)`)
	autocannonPercentile  = pattern.New(`^│ ([\d.]+)\s+│ ([\d.,]+)\s+│$`)
)

func readAutocannonTable(in *Input, _ Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit = "autocannon", "ms"
	in.Meta.Model, in.Meta.Basis = runs.ClosedLoop, basisRequest
	in.Meta.ModelAs = "autocannon's connections"
	v := figures{}
	plain := func(text string) float64 { return jsonNumber(strings.ReplaceAll(text, ",", "")).scaled(0) }
	var columns []string
	lines := in.Lines()
	for lines.Next() {
		line := strings.TrimSpace(string(ansi.ReplaceAll(lines.Bytes(), nil)))
		cells := boxCells(line)
		switch {
		case len(cells) > 2 && cells[0] == "Stat":
			columns = cells
		case len(cells) > 2 && cells[0] == "Latency" && len(cells) == len(columns):
			for i, c := range cells[1:] {
				name := map[string]string{"Avg": "mean", "Stdev": "stddev", "Max": "max", "Min": "min"}[columns[i+1]]
				if name == "" {
					name = percentileKey(strings.TrimSuffix(columns[i+1], "%"))
				}
				v.put("latency."+name, plain(strings.TrimSuffix(c, " ms"))/1e3)
			}
		}
		if m := autocannonPercentile.FindStringSubmatch(line); m != nil {
			v.put("latency."+percentileKey(m[1]), plain(m[2])/1e3)
		}
		if m := autocannonConnections.FindStringSubmatch(line); m != nil {
			in.Meta.Concurrency = atMostInt(m[1])
		}
		if m := autocannonResponses.FindStringSubmatch(line); m != nil {
			v.put("status.2xx", plain(m[1]))
			v.put("failed", plain(m[2]))
			v.put("requests", plain(m[1])+plain(m[2]))
		}
		if m := autocannonErrors.FindStringSubmatch(line); m != nil {
			v.put("errors", plain(m[1]))
			v.put("timeouts", plain(m[2]))
		}
	}
	if _, ok := v["requests"]; !ok {
		in.Note("it has no line of responses: how many requests there were is not known")
	}
	in.summary("", "HdrHistogram of whole milliseconds, as printed", v)
	return lines.Finish()
}

// boxCells splits a row of a box at its lines; nil if it is none.
func boxCells(line string) []string {
	if !strings.HasPrefix(line, "│") || !strings.HasSuffix(line, "│") {
		return nil
	}
	cells := strings.Split(strings.Trim(line, "│"), "│")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// ansi are the sequences by which a terminal is told to change colour.
var ansi = pattern.New("\x1b\\[[0-9;]*m")
