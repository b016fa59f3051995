package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// scanRows is how many rows a batch has at most.
const scanRows = 16 << 10

// ScanSamples calls fn for every batch of samples whose start lies in within
// (row groups outside it are not read; rows outside it are filtered out), in
// the order they were recorded, with the asked-for columns. A batch holds at
// most 16,384 rows and at least one. An error of fn ends the scan and is
// returned as it is; a damaged file gives an error that names table, part, row
// group and column.
func (r *Run) ScanSamples(ctx context.Context, cols []Column, within Range, fn func(*Batch) error) error {
	cols = slices.Clone(cols)
	slices.Sort(cols)
	cols = slices.Compact(cols)
	fields := make([]*field[Sample], len(cols))
	for i, c := range cols {
		if fields[i] = samplesTable.field(string(c)); fields[i] == nil {
			return fmt.Errorf("samples: no column %q", c)
		}
	}
	b := batcher{cols: cols, data: make([]column, len(cols)), within: within, fn: fn}
	return r.scanGroups(ctx, samplesTable.name, samplesTable.fields[0].name, within, func(g *groupReader) error {
		if !within.all() {
			if err := g.read(samplesTable.fields[0].name, instant, false, &b.start); err != nil {
				return err
			}
		}
		for i, f := range fields {
			if err := g.read(f.name, f.typ, f.optional, &b.data[i]); err != nil {
				return err
			}
		}
		return b.group(ctx, g.rows)
	})
}

// batcher cuts row groups into batches.
type batcher struct {
	cols   []Column
	data   []column // of cols, for the current row group
	start  column   // the instants, where rows are filtered
	within Range
	fn     func(*Batch) error

	batch Batch
	rows  []int32    // of the current batch, where rows are filtered
	ints  [][]int64  // memory for batches, by column
	texts [][]string // likewise
}

func (b *batcher) group(ctx context.Context, rows int) error {
	if b.ints == nil {
		b.ints, b.texts = make([][]int64, len(b.cols)), make([][]string, len(b.cols))
	}
	for from := 0; from < rows; from += scanRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+scanRows, rows)
		b.batch.Len = to - from
		filtered := false
		if !b.within.all() {
			b.rows = b.rows[:0]
			for i, us := range b.start.ints[from:to] {
				if b.within.contains(us) {
					b.rows = append(b.rows, int32(from+i))
				}
			}
			filtered = len(b.rows) < to-from
			b.batch.Len = len(b.rows)
		}
		if b.batch.Len == 0 {
			continue
		}
		for i, c := range b.cols {
			if filtered {
				b.gather(i, c)
			} else {
				b.slice(i, c, from, to)
			}
		}
		if err := b.fn(&b.batch); err != nil {
			return err
		}
	}
	return nil
}

// slice fills column c of the batch with consecutive rows.
func (b *batcher) slice(i int, c Column, from, to int) {
	d := &b.data[i]
	if p := b.batch.ints(c); p != nil {
		*p = d.ints[from:to:to]
		return
	}
	if c == ColOutcome {
		b.batch.Outcome = b.batch.Outcome[:0]
		for _, code := range d.codes[from:to] {
			b.batch.Outcome = append(b.batch.Outcome, Outcome(d.dict[code]))
		}
		return
	}
	texts := b.texts[i][:0]
	for _, code := range d.codes[from:to] {
		texts = append(texts, d.dict[code])
	}
	b.texts[i] = texts
	*b.batch.texts(c) = texts
}

// gather fills column c of the batch with the chosen rows.
func (b *batcher) gather(i int, c Column) {
	d := &b.data[i]
	if p := b.batch.ints(c); p != nil {
		ints := b.ints[i][:0]
		for _, row := range b.rows {
			ints = append(ints, d.ints[row])
		}
		b.ints[i] = ints
		*p = ints
		return
	}
	if c == ColOutcome {
		b.batch.Outcome = b.batch.Outcome[:0]
		for _, row := range b.rows {
			b.batch.Outcome = append(b.batch.Outcome, Outcome(d.dict[d.codes[row]]))
		}
		return
	}
	texts := b.texts[i][:0]
	for _, row := range b.rows {
		texts = append(texts, d.dict[d.codes[row]])
	}
	b.texts[i] = texts
	*b.batch.texts(c) = texts
}

// ScanPoints calls fn for every point within the range whose metric is in
// metrics (nil: all), in the order they were recorded. The Point is valid until
// fn returns; its strings stay valid.
func (r *Run) ScanPoints(ctx context.Context, metrics []string, within Range, fn func(*Point) error) error {
	var only *textFilter
	if metrics != nil {
		only = &textFilter{"metric", func(s string) bool { return slices.Contains(metrics, s) }}
	}
	return scanTable(ctx, r, pointsTable, within, only, fn)
}

// ScanMarkers calls fn for every marker within the range whose kind is in kinds
// (nil: all); a kind that ends in "." stands for all kinds that begin with it.
// The Marker is valid until fn returns; its strings stay valid.
func (r *Run) ScanMarkers(ctx context.Context, kinds []string, within Range, fn func(*Marker) error) error {
	var only *textFilter
	if kinds != nil {
		only = &textFilter{"kind", func(s string) bool {
			return slices.ContainsFunc(kinds, func(k string) bool {
				return k == s || strings.HasSuffix(k, ".") && strings.HasPrefix(s, k)
			})
		}}
	}
	return scanTable(ctx, r, markersTable, within, only, fn)
}

