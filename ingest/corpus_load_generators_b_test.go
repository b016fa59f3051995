package ingest

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// corpusGeneratorsB are the formats of the index that TestCorpusGeneratorsB reads.
var corpusGeneratorsB = []string{
	"oha", "bombardier", "autocannon", "artillery", "fortio", "siege", "h2load", "sysbench",
	"ycsb", "benchbase", "hammerdb", "openmessaging", "hdrhistogram", "gobench",
}

// refusedB are files that are not read, with what the refusal says.
var refusedB = map[string]string{
	"benchbase/smallbank.config.xml":                "not a format that is known",                // the benchmark's settings, no evidence
	"sysbench/pub_tpcc_report_csv.csv":              "not a format that is known",                // somebody's own table: needs a mapping
	"hdrhistogram/hiccup.140623.1028.10646.hlog":    "an encoding of HdrHistogram before V2",     // its right answer is an error, too
	"hdrhistogram/tagged_base.hlog without a unit":  "the unit of its values is not in the file", //
	"benchbase/smallbank.results.csv without start": "no time axis of its own",                   //
	"ycsb/load.stderr-status.txt without a zone":    "the zone of its stamps is not known",       //
	"siege/pub_taurus_siege.out without a zone":     "the zone of its stamps is not known",       //
}

// optionsB is what has to be said of files that say too little.
func optionsB(format string) Options {
	opt := Options{Zone: time.UTC, Start: time.Date(2026, 11, 30, 15, 45, 39, 127e6, time.UTC)}
	if format == "hdrhistogram" {
		opt.TimeUnit, opt.Start = time.Nanosecond, time.Time{}
	}
	return opt
}

// formsB find answers in the words of the index: the ids of an expression's
// groups; a group called _ is no answer.
var formsB = []struct {
	format string
	form   *regexp.Regexp
	ids    []string
}{
	{"oha", regexp.MustCompile(`statusCodeDistribution (\d+)=(\d+)`), []string{"_status", "="}},
	{"oha", regexp.MustCompile(`(\d+) ok \+ (\d+) "aborted`), []string{"status.200", "aborted"}},
	{"oha", regexp.MustCompile(`; aborted (\d+)`), []string{"aborted"}},
	{"oha", regexp.MustCompile(`requestsPerSec\*total ?= ?(\d+)`), []string{"rate*duration"}},
	{"bombardier", regexp.MustCompile(`(\dxx)=(\d+)`), []string{"_status", "="}},
	{"bombardier", regexp.MustCompile(`(p\d+)=([\d.]+)(us|ms)`), []string{"_latency", "=", "_unit"}},
	{"autocannon", regexp.MustCompile(`requests\.total=(\d+)`), []string{"requests"}},
	{"autocannon", regexp.MustCompile(`; 2xx=(\d+) non2xx=(\d+)`), []string{"status.2xx", "failed"}},
	{"autocannon", regexp.MustCompile(`latency p50=(\d+) p99=(\d+) ms`), []string{"latency.p50 ms", "latency.p99 ms"}},
	{"autocannon", regexp.MustCompile(`latency\.totalCount == requests\.total = (\d+)`), []string{"latency.count"}},
	{"autocannon", regexp.MustCompile(`(\d+) 2xx, (\d+) non-2xx`), []string{"status.2xx", "failed"}},
	{"artillery", regexp.MustCompile(`http\.requests=(\d+) http\.responses=(\d+)`), []string{"requests", "http.responses"}},
	{"artillery", regexp.MustCompile(`\(200:(\d+) 429:(\d+) 500:(\d+)\)`), []string{"http.codes.200", "http.codes.429", "http.codes.500"}},
	{"artillery", regexp.MustCompile(`ETIMEDOUT=(\d+) ECONNRESET=(\d+)`), []string{"errors.ETIMEDOUT", "errors.ECONNRESET"}},
	{"artillery", regexp.MustCompile(`vusers (\d+)/(\d+)/(\d+)`), []string{"vusers.created", "vusers.completed", "vusers.failed"}},
	{"fortio", regexp.MustCompile(`(?:^|\s|; )(\d+) (?:of \d+ )?calls`), []string{"requests"}},
	{"fortio", regexp.MustCompile(`[ ;](\d{3}):(\d+)`), []string{"_status", "="}},
	{"fortio", regexp.MustCompile(`DurationHistogram\.Count=(\d+)`), []string{"requests"}},
	{"fortio", regexp.MustCompile(`ActualQPS=([\d.]+)`), []string{"throughput.requests"}},
	{"hammerdb", regexp.MustCompile(`achieved (\d+) NOPM from (\d+) `), []string{"throughput.new_orders 60", "throughput.transactions 60"}},
	{"openmessaging", regexp.MustCompile(`points=(\d+)`), []string{"instants"}},
	{"openmessaging", regexp.MustCompile(`aggregatedPublishLatency avg=([\d.]+) p50=([\d.]+) p99=([\d.]+) max=([\d.]+) ms`), []string{"publish latency.mean ms", "publish latency.p50 ms", "publish latency.p99 ms", "publish latency.max ms"}},
	{"openmessaging", regexp.MustCompile(`e2e p99=([\d.]+) ms`), []string{"end_to_end latency.p99 ms"}},
	{"benchbase", regexp.MustCompile(`"Measured Requests": (\d+)`), []string{"requests"}},
	{"benchbase", regexp.MustCompile(`"Median Latency \(microseconds\)": (\d+), "99th Percentile Latency \(microseconds\)": (\d+)`), []string{"latency.p50 us", "latency.p99 us"}},
	{"gobench", regexp.MustCompile(`result lines=(\d+)`), []string{"results"}},
	{"gobench", regexp.MustCompile(`SHA/size=64 cpu1: ([\d.]+) ([\d.]+) ([\d.]+) ns/op`), []string{"SHA/size=64/kind=cold 1 0", "SHA/size=64/kind=cold 1 1", "SHA/size=64/kind=cold 1 2"}},
	{"gobench", regexp.MustCompile(`Benchmark(Encode/format=json)-48 \d+ (\d+) ns/op`), []string{"_bench", "="}},
	{"sysbench", regexp.MustCompile(`transactions: (\d+) \(([\d.]+) per`), []string{"transactions", "throughput.requests"}},
	{"sysbench", regexp.MustCompile(`queries: (\d+) \(([\d.]+) per`), []string{"queries", "throughput.queries"}},
	{"sysbench", regexp.MustCompile(`ignored errors: (\d+) `), []string{"retried"}},
	{"sysbench", regexp.MustCompile(`total time: ([\d.]+)s \| total number of events: (\d+) \| avg: ([\d.]+) \| max: ([\d.]+) \| (\d+)th percentile: ([\d.]+)`), []string{"duration", "requests", "latency.mean ms", "latency.max ms", "_latency", "="}},
	{"ycsb", regexp.MustCompile(`\[OVERALL\], RunTime\(ms\), ([\d.]+)`), []string{"duration ms"}},
	{"ycsb", regexp.MustCompile(`\[OVERALL\], Throughput\(ops/sec\), ([\d.]+)`), []string{"throughput.requests"}},
	{"ycsb", regexp.MustCompile(`\[([\w-]+)\], (?:Total )?Operations, (\d+)`), []string{"_requests", "="}},
	{"ycsb", regexp.MustCompile(`\[([\w-]+)\], ([\d.]+)(?:th)?PercentileLatency\(us\), (\d+)`), []string{"_of", "_percentile", "="}},
	{"ycsb", regexp.MustCompile(`\[([\w-]+)\], p([\d.]+), (\d+)`), []string{"_of", "_percentile", "="}},
	{"ycsb", regexp.MustCompile(`\[([\w-]+)\], Return=(\w+), (\d+)`), []string{"_of", "_return", "="}},
}

