package ingest

import (
	"strings"
)

// PsqlSeries reads CSV of the user's own queries, taken again and again.
var PsqlSeries = &Importer{
	Name: "psql-series",
	Doc: `CSV of one's own query, taken again and again

A header of SQL names, the first of them sampled_at (or at, now, snap_time,
clock_timestamp, …), and rows that begin with a stamp, as "psql --csv -c 'select
clock_timestamp() as sampled_at, count(*) as rows from jobs'" adds them in a
loop. Every column of numbers is a series of points, sql.<column>, of the entity
that the file is called by; rows are kept whole, as a snapshot of that name.

Units follow the names: …bytes and …size are bytes, …_ms milliseconds, …lsn a
position in the WAL. What else a number means is the query's own. An empty cell
is NULL, and not zero. A single row of numbers is psql-counts.`,
	Gives: []string{"snapshots/<file>", "points: sql.<column>"},
	Lacks: []string{"what the numbers mean", "whether a column is a level or a total: all but positions in the WAL are taken as levels"},
	Sniff: func(head []byte) bool {
		columns, ok := csvHeader(head)
		if !ok || len(columns) < 2 || !isSeriesStamp(columns[0]) || findPGView(columns) != nil || isActivity(columns) {
			return false
		}
		_, rest, _ := strings.Cut(strings.TrimLeft(string(head), "\r\n"), "\n")
		line, _ := firstLine([]byte(rest))
		row := strings.Split(strings.TrimRight(string(line), "\r"), ",")
		if len(row) < 2 || !isDate([]byte(strings.Trim(row[0], `"`))) {
			return false
		}
		numbers := 0
		for _, v := range row[1:] {
			if _, ok := parseNumber(v); ok {
				numbers++
			}
		}
		_, _, err := readCounts(head)
		return numbers > 0 && (len(head) >= HeadSize || err != nil)
	},
	Read: func(in *Input, sink Sink) error {
		return readViewCSV(in, sink, func([]string) (*viewRows, error) { return newSeriesRows(in.Name, in, sink), nil })
	},
}

// newSeriesRows returns the rows of an own query whose file has this name.
func newSeriesRows(base string, in *Input, sink Sink) *viewRows {
	name := viewName(base)
	return &viewRows{in: in, sink: sink, out: &cadence{sink: sink}, view: &pgView{name: name, prefix: "sql.", gauges: true}, entity: name}
}

// isSeriesStamp reports whether a column is called as those who query a database
// call the time of a row. Words that any CSV could have, such as time, are left to
// a mapping.
func isSeriesStamp(name string) bool {
	switch name {
	case "sampled_at", "at", "now", "clock_timestamp", "taken_at", "captured_at", "collected_at", "sample_time", "snap_time", "snapshot_at":
		return true
	}
	return false
}
