package ingest

import (
	"bytes"
	"strconv"
	"strings"

	"headroom/runs"
)

// VegetaHDRPlot reads the percentile table of vegeta report -type hdrplot.
var VegetaHDRPlot = &Importer{
	Name: "vegeta-hdrplot",
	Doc: `vegeta percentile table (vegeta report -type hdrplot)

Recognised by the header "Value(ms) Percentile TotalCount 1/(1-Percentile)". The
values are ms and estimates of a t-digest, the counts are computed from the
percentiles: nothing in it was counted. The percentiles 50, 90 and 95 (99 is not
among its rows), the extremes and the number of requests are kept.`,
	Gives: []string{"manifest: summaries"},
	Lacks: []string{"single requests, and when they were", "failures", "exact percentiles"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return strings.Join(strings.Fields(string(line)), " ") == "Value(ms) Percentile TotalCount 1/(1-Percentile)"
	},
	Read: readVegetaHDRPlot,
}

// hdrplotValues are the percentiles of the table that have a name here.
var hdrplotValues = map[string]string{
	"0.500000": "latency.p50", "0.900000": "latency.p90", "0.950000": "latency.p95", "1.000000": "latency.max", "0.000000": "latency.min",
}

func readVegetaHDRPlot(in *Input, _ Sink) error {
	values := map[string]float64{}
	lines := in.Lines()
	for lines.Next() {
		fields := bytes.Fields(lines.Bytes())
		if len(fields) == 0 || lines.Number() == 1 {
			continue
		}
		if len(fields) != 4 {
			if err := in.BadAt(lines, "%d fields where a row has 4", len(fields)); err != nil {
				return err
			}
			continue
		}
		ms, okValue := shifted(fields[0], -3)
		share, errShare := strconv.ParseFloat(string(fields[1]), 64)
		count, okCount := scaled(fields[2], 0)
		if !okValue || errShare != nil || !okCount || share < 0 || share > 1 {
			if err := in.BadAt(lines, "not three numbers: %q", clip(string(lines.Bytes()))); err != nil {
				return err
			}
			continue
		}
		if name := hdrplotValues[string(fields[1])]; name != "" {
			values[name] = ms
		}
		values["requests"] = float64(count)
	}
	m := &in.Meta
	m.Tool, m.LatencyUnit = "vegeta", "ms"
	if len(values) > 0 {
		m.Summaries = append(m.Summaries, runs.Summary{Source: in.Name, Values: values, Method: "latency.p* by t-digest"})
	}
	return lines.Finish()
}
