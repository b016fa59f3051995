package ingest

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"headroom/internal/pattern"
	"headroom/runs"
)

// Hey reads the report that hey prints.
var Hey = &Importer{
	Name: "hey",
	Doc: `hey's own report (its standard output)

Recognised by "Summary:" above lines of "Total:" and "Requests/sec:" and
"Response time histogram:" or "Status code distribution:". Gives what hey says:
answers by status, errors, rate, latency. Failed is what was answered with
another status than 2xx or 3xx and every error of the "Error distribution". The
histogram (ten buckets with edges printed in whole ms) becomes one if the start
of the run is given (--start), since the report has none. Percentiles that hey
could not compute (NaN) are left out.`,
	Gives: []string{"histograms: response times (with --start)", "manifest: summaries"},
	Lacks: []string{"single requests, and when they were: it has no start", "the number of workers and the offered rate"},
	Load:  true,
	Sniff: func(head []byte) bool {
		return inHead(head, heySummary, "Summary:") && (bytes.Contains(head, []byte("Response time histogram:")) || bytes.Contains(head, []byte("Status code distribution:")) || bytes.Contains(head, []byte("Error distribution:")))
	},
	Read: readHey,
}

var (
	heySummary    = pattern.New(`(?m)^Summary:\r?\n\s+Total:\s+\S+ secs\r?\n`)
	heyValue      = pattern.New(`^\s+(Total|Slowest|Fastest|Average|Requests/sec|Total data):\s+(\S+)`)
	heyBucket     = pattern.New(`^\s+(\d+\.\d+) \[(\d+)\]`)
	heyPercentile = pattern.New(`^\s+(\d+)%+ in (\S+) secs`)
	heyStatus     = pattern.New(`^\s+\[(\d+)\]\s+(\d+) responses`)
	heyError      = pattern.New(`^\s+\[(\d+)\]\s+(.+)$`)
)

var heyValues = map[string]string{
	"Total": "duration", "Slowest": "latency.max", "Fastest": "latency.min", "Average": "latency.mean",
	"Requests/sec": "throughput.requests", "Total data": "bytes_in",
}

// heyReport gathers a report.
type heyReport struct {
	values  map[string]float64
	section string
	edges   []int64 // ns: the top of each bucket
	counts  []int64
	errors  []string
}

func readHey(in *Input, sink Sink) error {
	r := heyReport{values: map[string]float64{}}
	lines := in.Lines()
	for lines.Next() {
		r.line(strings.TrimRight(string(lines.Bytes()), " \t"))
	}
	if err := lines.Finish(); err != nil {
		return err
	}
	m := &in.Meta
	m.Tool, m.LatencyUnit, m.Model, m.Basis = "hey", "s", runs.ClosedLoop, basisRequest
	m.ModelAs = "hey's workers"
	if len(r.errors) > 0 {
		in.Note("errors: %s", clipList(r.errors))
	}
	if r.values["requests"] == 0 {
		for name := range r.values {
			if strings.HasPrefix(name, "latency.") {
				delete(r.values, name)
			}
		}
		in.Note("no request was answered: there is no latency")
	}
	m.Summaries = append(m.Summaries, runs.Summary{Source: in.Name, Values: r.values, Method: "requests = answers; latency.p* by rank among at most 1,000,000 of them, printed to 0.1 ms"})
	return r.place(in, sink)
}

// line takes one line of the report.
func (r *heyReport) line(line string) {
	if line != "" && line[0] != ' ' && line[0] != '\t' {
		r.section = strings.TrimSuffix(line, ":")
		return
	}
	switch r.section {
	case "Summary":
		if m := heyValue.FindStringSubmatch(line); m != nil {
			if v, ok := shifted([]byte(m[2]), 0); ok && startsNumber([]byte(m[2])) {
				r.values[heyValues[m[1]]] = v
			}
		}
	case "Response time histogram":
		if m := heyBucket.FindStringSubmatch(line); m != nil && len(r.edges) < maxSpectrum {
			edge, okEdge := scaled([]byte(m[1]), 9)
			n, okCount := scaled([]byte(m[2]), 0)
			if okEdge && okCount && edge < maxDuration {
				r.edges, r.counts = append(r.edges, edge), append(r.counts, n)
			}
		}
	case "Latency distribution":
		if m := heyPercentile.FindStringSubmatch(line); m != nil {
			if v, ok := shifted([]byte(m[2]), 0); ok && startsNumber([]byte(m[2])) && len(r.values) < maxSummary {
				r.values["latency.p"+m[1]] = v
			}
		}
	case "Status code distribution":
		if m := heyStatus.FindStringSubmatch(line); m != nil && len(r.values) < maxSummary {
			n, _ := strconv.ParseFloat(m[2], 64)
			r.values["requests"] += n
			r.values["status."+m[1]] = n
			r.values["failed"] += 0
			if c := m[1][0]; c != '2' && c != '3' {
				r.values["failed"] += n
			}
		}
	case "Error distribution":
		if m := heyError.FindStringSubmatch(line); m != nil {
			n, _ := strconv.ParseFloat(m[1], 64)
			r.values["failed"] += n
			r.values["errors"] += n
			if len(r.errors) < maxReports {
				r.errors = append(r.errors, m[1]+" × "+clip(m[2]))
			}
		}
	}
}

// heyRounding is how far a printed edge may be from the edge, in ns.
const heyRounding = 500_000

// place writes the buckets as a histogram from the start that was given. hey
// counts a request in the first bucket whose edge it does not exceed. Edges are
// printed in whole ms, so each bucket is as wide as what may be in it.
func (r *heyReport) place(in *Input, sink Sink) error {
	if len(r.edges) == 0 {
		return nil
	}
	if in.Opt.Start.IsZero() {
		in.Note("the histogram was left out: the report has no time axis of its own; give a start (--start)")
		return nil
	}
	in.Meta.Zone = "start as given"
	in.Note("the edges of the histogram are printed in whole ms: its buckets are wider by half of one on either side")
	h := runs.Histogram{Start: in.Opt.Start.UnixMicro(), Scenario: in.NewSample().Scenario}
	if d := r.values["duration"]; d < maxDuration/1e9 {
		h.Length = int64(math.Round(d * 1e9))
	}
	low := int64(0)
	for i, edge := range r.edges {
		h.Low, h.High, h.Count = max(low-heyRounding, 0), max(edge, low)+heyRounding, r.counts[i]
		if h.Count > 0 {
			if err := sink.Histogram(&h); err != nil {
				return err
			}
		}
		low = edge
	}
	return nil
}
