package ingest

import (
	"bytes"
	"math"
	"time"

	"headroom/internal/pattern"
	"headroom/runs"
)

// HammerDB reads HammerDB's logs (https://www.hammerdb.com/docs/).
var HammerDB = &Importer{
	Name: "hammerdb-log",
	Doc: `HammerDB log: test result, transaction counter, time profile

Recognised by lines "Vuser 1:…", "324540 PostgreSQL tpm" or ">>>>> PROC: NAME".
A test result gives new orders and transactions a minute, which become rates a
second. Lines of the transaction counter bear no time and become points where a
start is given (--start, and --interval if the counter's was not ten seconds). Of a
time profile the summary over all virtual users is kept, by procedure. Settings
that the log repeats may hold passwords, and are not kept.`,
	Gives: []string{"manifest: summaries, load (virtual users)", "points: hammerdb.transactions, with --start"},
	Lacks: []string{"single transactions, and when the run was", "failures", "percentiles other than those of the time profile"},
	Sniff: func(head []byte) bool {
		return inHead(head, hammerSniff, "Vuser ", " tpm", ">>>>> PROC: ", "Hammerdb Time Profile Report", "HammerDB CLI v")
	},
	Read: readHammerDB,
}

var (
	hammerSniff   = pattern.New(`(?m)^(Vuser \d+:|\d+ (?:PostgreSQL|MySQL|MariaDB|Oracle|MSSQLServer|SQL Server|Db2|Redis|TimesTen|Trafodion) tpm|>>>>> PROC: |.{0,40}Hammerdb Time Profile Report|HammerDB CLI v)`)
	hammerResult  = pattern.New(`TEST RESULT : System achieved (\d+) NOPM from (\d+) (\S+) TPM`)
	hammerOld     = pattern.New(`TEST RESULT : System achieved (\d+) (\S+) TPM at (\d+) NOPM`)
	hammerUsers   = pattern.New(`:(\d+) (?:Active )?Virtual Users configured`)
	hammerVersion = pattern.New(`^HammerDB CLI v(\S+)`)
	hammerCounter = pattern.New(`^(\d+) (PostgreSQL|MySQL|MariaDB|Oracle|MSSQLServer|SQL Server|Db2|Redis|TimesTen|Trafodion) tpm\s*$`)
	hammerBlock   = pattern.New(`^>>>>> (SUMMARY OF|VIRTUAL USER)`)
	hammerProc    = pattern.New(`^>>>>> PROC: (\S+)`)
	hammerCalls   = pattern.New(`^CALLS: (\d+)\s*MIN: ([\d.]+)ms\s*AVG: ([\d.]+)ms\s*MAX: ([\d.]+)ms\s*TOTAL: ([\d.]+)ms`)
	hammerQuant   = pattern.New(`^P99: ([\d.]+)ms\s*P95: ([\d.]+)ms\s*P50: ([\d.]+)ms`)
)

// hammerPeriod is the transaction counter's interval unless it was changed.
const hammerPeriod = 10 * time.Second

type hammerReader struct {
	in       *Input
	sink     Sink
	all      bool // inside the summary over all virtual users
	others   int  // procedures of single virtual users
	proc     string
	values   figures
	counters int64
	results  int
}

func readHammerDB(in *Input, sink Sink) error {
	h := hammerReader{in: in, sink: sink}
	in.Meta.Tool, in.Meta.LatencyUnit = "hammerdb", "ms"
	in.Meta.Model, in.Meta.Basis = runs.ClosedLoop, basisRequest
	in.Meta.ModelAs = "HammerDB's virtual users"
	lines := in.Lines()
	for lines.Next() {
		if err := h.line(bytes.TrimRight(lines.Bytes(), " \r")); err != nil {
			return err
		}
	}
	h.flush()
	if h.others > 0 {
		in.Note("time profiles of single virtual users (%d procedures) are left out; the summary over all is kept", h.others)
	}
	if _, ok := in.start(); !ok {
		in.timeless(int(min(h.counters, math.MaxInt32)), "lines of the transaction counter")
	}
	return lines.Finish()
}

// flush records the procedure that was read.
func (h *hammerReader) flush() {
	if h.proc != "" && h.all && len(h.in.Meta.Summaries) < maxMetrics {
		h.in.summary(h.proc, "of HammerDB's time profile", h.values)
	}
	h.proc = ""
}

func (h *hammerReader) line(line []byte) error {
	if m := hammerCounter.FindSubmatch(line); m != nil {
		return h.counter(m[1])
	}
	if m := hammerVersion.FindSubmatch(line); m != nil {
		h.in.Meta.Version = cutTag(string(m[1]))
	}
	if m := hammerUsers.FindSubmatch(line); m != nil {
		h.in.Meta.Concurrency = atMostInt(string(m[1]))
	}
	if m := hammerResult.FindSubmatch(line); m != nil {
		h.result(m[1], m[2], m[3])
	} else if m := hammerOld.FindSubmatch(line); m != nil {
		h.result(m[3], m[1], m[2])
	}
	if m := hammerBlock.FindSubmatch(line); m != nil {
		h.flush()
		h.all = string(m[1]) == "SUMMARY OF"
	}
	if m := hammerProc.FindSubmatch(line); m != nil {
		h.flush()
		h.proc, h.values = cutTag(string(m[1])), figures{}
		if !h.all {
			h.others++
		}
	}
	if h.proc == "" {
		return nil
	}
	if m := hammerCalls.FindSubmatch(line); m != nil {
		h.values.put("requests", jsonNumber(m[1]).scaled(0))
		for i, name := range []string{"latency.min", "latency.mean", "latency.max", "latency.sum"} {
			h.values.put(name, jsonNumber(m[i+2]).scaled(-3))
		}
	}
	if m := hammerQuant.FindSubmatch(line); m != nil {
		for i, name := range []string{"latency.p99", "latency.p95", "latency.p50"} {
			h.values.put(name, jsonNumber(m[i+1]).scaled(-3))
		}
	}
	return nil
}

// result records a test result, in rates a second.
func (h *hammerReader) result(nopm, tpm, database []byte) {
	v := figures{}
	v.put("throughput.new_orders", jsonNumber(nopm).scaled(0)/60)
	v.put("throughput.transactions", jsonNumber(tpm).scaled(0)/60)
	of := ""
	if h.results++; h.results > 1 {
		of = "result " + clip(string(nopm))
	}
	if h.results > maxMetrics {
		return
	}
	h.in.Note("%s NOPM from %s %s TPM; TPM counts rolled-back transactions, and differs by database", nopm, tpm, clip(string(database)))
	h.in.summary(of, "of the database's own counters, whole per minute", v)
}

// counter writes a line of the transaction counter.
func (h *hammerReader) counter(tpm []byte) error {
	h.counters++
	if _, ok := h.in.start(); !ok {
		return nil
	}
	period := h.in.Opt.Interval
	if period <= 0 {
		period = hammerPeriod
	}
	if h.counters == 1 {
		h.in.placed("lines of the transaction counter are")
		h.in.Note("they are taken as %v apart (--interval says otherwise)", period)
	}
	us, _ := h.in.clock(int64(period) * h.counters)
	return h.sink.Point(&runs.Point{
		Time: us, Metric: "hammerdb.transactions", Kind: runs.Gauge, Unit: "1/s", Value: jsonNumber(tpm).scaled(0) / 60, Resolution: resolutionOf(period),
	})
}
