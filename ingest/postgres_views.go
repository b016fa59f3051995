package ingest

import (
	"slices"
	"strconv"
	"strings"

	"headroom/runs"
)

// pgView is a statistics view of PostgreSQL, versions 12 to 18
// (https://www.postgresql.org/docs/current/monitoring-stats.html). A view is told
// by columns that it alone has in every version.
type pgView struct {
	name   string   // of its snapshots table
	prefix string   // of its metrics
	signs  []string // columns; "a|b" is either
	keys   []string // columns that say which object a row is about
	gauges bool     // all of its numbers are levels, not totals
}

// pgViews are the views that are known, those with the narrower signs first.
var pgViews = []*pgView{
	{"pg_stat_statements", "postgres.statements.", []string{"calls", "total_exec_time|total_time", "queryid|query"}, []string{"userid", "dbid", "queryid", "toplevel"}, false},
	{"pg_stat_statements_info", "postgres.statements_info.", []string{"dealloc"}, nil, false},
	{"pg_stat_checkpointer", "postgres.checkpointer.", []string{"num_timed", "num_requested"}, nil, false},
	{"pg_stat_bgwriter", "postgres.bgwriter.", []string{"buffers_clean", "maxwritten_clean"}, nil, false},
	{"pg_stat_wal", "postgres.wal.", []string{"wal_records", "wal_fpi", "wal_buffers_full"}, nil, false},
	{"pg_stat_io", "postgres.io.", []string{"backend_type", "object", "context"}, []string{"backend_type", "object", "context"}, false},
	{"pg_stat_slru", "postgres.slru.", []string{"name", "blks_zeroed"}, []string{"name"}, false},
	{"pg_stat_archiver", "postgres.archiver.", []string{"archived_count", "failed_count"}, nil, false},
	{"pg_stat_database", "postgres.database.", []string{"datname", "xact_commit"}, []string{"datname"}, false},
	{"pg_stat_progress_vacuum", "postgres.progress_vacuum.", []string{"heap_blks_total", "heap_blks_scanned"}, []string{"pid"}, true},
	{"pg_stat_progress_analyze", "postgres.progress_analyze.", []string{"sample_blks_total", "sample_blks_scanned"}, []string{"pid"}, true},
	{"pg_stat_replication", "postgres.replication.", []string{"sent_lsn", "replay_lsn"}, []string{"application_name", "pid"}, true},
	{"pg_replication_slots", "postgres.slots.", []string{"slot_name", "slot_type"}, []string{"slot_name"}, true},
	{"pg_locks", "postgres.locks.", []string{"locktype", "mode", "granted"}, []string{"locktype", "mode", "granted"}, true},
	{"pg_statio_user_tables", "postgres.table_io.", []string{"relname", "heap_blks_read"}, []string{"schemaname", "relname"}, false},
	{"pg_statio_user_indexes", "postgres.index_io.", []string{"indexrelname", "idx_blks_read"}, []string{"schemaname", "indexrelname"}, false},
	{"pg_stat_user_tables", "postgres.table.", []string{"relname", "n_tup_ins"}, []string{"schemaname", "relname"}, false},
	{"pg_stat_user_indexes", "postgres.index.", []string{"indexrelname", "idx_scan"}, []string{"schemaname", "indexrelname"}, false},
	{"relation_sizes", "postgres.relation.", []string{"relname", "bytes|table_bytes|total_bytes|main_bytes|size"}, []string{"schemaname", "relname"}, true},
}

// pgServer takes what a record says beside its views: positions, ages, sizes.
var pgServer = &pgView{name: "pg_server", prefix: "postgres.server.", gauges: true}

// findPGView returns the view that has these columns, nil if none is known.
func findPGView(columns []string) *pgView {
	for _, v := range pgViews {
		if !slices.ContainsFunc(v.signs, func(sign string) bool {
			return !slices.ContainsFunc(strings.Split(sign, "|"), func(name string) bool { return slices.Contains(columns, name) })
		}) {
			return v
		}
	}
	return nil
}

// pgRenamed gives a column of an older version the metric that it has since
// (pg_stat_bgwriter until 16; pg_stat_statements until 12 and until 16).
var pgRenamed = map[string]string{
	"postgres.bgwriter.checkpoints_timed":     "postgres.checkpointer.num_timed",
	"postgres.bgwriter.checkpoints_req":       "postgres.checkpointer.num_requested",
	"postgres.bgwriter.checkpoint_write_time": "postgres.checkpointer.write_time",
	"postgres.bgwriter.checkpoint_sync_time":  "postgres.checkpointer.sync_time",
	"postgres.bgwriter.buffers_checkpoint":    "postgres.checkpointer.buffers_written",
	"postgres.statements.total_time":          "postgres.statements.total_exec_time",
	"postgres.statements.blk_read_time":       "postgres.statements.shared_blk_read_time",
	"postgres.statements.blk_write_time":      "postgres.statements.shared_blk_write_time",
}

