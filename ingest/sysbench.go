package ingest

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"headroom/internal/pattern"
	"headroom/runs"
)

// Sysbench reads what sysbench prints, of versions 0.5, 1.0 and 1.1
// (https://github.com/akopytov/sysbench).
var Sysbench = &Importer{
	Name: "sysbench-output",
	Doc: `sysbench output, with --report-interval and --histogram if they were on

Recognised by the line "sysbench VERSION" or by interval lines, "[ 2s ] thds: 4 …".
Interval lines say how many seconds the run was old; they become points where the
start is given (--start), stamped with the end of their interval. Which percentile
they show is in their label: 95 unless --percentile says otherwise, 100 is the
largest, 0 is off. Percentiles are of a histogram whose steps are 1.8 % wide; with
--histogram its buckets become rows where the start is given. "ignored errors" are
transactions that were tried again, and no transactions. Several runs in one file
are kept apart; only the first can be placed. Text that scripts print between is
left out.`,
	Gives: []string{"manifest: summaries, load (threads, rate)", "points: sysbench.*, histograms, with --start"},
	Lacks: []string{"single transactions, and when the run was", "percentiles but the one asked for"},
	Sniff: func(head []byte) bool {
		for range 20 * sniffLines {
			line, rest, whole := bytes.Cut(head, []byte("\n"))
			if sysbenchBanner.Match(line) || sysbenchInterval.Match(line) {
				return true
			}
			if !whole {
				break
			}
			head = rest
		}
		return false
	},
	Read: readSysbench,
}

var (
	sysbenchBanner   = pattern.New(`^sysbench (\d[\w.-]*)`)
	sysbenchInterval = pattern.New(`^\[\s*(\d+)s\s*\] (?:thds|threads): (\d+)`)
	sysbenchQueue    = pattern.New(`^\[\s*(\d+)s\s*\] queue length: (\d+), concurrency: (\d+)`)
	sysbenchPair     = pattern.New(`\b(tps|qps|eps|reads|writes|err/s|errors|reconn/s|reconnects): *([\d.]+)`)
	sysbenchSplit    = pattern.New(`\(r/w/o: ([\d.]+)/([\d.]+)/([\d.]+)\)`)
	sysbenchLatency  = pattern.New(`lat \(ms, ?([\d.]+)%\): ([\d.]+)|response time: ([\d.]+)ms \(([\d.]+)%\)`)
	sysbenchBucket   = pattern.New(`^\s*([\d.]+) \|\**\s+(\d+)$`)
	sysbenchThreads  = pattern.New(`^Number of threads: (\d+)`)
	sysbenchRate     = pattern.New(`^Target transaction rate: (\d+)/sec`)
	sysbenchPercent  = pattern.New(`^\s*(?:approx\.\s+)?([\d.]+)(?:th)? percentile:\s+([\d.]+)`)
)

// sysbenchFacts are the lines of the report that hold one number. Where a line
// has a rate in brackets, it comes under the second name.
var sysbenchFacts = []struct {
	line  *pattern.Pattern
	names []string
	power int
}{
	{pattern.New(`^\s+transactions:\s+(\d+)\s+\(([\d.]+) per sec`), []string{"transactions", "throughput.requests"}, 0},
	{pattern.New(`^\s+queries:\s+(\d+)\s+\(([\d.]+) per sec`), []string{"queries", "throughput.queries"}, 0},
	{pattern.New(`^\s+(?:ignored errors|deadlocks):\s+(\d+)\s`), []string{"retried"}, 0},
	{pattern.New(`^\s+reconnects:\s+(\d+)\s`), []string{"reconnects"}, 0},
	{pattern.New(`^\s+total number of events:\s+(\d+)`), []string{"requests"}, 0},
	{pattern.New(`^\s+(?:events per second|events/s \(eps\)):\s+([\d.]+)`), []string{"throughput.requests"}, 0},
	{pattern.New(`^\s+(?:total time|time elapsed):\s+([\d.]+)s`), []string{"duration"}, 0},
	{pattern.New(`^\s+min:\s+([\d.]+)`), []string{"latency.min"}, -3},
	{pattern.New(`^\s+avg:\s+([\d.]+)`), []string{"latency.mean"}, -3},
	{pattern.New(`^\s+max:\s+([\d.]+)`), []string{"latency.max"}, -3},
	{pattern.New(`^\s+sum:\s+([\d.]+)`), []string{"latency.sum"}, -3},
}

