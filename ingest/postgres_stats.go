package ingest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// PostgresStats reads CSV of PostgreSQL's statistics views.
var PostgresStats = &Importer{
	Name: "postgres-stats",
	Doc: `CSV of a statistics view of PostgreSQL

A header and rows, as "psql --csv -c 'select clock_timestamp() as sampled_at, d.*
from pg_stat_database d'" prints them, once or again and again into one file
(https://www.postgresql.org/docs/current/monitoring-stats.html). The view is told
by columns that it alone has, in any of the versions 12 to 18: pg_stat_database,
_bgwriter, _checkpointer, _wal, _io, _slru, _archiver, _replication,
_user_tables, _user_indexes, _progress_vacuum, _progress_analyze, pg_statio_*,
pg_stat_statements and its _info, pg_locks, pg_replication_slots; and sizes of
relations (relname with bytes). Further columns do no harm; a header that is
repeated is skipped.

Rows are kept whole, as they are printed: files given with --before and --after,
or that bracket the load by their own stamps, give exact differences. What is a
number and bears a stamp is a point as well, under one name in all versions.
Counters keep their resets; stats_reset is a point, since counters that were
reset need not fall. Times in milliseconds become seconds. An empty cell is NULL:
unknown, or impossible, and never zero. Statements' extremes and means cannot be
differenced and are no points.`,
	Gives: []string{"snapshots/<view>", "points: postgres.<view>.<column>"},
	Lacks: []string{"what happened between two rows", "commits of the sampler itself, which are counted with the others"},
	Sniff: func(head []byte) bool {
		columns, ok := csvHeader(head)
		return ok && findPGView(columns) != nil && !isActivity(columns)
	},
	Read: func(in *Input, sink Sink) error {
		return readViewCSV(in, sink, func(columns []string) (*viewRows, error) {
			view := findPGView(columns)
			if view == nil {
				return nil, errors.New("its columns are not those of a statistics view that is known")
			}
			return &viewRows{in: in, sink: sink, out: &cadence{sink: sink}, view: view}, nil
		})
	},
}

// csvHeader returns the columns of a file that begins with a CSV header of SQL
// names, in lower case.
func csvHeader(head []byte) (columns []string, ok bool) {
	line, whole := firstLine(head)
	if !whole || len(line) > 8<<10 {
		return nil, false
	}
	for name := range strings.SplitSeq(string(line), ",") {
		name = strings.ToLower(strings.Trim(name, `" `))
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || isDigit(name[0]) {
			return nil, false
		}
		columns = append(columns, name)
	}
	return columns, true
}

func isActivity(columns []string) bool {
	_, ok := parseActivityHeader(slices.Clone(columns))
	return ok
}

// readViewCSV reads a CSV whose rows are those of one view, which its header
// tells.
func readViewCSV(in *Input, sink Sink, open func(columns []string) (*viewRows, error)) error {
	r := in.csvRecords(func(line []byte) bool { return isDate(line) || len(line) > 0 && line[0] == '"' && isDate(line[1:]) })
	var rows *viewRows
	var header []string
	for r.next() {
		if r.err != nil {
			if err := r.bad(in, "%v", r.err); err != nil {
				return err
			}
			continue
		}
		switch {
		case header == nil:
			header = lowerAll(r.fields)
			continue
		case slices.Equal(lowerAll(r.fields), header), len(r.fields) == 1 && isRowCount(r.fields[0]):
			continue
		case rows == nil:
			var err error
			if rows, err = open(header); err == nil {
				err = rows.setColumns(header, r.fields)
			}
			if err != nil {
				return &FileError{in.Name, err}
			}
		}
		if err := rows.cutOrPut(r); err != nil {
			return err
		}
	}
	if err := r.l.Finish(); err != nil {
		return err
	}
	if rows == nil {
		return fmt.Errorf("%w: a header and no row", ErrEmpty)
	}
	return rows.finish()
}

// cutOrPut writes a row, unless the file ends in it: its last number may lack
// digits.
func (r *viewRows) cutOrPut(rec *csvRecords) error {
	if rec.l.Cut() && len(rec.back) == 0 {
		return rec.bad(r.in, "cut")
	}
	err := r.put(rec.fields)
	if bad, ok := errors.AsType[errBadRow](err); ok {
		return rec.bad(r.in, "%v", bad.error)
	}
	if errors.Is(err, ErrZone) {
		return &FileError{r.in.Name, fmt.Errorf("line %d: %w", rec.line, err)}
	}
	return err
}

func lowerAll(fields []string) []string {
	lower := make([]string, len(fields))
	for i, f := range fields {
		lower[i] = strings.ToLower(strings.TrimSpace(f))
	}
	return lower
}

// isRowCount reports whether a line is what psql prints below a table.
func isRowCount(line string) bool {
	var n int64
	_, err := fmt.Sscanf(line, "(%d row", &n)
	return err == nil && strings.HasSuffix(line, ")")
}

// viewName makes the name of a snapshots table of a file's: "request-nonces.csv.gz"
// is request_nonces.
func viewName(base string) string {
	base, _, _ = strings.Cut(strings.ToLower(base), ".")
	name := []byte(base)
	for i, c := range name {
		if !isDigit(c) && (c < 'a' || c > 'z') {
			name[i] = '_'
		}
	}
	text := strings.Trim(string(name), "_")
	return firstSet(text[:min(len(text), 63)], "rows")
}
