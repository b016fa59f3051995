package runs

import (
	"context"
	"path"

	"headroom/runs/internal/table"
)

// Reads counts what scans read: of each column of each table, how many chunks (a
// column of a row group), and how often the one that was read most. It is for
// tests of who reads what; a scan whose context it is not in pays nothing for it.
type Reads struct{ chunks table.Reads }

// ColumnReads is how one column was read.
type ColumnReads struct {
	Chunks int // different ones
	Most   int // times that one of them was read
}

// Count returns a context in which r counts the scans of every run.
func (r *Reads) Count(ctx context.Context) context.Context { return r.chunks.With(ctx) }

// Columns returns what was read so far, by "table.column".
func (r *Reads) Columns() map[string]ColumnReads {
	out := map[string]ColumnReads{}
	r.chunks.Each(func(c table.Chunk, times int) {
		name := path.Dir(c.File) + "." + c.Column
		n := out[name]
		out[name] = ColumnReads{n.Chunks + 1, max(n.Most, times)}
	})
	return out
}

// Total returns how many chunks were read, each as often as it was.
func (r *Reads) Total() (n int) {
	r.chunks.Each(func(_ table.Chunk, times int) { n += times })
	return n
}
