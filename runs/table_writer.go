package runs

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Bounds of what a table writer holds in memory and of what a reader must
// expect; docs/format/run.md states them.
const (
	batchRows     = 1 << 10   // rows collected before they are handed to the encoder
	groupRows     = 128 << 10 // rows of a row group, at most
	groupText     = 32 << 20  // bytes of text in a row group after which it is closed
	partRowGroups = 32        // row groups of a part, at most: some four million rows
)

// MaxText is the longest text, in bytes, that a column keeps; the rest is cut
// and marked with an ellipsis. A longer JSON document (tags, attrs) is an error,
// since a cut one could not be read.
const MaxText = 16 << 10

const ellipsis = "…"

// tableWriter streams the rows of one table into parts. Rows are turned into
// columns at once, so that a row costs no allocation.
type tableWriter[R any] struct {
	table *table[R]
	dir   string // of the table, inside the temporary folder
	opt   []parquet.WriterOption

	file    *os.File
	parquet *parquet.Writer
	columns []*parquet.ColumnWriter

	values [][]parquet.Value // the current batch, by column
	last   []cachedText      // the previous text of each column
	texts  int64             // bytes of text in the current row group
	inRow  int64             // rows in the current row group
	groups int               // row groups in the current part
	rows   int64             // rows of the whole table
	parts  int
}

// cachedText remembers a text by its memory: importers hand the same string
// again and again, which then needs no second check.
type cachedText struct {
	data  *byte
	len   int
	value parquet.Value
}

func newTableWriter[R any](t *table[R], tmp, tool string) *tableWriter[R] {
	return &tableWriter[R]{
		table:  t,
		dir:    filepath.Join(tmp, t.name),
		opt:    writerOptions(t.schema(false), tool),
		values: make([][]parquet.Value, len(t.fields)),
		last:   make([]cachedText, len(t.fields)),
	}
}

// writerOptions returns how every Parquet file of a run is written.
func writerOptions(schema *parquet.Schema, tool string) []parquet.WriterOption {
	name, version, _ := strings.Cut(tool, " ")
	return []parquet.WriterOption{
		schema,
		parquet.CreatedBy(name, version, ""),
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.PageBufferSize(1 << 20),   // a page holds a row group's integers
		parquet.DataPageStatistics(false), // the page index has them
		parquet.MaxRowsPerRowGroup(groupRows),
	}
}

// append adds a row to the batch.
func (w *tableWriter[R]) append(r *R) error {
	for i := range w.table.fields {
		f := &w.table.fields[i]
		v, err := w.value(i, f, r)
		if err != nil {
			w.drop(i)
			return fmt.Errorf("%s: row %d: column %s: %w", w.table.name, w.rows+1, f.name, err)
		}
		w.values[i] = append(w.values[i], v)
	}
	w.rows++
	if len(w.values[0]) == batchRows {
		return w.flushBatch()
	}
	return nil
}

// drop takes back the first n values of a row that could not be added.
func (w *tableWriter[R]) drop(n int) {
	for i := range n {
		w.values[i] = w.values[i][:len(w.values[i])-1]
	}
}

// value converts one field of a row.
func (w *tableWriter[R]) value(i int, f *field[R], r *R) (parquet.Value, error) {
	def := 0
	if f.optional {
		def = 1
	}
	switch f.typ {
	case instant, integer:
		n := *f.num(r)
		if n == Missing {
			if f.optional {
				return parquet.NullValue().Level(0, 0, i), nil
			}
			return parquet.Value{}, fmt.Errorf("is missing, and must not be")
		}
		if f.typ == instant && (n > maxInstant || n < -maxInstant) {
			return parquet.Value{}, fmt.Errorf("%d µs lies outside the years 1677 to 2262", n)
		}
		return parquet.Int64Value(n).Level(0, def, i), nil
	case real:
		x := *f.real(r)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return parquet.Value{}, fmt.Errorf("%v is not a finite number; leave such a row out", x)
		}
		return parquet.DoubleValue(x+0).Level(0, def, i), nil // + 0: there is one zero
	default:
		return w.text(i, f, *f.text(r))
	}
}

