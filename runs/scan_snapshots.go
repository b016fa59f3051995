package runs

import (
	"context"
	"path"
	"strings"

	"headroom/runs/internal/table"
)

// SnapshotViews returns the names of the views that the run has rows of, sorted.
func (r *Run) SnapshotViews() []string {
	var views []string
	for _, t := range r.manifest.Tables {
		if view, ok := strings.CutPrefix(t.Table, snapshotsName+"/"); ok && viewPattern.MatchString(view) {
			views = append(views, view)
		}
	}
	return views
}

// ScanSnapshots calls fn for every row of a view within the range, in the order
// they were recorded. A row without a stamp is in the range of all time only. The
// Snapshot has every column of the table, "" where its own source had none; it is
// valid until fn returns, its strings stay valid.
func (r *Run) ScanSnapshots(ctx context.Context, view string, within Range, fn func(*Snapshot) error) error {
	d := r.table(snapshotsName + "/" + view)
	if d.Parts == 0 || !viewPattern.MatchString(view) {
		return ctx.Err()
	}
	parts := table.Parts{Dir: r.path, Rows: d.Rows} // row groups are not left out: a stamp may be missing
	for i := range d.Parts {
		parts.Names = append(parts.Names, path.Join(d.Table, table.PartName(i)))
	}
	names, err := table.ColumnNames(parts.Dir, parts.Names[0])
	if err != nil {
		return err
	}
	t := &table.Table[snapshotRow]{Name: d.Table, Fields: snapshotFields()}
	row := Snapshot{View: view}
	for _, name := range names {
		if name != table.RunColumn && t.Field(name) == nil {
			t.Fields = append(t.Fields, viewField(len(row.Columns), name))
			row.Columns = append(row.Columns, name)
		}
	}
	return table.Scan(ctx, parts, t, table.Range(within), nil, new(snapshotRow), func(s *snapshotRow) error {
		row.Time, row.Source, row.Role, row.Values = s.time, s.source, s.role, s.values
		return fn(&row)
	})
}

// Holds reports whether a row is one of those that the reference names.
func (f *SnapshotRef) Holds(s *Snapshot) bool {
	if s.View != f.View || s.Source != f.Source || s.Role != "" && s.Role != f.Role {
		return false
	}
	if s.Time == Missing {
		return f.First == ""
	}
	at := formatInstant(s.Time) // of one length, so that text compares as time does
	return f.First <= at && at <= f.Last
}
