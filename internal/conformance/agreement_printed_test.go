package conformance

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"headroom/runs"
)

// reportedBy turns what a report that headroom reads says into figures.
func (g corpusRun) reportedBy(sum runs.Summary) []figure {
	if strings.HasPrefix(sum.Of, "k6.") && !k6Part.MatchString(sum.Of) {
		return nil // of what is no request; and what is, stands under ""
	}
	var out []figure
	for _, id := range sortedNames(sum.Values) {
		v, of := sum.Values[id], sum.Of
		if k6Part.MatchString(of) {
			id = "latency." + id
		}
		out = append(out, figure{file: sum.Source, of: of, id: id, value: v, step: stepOf(g.tool, id, v), cut: cutters[g.tool] != nil && slices.Contains(cutters[g.tool], id)})
	}
	return out
}

// grains is what one more in the last digit is worth at most, in SI: of what
// each tool prints, latencies and rates.
var grains = map[string]struct{ latency, rate float64 }{
	"ab": {1e-3, 1e-2}, "benchbase": {1e-6, 1e-9}, "h2load": {1e-4, 1e-2}, "hey": {1e-4, 1e-4}, "k6": {1e-5, 1e-6},
	"locust": {1e-3, 1e-2}, "pgbench": {1e-6, 1e-6}, "vegeta": {1e-6, 1e-2}, "ycsb": {1e-6, 1e-9}, "jmeter": {1e-3, 0.1}, "gatling": {1e-3, 1},
	"fortio": {1e-7, 0.1}, "artillery": {1e-4, 1},
}

// cutters are figures whose further digits a tool cuts off.
var cutters = map[string][]string{
	"benchbase": {"latency.mean"},                                                                                                           // a double stored as an int
	"k6":        {"latency.mean", "latency.min", "latency.p50", "latency.p90", "latency.p95", "latency.p99", "latency.p999", "latency.max"}, // on its console
	"jmeter":    {"latency.mean"},                                                                                                           // integer division
	"h2load":    {"latency.min", "latency.max", "latency.mean"},
}

// stepOf tells from a value what its last printed digit is worth. Counts are exact.
func stepOf(tool, id string, v float64) float64 {
	grain := v / 100 // of a tool that is not listed
	g, listed := grains[tool]
	if listed {
		grain = g.rate
	}
	switch {
	case strings.HasPrefix(id, "latency."), id == "duration":
		if listed {
			grain = g.latency
		}
	case strings.HasPrefix(id, "throughput."), id == "rate":
	case id == "success":
		return 1e-4
	default:
		return 0
	}
	if tool == "locust" && percentileName.MatchString(strings.TrimPrefix(id, "latency.")) && v > 0 {
		return math.Pow10(int(math.Floor(math.Log10(v*1e3)))-1) * 1e-3 // Locust rounds to two digits
	}
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exp)
	digits := len(strings.TrimPrefix(strings.TrimLeft(mantissa, "-0123456789"), "."))
	return min(math.Pow10(e-digits), grain)
}

// console reads the figures of a tool's console, which headroom does not read.
type console struct {
	tool string
	line *regexp.Regexp
	of   string   // of what; "$1" is a group's
	ids  []string // of the other groups
}

