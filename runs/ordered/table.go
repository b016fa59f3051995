package ordered

import "sort"

// Table is rows of integers in ascending order of one column, the key; rows of
// equal keys are in the order in which they were added. It is read by any number of
// Readers.
type Table struct {
	space  *Space
	rows   int
	blocks []block
}

// Len returns the number of rows. A nil table has none.
func (t *Table) Len() int {
	if t == nil {
		return 0
	}
	return t.rows
}

// Space returns where the table is.
func (t *Table) Space() *Space { return t.space }

// Search returns the index of the first row from from, and before to, whose value
// of a column is at least v; to if there is none. The column must be ascending in
// those rows, as the key is in all.
func (t *Table) Search(column int, v int64, from, to int) int {
	if from >= to {
		return to
	}
	first, last := t.blockOf(from), t.blockOf(to-1)
	// Of the blocks between, whose rows are all asked for, the least value is that
	// of the first row.
	i := first
	if last > first {
		i = first + sort.Search(last-first-1, func(i int) bool { return t.blocks[first+1+i].columns[column].base >= v })
	}
	for ; i <= last; i++ {
		b := &t.blocks[i]
		data := t.space.get(b.at, nil)
		lo, hi := max(from-b.first, 0), min(to-b.first, b.rows)
		row := lo + sort.Search(hi-lo, func(row int) bool { return b.columns[column].value(data, lo+row) >= v })
		if row < hi {
			return b.first + row
		}
	}
	return to
}

// blockOf returns the index of the block that holds a row.
func (t *Table) blockOf(row int) int {
	return sort.Search(len(t.blocks), func(i int) bool { return t.blocks[i].first+t.blocks[i].rows > row })
}

// add appends a block of rows, which follow those that are there.
func (t *Table) add(buf []byte, columns [][]int64) []byte {
	b := block{first: t.rows, rows: len(columns[0])}
	buf, b.columns = pack(buf[:0], columns)
	b.at = t.space.put(buf)
	t.blocks = append(t.blocks, b)
	t.rows += b.rows
	return buf
}

// A Reader reads the rows of a table from one index to another, a part at a time.
type Reader struct {
	table *Table
	block int // the next
	next  int // row
	end   int // row
	buf   []byte

	data  []byte // of the current block
	at    *block
	from  int // first row of the current part, in the block
	count int // its rows
}

// Read returns a Reader of the rows from up to but without to.
func (t *Table) Read(from, to int) *Reader {
	r := &Reader{}
	r.Reset(t, from, to)
	return r
}

// Reset makes r a Reader of other rows, whose memory is used again.
func (r *Reader) Reset(t *Table, from, to int) {
	*r = Reader{table: t, next: from, end: to, buf: r.buf}
	if from < to {
		r.block = t.blockOf(from)
	}
}

// Next goes to the next part and returns how many rows it has; 0 at the end.
func (r *Reader) Next() int {
	if r.next >= r.end {
		r.count = 0
		return 0
	}
	r.at = &r.table.blocks[r.block]
	r.data = r.table.space.get(r.at.at, r.buf)
	if r.at.at.held == nil && r.data != nil {
		r.buf = r.data
	}
	r.from = r.next - r.at.first
	r.count = min(r.end-r.at.first, r.at.rows) - r.from
	r.block++
	r.next += r.count
	return r.count
}

// Column appends the values of a column in the current part to dst.
func (r *Reader) Column(column int, dst []int64) []int64 {
	n := len(dst)
	if cap(dst)-n < r.count {
		dst = append(make([]int64, 0, n+max(r.count, blockRows)), dst...)
	}
	dst = dst[:n+r.count]
	r.at.columns[column].unpack(r.data, r.from, dst[n:])
	return dst
}

// Constant returns the number of rows of the current part and the value of a column
// that is the same in all of its block; ok is false if it is not.
func (r *Reader) Constant(column int) (rows int, v int64, ok bool) {
	p := r.at.columns[column]
	return r.count, p.base, p.width == 0
}
