package conformance

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// explanation says why figures that a tool prints are not headroom's, and what
// must then hold of them.
type explanation struct {
	tool    string
	figures []string
	theirs  string // how the tool computes it
	ours    string // how headroom does
	source  string // where the tool's way is written; "" if its own output shows it

	format string // of what was recorded, if it is so with one alone
	run    string // of the corpus, if it is so with one alone

	all     bool    // the figure is of every answer, ok or not
	between bool    // it is a percentile by another definition: between the neighbours of headroom's
	off     float64 // it is an estimate: so far from headroom's at most, as a share
	clock   bool    // it is a rate over the tool's own clock: its count over a time not shorter than the samples span
	lacking float64 // the recording lacks this share at most of what was counted

	unmarked  bool // the recording does not tell it, and headroom then has none
	derived   bool // it is a mean that was not measured, but computed from clients and time
	succeeded bool // it counts what succeeded alone
}

// percentiles are the figures that tools compute by definitions of their own.
var percentiles = []string{"latency.p5", "latency.p10", "latency.p25", "latency.p50", "latency.p66", "latency.p70", "latency.p75", "latency.p80", "latency.p90", "latency.p95", "latency.p98", "latency.p99", "latency.p999", "latency.p9999"}

var latencies = append([]string{"latency.min", "latency.mean", "latency.max"}, percentiles...)

var rates = []string{"throughput.requests", "rate"}

const (
	ownRank   = "nearest rank: the smallest value that at least that share does not exceed; of ok requests"
	ownClock  = "ok requests by the time from the first start to the last end"
	okOnly    = "ok requests alone; failed ones are counted, and their times shown apart"
	failedAll = "of every answer, ok or not"
)

var explanations = []explanation{
	{tool: "ab", figures: []string{"failed"}, theirs: "answers that were not 2xx, and those of another length", ours: "none: `-g` does not mark them", format: "ab-gnuplot", unmarked: true},
	{tool: "ab", figures: percentiles, theirs: "the value at index n·p/100, counted from zero: one rank higher", ours: ownRank + ", among the whole ms of `-g`", between: true, source: "support/ab.c, output_results"},
	{tool: "ab", figures: rates, theirs: "requests by the time of the whole run", ours: ownClock + "; `-g` stamps whole seconds", clock: true},

	{tool: "benchbase", figures: rates, theirs: "transactions by the time of the measured phase", ours: ownClock, clock: true},

	{tool: "gatling", figures: percentiles, theirs: "estimated by a t-digest, " + failedAll, ours: ownRank, all: true, between: true, off: 0.1, source: "GeneralStatsBuffer: AVLTreeDigest(100), some ranks off in the tail"},

	{tool: "h2load", figures: rates, theirs: "requests by the time of the run, with its connecting", ours: ownClock, clock: true},

	{tool: "jmeter", figures: []string{"latency.mean", "latency.max"}, theirs: failedAll + "; the mean is cut to whole ms", ours: okOnly, all: true},
	{tool: "jmeter", figures: percentiles, theirs: "the dashboard's R-6, linear between neighbours", ours: ownRank, all: true, between: true, source: "commons-math DescriptiveStatistics, LEGACY"},
	{tool: "jmeter", figures: rates, theirs: "samples by the time from the first start to the last report, ok or not", ours: ownClock, clock: true},

	{tool: "k6", figures: []string{"latency.mean", "latency.min", "latency.max"}, theirs: failedAll, ours: okOnly, all: true},
	{tool: "k6", figures: percentiles, theirs: "R-7, linear between neighbours, " + failedAll, ours: ownRank, all: true, between: true, source: "metrics/sink.go, TrendSink.P"},
	{tool: "k6", figures: rates, theirs: "requests by the time of the whole test, ok or not", ours: ownClock, clock: true},

	{tool: "locust", figures: []string{"requests", "failed", "throughput.requests"}, theirs: "each file is written at a moment of its own, the CSVs before the end", ours: "what each file says; the files are never added up", off: 0.25},
	{tool: "locust", figures: latencies, theirs: "each file is written at a moment of its own, the CSVs before the end; percentiles are rounded to two digits", ours: "what each file says", off: 0.4, source: "stats.py, StatsCSVFileWriter, get_response_time_percentile"},

	{tool: "pgbench", figures: []string{"requests"}, theirs: "transactions that succeeded", ours: "every transaction that was sent, and of them those that failed", succeeded: true, source: "pgbench.c, printResults"},
	{tool: "pgbench", figures: []string{"requests", "skipped"}, theirs: "the whole run", ours: "the intervals that were written: pgbench leaves the last one out", format: "pgbench-aggregate", lacking: 0.15},
	{tool: "pgbench", figures: []string{"requests", "throughput.requests"}, theirs: "the whole run", ours: "the share of it that `--sampling-rate` logged, and a warning that they differ", run: "pgbench/sampling", lacking: 0.95},
	{tool: "pgbench", figures: []string{"latency.mean"}, theirs: "clients × time / transactions, unless `--rate`, `--progress` or `--latency-limit` made pgbench measure it", ours: "the mean of the transactions' own times", derived: true, source: "pgbench.c, printResults"},
	{tool: "pgbench", figures: []string{"latency.mean"}, theirs: "the whole run", ours: "the intervals that were written: pgbench leaves the last one out", format: "pgbench-aggregate", off: 0.1},
	{tool: "pgbench", figures: rates, theirs: "transactions by the time of the run without its first connecting", ours: ownClock, clock: true},

	{tool: "vegeta", figures: []string{"latency.mean", "latency.min", "latency.max"}, theirs: failedAll, ours: okOnly, all: true},
	{tool: "vegeta", figures: percentiles, theirs: "estimated by a t-digest, " + failedAll, ours: ownRank, all: true, off: 0.025, source: "lib/metrics.go: influxdata/tdigest, compression 100"},

	{tool: "wrk2", figures: []string{"latency.p50"}, theirs: "53.31us in the short table, 53.311 ms in the spectrum of the same file, which somebody edited", ours: "the spectrum", run: "wrk2/pub_pkb_wrk2_output", off: 1},

	{tool: "ycsb", figures: percentiles, theirs: "the value at index n·p, counted from zero: one rank higher", ours: ownRank, between: true, source: "OneMeasurementRaw"},
	{tool: "ycsb", figures: rates, theirs: "operations by the time of the run, with its connecting", ours: ownClock, clock: true},
}

