package ingest

import (
	"strings"

	"headroom/runs"
)

// kib is what PostgreSQL's "kB" means.
const kib = 1024

// pgCheckpointStart reads "checkpoint starting: immediate force wait". The words
// say why: time is a regular one, wal (xlog until 9.6) is forced by max_wal_size.
func pgCheckpointStart(r *pgRecord, a *attrs) (string, int64, bool) {
	what, reason, _ := strings.Cut(r.message, " starting:")
	a.text("point", what)
	a.text("reason", shorten(strings.TrimSpace(reason), 200))
	return "postgres.checkpoint.start", runs.Missing, true
}

// pgCheckpointComplete reads the line that ends a checkpoint or restartpoint.
// Versions differ in what they add: distance and estimate from 9.5, LSNs from
// 16, SLRU buffers from 18.
func pgCheckpointComplete(r *pgRecord, a *attrs) (string, int64, bool) {
	what, text, _ := strings.Cut(r.message, " complete:")
	a.text("point", what)
	for _, n := range []struct {
		name, mark string
		factor     float64
		before     bool
	}{
		{"buffers", " buffers (", 1, true},
		{"buffers_share", "%)", 0.01, true}, // of shared_buffers
		{"slru_buffers", " SLRU buffers", 1, true},
		{"wal_added", " WAL file(s) added", 1, true},
		{"wal_added", " transaction log file(s) added", 1, true}, // until 9.6
		{"wal_removed", " removed", 1, true},
		{"wal_recycled", " recycled", 1, true},
		{"sync_files", "sync files=", 1, false},
		{"distance", "distance=", kib, false},
		{"estimate", "estimate=", kib, false},
	} {
		find := numberAfter
		if n.before {
			find = numberBefore
		}
		if v, ok := find(text, n.mark); ok {
			a.number(n.name, scaledBy(v, n.factor))
		}
	}
	total := runs.Missing
	for _, t := range []string{"write", "sync", "total", "longest", "average"} {
		if ns, ok := durationAfter(text, " "+t+"="); ok {
			a.number(t, seconds(ns))
			if t == "total" {
				total = ns
			}
		}
	}
	if _, lsn, ok := strings.Cut(text, "; lsn="); ok {
		lsn, redo, _ := strings.Cut(lsn, ", redo lsn=")
		a.text("lsn", shorten(lsn, 40))
		a.text("redo_lsn", shorten(redo, 40))
	}
	return "postgres.checkpoint.complete", total, true
}

// scaledBy multiplies, dividing where the factor is a hundredth, so that 11.4 %
// becomes the float nearest to 0.114.
func scaledBy(v, factor float64) float64 {
	if factor == 0.01 {
		return v / 100
	}
	return v * factor
}

// pgCheckpointFrequent reads "checkpoints are occurring too frequently (9 seconds
// apart)", which is logged below checkpoint_warning.
func pgCheckpointFrequent(r *pgRecord, a *attrs) (string, int64, bool) {
	if v, ok := numberAfter(r.message, "("); ok {
		a.number("apart", v)
	}
	return "postgres.checkpoint.frequent", runs.Missing, true
}
