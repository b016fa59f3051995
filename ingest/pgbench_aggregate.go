package ingest

import (
	"bytes"
	"time"

	"headroom/runs"
)

// PgbenchAggregate reads logs of pgbench --log --aggregate-interval
// (https://www.postgresql.org/docs/current/pgbench.html, "Aggregated Logging").
var PgbenchAggregate = &Importer{
	Name: "pgbench-aggregate",
	Doc: `pgbench aggregated log (pgbench --log --aggregate-interval=S)

Recognised by lines of 6, 10, 11, 15 or 16 whole numbers that begin with an
interval's start in epoch seconds. Each row becomes points stamped with that
start: the number of transactions, the sum and the sum of squares of their
latency and lag, which add up over threads and intervals, and the smallest and
largest, which do not and are left out of an interval without transactions. The
columns that a row lacks (six-column logs know nothing of lag, skipped, retried
or failed transactions) are not known, not zero. pgbench never writes the last,
partial interval, and writes no row for an interval in which it was stuck.`,
	Gives: []string{"points: pgbench.*"},
	Lacks: []string{"single transactions, and so percentiles", "the last partial interval", "which script a transaction ran"},
	Load:  true,
	Part:  pgbenchPart,
	Sniff: func(head []byte) bool { return sniffRows(head, isAggregateRow) },
	Read:  readPgbenchAggregate,
}

// aggregateColumn is one column after the interval's start.
type aggregateColumn struct {
	metric string
	kind   runs.Kind
	unit   string
	per    float64 // how many of the file's units make one of SI
	level  bool    // a smallest or largest value: none in an interval without transactions
}

const (
	perSecond       = 1e6  // µs
	perSecondSquare = 1e12 // µs²
)

// The columns, in the order of version 15 and later. Older versions stop after
// the 6th, 10th or 11th; newer ones have one more class of failures.
var aggregateColumns = []aggregateColumn{
	{"pgbench.transactions", runs.Delta, "1", 1, false},
	{"pgbench.latency_sum", runs.Delta, "s", perSecond, false},
	{"pgbench.latency_sum2", runs.Delta, "s^2", perSecondSquare, false},
	{"pgbench.latency_min", runs.Gauge, "s", perSecond, true},
	{"pgbench.latency_max", runs.Gauge, "s", perSecond, true},
	{"pgbench.lag_sum", runs.Delta, "s", perSecond, false},
	{"pgbench.lag_sum2", runs.Delta, "s^2", perSecondSquare, false},
	{"pgbench.lag_min", runs.Gauge, "s", perSecond, true},
	{"pgbench.lag_max", runs.Gauge, "s", perSecond, true},
	{"pgbench.skipped", runs.Delta, "1", 1, false},
	{"pgbench.retried", runs.Delta, "1", 1, false},
	{"pgbench.retries", runs.Delta, "1", 1, false},
	{"pgbench.serialization_failures", runs.Delta, "1", 1, false},
	{"pgbench.deadlock_failures", runs.Delta, "1", 1, false},
	{"pgbench.other_failures", runs.Delta, "1", 1, false},
}

// lagColumn is the index of pgbench.lag_sum in aggregateColumns.
const lagColumn = 5

func isAggregateWidth(n int) bool {
	switch n {
	case 6, 10, 11, 15, 16:
		return true
	}
	return false
}

func isAggregateRow(fields [][]byte) bool {
	if !isAggregateWidth(len(fields)) {
		return false
	}
	for _, f := range fields {
		if !isDigits(f) {
			return false
		}
	}
	start, ok := scaled(fields[0], 0)
	return ok && epochUnit(start) == time.Second
}

func readPgbenchAggregate(in *Input, sink Sink) error {
	width, lagged := 0, false
	points := cadence{sink: sink}
	lines := in.Lines()
	for lines.Next() {
		fields := bytes.Fields(lines.Bytes())
		var err error
		switch {
		case lines.Cut(): // perhaps inside a number
			err = in.BadAt(lines, "cut")
		case len(fields) == 0:
		case !isAggregateRow(fields):
			err = in.Bad(lines.Number(), "not an interval's row of 6, 10, 11, 15 or 16 whole numbers")
		case width != 0 && width != len(fields):
			err = in.Bad(lines.Number(), "%d fields where the rows before have %d", len(fields), width)
		default:
			width = len(fields)
			lagged = lagged || width > 6 && string(fields[1+lagColumn]) != "0"
			err = aggregateRow(fields, &points)
		}
		if err != nil {
			return err
		}
	}
	if err := lines.Finish(); err != nil {
		return err
	}
	if err := points.finish(); err != nil {
		return err
	}
	describeAggregate(in, width, lagged, points.resolution)
	return nil
}

// aggregateRow makes the points of one interval of one thread.
func aggregateRow(fields [][]byte, points *cadence) error {
	start, _ := scaled(fields[0], 0)
	empty := string(fields[1]) == "0"
	for i, f := range fields[1:] {
		c := aggregateColumns[i]
		if c.level && empty {
			continue
		}
		n, ok := scaled(f, 0)
		if !ok {
			continue
		}
		p := runs.Point{Time: start * 1e6, Metric: c.metric, Kind: c.kind, Value: float64(n) / c.per, Unit: c.unit}
		if err := points.point(&p); err != nil {
			return err
		}
	}
	return nil
}

func describeAggregate(in *Input, width int, lagged bool, interval int64) {
	m := &in.Meta
	m.Tool, m.LatencyUnit, m.Zone, m.Resolution = "pgbench", "µs", "Unix epoch, by format", interval
	m.Model, m.Basis = runs.ClosedLoop, basisRequest
	if lagged {
		m.Model, m.Basis = runs.OpenLoop, basisResponse
	}
	m.DropsKnown = width > 10
	in.Note("aggregated by interval: percentiles cannot be told, and the last partial interval is never written")
	if width > 0 && width < 15 {
		in.Note("%d columns: what the others would say (of lag, skipped, retried or failed transactions) is not known", width)
	}
}
