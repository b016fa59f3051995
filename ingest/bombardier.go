package ingest

import (
	"bytes"
	"strings"
	"time"

	"headroom/internal/pattern"
	"headroom/runs"
)

// BombardierJSON reads the report of bombardier --print result --format json
// (https://github.com/codesenberg/bombardier).
var BombardierJSON = &Importer{
	Name: "bombardier-json",
	Doc: `bombardier report (bombardier -o json)

Recognised by an object with spec.numberOfConnections and result.latency. Its
latencies are microseconds, which the file does not say. A timeout counts among
"others" and also in the latencies. rps is a statistic of samples of the rate,
not of requests, and is not kept. With a rate bombardier limits a closed loop.`,
	Gives: []string{"manifest: summaries, load (connections, rate)"},
	Lacks: []string{"single requests, and when they were", "the histogram; percentiles other than those it prints (-l)"},
	Sniff: func(head []byte) bool { return hasMembers(head, "spec.numberOfConnections", "result.latency") },
	Read:  readBombardierJSON,
}

type bombardierReport struct {
	Spec struct {
		NumberOfConnections int
		Rate                jsonNumber
	}
	Result struct {
		TimeTakenSeconds                               jsonNumber
		Req1xx, Req2xx, Req3xx, Req4xx, Req5xx, Others jsonNumber
		Errors                                         []struct {
			Description string
			Count       jsonNumber
		}
		Latency struct {
			Mean, Stddev, Max jsonNumber
			Percentiles       map[string]jsonNumber
		}
	}
}

func readBombardierJSON(in *Input, _ Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit = "bombardier", "µs"
	in.Meta.Model, in.Meta.Basis = runs.ClosedLoop, basisRequest
	in.Meta.ModelAs = "bombardier's connections"
	return documents(in, func(r *bombardierReport) error {
		v, res := figures{}, &r.Result
		in.Meta.Concurrency = max(r.Spec.NumberOfConnections, 0)
		if rate := r.Spec.Rate.scaled(0); rate > 0 {
			in.Meta.Rate = rate
		}
		bombardierCounts(v, map[string]jsonNumber{"1xx": res.Req1xx, "2xx": res.Req2xx, "3xx": res.Req3xx, "4xx": res.Req4xx, "5xx": res.Req5xx, "others": res.Others})
		for _, e := range res.Errors {
			v.put("error."+cutTag(e.Description), e.Count.scaled(0))
		}
		v.put("duration", res.TimeTakenSeconds.scaled(0))
		v.put("latency.mean", res.Latency.Mean.scaled(-6))
		v.put("latency.stddev", res.Latency.Stddev.scaled(-6))
		v.put("latency.max", res.Latency.Max.scaled(-6))
		for _, p := range inOrder(res.Latency.Percentiles) {
			v.put("latency."+percentileKey(p), res.Latency.Percentiles[p].scaled(-6))
		}
		in.summary("", bombardierMethod, v)
		return nil
	})
}

const bombardierMethod = "of bombardier's own counts by microsecond; timeouts are in the latencies"

// bombardierCounts puts the requests by class of status.
func bombardierCounts(v figures, classes map[string]jsonNumber) {
	v.put("requests", v.counts("status.", classes))
	v.put("failed", v["status.4xx"]+v["status.5xx"]+v["status.others"])
}

// BombardierText reads what bombardier prints.
var BombardierText = &Importer{
	Name: "bombardier-text",
	Doc: `bombardier's printed report

Recognised by a line that begins with "Bombarding". Progress that was drawn over
the same line is left out. What it prints has two decimals, in units that change.`,
	Gives: []string{"manifest: summaries, load (connections)"},
	Lacks: []string{"single requests, and when they were", "more than two decimals; the offered rate"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return bytes.HasPrefix(line, []byte("Bombarding "))
	},
	Read: readBombardierText,
}

var (
	bombardierUsing  = pattern.New(`^Bombarding .* using (\d+) connection`)
	bombardierStat   = pattern.New(`^\s+Latency\s+(\S+)\s+(\S+)\s+(\S+)`)
	bombardierAt     = pattern.New(`^\s+([\d.]+)%\s+(\d\S*)$`)
	bombardierStatus = pattern.New(`(\dxx|others) - (\d+)`)
)

func readBombardierText(in *Input, _ Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit = "bombardier", "µs to s, as printed"
	in.Meta.Model, in.Meta.Basis = runs.ClosedLoop, basisRequest
	in.Meta.ModelAs = "bombardier's connections"
	v, classes := figures{}, map[string]jsonNumber{}
	lines := in.Lines()
	for lines.Next() {
		line := string(lines.Bytes())
		if m := bombardierUsing.FindStringSubmatch(line); m != nil {
			in.Meta.Concurrency = atMostInt(m[1])
		} else if m := bombardierStat.FindStringSubmatch(line); m != nil {
			for i, name := range []string{"mean", "stddev", "max"} {
				putDuration(v, "latency."+name, m[i+1])
			}
		} else if m := bombardierAt.FindStringSubmatch(line); m != nil {
			putDuration(v, "latency."+percentileKey(m[1]), m[2])
		}
		for _, m := range bombardierStatus.FindAllStringSubmatch(line, -1) {
			classes[m[1]] = jsonNumber(m[2])
		}
	}
	if len(classes) > 0 {
		bombardierCounts(v, classes)
	} else {
		in.Meta.Cut = true
		in.Note("the report is cut: it has no counts of statuses")
	}
	in.summary("", bombardierMethod, v)
	return lines.Finish()
}

// putDuration puts a length of time that is written with its unit: "3.91ms".
func putDuration(v figures, name, text string) {
	if d, err := time.ParseDuration(strings.TrimSpace(text)); err == nil {
		v.put(name, float64(d)/1e9)
	}
}

// atMostInt reads a small whole number; 0 if it is none.
func atMostInt(text string) int {
	n, ok := scaled([]byte(text), 0)
	if !ok || n < 0 || n > 1<<30 {
		return 0
	}
	return int(n)
}
