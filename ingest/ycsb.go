package ingest

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"headroom/internal/pattern"
	"headroom/runs"
)

// YCSBOutput reads what YCSB prints, its status lines included
// (https://github.com/brianfrankcooper/YCSB/wiki).
var YCSBOutput = &Importer{
	Name: "ycsb-output",
	Doc: `YCSB output and status lines (ycsb run … -s)

Recognised by lines "[OP], key, value" of [OVERALL] or with a count of operations,
by status lines "DATE TIME:MS N sec: N operations", or by
"YCSB Client". What an operation's lines
say becomes a summary of that name; CLEANUP is no load, Intended-… counts from
when work was due, …-FAILED is apart. "99.9PercentileLatency" is written without
th; (ms) and (us) are told apart. Lines "[READ], 500, 833.27" are a time series
(offset in ms, mean in us), "[READ], 12, 345" of a histogram in milliseconds: both
are placed only where the start is given (--start). Status lines bear local time
without a zone, which must be given; where it is not, and the file holds nothing
else, the file is refused.`,
	Gives: []string{"manifest: summaries", "points: ycsb.*, of status lines, and of a time series with --start", "histograms, with --start"},
	Lacks: []string{"single operations", "the zone of its stamps", "percentiles other than its own"},
	Sniff: func(head []byte) bool {
		return !ycsbHasRaw(head) && (inHead(head, ycsbLine, "(ms), ", "(us), ", "(ops/sec), ", "Operations, ") || inHead(head, ycsbStatus, " sec: ") || inHead(head, ycsbBanner, "YCSB Client "))
	},
	Read: func(in *Input, sink Sink) error {
		return readYCSB(in, sink)
	},
}

// YCSBRaw reads the single operations of YCSB -p measurementtype=raw.
var YCSBRaw = &Importer{
	Name: "ycsb-raw",
	Doc: `YCSB raw data (-p measurementtype=raw)

Recognised by lines "OP latency raw data: op, timestamp(ms), latency(us)" or rows
"OP,epoch ms,us". Rows come operation by operation, not in the order of time; a
row's stamp is its end. On standard output rows begin with Raw, and the summary
lines between are read as ycsb-output reads them. CLEANUP is no load and stands in
a scenario of its own, and so does Intended-…, whose rows are the same operations
measured from when they were due.`,
	Gives: []string{"samples: start, service, op, outcome (…-FAILED)", "manifest: summaries"},
	Lacks: []string{"why an operation failed", "threads", "the load model and the offered rate"},
	Load:  true,
	Sniff: ycsbHasRaw,
	Read: func(in *Input, sink Sink) error {
		return readYCSB(in, sink)
	},
}

var (
	ycsbLine     = pattern.New(`(?m)^\[(?:OVERALL|[A-Z][\w-]*)\], (?:RunTime\(ms\)|Throughput\(ops/sec\)|(?:Total )?Operations|AverageLatency\([um]s\)), `)
	ycsbBanner   = pattern.New(`(?m)^YCSB Client \S`)
	ycsbStatus   = pattern.New(`(?m)^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d):(\d{3}) (\d+) sec: (\d+) operations; `)
	ycsbCurrent  = pattern.New(`; ([\d.]+) current ops/sec; `)
	ycsbOps      = pattern.New(`\[([\w-]+): (Count=[^\]]*)\]`)
	ycsbFact     = pattern.New(`^\[([^\],]+)\], ([^,]+), (\S+)\s*$`)
	ycsbRawHead  = pattern.New(`(?m)^.{0,60} latency raw data: op, timestamp\(ms\), latency\(us\)`)
	ycsbRawRow   = pattern.New(`^(?:Raw)?([A-Z][\w-]*),(\d{13}),(\d+)$`)
	ycsbPercent  = pattern.New(`^([\d.]+)(?:th)?PercentileLatency\((us|ms)\)$`)
	ycsbNamed    = pattern.New(`^(Average|Min|Max)Latency\((us|ms)\)$`)
	ycsbShort    = pattern.New(`^(Average|Min|Max|p[\d.]+)$`)
	ycsbPosition = pattern.New(`^>?\d+$`)
)