// maxInstant is the last microsecond whose nanoseconds fit an int64.
const maxInstant = math.MaxInt64/1000 - 1

// text converts a text field: valid UTF-8, bounded.
func (w *tableWriter[R]) text(i int, f *field[R], s string) (parquet.Value, error) {
	if s == "" && f.optional {
		return parquet.NullValue().Level(0, 0, i), nil
	}
	c := &w.last[i]
	if c.len == len(s) && c.data == unsafe.StringData(s) && c.data != nil {
		return c.value, nil
	}
	w.texts += int64(len(s))
	c.data, c.len = unsafe.StringData(s), len(s)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if len(s) > MaxText {
		if f.typ == document {
			c.data = nil
			return parquet.Value{}, fmt.Errorf("holds %d bytes, more than the %d a JSON document may have", len(s), MaxText)
		}
		s = cut(s, MaxText)
	}
	def := 0
	if f.optional {
		def = 1
	}
	c.value = parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(s), len(s))).Level(0, def, i)
	return c.value, nil
}

// cut shortens valid UTF-8 to at most max bytes and marks it.
func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	n := max - len(ellipsis)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + ellipsis
}

// flushBatch hands the batch to the encoder, and closes the row group and the
// part when they are full.
func (w *tableWriter[R]) flushBatch() error {
	n := int64(len(w.values[0]))
	if n == 0 {
		return nil
	}
	if w.file == nil {
		if err := w.openPart(); err != nil {
			return err
		}
	}
	for i, c := range w.columns {
		if _, err := c.WriteRowValues(w.values[i]); err != nil {
			return fmt.Errorf("%s: part %d: column %s: %w", w.table.name, w.parts-1, w.table.fields[i].name, err)
		}
		clear(w.values[i])
		w.values[i] = w.values[i][:0]
	}
	w.inRow += n
	if w.inRow+batchRows <= groupRows && w.texts < groupText {
		return nil
	}
	if err := w.parquet.Flush(); err != nil {
		return fmt.Errorf("%s: part %d: %w", w.table.name, w.parts-1, err)
	}
	w.inRow, w.texts = 0, 0
	w.groups++
	if w.groups == partRowGroups {
		return w.closePart()
	}
	return nil
}

func (w *tableWriter[R]) openPart() error {
	if w.parts == 0 {
		if err := os.Mkdir(w.dir, 0o777); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(filepath.Join(w.dir, stagedName(w.parts)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	w.parts++
	w.file = f
	if w.parquet == nil {
		w.parquet = parquet.NewWriter(f, w.opt...)
		w.columns = w.parquet.ColumnWriters()
	} else {
		w.parquet.Reset(f)
	}
	return nil
}

func (w *tableWriter[R]) closePart() error {
	if w.file == nil {
		return nil
	}
	err := w.parquet.Close()
	if e := w.file.Close(); err == nil {
		err = e
	}
	w.file = nil
	w.groups, w.inRow, w.texts = 0, 0, 0
	if err != nil {
		return fmt.Errorf("%s: part %d: %w", w.table.name, w.parts-1, err)
	}
	return nil
}

// close writes what is left; the staged parts are then whole.
func (w *tableWriter[R]) close() error {
	if err := w.flushBatch(); err != nil {
		return err
	}
	return w.closePart()
}

// abort closes the file of a writer that will not be used again.
func (w *tableWriter[R]) abort() {
	if w.file != nil {
		w.file.Close()
		w.file = nil
	}
}

// seal turns the staged parts into the final ones, and returns how many rows
// and parts there are.
func (w *tableWriter[R]) seal(id, tool string) (TableDigest, error) {
	for i := range w.parts {
		if err := sealPart(w.dir, i, w.table.schema(true), id, tool); err != nil {
			return TableDigest{}, fmt.Errorf("%s: part %d: %w", w.table.name, i, err)
		}
	}
	return TableDigest{Table: w.table.name, Rows: w.rows, Parts: w.parts}, nil
}

// partName returns the file name of a part; stagedName, while the run's id is
// not yet known.
func partName(part int) string   { return fmt.Sprintf("part-%05d.parquet", part) }
func stagedName(part int) string { return fmt.Sprintf("part-%05d.staged", part) }
