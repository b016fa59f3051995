package ingest

import (
	"math"
	"strings"

	"headroom/runs"
)

// Fortio reads results of fortio load -json, and of nighthawk in Fortio's form
// (https://github.com/fortio/fortio/wiki/FAQ).
var Fortio = &Importer{
	Name: "fortio-json",
	Doc: `Fortio result (fortio load -json FILE), also as nighthawk writes it

Recognised by an object with DurationHistogram and StartTime. Bucket by bucket it
becomes a histogram of the whole run; a bucket holds the values above its start up
to its end, the first one its start too. Percentiles are interpolated within
buckets, of a millisecond unless -r says otherwise. DurationHistogram counts
failed calls as well. Nighthawk writes counts in quotes and its duration in
another unit, which is left out.`,
	Gives: []string{"histograms", "manifest: summaries, load (threads, requested rate)"},
	Lacks: []string{"single requests", "latency by status", "warm-up calls"},
	Sniff: func(head []byte) bool {
		return hasMembers(head, "DurationHistogram") || hasMembers(head, "RequestedQPS", "ActualQPS", "RunType")
	},
	Read: readFortio,
}

type fortioResult struct {
	RunType, StartTime, Version string
	RequestedQPS                jsonNumber
	ActualQPS, ActualDuration   jsonNumber
	NumThreads                  jsonNumber
	DurationHistogram           fortioHistogram
	ErrorsDurationHistogram     *fortioHistogram
	RetCodes                    map[string]jsonNumber
}

type fortioHistogram struct {
	Count, Min, Max, Avg, StdDev jsonNumber
	Data                         []struct{ Start, End, Count jsonNumber }
	Percentiles                  []struct{ Percentile, Value jsonNumber }
}

func readFortio(in *Input, sink Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit = "fortio", "s"
	in.Meta.Model, in.Meta.Basis = runs.ClosedLoop, basisRequest
	in.Meta.ModelAs = "Fortio's connections"
	return documents(in, func(r *fortioResult) error {
		in.Meta.Version = cutTag(r.Version)
		in.Meta.Concurrency = atMostInt(string(r.NumThreads))
		if rate := r.RequestedQPS.scaled(0); rate > 0 {
			in.Meta.Rate = rate
		}
		r.describe(in)
		return r.buckets(in, sink)
	})
}

// fortioOK are the words that Fortio has for success, but for HTTP statuses.
var fortioOK = map[string]bool{"SERVING": true, "OK": true, "0": true}

// describe records what the result says of the whole run.
func (r *fortioResult) describe(in *Input) {
	v, h := figures{}, &r.DurationHistogram
	v.counts("status.", r.RetCodes)
	failed := 0.0
	for _, code := range inOrder(r.RetCodes) {
		if !fortioOK[code] && !strings.HasPrefix(code, "2") && !strings.HasPrefix(code, "3") {
			failed += r.RetCodes[code].scaled(0)
		}
	}
	if len(r.RetCodes) > 0 {
		v.put("failed", failed)
	}
	v.put("requests", h.Count.scaled(0))
	v.put("throughput.requests", r.ActualQPS.scaled(0))
	if d := r.ActualDuration.scaled(-9); d >= 1e-3 {
		v.put("duration", d)
	}
	v.put("latency.min", h.Min.scaled(0))
	v.put("latency.mean", h.Avg.scaled(0))
	v.put("latency.max", h.Max.scaled(0))
	v.put("latency.stddev", h.StdDev.scaled(0))
	for _, p := range h.Percentiles {
		v.put("latency."+percentileKey(string(p.Percentile)), p.Value.scaled(0))
	}
	in.summary("", "interpolated within buckets", v)
}

// buckets writes the histogram of the run.
func (r *fortioResult) buckets(in *Input, sink Sink) error {
	start, err := in.Stamps().Parse(r.StartTime)
	if err != nil {
		if us, ok := in.start(); ok {
			start = us * 1000
			in.placed("its histogram is")
		} else {
			in.timeless(len(r.DurationHistogram.Data), "buckets of its histogram")
			return nil
		}
	}
	length, _ := r.ActualDuration.whole(0)
	if length < 1e6 { // less than a millisecond is nighthawk's other unit
		length = 0
	}
	scenario, sum := in.NewSample().Scenario, int64(0)
	for i, b := range r.DurationHistogram.Data {
		low, ok1 := spanSeconds([]byte(b.Start))
		high, ok2 := spanSeconds([]byte(b.End))
		n, ok3 := b.Count.whole(0)
		switch {
		case !ok1 || !ok2 || !ok3 || low > high || n < 0:
			in.Note("bucket %d cannot be read and was left out", i+1)
			continue
		case n == 0:
			continue
		case i > 0 && low < high:
			low++ // its start belongs to the bucket before
		}
		sum += n
		h := runs.Histogram{Start: micros(start), Length: length, Scenario: scenario, Low: low, High: high, Count: n}
		if err := sink.Histogram(&h); err != nil {
			return err
		}
	}
	if count := r.DurationHistogram.Count.scaled(0); !math.IsNaN(count) && count != float64(sum) {
		in.Note("its buckets hold %d values, it says %.0f", sum, count)
	}
	return nil
}
