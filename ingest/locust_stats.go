package ingest

import (
	"headroom/runs"
)

// LocustStats reads the statistics of locust --csv (PREFIX_stats.csv).
var LocustStats = &Importer{
	Name: "locust-stats",
	Doc: `Locust statistics (locust --csv PREFIX: PREFIX_stats.csv)

Recognised by the columns "Request Count" and "Failure Count" without
"Timestamp" (before version 1.0 "# requests" and "# failures"). Each row is kept
as Locust's own summary of a request, the row Aggregated as that of all. Locust
counts failed requests among the requests and their times among the latencies,
and rounds times to two digits before it takes percentiles, so a percentile can
exceed the largest time. The file may be older than the table on the console:
Locust writes it now and then.`,
	Gives: []string{"manifest: summaries"},
	Lacks: []string{"single requests, and when they were", "exact percentiles", "requests since the file was last written"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return isLocust(head, "name", "request count", "failure count") && !isLocust(head, "timestamp") && len(locustHeader(line)) >= 8
	},
	Read: readLocustStats,
}

// locustSummary are the columns of the statistics, what they are here, and the
// power of ten that makes SI units of them.
var locustSummary = []struct {
	column, name string
	power        int
}{
	{"request count", "requests", 0}, {"failure count", "failed", 0},
	{"average response time", "latency.mean", -3}, {"min response time", "latency.min", -3}, {"max response time", "latency.max", -3},
	{"requests/s", "throughput.requests", 0},
}

func readLocustStats(in *Input, _ Sink) error {
	t := newLocustTable(in)
	m := &in.Meta
	m.Tool, m.LatencyUnit, m.Model, m.Basis = "locust", "ms", runs.ClosedLoop, basisRequest
	m.ModelAs = "Locust's users"
	for {
		ok, err := t.next()
		if err != nil {
			return err
		}
		if !ok {
			return nil
		}
		values := map[string]float64{}
		for _, c := range locustSummary {
			if v, ok := t.number(c.column, c.power); ok {
				values[c.name] = v
			}
		}
		for _, p := range locustPercentiles {
			if v, ok := t.number(p.column, -3); ok {
				values["latency."+p.name] = v
			}
		}
		if values["requests"] == 0 { // its zeros are of nothing
			for name := range values {
				if name != "requests" && name != "failed" {
					delete(values, name)
				}
			}
		}
		if len(m.Summaries) >= maxSummary {
			in.Note("only the first %d rows were kept", maxSummary)
			return nil
		}
		m.Summaries = append(m.Summaries, runs.Summary{Source: in.Name, Of: cutTag(t.series()), Values: values, Method: locustMethod})
	}
}