// explain returns the first explanation that a figure is as, or why it is as none.
func explain(tool string, s *side, f figure, printed []figure) (*explanation, string) {
	why := ""
	for i := range explanations {
		e := &explanations[i]
		if e.tool != tool || !slices.Contains(e.figures, f.id) || e.format != "" && e.format != s.format || e.run != "" && e.run != s.run {
			continue
		}
		not := e.holds(s, f, printed)
		if not == "" {
			return e, ""
		}
		why += "; it is not as " + e.theirs + ": " + not
	}
	return nil, why
}

// holds returns "" if a figure is what the explanation says.
func (e *explanation) holds(s *side, f figure, printed []figure) string {
	own, ok := s.figure(f, e.all)
	switch {
	case !ok:
		return "there is nothing to compare with"
	case e.clock:
		return e.overClock(s, f)
	case e.unmarked:
		return ""
	case e.derived:
		return fromClients(f, printed)
	case e.succeeded:
		own = exactly(float64(s.part(f.of).count().ok))
	}
	low, high := own.value, own.value
	if e.between {
		low, high = own.low, own.high
	}
	slack := s.grain/2 + e.off*math.Abs(own.value)
	if e.lacking > 0 {
		low, high = own.value, own.value/(1-e.lacking)
	}
	if low, high = low-f.half(low)-slack, high+f.half(high)+slack; f.value < low || f.value > high {
		return fmt.Sprintf("%v is not within %v and %v", f.value, low, high)
	}
	return ""
}

// fromClients checks a mean that was not measured: clients times time by
// transactions. The number of clients is whole.
func fromClients(f figure, printed []figure) string {
	sum := map[string]float64{}
	for _, p := range printed {
		if p.of == f.of && p.file == f.file {
			sum[p.id] = p.value
		}
	}
	clients := f.value * (sum["requests"] + sum["failed"]) / (sum["requests"] / sum["throughput.requests"])
	if off := math.Abs(clients - math.Round(clients)); clients < 0.5 || off > 2e-3*clients {
		return fmt.Sprintf("that would be %v clients", clients)
	}
	return ""
}

// overClock checks a rate: it is a count that headroom has too, over a time that
// is no shorter than what the samples span, and by a tenth longer at most, or a
// second.
func (e *explanation) overClock(s *side, f figure) string {
	part := s.part(f.of)
	if part == nil {
		return "there are no samples"
	}
	c := part.count()
	if c.sent == 0 {
		return "there are no requests"
	}
	span := float64(c.end-c.first) / 1e9
	if f.id == "rate" {
		span = float64(c.last-c.first) / 1e9
	}
	for _, n := range []int{c.ok, c.sent} {
		if f.value <= 0 {
			continue
		}
		clock := float64(n) / f.value
		if clock >= span-max(s.resolution, 1e-3)-clock*1e-3 && clock <= max(span*1.1, span+1) {
			return ""
		}
	}
	return fmt.Sprintf("neither %d nor %d over a clock that holds the %v s of the samples", c.ok, c.sent, span)
}

// bound says in words how far a figure may then be off.
func (e *explanation) bound() string {
	var out []string
	add := func(is bool, text string) {
		if is {
			out = append(out, text)
		}
	}
	add(e.unmarked, "nothing to compare with")
	add(e.clock, "headroom's count over a clock that holds the samples, and a tenth or 1 s more at most")
	add(e.derived, "a whole number of clients")
	add(e.succeeded, "exactly the ok ones")
	add(e.all && !e.between && e.off == 0, "rounding, over the same requests")
	add(e.between, "between the neighbours of headroom's rank")
	add(e.off == 1, "not at all")
	add(e.off > 0 && e.off < 1, fmt.Sprintf("%g %%", e.off*100))
	add(e.lacking > 0, fmt.Sprintf("more by a share of %g of the tool's at most", e.lacking))
	text := strings.Join(out, ", and ")
	if e.source != "" {
		text += " (" + e.source + ")"
	}
	return text
}
