package ingest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"headroom/runs"
)

// viewRows writes rows of one view: each whole as a snapshot and, where it bears
// a stamp, its numbers as points.
type viewRows struct {
	in     *Input
	sink   Sink
	out    *cadence
	view   *pgView
	entity string // of all points; "": by the view's keys

	names   []string // of the snapshot's columns
	columns int      // of the file
	at      int      // index of the stamp among the columns of the file; -1: none
	keep    []int    // indexes of the other columns
	metrics []pgMetric
	points  []bool // which of the names are numbers that become points
	keys    []int  // indexes among the names

	unstamped int64
}

// snapshotStamps are the names of columns that say when a row was taken.
var snapshotStamps = append(slices.Clone(stampNames), "snap_time", "snapshot_at", "collected_at")

// setColumns takes the names of the columns; first is the first row, which can
// show what the names do not. It returns why they cannot be a view's.
func (r *viewRows) setColumns(columns, first []string) error {
	r.at = slices.IndexFunc(columns, func(name string) bool { return slices.Contains(snapshotStamps, name) })
	if r.at < 0 && len(first) == len(columns) && len(columns) > 0 && isDate([]byte(first[0])) && !ownStamp(columns[0]) {
		r.at = 0
	}
	r.columns = len(columns)
	r.names, r.keep, r.metrics, r.points, r.keys = nil, nil, nil, nil, nil
	for i, name := range columns {
		if i == r.at {
			continue
		}
		m, ok := r.view.metric(name)
		r.keep, r.metrics, r.points = append(r.keep, i), append(r.metrics, m), append(r.points, ok)
		if name == "run" || strings.HasPrefix(strings.ToLower(name), "snapshot_") {
			name += "_" // the table has columns of these names
		}
		r.names = append(r.names, name)
	}
	for _, key := range r.view.keys {
		if i := slices.Index(r.names, key); i >= 0 {
			r.keys = append(r.keys, i)
		}
	}
	return runs.CheckSnapshotColumns(r.names)
}

// ownStamp reports whether a column of a view is a stamp that says something else
// than when the row was taken.
func ownStamp(column string) bool {
	for _, end := range []string{"_reset", "_since", "_start", "_change", "_time", "_vacuum", "_autovacuum", "_analyze", "_autoanalyze", "_scan", "_failure", "waitstart"} {
		if strings.HasSuffix(column, end) {
			return true
		}
	}
	return false
}

// errBadRow wraps what is wrong with one row; other rows can be read.
type errBadRow struct{ error }

// put writes a row.
func (r *viewRows) put(fields []string) error {
	if len(fields) != r.columns {
		return errBadRow{fmt.Errorf("a row of %d columns under a header of %d", len(fields), r.columns)}
	}
	ns := runs.Missing
	if r.at >= 0 && fields[r.at] != "" {
		var err error
		if ns, err = r.in.Stamps().Parse(fields[r.at]); err != nil {
			if errors.Is(err, ErrZone) {
				return err
			}
			return errBadRow{err}
		}
	}
	return r.putAt(ns, fields)
}

// putAt writes a row that was taken at an instant, in ns; runs.Missing if it is
// not known.
func (r *viewRows) putAt(ns int64, fields []string) error {
	s := runs.Snapshot{View: r.view.name, Time: runs.Missing, Columns: r.names, Values: make([]string, len(r.names))}
	for i, column := range r.keep {
		s.Values[i] = strings.ToValidUTF8(fields[column], "\uFFFD")
	}
	if ns == runs.Missing {
		r.unstamped++
		return r.sink.Snapshot(&s)
	}
	s.Time = micros(ns)
	if err := r.sink.Snapshot(&s); err != nil {
		return err
	}
	return r.numbers(ns, s.Values)
}

// numbers writes the points of a row.
func (r *viewRows) numbers(ns int64, values []string) error {
	p := runs.Point{Entity: r.entityOf(values)}
	p.Time, p.TimeNS = runs.SplitNanos(ns)
	for i, m := range r.metrics {
		if !r.points[i] || values[i] == "" {
			continue
		}
		v, ok := m.read(values[i])
		p.Metric, p.Kind, p.Unit = m.name, m.kind, m.unit
		if r.names[i] == "stats_reset" {
			// Another value is another count, though no counter went down.
			reset, err := (&Stamps{zone: r.in.Opt.Zone}).Parse(values[i])
			v, ok, p.Unit = float64(reset/1e3)/1e6, err == nil, "s"
		}
		if !ok {
			continue
		}
		p.Value = v
		if err := r.out.point(&p); err != nil {
			return err
		}
	}
	return r.ioBytes(&p, values)
}

// ioBytes adds to a row of pg_stat_io what 18 says in bytes and 16 and 17 in
// operations of op_bytes each.
func (r *viewRows) ioBytes(p *runs.Point, values []string) error {
	size := slices.Index(r.names, "op_bytes")
	if r.view.name != "pg_stat_io" || size < 0 {
		return nil
	}
	each, ok := parseNumber(values[size])
	if !ok {
		return nil
	}
	for _, c := range []struct{ count, bytes string }{{"reads", "read_bytes"}, {"writes", "write_bytes"}, {"extends", "extend_bytes"}} {
		i := slices.Index(r.names, c.count)
		if i < 0 || slices.Contains(r.names, c.bytes) {
			continue
		}
		n, ok := parseNumber(values[i])
		if !ok {
			continue
		}
		p.Metric, p.Kind, p.Unit, p.Value = r.view.prefix+c.bytes, runs.Counter, "B", n*each
		if err := r.out.point(p); err != nil {
			return err
		}
	}
	return nil
}

// entityOf names what a row is about: its keys, parted by slashes, "-" for one
// that is NULL.
func (r *viewRows) entityOf(values []string) string {
	if r.entity != "" || len(r.keys) == 0 {
		return r.entity
	}
	parts := make([]string, len(r.keys))
	for i, k := range r.keys {
		parts[i] = firstSet(values[k], "-")
	}
	return shorten(strings.Join(parts, "/"), 400)
}

// finish releases the points that wait and notes what had no stamp.
func (r *viewRows) finish() error {
	if r.unstamped > 0 && slices.Contains(r.points, true) {
		r.in.Note("rows of %s that bear no stamp: %d; they are kept whole, and are no points; add clock_timestamp() as sampled_at to the query", r.view.name, r.unstamped)
	}
	return r.out.finish()
}
