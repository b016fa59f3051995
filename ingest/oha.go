package ingest

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"headroom/runs"
)

// OhaJSON reads the report of oha --output-format json (https://github.com/hatoo/oha).
var OhaJSON = &Importer{
	Name: "oha-json",
	Doc: `oha report (oha --output-format json, or --json)

Recognised by an object with summary.requestsPerSec and responseTimeHistogram.
Times are seconds. oha's requestsPerSec counts requests that its own deadline
aborted, its successRate leaves them out; here they are apart, as "aborted". On
total failure values are null and the histogram's key is the text NaN: they are
not known. A bucket holds the values up to its key, from above the one before;
the buckets become rows only where the start is given (--start).`,
	Gives: []string{"manifest: summaries", "histograms, with --start"},
	Lacks: []string{"single requests, and when they were", "the load model and the offered rate", "percentiles other than its own"},
	Sniff: func(head []byte) bool {
		return hasMembers(head, "responseTimeHistogram", "summary.requestsPerSec") || hasMembers(head, "summary.requestsPerSec", "summary.successRate")
	},
	Read: readOhaJSON,
}

// ohaAborted is oha's word for requests that it ended itself.
const ohaAborted = "aborted due to deadline"

type ohaReport struct {
	Summary struct {
		SuccessRate, Total, Slowest, Fastest, Average, RequestsPerSec jsonNumber
	}
	ResponseTimeHistogram  map[string]jsonNumber
	LatencyPercentiles     map[string]jsonNumber
	StatusCodeDistribution map[string]jsonNumber
	ErrorDistribution      map[string]jsonNumber
}

func readOhaJSON(in *Input, sink Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit, in.Meta.Basis, in.Meta.Model = "oha", "s", basisRequest, runs.UnknownLoop
	return documents(in, func(r *ohaReport) error {
		v := figures{}
		answered := v.counts("status.", r.StatusCodeDistribution)
		errors := v.counts("error.", r.ErrorDistribution)
		aborted, failed := r.ErrorDistribution[ohaAborted].scaled(0), 0.0
		if math.IsNaN(aborted) {
			aborted = 0
		}
		for _, status := range inOrder(r.StatusCodeDistribution) {
			if !strings.HasPrefix(status, "2") && !strings.HasPrefix(status, "3") {
				failed += r.StatusCodeDistribution[status].scaled(0)
			}
		}
		v.put("requests", answered+errors-aborted)
		v.put("failed", failed+errors-aborted)
		v.put("aborted", aborted)
		v.put("duration", r.Summary.Total.scaled(0))
		v.put("throughput.requests", r.Summary.RequestsPerSec.scaled(0))
		v.put("latency.min", r.Summary.Fastest.scaled(0))
		v.put("latency.mean", r.Summary.Average.scaled(0))
		v.put("latency.max", r.Summary.Slowest.scaled(0))
		for _, name := range inOrder(r.LatencyPercentiles) {
			v.put("latency."+percentileKey(strings.TrimPrefix(name, "p")), r.LatencyPercentiles[name].scaled(0))
		}
		if aborted > 0 {
			in.Note("%.0f requests were aborted by oha's deadline: its requests per second count them, its latencies do not", aborted)
		}
		in.summary("", "of oha's own samples; throughput counts aborted requests", v)
		return ohaBuckets(in, sink, r)
	})
}

