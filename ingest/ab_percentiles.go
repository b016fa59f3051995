package ingest

import (
	"bytes"
	"strings"

	"headroom/runs"
)

// AbPercentiles reads the file of ab -e.
var AbPercentiles = &Importer{
	Name: "ab-percentiles",
	Doc: `ApacheBench percentiles (ab -e FILE)

Recognised by its header "Percentage served,Time in ms". Each row says within
which time a share of the requests was served. The percentiles 50, 75, 90, 95
and 99 and the extremes are kept as ab's own summary.`,
	Gives: []string{"manifest: summaries"},
	Lacks: []string{"how many requests there were", "single requests, and when they were", "failures"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return strings.TrimSpace(string(line)) == "Percentage served,Time in ms"
	},
	Read: readAbPercentiles,
}

var abServed = map[string]string{
	"0": "latency.min", "50": "latency.p50", "75": "latency.p75", "90": "latency.p90", "95": "latency.p95",
	"99": "latency.p99", "100": "latency.max",
}

func readAbPercentiles(in *Input, _ Sink) error {
	values := map[string]float64{}
	lines := in.Lines()
	for lines.Next() {
		if lines.Number() == 1 || len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		share, text, parted := bytes.Cut(bytes.TrimSpace(lines.Bytes()), []byte(","))
		v, ok := shifted(text, -3)
		if !parted || !isDigits(share) || !ok || lines.Cut() {
			if err := in.BadAt(lines, "not a percentage and a time: %q", clip(string(lines.Bytes()))); err != nil {
				return err
			}
			continue
		}
		if name := abServed[string(share)]; name != "" {
			values[name] = v
		}
	}
	m := &in.Meta
	m.Tool, m.LatencyUnit = "ab", "ms"
	if len(values) > 0 {
		m.Summaries = append(m.Summaries, runs.Summary{Source: in.Name, Values: values, Method: "the time at that share of the sorted requests"})
	}
	return lines.Finish()
}
