package ingest

import (
	"strings"

	"headroom/runs"
)

// pgAutovacuum reads what log_autovacuum_min_duration logs at the end of a
// vacuum or an analyze. Each line is told by its label, never by its place:
// their number and order differ between any two versions from 9.4 to 18.
func pgAutovacuum(r *pgRecord, a *attrs) (string, int64, bool) {
	first, rest, _ := strings.Cut(r.message, "\n")
	what, table, ok := strings.Cut(strings.TrimPrefix(first, "automatic "), " of table \"")
	if !ok {
		return "", 0, false
	}
	kind := ""
	switch what {
	case "vacuum", "aggressive vacuum", "vacuum to prevent wraparound", "aggressive vacuum to prevent wraparound":
		kind = "postgres.autovacuum"
	case "analyze":
		kind = "postgres.autoanalyze"
	default:
		return "", 0, false
	}
	end := strings.LastIndexByte(table, '"')
	if end < 0 {
		return "", 0, false
	}
	a.text("table", shorten(table[:end], 400))
	if what != "vacuum" && what != "analyze" {
		a.text("mode", what)
	}
	tail := table[end+1:]
	if v, ok := numberAfter(tail, "index scans: "); ok {
		a.number("index_scans", v)
	}
	elapsed := systemUsage(tail, a) // an analyze of one line, until 13
	for line := range strings.Lines(rest) {
		if ns := vacuumLine(strings.TrimSpace(line), a); ns != runs.Missing {
			elapsed = ns
		}
	}
	return kind, elapsed, true
}

// vacuumNumbers are the numbers of each line by its label. A number stands before
// its words, or after them where after is set. Rates are MiB/s, which PostgreSQL
// writes MB/s.
var vacuumNumbers = map[string][]struct {
	name, mark string
	after      bool
	factor     float64
}{
	"pages": {
		{"pages_removed", " removed", false, 1}, {"pages_remain", " remain", false, 1},
		{"pages_scanned", " scanned", false, 1}, {"pages_eagerly_scanned", " eagerly scanned", false, 1},
		{"pages_skipped_pins", " skipped due to pins", false, 1}, {"pages_skipped_frozen", " skipped frozen", false, 1},
	},
	"tuples": {
		{"tuples_removed", " removed", false, 1}, {"tuples_remain", " remain", false, 1},
		{"tuples_dead", " are dead but not yet removable", false, 1},
	},
	"tuples missed": {{"tuples_missed", " dead from", false, 1}},
	"frozen":        {{"pages_frozen", " pages from table", false, 1}, {"tuples_frozen", " tuples frozen", false, 1}},
	"buffer usage": {
		{"buffers_hit", " hits", false, 1}, {"buffers_dirtied", " dirtied", false, 1},
		{"buffers_read", " misses", false, 1}, {"buffers_read", " reads", false, 1}, // 18
	},
	"WAL usage": {
		{"wal_records", " records", false, 1}, {"wal_fpi", " full page images", false, 1},
		{"wal_bytes", " bytes", false, 1}, {"wal_buffers_full", " buffers full", false, 1},
	},
	"avg read rate":  {{"read_rate", "avg read rate: ", true, 1 << 20}, {"write_rate", "avg write rate: ", true, 1 << 20}},
	"avg write rate": {{"write_rate", "avg write rate: ", true, 1 << 20}},
}

// vacuumLine reads one line of the report and returns the elapsed time in ns, if
// it is the line that says it.
func vacuumLine(line string, a *attrs) int64 {
	label, text, ok := strings.Cut(line, ": ")
	if !ok {
		return runs.Missing
	}
	for _, n := range vacuumNumbers[label] {
		find, in := numberBefore, text
		if n.after {
			find, in = numberAfter, line
		}
		if v, ok := find(in, n.mark); ok {
			a.number(n.name, v*n.factor)
		}
	}
	switch label {
	case "system usage":
		return systemUsage(text, a)
	case "I/O timings", "delay time":
		vacuumMillis(line, a)
	case "index scan needed", "index scan not needed", "index scan bypassed", "index scan bypassed by failsafe":
		a.text("index_scan", strings.TrimPrefix(label, "index scan "))
		if v, ok := numberBefore(text, " dead item identifiers"); ok {
			a.number("dead_items", v)
		}
	}
	return runs.Missing
}

// vacuumMillis reads "I/O timings: read: 9.134 ms, write: 0.039 ms" and "delay
// time: 31.382 ms".
func vacuumMillis(line string, a *attrs) {
	for _, t := range []struct{ name, mark string }{
		{"read_time", "read: "}, {"write_time", "write: "}, {"delay", "delay time: "},
	} {
		_, after, ok := strings.Cut(line, t.mark)
		if !ok {
			continue
		}
		if ns, _, ok := cutMillis(after); ok {
			a.number(t.name, seconds(ns))
		}
	}
}
