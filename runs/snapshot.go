package runs

import (
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"headroom/internal/pattern"
	"headroom/runs/internal/table"
)

// Snapshot is one whole row of a view of the system, as it printed it: a row of
// pg_stat_database, of relation sizes, of the user's own query. Which columns
// there are is known only when it is read; each view has a table of its own,
// snapshots/<view>, whose columns are those of all its rows together.
//
// Values are text, so that no digit is lost and a column has one type in every
// run, whatever the server's version.
type Snapshot struct {
	View    string   // "pg_stat_wal": lower-case letters, digits and "_", at most 63
	Time    int64    // when it was taken, microseconds since the Unix epoch, UTC; Missing if it bears no stamp
	Source  string   // base name of the file it came from
	Role    string   // "before" or "after" if the file was given as that, else ""
	Columns []string // names, each once whatever its case; see CheckSnapshotColumns
	Values  []string // one a column; "" is NULL, or a value that is not known
}

// Value returns the value of the first of the columns that the row has, and
// whether it has one that is not missing. Several names are those that versions
// of a server give to one thing.
func (s *Snapshot) Value(columns ...string) (string, bool) {
	for _, name := range columns {
		if i := slices.Index(s.Columns, name); i >= 0 && s.Values[i] != "" {
			return s.Values[i], true
		}
	}
	return "", false
}

// Bounds of the snapshots of a run.
const (
	MaxSnapshotViews   = 256 // views of a run
	MaxSnapshotColumns = 200 // columns of a view, of all its rows together
	maxColumnName      = 63  // bytes, as PostgreSQL's own identifiers
)

// Names of the columns that every snapshots table has before those of its view.
const (
	snapshotTime   = "snapshot_time"
	snapshotSource = "snapshot_source"
	snapshotRole   = "snapshot_role"
	snapshotsName  = "snapshots"
)

// viewPattern is what a view may be called, so that its name can be a folder's.
var viewPattern = pattern.New(`^[a-z0-9][a-z0-9_]{0,62}$`)

// CheckSnapshotColumns reports why names cannot be the columns of a view: one is
// empty, longer than 63 bytes or no UTF-8, occurs twice whatever its case, or is
// the name of a column that every snapshots table has (run, snapshot_…).
func CheckSnapshotColumns(names []string) error {
	if len(names) == 0 || len(names) > MaxSnapshotColumns {
		return fmt.Errorf("%d columns: want 1 to %d", len(names), MaxSnapshotColumns)
	}
	seen := map[string]bool{table.RunColumn: true, snapshotTime: true, snapshotSource: true, snapshotRole: true}
	for _, name := range names {
		if name == "" || len(name) > maxColumnName || !utf8.ValidString(name) {
			return fmt.Errorf("column %q: want a name of 1 to %d bytes of UTF-8", name, maxColumnName)
		}
		if lower := strings.ToLower(name); seen[lower] {
			return fmt.Errorf("column %q: there is another of that name", name)
		} else {
			seen[lower] = true
		}
	}
	return nil
}

// snapshotRow is a row of a snapshots table, its values by the table's columns.
type snapshotRow struct {
	time         int64
	source, role string
	values       []string
}

// snapshotFields are the columns that every snapshots table has.
func snapshotFields() []table.Field[snapshotRow] {
	return []table.Field[snapshotRow]{
		{Name: snapshotTime, Type: table.Instant, Optional: true, Int: func(r *snapshotRow) *int64 { return &r.time }},
		{Name: snapshotSource, Type: table.Text, Text: func(r *snapshotRow) *string { return &r.source }},
		{Name: snapshotRole, Type: table.Text, Optional: true, Text: func(r *snapshotRow) *string { return &r.role }},
	}
}

// viewField is column i of a view.
func viewField(i int, name string) table.Field[snapshotRow] {
	return table.Field[snapshotRow]{Name: name, Type: table.Text, Optional: true, Text: func(r *snapshotRow) *string {
		for len(r.values) <= i { // of a row that is being read for the first time
			r.values = append(r.values, "")
		}
		return &r.values[i]
	}}
}

// snapshotTable is a snapshots table being written.
type snapshotTable struct {
	writer *table.Writer[snapshotRow]
	names  []string
	place  map[string]int // lower-case name → index among names

	columns []string // of the row before
	at      []int    // where each of them is stored
}