var consoles = []console{
	{"k6", regexp.MustCompile(`(?m)^\s+http_req_duration\.+: avg=(\S+) min=(\S+)\s+med=(\S+)\s+max=(\S+)\s+p\(90\)=(\S+)\s+p\(95\)=(\S+)(?:\s+p\(99\)=(\S+)\s+p\(99\.9\)=(\S+)\s+count=(\d+))?`), "",
		[]string{"latency.mean", "latency.min", "latency.p50", "latency.max", "latency.p90", "latency.p95", "latency.p99", "latency.p999", "requests"}},
	{"k6", regexp.MustCompile(`(?m)^\s+\{ (\w+:\S+) \}\.+: avg=(\S+) min=(\S+)\s+med=(\S+)\s+max=(\S+)\s+p\(90\)=(\S+)\s+p\(95\)=(\S+)(?:\s+p\(99\)=(\S+)\s+p\(99\.9\)=(\S+)\s+count=(\d+))?`), "k6.http_req_duration{$1}",
		[]string{"latency.mean", "latency.min", "latency.p50", "latency.max", "latency.p90", "latency.p95", "latency.p99", "latency.p999", "requests"}},
	{"k6", regexp.MustCompile(`(?m)^\s+http_req_failed\.+: \S+\s+(\d+) out of (\d+)`), "", []string{"failed", "requests"}},
	{"k6", regexp.MustCompile(`(?m)^\s+http_reqs\.+: (\d+)\s+([\d.]+)/s`), "", []string{"requests", "throughput.requests"}},
	{"k6", regexp.MustCompile(`(?m)^\s+dropped_iterations\.+: (\d+)`), "", []string{"dropped"}},
	{"locust", regexp.MustCompile(`(?m)^\s+Aggregated\s+(\d+)\s+(\d+)\([\d.]+%\) \|\s+(\d+)\s+(\d+)\s+(\d+)\s+\d+ \|\s+([\d.]+)`), "",
		[]string{"requests", "failed", "latency.mean ms", "latency.min ms", "latency.max ms", "throughput.requests"}},
	{"artillery", regexp.MustCompile(`(?m)^http\.response_time:\n\s+min: \.+ ([\d.]+)\n\s+max: \.+ ([\d.]+)\n\s+mean: \.+ ([\d.]+)\n\s+median: \.+ ([\d.]+)\n\s+p95: \.+ ([\d.]+)\n\s+p99: \.+ ([\d.]+)`), "",
		[]string{"latency.min ms", "latency.max ms", "latency.mean ms", "latency.p50 ms", "latency.p95 ms", "latency.p99 ms"}},
	{"artillery", regexp.MustCompile(`(?m)^http\.requests: \.+ (\d+)`), "", []string{"requests"}},
	{"fortio", regexp.MustCompile(`All done (\d+) calls \(plus \d+ warmup\) ([\d.]+) ms avg, ([\d.]+) qps`), "", []string{"requests", "latency.mean ms", "throughput.requests"}},
	{"fortio", regexp.MustCompile(`Aggregated Function Time : count (\d+) avg ([\d.]+) \S+ \S+ min ([\d.]+) max ([\d.]+)`), "", []string{"requests", "latency.mean", "latency.min", "latency.max"}},
	{"jmeter", regexp.MustCompile(`summary = (\d+) in .*= +([\d.]+)/s Avg: +(\d+) Min: +(\d+) Max: +(\d+) Err: +(\d+)`), "",
		[]string{"requests", "throughput.requests", "latency.mean ms", "latency.min ms", "latency.max ms", "failed"}},
	{"jmeter", regexp.MustCompile(`statistics.json Total: samples=(\d+) errors=(\d+) mean=([\d.]+) median=([\d.]+) p90=([\d.]+) p95=([\d.]+) p99=([\d.]+) min=([\d.]+) max=([\d.]+)`), "",
		[]string{"requests", "failed", "latency.mean ms", "latency.p50 ms", "latency.p90 ms", "latency.p95 ms", "latency.p99 ms", "latency.min ms", "latency.max ms"}},
	{"gatling", regexp.MustCompile(`tool \S+: total=(\d+) ok=(\d+) ko=(\d+) min=(\d+) max=(\d+) mean=(\d+) p(?:1|50)=(\d+) p(?:2|75)=(\d+) p(?:3|95)=(\d+) p(?:4|99)=(\d+)`), "",
		[]string{"requests", "successful", "failed", "latency.min ms", "latency.max ms", "latency.mean ms", "latency.p50 ms", "latency.p75 ms", "latency.p95 ms", "latency.p99 ms"}},
	{"gatling", regexp.MustCompile(`upstream test: (\d+) ok (\d+) ko, min (\d+) max (\d+), p70 (\d+)`), "", []string{"successful", "failed", "latency.min ms", "latency.max ms", "latency.p70 ms"}},
}

// consoles returns the figures of the texts beside a recording.
func (g corpusRun) consoles(t *testing.T, root string) []figure {
	t.Helper()
	var out []figure
	for _, file := range g.files {
		if !strings.HasSuffix(file, ".txt") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		noError(t, file, err)
		out = append(out, consoleFigures(g.tool, file, string(text))...)
	}
	return out
}

