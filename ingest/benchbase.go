package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"headroom/internal/pattern"
	"headroom/runs"
)

// BenchBaseRaw reads the single transactions of BenchBase and OLTPBench
// (https://github.com/cmu-db/benchbase).
var BenchBaseRaw = &Importer{
	Name: "benchbase-raw",
	Doc: `BenchBase transactions (*.raw.csv), also of OLTPBench

Recognised by its header, Transaction Type Index,Transaction Name,Start Time. The
start is in epoch seconds with six decimals, whatever the header says; latency is
microseconds. Transactions that the benchmark itself aborted are in it, unmarked;
errors and retries are not. Written under a locale with decimal commas the rows
have more fields than the header, and cannot be told apart: such a file is refused.`,
	Gives: []string{"samples: start, service, op (transaction), worker, tags (phase)"},
	Lacks: []string{"which transactions were aborted", "failed and retried transactions", "the load model and the offered rate"},
	Load:  true,
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return bytes.HasPrefix(line, []byte("Transaction Type Index,Transaction Name,Start Time"))
	},
	Read: readBenchBaseRaw,
}

// errLocale is the refusal of files in which a decimal comma parts fields.
var errLocale = errors.New("its rows have more fields than its header: it was written under a locale with decimal commas, in which numbers cannot be told apart; run the benchmark with -Duser.language=en, or LC_ALL=C")

func readBenchBaseRaw(in *Input, sink Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit = "benchbase", "µs"
	in.Meta.Model, in.Meta.Basis = runs.UnknownLoop, basisRequest
	words := map[string]string{}
	word := func(prefix, text, suffix string) string {
		w, ok := words[prefix+text]
		if !ok {
			w = prefix + cutTag(strings.Clone(text)) + suffix
			if len(words) < maxWords {
				words[strings.Clone(prefix+text)] = w
			}
		}
		return w
	}
	columns := func(header []string) error {
		if len(header) < 6 {
			return fmt.Errorf("%w: %d columns where there are 6: %s", ErrUnreadable, len(header), clipList(header))
		}
		return nil
	}
	err := benchBaseRows(in, columns, func(_, f []string) (string, error) {
		start, err := in.Stamps().Epoch([]byte(f[2]))
		if err != nil {
			return err.Error(), nil
		}
		ns, ok := scaled([]byte(f[3]), 3)
		if !ok || ns > maxDuration || ns < -maxDuration {
			return fmt.Sprintf("a latency of %q", clip(f[3])), nil
		}
		s := in.NewSample()
		s.Op, s.Worker, s.Service, s.Outcome = word("", f[1], ""), word("", f[4], ""), ns, runs.OK
		if isDigits([]byte(f[5])) {
			s.Tags = word(`{"phase":"`, f[5], `"}`)
		}
		s.Start, s.StartNS = runs.SplitNanos(start)
		return "", sink.Sample(&s)
	})
	in.Meta.FailuresHidden = true
	in.Note("transactions that the benchmark aborted are among them, unmarked; errors are not")
	return err
}

// benchBaseRows reads a CSV file with a header; row gets the header and a row of
// as many fields, and returns the reason if it cannot be used.
func benchBaseRows(in *Input, head func(header []string) error, row func(header, fields []string) (string, error)) error {
	rows := in.csvRecords(func(line []byte) bool { return bytes.IndexByte(line, ',') >= 0 })
	var header []string
	for rows.next() {
		reason := ""
		switch {
		case rows.err != nil:
			reason = "not a CSV record: " + rows.err.Error()
		case header == nil:
			header = trimmed(rows.fields)
			if err := head(header); err != nil {
				return err
			}
			continue
		case len(rows.fields) > len(header):
			return &SyntaxError{in.Name, rows.line, errLocale.Error()}
		case len(rows.fields) < len(header):
			reason = fmt.Sprintf("%d fields where there are %d columns", len(rows.fields), len(header))
		default:
			var err error
			if reason, err = row(header, rows.fields); err != nil {
				return err
			}
		}
		if reason != "" {
			if err := rows.bad(in, "%s", reason); err != nil {
				return err
			}
		}
	}
	return rows.l.Finish()
}

// BenchBaseWindows reads the tables by window that BenchBase writes.
var BenchBaseWindows = &Importer{
	Name: "benchbase-windows",
	Doc: `BenchBase tables by window (*.results.csv, *.samples.csv)

Recognised by a header that begins with Time (seconds), and has
Throughput (requests/second). Times count from the run's start, which is not in
the file and must be given (--start; "Start timestamp" of *.summary.json). Results
are in milliseconds, samples in microseconds: the header is believed. A window's
row is stamped with its end. Percentiles are interpolated. Of tables written under
a locale with decimal commas see benchbase-raw.`,
	Gives: []string{"points: benchbase.*"},
	Lacks: []string{"the run's start", "single transactions", "failures"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return bytes.HasPrefix(line, []byte("Time (seconds),")) && bytes.Contains(line, []byte("Throughput (requests/second)"))
	},
	Read: readBenchBaseWindows,
}