// answersB are the right answers that the index holds of a file, by id. Where a
// tool printed several runs, later ids have the run's number before them.
func answersB(e corpusEntry) map[string]float64 {
	want := map[string]float64{}
	text := " " + e.printed
	for _, f := range formsB {
		if f.format != e.format {
			continue
		}
		for i, m := range f.form.FindAllStringSubmatch(text, -1) {
			run := ""
			if i > 0 && e.format == "sysbench" {
				run = fmt.Sprintf("run %d ", i+1)
			}
			id, of, unit := "", "", ""
			if n := len(m) - 1; f.ids[n-1] == "_unit" {
				unit = " " + m[n]
			}
			for g, name := range f.ids {
				v, err := strconv.ParseFloat(m[g+1], 64)
				switch name {
				case "_of":
					of = m[g+1] + " "
				case "_status":
					id = "status." + m[g+1]
				case "_latency":
					id, unit = "latency.p"+strings.TrimPrefix(m[g+1], "p"), firstSet(unit, " ms")
				case "_requests":
					id = m[g+1] + " requests"
				case "_percentile":
					id, unit = "latency."+percentileKey(m[g+1]), " us"
				case "_return":
					id = "return." + m[g+1]
				case "_bench":
					id = m[g+1] + " 48 0"
				case "_unit":
				case "=":
					want[run+of+id+unit] = v
				default:
					if err == nil {
						want[run+name] = v
					}
				}
			}
		}
	}
	return want
}

var (
	computedB   = regexp.MustCompile(`([\w().-]+)=([^;|\s]+)`)
	wordCountsB = regexp.MustCompile(`(\w+):(\d+)`)
)

// computedAnswersB are the answers that the index computed from a file.
func computedAnswersB(t *testing.T, root string, e corpusEntry) map[string]float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "INDEX-load.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, e.file+"\t") {
			continue
		}
		i := strings.LastIndex(line, "computed")
		if i < 0 {
			continue
		}
		for _, m := range computedB.FindAllStringSubmatch(line[i:], -1) {
			if m[1] == "types" {
				for _, c := range wordCountsB.FindAllStringSubmatch(m[2], -1) {
					want[c[1]+".n"], _ = strconv.ParseFloat(c[2], 64)
				}
			} else if v, err := strconv.ParseFloat(strings.TrimSuffix(m[2], "."), 64); err == nil {
				want[m[1]] = v
			}
		}
	}
	return want
}