// ScanActivity calls fn for every sampled session within the range. The
// Activity is valid until fn returns; its strings stay valid.
func (r *Run) ScanActivity(ctx context.Context, within Range, fn func(*Activity) error) error {
	return scanTable(ctx, r, activityTable, within, nil, fn)
}

// ScanHistograms calls fn for every histogram bucket whose interval starts
// within the range. The Histogram is valid until fn returns; its strings stay
// valid.
func (r *Run) ScanHistograms(ctx context.Context, within Range, fn func(*Histogram) error) error {
	return scanTable(ctx, r, histogramsTable, within, nil, fn)
}

// textFilter chooses rows by a text column.
type textFilter struct {
	column string
	match  func(string) bool
}

// scanTable calls fn for every row of a table within the range that the filter
// (nil: none) lets pass.
func scanTable[R any](ctx context.Context, r *Run, t *table[R], within Range, only *textFilter, fn func(*R) error) error {
	data := make([]column, len(t.fields))
	var pass []bool // by dictionary index of the filter's column
	return r.scanGroups(ctx, t.name, t.fields[0].name, within, func(g *groupReader) error {
		filter := -1
		if only != nil {
			filter = t.index(only.column)
			if err := g.readField(t, filter, data); err != nil {
				return err
			}
			pass = pass[:0]
			for _, s := range data[filter].dict {
				pass = append(pass, only.match(s))
			}
			if !slices.Contains(pass, true) {
				return nil
			}
		}
		for i := range t.fields {
			if i == filter {
				continue
			}
			if err := g.readField(t, i, data); err != nil {
				return err
			}
		}
		var row R
		for i := range g.rows {
			if filter >= 0 && !pass[data[filter].codes[i]] || !within.contains(data[0].ints[i]) {
				continue
			}
			t.set(&row, data, i)
			if err := fn(&row); err != nil {
				return err
			}
		}
		return nil
	})
}

// set fills row with row i of a row group.
func (t *table[R]) set(row *R, data []column, i int) {
	for k := range t.fields {
		f, d := &t.fields[k], &data[k]
		switch f.typ {
		case instant, integer:
			*f.num(row) = d.ints[i]
		case real:
			*f.real(row) = d.reals[i]
		default:
			*f.text(row) = d.dict[d.codes[i]]
		}
	}
}

func (t *table[R]) index(name string) int {
	return slices.IndexFunc(t.fields, func(f field[R]) bool { return f.name == name })
}

func (t *table[R]) field(name string) *field[R] {
	if i := t.index(name); i >= 0 {
		return &t.fields[i]
	}
	return nil
}

// groupReader reads columns of one row group.
type groupReader struct {
	d     *decoder
	p     *part
	group int
	rows  int
}

// scanGroups calls fn for every row group of a table that may hold a row within
// the range, going by the statistics of the instant column.
func (r *Run) scanGroups(ctx context.Context, table, instantColumn string, within Range, fn func(*groupReader) error) error {
	parts := r.parts(table)
	if parts == 0 {
		return ctx.Err()
	}
	d, err := newDecoder()
	if err != nil {
		return err
	}
	defer d.close()
	for i := range parts {
		if err := r.scanPart(ctx, d, table, i, instantColumn, within, fn); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) scanPart(ctx context.Context, d *decoder, table string, i int, instantColumn string, within Range, fn func(*groupReader) error) error {
	p, err := r.openPart(table, i)
	if err != nil {
		return err
	}
	defer p.file.Close()
	index, ok := p.column[instantColumn]
	if !ok {
		return fmt.Errorf("run %s: %s: no column %s", r.path, p.name, instantColumn)
	}
	for group := range p.meta.RowGroups {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !within.all() {
			if lo, hi := p.bounds(group, index); hi < within.Start || lo >= within.End {
				continue
			}
		}
		if err := fn(&groupReader{d, p, group, int(p.meta.RowGroups[group].NumRows)}); err != nil {
			return err
		}
	}
	return nil
}

// read decodes a column; an optional one that the file does not have is
// missing in every row.
func (g *groupReader) read(name string, typ fieldType, optional bool, c *column) error {
	err := g.d.decode(g.p, g.group, name, typ, c)
	if !errors.Is(err, errAbsent) {
		return err
	}
	if !optional {
		return fmt.Errorf("%s: column %s: %w", g.p.name, name, err)
	}
	*c = column{ints: c.ints[:0], codes: c.codes[:0], dict: append(c.dict[:0], "")}
	for range g.rows {
		c.ints = append(c.ints, Missing)
		c.codes = append(c.codes, 0)
	}
	return nil
}

// readField decodes field i of the table into data.
func (g *groupReader) readField(t interface {
	describe(i int) (name string, typ fieldType, optional bool)
}, i int, data []column) error {
	name, typ, optional := t.describe(i)
	return g.read(name, typ, optional, &data[i])
}

func (t *table[R]) describe(i int) (name string, typ fieldType, optional bool) {
	f := &t.fields[i]
	return f.name, f.typ, f.optional
}