var benchBaseLatency = pattern.New(`^(Average|Minimum|Maximum|Median|(\d+)th Percentile) Latency \((milliseconds?|microseconds)\)$`)

// benchBaseColumn says what a column of a table by window becomes.
func benchBaseColumn(name string) (metric string, kind runs.Kind, unit string, power int) {
	switch name {
	case "Requests":
		return "benchbase.requests", runs.Delta, "1", 0
	case "Throughput (requests/second)":
		return "benchbase.throughput", runs.Gauge, "1/s", 0
	}
	key, power, ok := benchBaseKey(name)
	if !ok {
		return "", "", "", 0
	}
	return "benchbase.latency_" + key, runs.Gauge, "s", power
}

// benchBaseKey returns headroom's name of a latency, and the power of its unit.
func benchBaseKey(name string) (key string, power int, ok bool) {
	m := benchBaseLatency.FindStringSubmatch(name)
	if m == nil {
		return "", 0, false
	}
	power = -6
	if strings.HasPrefix(m[3], "milli") {
		power = -3
	}
	switch {
	case m[2] != "":
		key = percentileKey(m[2])
	case m[1] == "Median":
		key = "p50"
	default:
		key = map[string]string{"Average": "mean", "Minimum": "min", "Maximum": "max"}[m[1]]
	}
	return key, power, true
}

func readBenchBaseWindows(in *Input, sink Sink) error {
	in.Meta.Tool = "benchbase"
	var last, step int64
	points := cadence{sink: sink}
	err := benchBaseRows(in, func(header []string) error { return nil }, func(header, f []string) (string, error) {
		if err := in.needStart(); err != nil {
			return "", err
		}
		at, ok := scaled([]byte(f[0]), 0)
		if !ok || at < 0 || at > maxDuration/1e9 {
			return fmt.Sprintf("%q is no number of seconds", clip(f[0])), nil
		}
		if at > last {
			step = at - last
		}
		last = at
		us, _ := in.clock((at + max(step, 1)) * int64(time.Second))
		for i, name := range header[1:] {
			metric, kind, unit, power := benchBaseColumn(name)
			v := jsonNumber(strings.TrimSpace(f[i+1])).scaled(power)
			if metric == "" || math.IsNaN(v) {
				continue
			}
			if err := points.point(&runs.Point{Time: us, Metric: metric, Kind: kind, Unit: unit, Value: v}); err != nil {
				return "", err
			}
		}
		return "", nil
	})
	if err != nil {
		return err
	}
	in.placed("windows are")
	return points.finish()
}

// BenchBaseSummary reads BenchBase's own summary.
var BenchBaseSummary = &Importer{
	Name: "benchbase-summary",
	Doc: `BenchBase summary (*.summary.json)

Recognised by an object with Benchmark Type and Latency Distribution, in any
order. Latencies are microseconds, percentiles interpolated. Throughput counts
aborted transactions, goodput does not.`,
	Gives: []string{"manifest: summaries, load (terminals)"},
	Lacks: []string{"single transactions", "failures"},
	Sniff: func(head []byte) bool {
		return hasMembers(head, "Benchmark Type", "Latency Distribution") || hasMembers(head, "Measured Requests", "Latency Distribution")
	},
	Read: readBenchBaseSummary,
}

func readBenchBaseSummary(in *Input, _ Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit = "benchbase", "µs"
	in.Meta.Model, in.Meta.Basis = runs.UnknownLoop, basisRequest
	return documents(in, func(doc *map[string]json.RawMessage) error {
		v := figures{}
		number := func(key string) (n jsonNumber) {
			_ = json.Unmarshal((*doc)[key], &n) // of another shape: not known
			return n
		}
		v.put("requests", number("Measured Requests").scaled(0))
		v.put("duration", number("Elapsed Time (nanoseconds)").scaled(-9))
		v.put("throughput.requests", number("Throughput (requests/second)").scaled(0))
		v.put("throughput.good", number("Goodput (requests/second)").scaled(0))
		var latencies map[string]jsonNumber
		_ = json.Unmarshal((*doc)["Latency Distribution"], &latencies)
		for _, name := range inOrder(latencies) {
			if key, power, ok := benchBaseKey(name); ok {
				v.put("latency."+key, latencies[name].scaled(power))
			}
		}
		in.Meta.Concurrency = atMostInt(string(number("terminals")))
		if start := number("Start timestamp (milliseconds)"); start != "" {
			if ns, err := in.Stamps().Epoch([]byte(start)); err == nil {
				in.Note("it began at %s (the start of its tables by window)", stampText(micros(ns)))
			}
		}
		in.summary("", "interpolated", v)
		return nil
	})
}