// gotB computes, from the rows and summaries of one file, what the index says,
// under the names that answersB gives it.
func gotB(format string, r *rows) map[string]float64 {
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
		quantilesB(got, op+".", l)
	}
	quantilesB(got, "", all)
	if format == "benchbase" && len(all) > 0 { // the tool's own percentiles of these rows
		got["requests"], got["latency.p50 us"], got["latency.p99 us"] = got["rows"], got["us_p50nr"], got["us_p99nr"]
	}
	histogramsB(got, r.histograms)
	for _, b := range r.benchmarks {
		if b.Unit == "s/op" {
			got["results"]++
			got[fmt.Sprintf("%s %d %d", strings.TrimPrefix(b.Name, "Benchmark"), b.Procs, b.Repeat)] = b.Value * 1e9
		}
	}
	return got
}

func quantilesB(got map[string]float64, of string, sorted []int64) {
	if len(sorted) == 0 {
		return
	}
	got[of+"n"] = float64(len(sorted))
	got[of+"us_p50nr"], got[of+"us_p99nr"] = float64(rank(sorted, 500))/1e3, float64(rank(sorted, 990))/1e3
	got[of+"us_max"] = float64(sorted[len(sorted)-1]) / 1e3
}

// histogramsB adds the buckets of each series up, and puts the highest and the
// lowest value of the bucket of each rank. Values are in nanoseconds.
func histogramsB(got map[string]float64, hs []runs.Histogram) {
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

// notOfTheRunB are ids about the file or about the reader that computed them.
var notOfTheRunB = regexp.MustCompile(`^(intervals|start_s|max_s|files|.*\.intervals)$`)

func TestCorpusGeneratorsB(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-load.tsv")
	ids, answered := 0, 0
	for _, e := range readCorpusIndex(t, root) {
		if !slices.Contains(corpusGeneratorsB, e.format) {
			continue
		}
		t.Run(e.file, func(t *testing.T) {
			path := filepath.Join(root, e.file)
			if why := refusedB[e.file]; why != "" {
				ids++
				_, _, err := ingestB(path, optionsB(e.format))
				if err == nil || !strings.Contains(err.Error(), why) {
					t.Errorf("read, or refused otherwise: %v", err)
				}
				answered++
				return
			}
			report, r, err := ingestB(path, optionsB(e.format))
			if err != nil {
				t.Fatal(err)
			}
			disguisedB(t, path, e.format, report.Files[0].Format, r)
			want := answersB(e)
			for id, v := range computedAnswersB(t, root, e) {
				if !notOfTheRunB.MatchString(id) {
					want[id] = v
				}
			}
			got := gotB(e.format, r)
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
		})
	}
	t.Logf("answered %d of %d ids", answered, ids)
	if answered == 0 {
		t.Error("no entry of the index was answered")
	}
}

// unitOfHdr is how many nanoseconds the unit of a histogram log's values has.
func unitOfHdr(f FileReport) float64 {
	if strings.Contains(strings.Join(f.Notes, " "), "taken as microseconds") {
		return 1e3
	}
	return 1
}

func ingestB(path string, opt Options) (*Report, *rows, error) {
	r := &rows{}
	report, err := Ingest(context.Background(), Request{Files: []File{{Path: path}}, Options: opt}, r)
	return report, r, err
}

// disguisedB reads the file again, renamed and gzipped: the content alone decides.
func disguisedB(t *testing.T, path, format, name string, want *rows) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(text)
	_ = z.Close()
	hidden := filepath.Join(t.TempDir(), filepath.Base(path)) // the base name is the rows' source
	if err := os.WriteFile(hidden, packed.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	report, got, err := ingestB(hidden, optionsB(format))
	if err != nil || report.Files[0].Format != name || !reflect.DeepEqual(got.samples, want.samples) ||
		!reflect.DeepEqual(got.histograms, want.histograms) || !reflect.DeepEqual(got.benchmarks, want.benchmarks) || len(got.points) != len(want.points) {
		t.Errorf("gzipped it is read otherwise: %v", err)
	}
	renamed := filepath.Join(t.TempDir(), "x.bin")
	if err := os.WriteFile(renamed, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if report, _, err = ingestB(renamed, optionsB(format)); err != nil || report.Files[0].Format != name {
		t.Errorf("renamed it is read otherwise: %v", err)
	}
}

// Files that say too little are refused unless what they lack is given.
func TestCorpusGeneratorsBAsk(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-load.tsv")
	for name, why := range refusedB {
		file, lacks, ok := strings.Cut(name, " without ")
		if !ok {
			continue
		}
		path := filepath.Join(root, file)
		if _, err := os.Stat(path); err != nil {
			t.Logf("%s is not in this corpus", file)
			continue
		}
		if _, _, err := ingestB(path, Options{}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s without %s: %v", file, lacks, err)
		}
	}
}