// Snapshot appends a row to the table of its view; s may be reused after the
// call. It is an error if the view's name is not fit to be a folder's, the
// columns are not fit (see CheckSnapshotColumns), values and columns differ in
// number, the role is none of the three, or one of the bounds is reached.
func (w *Writer) Snapshot(s *Snapshot) error {
	if w.tmp == "" {
		return ErrClosed
	}
	t, err := w.snapshotTable(s)
	if err != nil {
		return fmt.Errorf("snapshots of %q: %w", s.View, err)
	}
	row := snapshotRow{time: s.Time, source: s.Source, role: s.Role, values: make([]string, len(t.names))}
	for i, v := range s.Values {
		row.values[t.at[i]] = v
	}
	if err := t.writer.Append(&row); err != nil {
		return err
	}
	if s.Time != Missing {
		w.span.other(s.Time)
	}
	return nil
}

// snapshotTable returns the table of a row's view, with all of the row's columns.
func (w *Writer) snapshotTable(s *Snapshot) (*snapshotTable, error) {
	switch {
	case !viewPattern.MatchString(s.View):
		return nil, errors.New("the name of a view is lower-case letters, digits and \"_\", at most 63")
	case s.Role != "" && s.Role != "before" && s.Role != "after":
		return nil, fmt.Errorf("role %q: want before, after or none", s.Role)
	case len(s.Columns) != len(s.Values):
		return nil, fmt.Errorf("%d values of %d columns", len(s.Values), len(s.Columns))
	}
	t := w.snapshots[s.View]
	if t == nil {
		if len(w.snapshots) == MaxSnapshotViews {
			return nil, fmt.Errorf("a run has at most %d views", MaxSnapshotViews)
		}
		name := snapshotsName + "/" + s.View
		declared := &table.Table[snapshotRow]{Name: name, Fields: snapshotFields()}
		t = &snapshotTable{
			writer: table.NewWriter(declared, filepath.Join(w.tmp, snapshotsName, s.View), w.opt.Tool),
			place:  map[string]int{},
		}
	}
	if t.columns == nil || !slices.Equal(t.columns, s.Columns) {
		if err := t.extend(s.Columns); err != nil {
			return nil, err
		}
	}
	w.snapshots[s.View] = t
	return t, nil
}

// extend gives the table the columns that it does not have yet, and notes where
// each is stored.
func (t *snapshotTable) extend(columns []string) error {
	if err := CheckSnapshotColumns(columns); err != nil {
		return err
	}
	names, at := slices.Clone(t.names), make([]int, len(columns))
	var fields []table.Field[snapshotRow]
	for i, name := range columns {
		place, ok := t.place[strings.ToLower(name)]
		if !ok {
			place = len(names)
			names = append(names, name)
			fields = append(fields, viewField(place, name))
		}
		at[i] = place
	}
	if len(names) > MaxSnapshotColumns {
		return fmt.Errorf("its rows have more than %d columns together", MaxSnapshotColumns)
	}
	if len(fields) > 0 {
		if err := t.writer.Extend(fields); err != nil {
			return err
		}
	}
	for i, name := range names[len(t.names):] {
		t.place[strings.ToLower(name)] = len(t.names) + i
	}
	t.names, t.at, t.columns = names, at, slices.Clone(columns)
	return nil
}

// Change is what was added to a counter between two rows.
type Change struct {
	Amount  string // exact, as decimal text
	AtLeast bool   // the counter was reset in between: Amount is what came after the reset
}

// resetColumns say since when the counters of a row count.
var resetColumns = []string{"stats_reset", "stats_since"}

// Change returns what was added to a counter from s to a later row of the same
// thing; of several columns, the first that each row has. ok is false if one of
// them has no number there.
//
// A counter was reset if the row's stats_reset or stats_since is another than
// before, or if it is lower than before: the later value is then all that is
// known to have been added.
func (s *Snapshot) Change(later *Snapshot, columns ...string) (c Change, ok bool) {
	a, okA := s.Value(columns...)
	b, okB := later.Value(columns...)
	if !okA || !okB {
		return c, false
	}
	before, okA := decimal(a)
	after, okB := decimal(b)
	if !okA || !okB {
		return c, false
	}
	c.AtLeast = after.Cmp(before) < 0
	for _, name := range resetColumns {
		i, j := slices.Index(s.Columns, name), slices.Index(later.Columns, name)
		if i >= 0 && j >= 0 && s.Values[i] != later.Values[j] {
			c.AtLeast = true
		}
	}
	if !c.AtLeast {
		after.Sub(after, before)
	}
	places, _ := after.FloatPrec()
	c.Amount = after.FloatString(places)
	return c, true
}

// decimal reads a number as servers print it, of a bounded size.
func decimal(text string) (*big.Rat, bool) {
	const most = 400 // digits, and places of an exponent
	if len(text) == 0 || len(text) > most || strings.Trim(text, "0123456789+-.eE") != "" {
		return nil, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if e, err := strconv.Atoi(text[i+1:]); err != nil || e > most || e < -most {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}
