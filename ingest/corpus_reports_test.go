package ingest

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// refusedReports are files that are not read, with what the refusal says.
var refusedReports = map[string]string{
	"benchbase/smallbank.config.xml":                "not a format that is known",                // the benchmark's settings, no evidence
	"sysbench/pub_tpcc_report_csv.csv":              "not a format that is known",                // somebody's own table: needs a mapping
	"hdrhistogram/hiccup.140623.1028.10646.hlog":    "an encoding of HdrHistogram before V2",     // its right answer is an error, too
	"hdrhistogram/tagged_base.hlog without a unit":  "the unit of its values is not in the file", //
	"benchbase/smallbank.results.csv without start": "no time axis of its own",                   //
	"ycsb/load.stderr-status.txt without a zone":    "the zone of its stamps is not known",       //
	"siege/pub_taurus_siege.out without a zone":     "the zone of its stamps is not known",       //
}

// reportOptions is what has to be said of files that say too little.
func reportOptions(format string) Options {
	opt := Options{Zone: time.UTC, Start: time.Date(2026, 11, 30, 15, 45, 39, 127e6, time.UTC)}
	if format == "hdrhistogram" {
		opt.TimeUnit, opt.Start = time.Nanosecond, time.Time{}
	}
	return opt
}

// readOfReports computes, from the rows and summaries of one file, what the index says,
// under the names that printedInReports gives it.
func readOfReports(format string, r *rows) map[string]float64 {
	got := map[string]float64{}
	put := func(id string, v float64) {
		got[id] = v
		got[id+" ms"], got[id+" us"], got[id+" 60"] = v*1e3, v*1e6, v*60
	}
	for i, s := range r.m.Summaries {
		for name, v := range s.Values {
			of := strings.TrimSuffix(s.Of+" ", " ") + " "
			put(strings.TrimPrefix(of, " ")+name, v)
			if i == 0 {
				put(name, v)
			}
		}
	}
	got["rate*duration"] = math.Round(got["throughput.requests"] * got["duration"])
	times := map[int64]bool{}
	for _, p := range r.points {
		times[p.Time] = true
		if strings.HasPrefix(p.Metric, "benchbase.") && p.Metric == "benchbase.requests" {
			got["requests"] += p.Value
		}
	}
	got["instants"] = float64(len(times))
	byOp := map[string][]int64{}
	var sum float64
	for _, s := range r.samples {
		byOp[s.Op] = append(byOp[s.Op], s.Service)
		sum += float64(s.Service) / 1e3
	}
	got["rows"], got["us_sum"] = float64(len(r.samples)), sum
	all := services(r.samples)
	for op, l := range byOp {
		slices.Sort(l)
		reportQuantiles(got, op+".", l)
	}
	reportQuantiles(got, "", all)
	if format == "benchbase" && len(all) > 0 { // the tool's own percentiles of these rows
		got["requests"], got["latency.p50 us"], got["latency.p99 us"] = got["rows"], got["us_p50nr"], got["us_p99nr"]
	}
	reportHistograms(got, r.histograms)
	for _, b := range r.benchmarks {
		if b.Unit == "s/op" {
			got["results"]++
			got[fmt.Sprintf("%s %d %d", strings.TrimPrefix(b.Name, "Benchmark"), b.Procs, b.Repeat)] = b.Value * 1e9
		}
	}
	return got
}

func reportQuantiles(got map[string]float64, of string, sorted []int64) {
	if len(sorted) == 0 {
		return
	}
	got[of+"n"] = float64(len(sorted))
	got[of+"us_p50nr"], got[of+"us_p99nr"] = float64(rank(sorted, 500))/1e3, float64(rank(sorted, 990))/1e3
	got[of+"us_max"] = float64(sorted[len(sorted)-1]) / 1e3
}