func ycsbHasRaw(head []byte) bool {
	if inHead(head, ycsbRawHead, " latency raw data: op, timestamp(ms), latency(us)") {
		return true
	}
	line, whole := firstLine(head)
	return whole && ycsbRawRow.Match(line)
}

// ycsbOp is what was printed of one operation.
type ycsbOp struct {
	name      string
	values    figures
	positions [][2]string // of a histogram or a time series
}

type ycsbReader struct {
	in      *Input
	sink    Sink
	points  cadence
	ops     []*ycsbOp
	byName  map[string]*ycsbOp
	words   map[string]string
	unzoned int
	apart   map[string]int64 // rows in scenarios of their own
}

func readYCSB(in *Input, sink Sink) error {
	r := &ycsbReader{in: in, sink: sink, points: cadence{sink: sink}, byName: map[string]*ycsbOp{}, words: map[string]string{}, apart: map[string]int64{}}
	in.Meta.Tool, in.Meta.LatencyUnit = "ycsb", "µs"
	in.Meta.Model, in.Meta.Basis = runs.UnknownLoop, basisRequest
	lines := in.Lines()
	for lines.Next() {
		if err := r.line(lines); err != nil {
			return err
		}
	}
	if err := lines.Finish(); err != nil {
		return err
	}
	if err := r.points.finish(); err != nil {
		return err
	}
	return r.close()
}

func (r *ycsbReader) line(l *Lines) error {
	line := l.Bytes()
	switch {
	case len(line) == 0:
	case line[0] == '[':
		if m := ycsbFact.FindSubmatch(line); m != nil {
			r.fact(string(m[1]), string(m[2]), string(m[3]))
		}
	case isDigit(line[0]):
		if m := ycsbStatus.FindSubmatch(line); m != nil {
			return r.status(l, m)
		}
	default:
		if m := ycsbRawRow.FindSubmatch(line); m != nil {
			if l.Cut() {
				return r.in.BadAt(l, "cut")
			}
			return r.row(l, m)
		}
	}
	return nil
}

// row makes a sample of a raw row.
func (r *ycsbReader) row(l *Lines, m [][]byte) error {
	end, err := r.in.Stamps().Epoch(m[2])
	if err != nil {
		return r.in.BadAt(l, "%v", err)
	}
	ns, ok := scaled(m[3], 3)
	if !ok || ns > maxDuration {
		return r.in.BadAt(l, "a latency of %s µs is none that can be", clip(string(m[3])))
	}
	s := r.in.NewSample()
	op, known := r.words[string(m[1])]
	if !known {
		op = cutTag(string(m[1]))
		if len(r.words) < maxWords {
			r.words[op] = op
		}
	}
	s.Outcome, s.Op = runs.OK, op
	if base, failed := strings.CutSuffix(op, "-FAILED"); failed {
		s.Outcome, s.Op, s.Status = runs.Failed, base, "FAILED"
	}
	switch {
	case strings.HasPrefix(op, "Intended-"):
		s.Scenario = "intended"
	case op == "CLEANUP":
		s.Scenario = "cleanup"
	}
	if s.Scenario == "intended" || s.Scenario == "cleanup" {
		r.apart[s.Scenario]++
	}
	s.Service = ns
	s.Start, s.StartNS = runs.SplitNanos(end - ns)
	return r.sink.Sample(&s)
}