// sysbenchRun is what is known of one run of a file.
type sysbenchRun struct {
	version string
	threads int
	rate    float64
	values  figures
	done    bool // a total was seen
}

type sysbenchReader struct {
	in       *Input
	sink     Sink
	runs     []*sysbenchRun
	last     int64 // s, of the interval before
	step     int64 // s, between the two before
	unplaced int   // interval lines without a start
	buckets  int   // buckets without one
	second   int   // lines of later runs
	seen     bool
}

func readSysbench(in *Input, sink Sink) error {
	r := &sysbenchReader{in: in, sink: sink}
	lines := in.Lines()
	for lines.Next() {
		if err := r.line(lines.Bytes()); err != nil {
			return err
		}
	}
	r.describe()
	return lines.Finish()
}

// current returns the run that a line belongs to.
func (r *sysbenchReader) current() *sysbenchRun {
	if len(r.runs) == 0 {
		r.runs = append(r.runs, &sysbenchRun{values: figures{}})
	}
	return r.runs[len(r.runs)-1]
}

func (r *sysbenchReader) line(line []byte) error {
	if m := sysbenchBanner.FindSubmatch(line); m != nil && len(r.runs) < maxMetrics {
		r.runs = append(r.runs, &sysbenchRun{version: cutTag(string(m[1])), values: figures{}})
		r.last = 0
		return nil
	}
	if m := sysbenchInterval.FindSubmatch(line); m != nil {
		return r.interval(string(line), m)
	}
	if m := sysbenchQueue.FindSubmatch(line); m != nil {
		return r.queue(m)
	}
	if m := sysbenchBucket.FindSubmatch(line); m != nil {
		return r.bucket(m)
	}
	if len(r.runs) == 0 {
		return nil
	}
	run := r.current()
	if m := sysbenchThreads.FindSubmatch(line); m != nil {
		run.threads = atMostInt(string(m[1]))
	} else if m := sysbenchRate.FindSubmatch(line); m != nil {
		run.rate = jsonNumber(m[1]).scaled(0)
	} else if m := sysbenchPercent.FindSubmatch(line); m != nil {
		if string(m[1]) != "0" {
			run.values.put("latency."+percentileKey(string(m[1])), jsonNumber(m[2]).scaled(-3))
		}
	}
	for _, f := range sysbenchFacts {
		if m := f.line.FindSubmatch(line); m != nil {
			for i, name := range f.names {
				run.values.put(name, jsonNumber(m[i+1]).scaled(f.power))
			}
			run.done = run.done || f.names[0] == "requests" || f.names[0] == "transactions"
			break
		}
	}
	return nil
}

// place returns the instant of an offset, µs; ok is false if it has none.
func (r *sysbenchReader) place(offset []byte) (us int64, ok bool) {
	s, ok := scaled(offset, 0)
	_, given := r.in.start()
	switch {
	case !ok || s > maxDuration/1e9:
		return 0, false
	case len(r.runs) > 1:
		r.second++
		return 0, false
	case !given:
		r.unplaced++
		return 0, false
	case !r.seen:
		r.seen = true
		r.in.placed("interval lines are")
	}
	us, _ = r.in.clock(s * int64(time.Second))
	return us, true
}

// interval writes the points of one interval line.
func (r *sysbenchReader) interval(line string, m [][]byte) error {
	r.current()
	us, ok := r.place(m[1])
	if !ok {
		return nil
	}
	at, _ := scaled(m[1], 0)
	r.step, r.last = max(at-r.last, 0), at
	p := runs.Point{Time: us, Kind: runs.Gauge, Resolution: r.step * 1e6}
	put := func(metric, unit string, v float64) error {
		if math.IsNaN(v) {
			return nil
		}
		p.Metric, p.Unit, p.Value = "sysbench."+metric, unit, v
		return r.sink.Point(&p)
	}
	if err := put("threads", "1", jsonNumber(m[2]).scaled(0)); err != nil {
		return err
	}
	for _, pair := range sysbenchPair.FindAllStringSubmatch(line, -1) {
		if err := put(sysbenchNames[pair[1]], "1/s", jsonNumber(pair[2]).scaled(0)); err != nil {
			return err
		}
	}
	if m := sysbenchSplit.FindStringSubmatch(line); m != nil {
		for i, name := range []string{"reads", "writes", "others"} {
			if err := put(name, "1/s", jsonNumber(m[i+1]).scaled(0)); err != nil {
				return err
			}
		}
	}
	if m := sysbenchLatency.FindStringSubmatch(line); m != nil {
		percent, value := firstSet(m[1], m[4]), firstSet(m[2], m[3])
		if percent != "0" {
			return put("latency_"+percentileKey(percent), "s", jsonNumber(value).scaled(-3))
		}
	}
	return nil
}