func consoleFigures(tool, file, text string) []figure {
	var out []figure
	for _, c := range consoles {
		if c.tool != tool {
			continue
		}
		found := c.line.FindAllStringSubmatch(text, -1)
		if tool == "artillery" && len(found) > 0 {
			found = found[len(found)-1:] // those before are of ten seconds each
		}
		for _, m := range found {
			of, words := c.of, m[1:]
			if strings.Contains(of, "$1") {
				of, words = strings.Replace(of, "$1", m[1], 1), m[2:]
			}
			for i, word := range words {
				id, ms := strings.CutSuffix(c.ids[i], " ms")
				if v, step, ok := figureText(word, ms); ok {
					if !strings.HasPrefix(id, "latency.") && !strings.HasPrefix(id, "throughput.") {
						step = 0
					}
					if tool == "locust" || tool == "jmeter" || tool == "gatling" {
						step = max(step, stepOf(tool, id, v))
					}
					out = append(out, figure{file: file, of: of, id: id, value: v, step: step, cut: slices.Contains(cutters[tool], id)})
				}
			}
		}
	}
	return out
}

var numberForm = regexp.MustCompile(`^(?:(\d+)m)?(\d+)(?:\.(\d+))?(ns|us|µs|ms|s)?$`)

// figureText reads a number as printed, in SI, and what its last digit is
// worth. Without a unit it is in milliseconds if ms is true.
func figureText(text string, ms bool) (v, step float64, ok bool) {
	m := numberForm.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, false
	}
	unit := map[string]float64{"": 1, "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1}[m[4]]
	if ms {
		unit = 1e-3
	}
	v, err := strconv.ParseFloat(m[2]+"."+m[3]+"0", 64)
	minutes, _ := strconv.Atoi(m[1])
	return v*unit + 60*float64(minutes), math.Pow10(-len(m[3])) * unit, err == nil
}

// words are what the index copies from tools' own output, by file.
type words map[string]string

// printedInIndex reads the index of the corpus.
func printedInIndex(t *testing.T, root string) words {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "INDEX-load.tsv"))
	noError(t, "index", err)
	defer f.Close()
	out := words{}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		if fields := strings.Split(sc.Text(), "\t"); len(fields) >= 5 && fields[0] != "file" {
			text, _, _ := strings.Cut(fields[4], "computed:")
			out[fields[0]] = text
		}
	}
	return out
}

// of returns the figures that the index has of the files of a run.
func (w words) of(g corpusRun) []figure {
	var out []figure
	for _, file := range g.files {
		if g.tool == "jmeter" || g.tool == "gatling" { // their consoles are kept nowhere else
			out = append(out, consoleFigures(g.tool, file, w[file])...)
		}
	}
	return out
}

// toolsOfIndex returns the folders of load generators.
func toolsOfIndex(t *testing.T, root string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for file := range printedInIndex(t, root) {
		tool, _, _ := strings.Cut(file, "/")
		out[tool] = true
	}
	return out
}

// numbers are those written in a text.
type numbers []float64

var numberWord = regexp.MustCompile(`\d+(?:\.\d+)?(?:[eE][-+]?\d+)?`)

func numbersIn(text string) numbers {
	var out numbers
	for _, word := range numberWord.FindAllString(text, -1) {
		if v, err := strconv.ParseFloat(word, 64); err == nil {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// unitFactors turn numbers as tools write them into SI.
var unitFactors = []float64{1, 1e-3, 1e-6, 1e-9, 60, 3600, 1e-2, 1e3, 1e6, 1024, 1 << 20, 1 << 30, 1.0 / 60}

// hold reports whether v is one of the numbers in some unit.
func (n numbers) hold(v float64) bool {
	for _, factor := range unitFactors {
		want := v / factor
		i, ok := slices.BinarySearch(n, want)
		for _, j := range []int{i - 1, i} {
			if ok || j >= 0 && j < len(n) && math.Abs(n[j]-want) <= 1e-9*math.Abs(want) {
				return true
			}
		}
	}
	return false
}