// status writes the points of a status line.
func (r *ycsbReader) status(l *Lines, m [][]byte) error {
	if r.in.Opt.Zone == nil {
		r.unzoned++
		return nil
	}
	ns, err := r.in.Stamps().Bytes(bytes.Join([][]byte{m[1], m[2]}, []byte{'.'}))
	if err != nil {
		return r.in.unplaced(l, err)
	}
	line := string(l.Bytes())
	p := runs.Point{Time: micros(ns)}
	put := func(metric string, kind runs.Kind, unit string, v float64) error {
		if math.IsNaN(v) {
			return nil
		}
		p.Metric, p.Kind, p.Unit, p.Value = "ycsb."+metric, kind, unit, v
		return r.points.point(&p)
	}
	if err := put("operations", runs.Counter, "1", jsonNumber(m[4]).scaled(0)); err != nil {
		return err
	}
	if c := ycsbCurrent.FindStringSubmatch(line); c != nil {
		if err := put("operations_rate", runs.Gauge, "1/s", jsonNumber(c[1]).scaled(0)); err != nil {
			return err
		}
	}
	for _, op := range ycsbOps.FindAllStringSubmatch(line, -1) {
		p.Entity = cutTag(op[1])
		for _, pair := range strings.Split(op[2], ", ") {
			name, value, _ := strings.Cut(pair, "=")
			kind, unit, power, metric := runs.Gauge, "s", -6, ""
			switch name {
			case "Count":
				kind, unit, power, metric = runs.Delta, "1", 0, "count"
			case "Max", "Min":
				metric = "latency_" + strings.ToLower(name)
			case "Avg":
				metric = "latency_mean"
			default:
				if name == "" || !isDigit(name[0]) {
					continue
				}
				metric = "latency_" + percentileKey(cutTag(name))
			}
			if err := put(metric, kind, unit, jsonNumber(value).scaled(power)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fact takes a line of the report.
func (r *ycsbReader) fact(name, key, value string) {
	op := r.byName[name]
	if op == nil {
		if len(r.ops) >= maxMetrics {
			return
		}
		op = &ycsbOp{name: cutTag(name), values: figures{}}
		r.byName[name] = op
		r.ops = append(r.ops, op)
	}
	n := jsonNumber(value)
	power := func(unit string) int {
		if unit == "ms" {
			return -3
		}
		return -6
	}
	switch {
	case key == "RunTime(ms)":
		op.values.put("duration", n.scaled(-3))
	case key == "Throughput(ops/sec)":
		op.values.put("throughput.requests", n.scaled(0))
	case key == "Operations" || key == "Total Operations":
		op.values.put("requests", n.scaled(0))
	case strings.HasPrefix(key, "Return="):
		op.values.put("return."+cutTag(key[len("Return="):]), n.scaled(0))
	case ycsbPosition.MatchString(key):
		if len(op.positions) < maxMetrics {
			op.positions = append(op.positions, [2]string{key, value})
		}
	case ycsbPercent.MatchString(key):
		m := ycsbPercent.FindStringSubmatch(key)
		op.values.put("latency."+percentileKey(m[1]), n.scaled(power(m[2])))
	case ycsbNamed.MatchString(key):
		m := ycsbNamed.FindStringSubmatch(key)
		op.values.put("latency."+ycsbWord(m[1]), n.scaled(power(m[2])))
	case ycsbShort.MatchString(key):
		op.values.put("latency."+ycsbWord(key), n.scaled(-6))
	}
}

// ycsbWord returns headroom's name of a value.
func ycsbWord(word string) string {
	switch {
	case word == "Average":
		return "mean"
	case word[0] == 'p':
		return percentileKey(word[1:])
	}
	return strings.ToLower(word)
}

// close records what was printed of the operations.
func (r *ycsbReader) close() error {
	in, total := r.in, figures{}
	for _, op := range r.ops {
		if n, ok := op.values["requests"]; ok && op.name != "CLEANUP" && !strings.HasPrefix(op.name, "Intended-") {
			total["requests"] += n
			if strings.HasSuffix(op.name, "-FAILED") {
				total["failed"] += n
			}
		}
	}
	if all := r.byName["OVERALL"]; all != nil {
		for k, v := range all.values {
			total[k] = v
		}
	}
	in.summary("", "as printed", total)
	for _, op := range r.ops {
		if op.name != "OVERALL" && op.values["requests"] > 0 {
			in.summary(op.name, "as printed; hdrhistogram: to three digits", op.values)
		}
		if err := r.positions(op); err != nil {
			return err
		}
	}
	for _, scenario := range []string{"cleanup", "intended"} {
		if n := r.apart[scenario]; n > 0 {
			in.Note("%d rows stand in the scenario %q, apart from the load", n, scenario)
		}
	}
	if r.unzoned > 0 && len(in.Meta.Summaries) == 0 {
		return fmt.Errorf("%w: its status lines bear local time: give a zone (--timezone)", ErrZone)
	}
	if r.unzoned > 0 {
		in.Note("%d status lines were left out: they bear local time, and no zone was given (--timezone)", r.unzoned)
	}
	return nil
}