// reportHistograms adds the buckets of each series up, and puts the highest and the
// lowest value of the bucket of each rank. Values are in nanoseconds.
func reportHistograms(got map[string]float64, hs []runs.Histogram) {
	series := map[string]map[int64]int64{}
	starts := map[string]map[int64]bool{}
	lows := map[int64]int64{}
	for _, h := range hs {
		op := firstSet(h.Op, "(none)")
		if h.Op == "READ" { // of the log of one operation
			op = "(none)"
		}
		if series[op] == nil {
			series[op], starts[op] = map[int64]int64{}, map[int64]bool{}
		}
		series[op][h.High] += h.Count
		lows[h.High] = h.Low
		starts[op][h.Start] = true
	}
	for op, buckets := range series {
		highs, n := make([]int64, 0, len(buckets)), int64(0)
		for high, c := range buckets {
			highs = append(highs, high)
			n += c
		}
		slices.Sort(highs)
		at := func(name string, permille int64) {
			rank, seen := max((n*permille+999)/1000, 1), int64(0)
			for _, high := range highs {
				if seen += buckets[high]; seen >= rank {
					got[op+name], got[op+name+" low"] = float64(high), float64(lows[high])
					return
				}
			}
		}
		got[op+".count"] = float64(n)
		at(".p50", 500)
		at(".p99", 990)
		at(".max", 1000)
		got[op+".filled"] = float64(len(starts[op]))
	}
}

// notOfTheReport are ids about the file or about the reader that computed them.
var notOfTheReport = regexp.MustCompile(`^(intervals|start_s|max_s|files|.*\.intervals)$`)

// reportAnswers compares what was read of one file with the right answers of the
// index, by the words that the tools print.
func reportAnswers(t *testing.T, root string, e corpusEntry, report *Report, r *rows) (answered, ids int) {
	want := printedInReports(e)
	for id, v := range computedInReports(t, root, e) {
		if !notOfTheReport.MatchString(id) {
			want[id] = v
		}
	}
	got := readOfReports(e.format, r)
	if e.format == "ycsb" || e.format == "benchbase" || e.format == "h2load" {
		if len(r.samples) == 0 { // computed answers are of single requests
			for id := range want {
				if strings.Contains(id, "us_") || strings.HasSuffix(id, ".n") {
					delete(want, id)
				}
			}
		} else {
			for id := range want {
				if _, ok := got[id]; !ok { // and printed ones of the report beside them
					delete(want, id)
				}
			}
		}
	}
	if e.format == "benchbase" && strings.HasSuffix(report.Files[0].Format, "windows") {
		for id := range want { // a table by window has no percentile of the whole
			if strings.HasPrefix(id, "latency.") || report.Files[0].Format == "benchbase-windows" && got["requests"] == 0 {
				delete(want, id)
			}
		}
	}
	for id, w := range want {
		ids++
		v, ok := got[id]
		if !ok {
			t.Errorf("%s = %v has no answer", id, w)
			continue
		}
		answered++
		// The reader that the index asked added the histograms up in one of finer
		// buckets: what it says lies in the bucket of the rank.
		scale := unitOfHdr(report.Files[0])
		if low, bucket := got[id+" low"]; bucket && (w < low/scale || w > v/scale) || !bucket && math.Abs(v-w) > 1e-9*math.Abs(w) {
			t.Errorf("%s: got %v, want %v", id, v, w)
		}
	}
	return answered, ids
}

// unitOfHdr is how many nanoseconds the unit of a histogram log's values has.
func unitOfHdr(f FileReport) float64 {
	if strings.Contains(strings.Join(f.Notes, " "), "taken as microseconds") {
		return 1e3
	}
	return 1
}

func ingestWith(path string, opt Options) (*Report, *rows, error) {
	r := &rows{}
	report, err := Ingest(context.Background(), Request{Files: []File{{Path: path}}, Options: opt}, r)
	return report, r, err
}

// Files that say too little are refused unless what they lack is given.
func TestCorpusAsks(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-load.tsv")
	for name, why := range refusedReports {
		file, lacks, ok := strings.Cut(name, " without ")
		if !ok {
			continue
		}
		path := filepath.Join(root, file)
		if _, err := os.Stat(path); err != nil {
			t.Logf("%s is not in this corpus", file)
			continue
		}
		if _, _, err := ingestWith(path, Options{}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s without %s: %v", file, lacks, err)
		}
	}
}
