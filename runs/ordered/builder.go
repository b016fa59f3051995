package ordered

import "slices"

// mostWaiting is how many rows a Builder holds back, unless told otherwise: rows
// that come at most half as many too late make one sorted run.
const mostWaiting = 1 << 17

// leastWaiting bounds how small a Builder can be made.
const leastWaiting = 1 << 10

// Builder makes a Table of rows that come in any order. It holds some rows back,
// and gives the earlier half of them to the table whenever they are too many.
// Rows that come later than that begin another sorted run; in the end runs are
// merged.
type Builder struct {
	space   *Space
	key     int       // column
	waiting int       // how many rows are held back
	columns [][]int64 // of those rows
	pairs   []Pair    // key and place of each
	tmp     []Pair
	moved   []int64 // a column, while its rows change places
	buf     []byte

	runs []*Table
	last int64 // key of the last row given away
}

// NewBuilder returns a Builder of rows of so many columns, in order of the column
// key.
func NewBuilder(space *Space, columns, key int) *Builder {
	return &Builder{space: space, key: key, waiting: mostWaiting, columns: make([][]int64, columns)}
}

// Share makes the Builder one of n that are filled at the same time: together
// they hold back as many rows as one does.
func (b *Builder) Share(n int) { b.waiting = max(mostWaiting/max(n, 1), leastWaiting) }

// Expect makes room for so many rows, as far as they are held back.
func (b *Builder) Expect(rows int) {
	for i, c := range b.columns {
		b.columns[i] = slices.Grow(c, max(min(rows, b.waiting)-len(c), 0))
	}
}

// Add adds a row, which has a value for every column.
func (b *Builder) Add(row ...int64) {
	if len(b.columns[0]) >= b.waiting {
		b.give(len(b.columns[0]) / 2)
	}
	for i, v := range row {
		b.columns[i] = append(b.columns[i], v)
	}
}

// Table returns the table of all rows, and ends the Builder.
func (b *Builder) Table() *Table {
	b.give(len(b.columns[0]))
	*b = Builder{space: b.space, key: b.key, runs: b.runs, buf: b.buf, columns: make([][]int64, len(b.columns))}
	for len(b.runs) > 1 {
		b.merge()
	}
	if len(b.runs) == 0 {
		return &Table{space: b.space}
	}
	return b.runs[0]
}

// give gives the n earliest rows to the table.
func (b *Builder) give(n int) {
	if n == 0 {
		return
	}
	b.sort()
	for from := 0; from < n; from += blockRows {
		b.block(from, min(from+blockRows, n))
	}
	for i, c := range b.columns {
		b.columns[i] = slices.Delete(c, 0, n)
	}
}

// sort puts the rows held back into order.
func (b *Builder) sort() {
	keys := b.columns[b.key]
	if slices.IsSorted(keys) {
		return
	}
	b.pairs = b.pairs[:0]
	for i, key := range keys {
		b.pairs = append(b.pairs, Pair{key, int64(i)})
	}
	b.tmp = sortPairs(b.pairs, b.tmp)
	for i, c := range b.columns {
		b.moved = b.moved[:0]
		for _, p := range b.pairs {
			b.moved = append(b.moved, c[p.Value])
		}
		b.columns[i], b.moved = b.moved, c
	}
}

// block gives sorted rows to the run that they follow, or to a new one.
func (b *Builder) block(from, to int) {
	part := make([][]int64, len(b.columns))
	for i, c := range b.columns {
		part[i] = c[from:to]
	}
	if len(b.runs) == 0 || part[b.key][0] < b.last {
		b.runs = append(b.runs, &Table{space: b.space})
	}
	b.buf = b.runs[len(b.runs)-1].add(b.buf, part)
	b.last = part[b.key][to-from-1]
}

// mostMerged is how many runs are merged at a time, which bounds the memory.
const mostMerged = 64

// merge merges neighbouring runs, so that there are fewer.
func (b *Builder) merge() {
	var merged []*Table
	for group := range slices.Chunk(b.runs, mostMerged) {
		if len(group) == 1 {
			merged = append(merged, group[0])
			continue
		}
		merged = append(merged, b.mergeOf(group))
	}
	b.runs = merged
}

// mergeOf merges runs. Of equal keys that of the earlier run comes first, which
// is the order in which they were added: what was given away earlier came before.
func (b *Builder) mergeOf(runs []*Table) *Table {
	out := &Table{space: b.space}
	sources := make([]*source, 0, len(runs))
	for _, t := range runs {
		s := &source{reader: t.Read(0, t.rows), columns: make([][]int64, len(b.columns))}
		if s.more() {
			sources = append(sources, s)
		}
	}
	part := make([][]int64, len(b.columns))
	for len(sources) > 0 {
		s := sources[least(sources, b.key)]
		for i := range part {
			part[i] = append(part[i], s.columns[i][s.row])
		}
		if s.row++; s.row == len(s.columns[0]) && !s.more() {
			sources = slices.DeleteFunc(sources, func(x *source) bool { return x == s })
		}
		if len(part[0]) == blockRows || len(sources) == 0 {
			b.buf = out.add(b.buf, part)
			for i := range part {
				part[i] = part[i][:0]
			}
		}
	}
	return out
}

// source is a run that is being merged.
type source struct {
	reader  *Reader
	columns [][]int64 // of the current part
	row     int
}

// more reads the next part; false at the end.
func (s *source) more() bool {
	if s.reader.Next() == 0 {
		return false
	}
	for i := range s.columns {
		s.columns[i] = s.reader.Column(i, s.columns[i][:0])
	}
	s.row = 0
	return true
}

// least is the index of the source with the least key, the first of equals. There
// are few, and merging is rare: records are nearly in order.
func least(sources []*source, key int) int {
	best := 0
	lowest := sources[0].columns[key][sources[0].row]
	for i, s := range sources[1:] {
		if k := s.columns[key][s.row]; k < lowest {
			best, lowest = i+1, k
		}
	}
	return best
}

// Rewrite returns a Builder that has the first rows of t already, up to a row at or
// before from: first is the next. The rest of the rows can be added changed.
func (t *Table) Rewrite(from, columns, key int) (b *Builder, first int) {
	b = NewBuilder(t.space, columns, key)
	if t.rows == 0 {
		return b, 0
	}
	i := max(t.blockOf(min(from, t.rows-1))-1, 0)
	if first = t.blocks[i].first; first == 0 {
		return b, 0
	}
	kept := &Table{space: t.space, rows: first, blocks: slices.Clone(t.blocks[:i])}
	end := &t.blocks[i-1]
	b.runs = []*Table{kept}
	b.last = end.columns[key].value(t.space.get(end.at, nil), end.rows-1)
	return b, first
}
