package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// reportForms find answers in the words of the index: the ids of an expression's
// groups; a group called _ is no answer.
var reportForms = []struct {
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

// printedInReports are the right answers that the index holds of a file, by id. Where a
// tool printed several runs, later ids have the run's number before them.
func printedInReports(e corpusEntry) map[string]float64 {
	want := map[string]float64{}
	text := " " + e.printed
	for _, f := range reportForms {
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
	computedForm = regexp.MustCompile(`([\w().-]+)=([^;|\s]+)`)
	wordCounts   = regexp.MustCompile(`(\w+):(\d+)`)
)

// computedInReports are the answers that the index computed from a file.
func computedInReports(t *testing.T, root string, e corpusEntry) map[string]float64 {
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
		for _, m := range computedForm.FindAllStringSubmatch(line[i:], -1) {
			if m[1] == "types" {
				for _, c := range wordCounts.FindAllStringSubmatch(m[2], -1) {
					want[c[1]+".n"], _ = strconv.ParseFloat(c[2], 64)
				}
			} else if v, err := strconv.ParseFloat(strings.TrimSuffix(m[2], "."), 64); err == nil {
				want[m[1]] = v
			}
		}
	}
	return want
}
