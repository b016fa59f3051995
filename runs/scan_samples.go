package runs

import (
	"context"
	"fmt"
	"slices"

	"headroom/runs/internal/table"
)

// batchRows is how many rows a Batch has at most.
const batchRows = 16 << 10

// ScanSamples calls fn for every batch of samples whose start lies in within
// (row groups outside it are not read; rows outside it are filtered out), in
// the order they were recorded, with the asked-for columns. A batch holds at
// most 16,384 rows and at least one. An error of fn ends the scan and is
// returned as it is; a damaged file gives an error that names part, row group
// and column.
func (r *Run) ScanSamples(ctx context.Context, cols []Column, within Range, fn func(*Batch) error) error {
	return r.scanSamples(ctx, cols, within, false, fn)
}

// ScanLabels is ScanSamples for those who count: columns of words, the outcome
// included, come as Batch.Labels and not as strings.
func (r *Run) ScanLabels(ctx context.Context, cols []Column, within Range, fn func(*Batch) error) error {
	return r.scanSamples(ctx, cols, within, true, fn)
}

func (r *Run) scanSamples(ctx context.Context, cols []Column, within Range, labels bool, fn func(*Batch) error) error {
	cols = slices.Clone(cols)
	slices.Sort(cols)
	cols = slices.Compact(cols)
	fields := make([]*table.Field[Sample], len(cols))
	for i, c := range cols {
		if fields[i] = samplesTable.Field(string(c)); fields[i] == nil {
			return fmt.Errorf("samples: no column %q", c)
		}
	}
	b := batcher{
		cols: cols, data: make([]table.Column, len(cols)), within: within, fn: fn,
		ints: make([][]int64, len(cols)), texts: make([][]string, len(cols)), codes: make([][]int32, len(cols)),
	}
	if labels {
		b.batch.labels = make(map[Column]Labels, len(cols))
	}
	start := slices.Index(cols, ColStart)
	b.start = new(table.Column)
	if start >= 0 {
		b.start = &b.data[start]
	}
	parts := tableParts(r, samplesTable)
	return parts.Groups(ctx, table.Range(within), func(g *table.Group) error {
		if start < 0 && !within.all() {
			if err := g.Read(parts.Instant, table.Instant, false, b.start); err != nil {
				return err
			}
		}
		for i, f := range fields {
			if err := g.Read(f.Name, f.Type, f.Optional, &b.data[i]); err != nil {
				return err
			}
		}
		b.batch.Group++
		return b.group(ctx, g)
	})
}

// batcher cuts row groups into batches.
type batcher struct {
	cols   []Column
	data   []table.Column // of cols, for the current row group
	start  *table.Column  // the instants, where rows are filtered
	within Range
	fn     func(*Batch) error

	batch Batch
	rows  []int32    // those of the current batch that lie within
	ints  [][]int64  // memory for batches, by column
	texts [][]string // likewise
	codes [][]int32  // likewise
}

func (b *batcher) group(ctx context.Context, g *table.Group) error {
	for from := 0; from < g.Rows; from += batchRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+batchRows, g.Rows)
		b.choose(from, to)
		if b.batch.Len == 0 {
			continue
		}
		for i, c := range b.cols {
			b.fill(i, c, from, to)
		}
		b.batch.Floor = g.Later
		if to < g.Rows {
			b.batch.Floor = min(g.Least, g.Later)
		}
		if err := b.fn(&b.batch); err != nil {
			return err
		}
	}
	return nil
}

// choose lists the rows from..to of the row group that lie within the range.
func (b *batcher) choose(from, to int) {
	b.batch.Len = to - from
	if b.within.all() {
		return
	}
	b.rows = b.rows[:0]
	for i, us := range b.start.Ints[from:to] {
		if b.within.contains(us) {
			b.rows = append(b.rows, int32(i))
		}
	}
	b.batch.Len = len(b.rows)
}

// fill puts column c of the chosen rows into the batch. Numbers are not copied
// unless rows are left out.
func (b *batcher) fill(i int, c Column, from, to int) {
	d := &b.data[i]
	filtered := b.batch.Len < to-from
	if p := b.batch.ints(c); p != nil {
		*p = d.Ints[from:to:to]
		if filtered {
			b.ints[i] = pick(b.ints[i][:0], *p, b.rows)
			*p = b.ints[i]
		}
		return
	}
	codes := d.Codes[from:to]
	if filtered {
		b.codes[i] = pick(b.codes[i][:0], codes, b.rows)
		codes = b.codes[i]
	}
	if b.batch.labels != nil {
		b.batch.labels[c] = Labels{Codes: codes, Words: d.Dict}
		return
	}
	if c == ColOutcome {
		b.batch.Outcome = b.batch.Outcome[:0]
		for _, code := range codes {
			b.batch.Outcome = append(b.batch.Outcome, Outcome(d.Dict[code]))
		}
		return
	}
	b.texts[i] = b.texts[i][:0]
	for _, code := range codes {
		b.texts[i] = append(b.texts[i], d.Dict[code])
	}
	*b.batch.texts(c) = b.texts[i]
}

// pick appends the chosen rows of a column to dst.
func pick[T any](dst, src []T, rows []int32) []T {
	for _, row := range rows {
		dst = append(dst, src[row])
	}
	return dst
}