// pgLevels are the gauges among the columns of views of totals; the estimates of
// tables are rewritten by vacuum and analyze.
var pgLevels = []string{"numbackends", "n_live_tup", "n_dead_tup", "n_mod_since_analyze", "n_ins_since_vacuum", "stats_reset"}

// pgTotals are the counters among what a server says beside its views.
var pgTotals = []string{"wal_insert_bytes", "xid"}

// pgNames are columns of numbers that name something.
var pgNames = []string{
	"datid", "relid", "indexrelid", "userid", "dbid", "queryid", "pid", "usesysid", "client_port", "leader_pid",
	"backend_xmin", "op_bytes", "server_version_num", "datoid", "active_pid", "xmin", "catalog_xmin", "relation", "database",
}

// pgSinceReset begin the columns of extremes since the last reset, which cannot be
// differenced, and those that few ask for: they are in the snapshot only.
var pgSinceReset = []string{"min_", "max_", "mean_", "stddev_", "jit_", "local_"}

// pgMetric is what a column becomes as a point.
type pgMetric struct {
	name, unit string
	kind       runs.Kind
	read       func(string) (float64, bool)
}

// metric returns what a column of the view becomes; ok is false for one that is
// no series of numbers.
func (v *pgView) metric(column string) (m pgMetric, ok bool) {
	if slices.Contains(pgNames, column) || slices.Contains(v.keys, column) ||
		slices.ContainsFunc(pgSinceReset, func(begin string) bool { return strings.HasPrefix(column, begin) }) {
		return m, false
	}
	m = pgMetric{name: v.prefix + column, unit: "1", kind: runs.Counter, read: parseNumber}
	if v.gauges && !slices.Contains(pgTotals, column) || slices.Contains(pgLevels, column) {
		m.kind = runs.Gauge
	}
	m.unit, m.read = columnUnit(column)
	switch {
	case strings.HasSuffix(column, "lsn"):
		m.kind = runs.Counter
	case strings.HasSuffix(column, "_time"): // of views: milliseconds
		m.unit, m.read = "s", parseMillis
	case strings.HasSuffix(column, "_lag"):
		m.unit, m.read = "s", parseClock
	}
	if renamed, ok := pgRenamed[m.name]; ok {
		m.name = renamed
	}
	return m, true
}

// columnUnit tells the unit of a column by how its name ends, as databases and
// those who query them write it.
func columnUnit(column string) (unit string, read func(string) (float64, bool)) {
	switch {
	case strings.HasSuffix(column, "bytes"), column == "size", strings.HasSuffix(column, "_size"):
		return "B", parseNumber
	case strings.HasSuffix(column, "_ms"):
		return "s", parseMillis
	case strings.HasSuffix(column, "lsn"):
		return "B", parseLSN
	}
	return "1", parseNumber
}

// parseNumber reads a finite number.
func parseNumber(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && v-v == 0 && strings.Trim(text, "0123456789+-.eE") == ""
}

// parseMillis reads milliseconds as seconds.
func parseMillis(text string) (float64, bool) {
	if _, ok := parseNumber(text); !ok {
		return 0, false
	}
	return shifted([]byte(text), -3)
}

// parseClock reads an interval as PostgreSQL writes it by default, "00:00:01.25"
// or "2 days 03:00:00", in seconds.
func parseClock(text string) (float64, bool) {
	days := 0.0
	if count, clock, found := strings.Cut(text, " day"); found {
		v, ok := parseNumber(count)
		if !ok {
			return 0, false
		}
		days, text = v, strings.TrimPrefix(strings.TrimPrefix(clock, "s"), " ")
		if text == "" {
			return days * 86400, true
		}
	}
	clock, negative := strings.CutPrefix(text, "-")
	parts := strings.Split(clock, ":")
	if len(parts) != 3 {
		return 0, false
	}
	total := 0.0
	for _, part := range parts {
		v, ok := parseNumber(part)
		if !ok || v < 0 {
			return 0, false
		}
		total = 60*total + v
	}
	if negative {
		total = -total
	}
	return days*86400 + total, true
}

// parseLSN reads a position in the WAL, "52/00372084", as bytes since its start;
// it is never reset, and so the best counter of WAL.
func parseLSN(text string) (float64, bool) {
	high, low, ok := strings.Cut(text, "/")
	h, err1 := strconv.ParseUint(high, 16, 32)
	l, err2 := strconv.ParseUint(low, 16, 32)
	return float64(h<<32 | l), ok && err1 == nil && err2 == nil
}