// sysbenchNames are the names of what interval lines call rates.
var sysbenchNames = map[string]string{
	"tps": "transactions", "qps": "queries", "eps": "events", "reads": "reads", "writes": "writes",
	"err/s": "errors", "errors": "errors", "reconn/s": "reconnects", "reconnects": "reconnects",
}

// queue writes the points of a line that --rate adds.
func (r *sysbenchReader) queue(m [][]byte) error {
	us, ok := r.place(m[1])
	if !ok {
		return nil
	}
	for i, name := range []string{"sysbench.queue_length", "sysbench.concurrency"} {
		p := runs.Point{Time: us, Kind: runs.Gauge, Metric: name, Unit: "1", Value: jsonNumber(m[i+2]).scaled(0), Resolution: r.step * 1e6}
		if err := r.sink.Point(&p); err != nil {
			return err
		}
	}
	return nil
}

// sysbenchStep is half a step of sysbench's histogram, whose 1023 steps lie
// between 0.001 and 100,000 ms on a logarithmic axis.
var sysbenchStep = math.Exp(math.Log(1e8) / 1023 / 2)

// bucket writes a bucket of the histogram, whose value is the middle of a step.
func (r *sysbenchReader) bucket(m [][]byte) error {
	start, ok := r.in.start()
	if !ok || len(r.runs) > 1 {
		r.buckets++
		return nil
	}
	ms := jsonNumber(m[1]).scaled(0)
	n, counted := scaled(m[2], 0)
	if math.IsNaN(ms) || !counted || n <= 0 || ms <= 0 || ms > maxDuration/1e6 {
		return nil
	}
	h := runs.Histogram{Start: start, Scenario: r.in.NewSample().Scenario, Low: int64(ms / sysbenchStep * 1e6), High: int64(ms * sysbenchStep * 1e6), Count: n}
	return r.sink.Histogram(&h)
}

// describe records what the runs say.
func (r *sysbenchReader) describe() {
	m := &r.in.Meta
	m.Tool, m.LatencyUnit, m.Model, m.Basis = "sysbench", "ms", runs.ClosedLoop, basisRequest
	cut := 0
	for i, run := range r.runs {
		of := ""
		if len(r.runs) > 1 {
			of = "run " + strconv.Itoa(i+1)
		} else {
			m.Version, m.Concurrency, m.Rate = run.version, run.threads, run.rate
			if run.rate > 0 {
				m.Model = runs.OpenLoop
			}
		}
		if n, ok := run.values["transactions"]; ok {
			if _, has := run.values["requests"]; !has {
				run.values["requests"] = n
			}
		}
		if !run.done {
			cut++
		}
		r.in.summary(of, "histogram with steps of 1.8 %; extremes exact", run.values)
	}
	if cut > 0 {
		r.in.Note("%d of %d runs have no final report: they were stopped, or the output is cut", cut, len(r.runs))
	}
	r.in.timeless(r.unplaced, "interval lines")
	r.in.timeless(r.buckets, "buckets of the histogram")
	if r.second > 0 {
		r.in.Note("%d interval lines belong to later runs of the file, whose start is not known, and were left out", r.second)
	}
	if len(r.runs) > 1 {
		r.in.Note("the file holds the output of %d runs", len(r.runs))
	}
	for _, run := range r.runs {
		if run.values["retried"] > 0 {
			r.in.Note("ignored errors are transactions that were tried again; they are in no count of transactions")
			return
		}
	}
}