// ohaBuckets places the histogram.
func ohaBuckets(in *Input, sink Sink, r *ohaReport) error {
	type bucket struct{ high, count int64 }
	var buckets []bucket
	keys := inOrder(r.ResponseTimeHistogram)
	for _, key := range keys {
		high, ok := spanSeconds([]byte(key))
		count, counted := r.ResponseTimeHistogram[key].whole(0)
		if ok && counted && count > 0 {
			buckets = append(buckets, bucket{high, count})
		}
	}
	fastest, ok := r.Summary.Fastest.whole(9)
	first := int64(math.MaxInt64)
	for _, key := range keys {
		if ns, ok := spanSeconds([]byte(key)); ok {
			first = min(first, ns)
		}
	}
	start, given := in.start()
	length, _ := r.Summary.Total.whole(9)
	switch {
	case len(buckets) == 0:
		return nil
	case !ok || first < fastest-1 || first > fastest+1:
		in.Note("the histogram's first bucket is not the fastest request: an oha whose buckets are of another kind; left out")
		return nil
	case !given:
		in.timeless(len(buckets), "buckets of its histogram")
		return nil
	}
	slices.SortStableFunc(buckets, func(a, b bucket) int { return cmp.Compare(a.high, b.high) })
	edges := make([]int64, 0, len(keys))
	for _, key := range keys {
		if ns, ok := spanSeconds([]byte(key)); ok {
			edges = append(edges, ns)
		}
	}
	slices.Sort(edges)
	in.placed("its histogram is")
	for _, b := range buckets {
		low := b.high
		if i, _ := slices.BinarySearch(edges, b.high); i > 0 {
			low = edges[i-1] + 1
		}
		h := runs.Histogram{Start: start, Length: max(length, 0), Scenario: in.NewSample().Scenario, Low: min(low, b.high), High: b.high, Count: b.count}
		if err := sink.Histogram(&h); err != nil {
			return err
		}
	}
	return nil
}

// OhaCSV reads single requests of oha --output-format csv.
var OhaCSV = &Importer{
	Name: "oha-csv",
	Doc: `oha requests (oha --output-format csv)

Recognised by its header, which begins with request-start,DNS,DNS+dialup. Times
are seconds; request-start counts from the run's start, which the file does not
hold and must be given (--start). Only requests that were answered have a row.`,
	Gives: []string{"samples: start, service, phases, status, outcome"},
	Lacks: []string{"the run's start", "requests that failed without an answer", "the load model"},
	Load:  true,
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return bytes.HasPrefix(line, []byte("request-start,DNS,DNS+dialup"))
	},
	Read: readOhaCSV,
}

func readOhaCSV(in *Input, sink Sink) error {
	if err := in.needStart(); err != nil {
		return err
	}
	in.Meta.Tool, in.Meta.LatencyUnit, in.Meta.Basis, in.Meta.Model = "oha", "s", basisRequest, runs.UnknownLoop
	in.placed("requests are")
	rows := in.csvRecords(func(line []byte) bool { return bytes.Count(line, []byte(",")) >= 6 })
	var header []string
	var at []int
	for rows.next() {
		if header == nil && rows.err == nil {
			var err error
			header = trimmed(rows.fields)
			if at, err = columnsOf([]string{"request-start", "DNS+dialup", "Response-delay", "request-duration", "status"}, header); err != nil {
				return err
			}
			continue
		}
		reason := ""
		if rows.err != nil {
			reason = "not a CSV record: " + rows.err.Error()
		} else if len(rows.fields) != len(header) {
			reason = fmt.Sprintf("%d fields where there are %d columns", len(rows.fields), len(header))
		} else {
			s := in.NewSample()
			if reason = ohaRow(in, &s, rows.fields, at); reason == "" {
				if err := sink.Sample(&s); err != nil {
					return err
				}
			}
		}
		if reason != "" {
			if err := rows.bad(in, "%s", reason); err != nil {
				return err
			}
		}
	}
	in.Meta.FailuresHidden = true
	in.Note("requests without an answer have no row in this file")
	return rows.l.Finish()
}

func ohaRow(in *Input, s *runs.Sample, fields []string, at []int) (reason string) {
	var ns [4]int64
	for i := range ns {
		v, ok := spanSeconds([]byte(strings.TrimSpace(fields[at[i]])))
		if !ok || v < 0 {
			return fmt.Sprintf("%q is no number of seconds", clip(fields[at[i]]))
		}
		ns[i] = v
	}
	s.Start, s.StartNS = in.clock(ns[0])
	s.Connecting, s.Waiting, s.Service = ns[1], ns[2], ns[3]
	s.Status = cutTag(strings.Clone(strings.TrimSpace(fields[at[4]])))
	s.Outcome = in.httpOutcome(s.Status)
	return ""
}

// httpOutcome tells how a request with an HTTP status ended.
func (in *Input) httpOutcome(status string) runs.Outcome {
	switch {
	case slices.Contains(in.Opt.Rejected, status):
		return runs.Rejected
	case len(status) == 3 && isDigits([]byte(status)) && (status[0] == '2' || status[0] == '3'):
		return runs.OK
	}
	return runs.Failed
}
