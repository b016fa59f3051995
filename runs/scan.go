package runs

import (
	"context"
	"path"
	"slices"
	"strings"

	"headroom/runs/internal/table"
)

// ScanPoints calls fn for every point within the range whose metric is in
// metrics (nil: all), in the order they were recorded. The Point is valid until
// fn returns; its strings stay valid.
func (r *Run) ScanPoints(ctx context.Context, metrics []string, within Range, fn func(*Point) error) error {
	var only *table.Filter
	if metrics != nil {
		only = &table.Filter{Column: "metric", Match: func(s string) bool { return slices.Contains(metrics, s) }}
	}
	return scan(ctx, r, pointsTable, within, only, fn)
}

// ScanMarkers calls fn for every marker within the range whose kind is in kinds
// (nil: all); a kind that ends in "." stands for all kinds that begin with it.
// The Marker is valid until fn returns; its strings stay valid.
func (r *Run) ScanMarkers(ctx context.Context, kinds []string, within Range, fn func(*Marker) error) error {
	var only *table.Filter
	if kinds != nil {
		only = &table.Filter{Column: "kind", Match: func(s string) bool {
			return slices.ContainsFunc(kinds, func(k string) bool {
				return k == s || strings.HasSuffix(k, ".") && strings.HasPrefix(s, k)
			})
		}}
	}
	return scan(ctx, r, markersTable, within, only, fn)
}

// ScanActivity calls fn for every sampled session within the range. The
// Activity is valid until fn returns; its strings stay valid.
func (r *Run) ScanActivity(ctx context.Context, within Range, fn func(*Activity) error) error {
	return scan(ctx, r, activityTable, within, nil, fn)
}

// ScanHistograms calls fn for every histogram bucket whose interval starts
// within the range. The Histogram is valid until fn returns; its strings stay
// valid.
func (r *Run) ScanHistograms(ctx context.Context, within Range, fn func(*Histogram) error) error {
	return scan(ctx, r, histogramsTable, within, nil, fn)
}

// scan reads the rows of a table.
func scan[R any](ctx context.Context, r *Run, t *table.Table[R], within Range, only *table.Filter, fn func(*R) error) error {
	return table.Scan(ctx, tableParts(r, t), t, table.Range(within), only, new(R), fn)
}

// tableParts returns the files of a table, none if the run does not have it.
func tableParts[R any](r *Run, t *table.Table[R]) table.Parts {
	d := r.table(t.Name)
	p := table.Parts{Dir: r.path, Instant: t.Fields[0].Name, Rows: d.Rows, Declared: t.Names()}
	for i := range d.Parts {
		p.Names = append(p.Names, path.Join(t.Name, table.PartName(i)))
	}
	return p
}
