package table

import (
	"errors"
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

// Bounds of what a writer holds in memory and of what a reader must expect;
// docs/format/run.md states them.
const (
	batchRows     = 1 << 10   // rows collected before they are handed to the encoder
	groupRows     = 128 << 10 // rows of a row group, at most
	groupText     = 32 << 20  // bytes of text in a row group after which it is closed
	partRowGroups = 32        // row groups of a part, at most: some four million rows
)

// MaxText is the longest text, in bytes, that a column keeps; the rest is cut
// and marked with an ellipsis. A longer Document is an error, since a cut one
// could not be read.
const MaxText = 16 << 10

// MaxInstant is the last microsecond whose nanoseconds fit an int64 (in the
// year 2262); -MaxInstant is the first that is stored (in 1677).
const MaxInstant = math.MaxInt64/1000 - 1

const ellipsis = "…"

// Writer streams the rows of one table into parts. Rows are turned into
// columns at once, so that a row costs no allocation.
type Writer[R any] struct {
	// Metadata is written into the footer of every part; set it before Seal.
	Metadata map[string]string

	table *Table[R]
	dir   string // of the table
	tool  string

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

// NewWriter returns a writer of parts in the folder dir, which is made when the
// first row is written. tool, a name and a version, is recorded in the files.
func NewWriter[R any](t *Table[R], dir, tool string) *Writer[R] {
	return &Writer[R]{
		table:  t,
		dir:    dir,
		tool:   tool,
		values: make([][]parquet.Value, len(t.Fields)),
		last:   make([]cachedText, len(t.Fields)),
	}
}

// options returns how every Parquet file of a run is written.
func options(schema *parquet.Schema, tool string) []parquet.WriterOption {
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

// Rows returns how many rows were appended.
func (w *Writer[R]) Rows() int64 { return w.rows }

// Append adds a row, which may be reused after the call. A row that cannot be
// stored gives an error that names row and column, and is left out.
func (w *Writer[R]) Append(r *R) error {
	for i := range w.table.Fields {
		f := &w.table.Fields[i]
		v, err := w.value(i, f, r)
		if err != nil {
			w.drop(i)
			return fmt.Errorf("%s: row %d: column %s: %w", w.table.Name, w.rows+1, f.Name, err)
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
func (w *Writer[R]) drop(n int) {
	for i := range n {
		w.values[i] = w.values[i][:len(w.values[i])-1]
	}
}

// value converts one field of a row.
func (w *Writer[R]) value(i int, f *Field[R], r *R) (parquet.Value, error) {
	switch f.Type {
	case Instant, Integer:
		n := *f.Int(r)
		if n == Missing {
			if f.Optional {
				return parquet.NullValue().Level(0, 0, i), nil
			}
			return parquet.Value{}, errors.New("is missing, and must not be")
		}
		if f.Type == Instant && (n > MaxInstant || n < -MaxInstant) {
			return parquet.Value{}, fmt.Errorf("%d µs lies outside the years 1677 to 2262", n)
		}
		return parquet.Int64Value(n).Level(0, f.level(), i), nil
	case Real:
		x := *f.Real(r)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return parquet.Value{}, fmt.Errorf("%v is not a finite number; leave such a row out", x)
		}
		return parquet.DoubleValue(x+0).Level(0, 0, i), nil // + 0: there is one zero
	default:
		return w.text(i, f, *f.Text(r))
	}
}

// level returns the definition level of a value that is there.
func (f *Field[R]) level() int {
	if f.Optional {
		return 1
	}
	return 0
}

// text converts a text field: valid UTF-8, bounded.
func (w *Writer[R]) text(i int, f *Field[R], s string) (parquet.Value, error) {
	if s == "" && f.Optional {
		return parquet.NullValue().Level(0, 0, i), nil
	}
	c := &w.last[i]
	if c.len == len(s) && c.data == unsafe.StringData(s) && c.data != nil {
		return c.value, nil
	}
	c.data, c.len = unsafe.StringData(s), len(s)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if len(s) > MaxText {
		if f.Type == Document {
			c.data = nil
			return parquet.Value{}, fmt.Errorf("holds %d bytes, more than the %d a JSON document may have", len(s), MaxText)
		}
		s = Cut(s, MaxText)
	}
	w.texts += int64(len(s))
	c.value = parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(s), len(s))).Level(0, f.level(), i)
	return c.value, nil
}

// Cut shortens a text to at most max bytes of valid UTF-8 and marks it with an
// ellipsis.
func Cut(s string, max int) string {
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
func (w *Writer[R]) flushBatch() error {
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
			return w.fail(err)
		}
		clear(w.values[i])
		w.values[i] = w.values[i][:0]
	}
	w.inRow += n
	if w.inRow+batchRows <= groupRows && w.texts < groupText {
		return nil
	}
	if err := w.parquet.Flush(); err != nil {
		return w.fail(err)
	}
	w.inRow, w.texts = 0, 0
	w.groups++
	if w.groups == partRowGroups {
		return w.closePart()
	}
	return nil
}

func (w *Writer[R]) fail(err error) error {
	return fmt.Errorf("%s: part %d: %w", w.table.Name, w.parts-1, err)
}

func (w *Writer[R]) openPart() error {
	if w.parts == 0 {
		if err := os.Mkdir(w.dir, 0o777); err != nil {
			return err
		}
	}
	f, err := create(filepath.Join(w.dir, stagedName(w.parts)))
	if err != nil {
		return err
	}
	w.parts++
	w.file = f
	if w.parquet == nil {
		w.parquet = parquet.NewWriter(f, options(w.table.schema(false), w.tool)...)
		w.columns = w.parquet.ColumnWriters()
	} else {
		w.parquet.Reset(f)
	}
	return nil
}

// create opens a new file for writing.
func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
}

func (w *Writer[R]) closePart() error {
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
		return w.fail(err)
	}
	return nil
}

// Close writes what is left. The parts are then whole, under temporary names,
// and without the run column: Seal follows.
func (w *Writer[R]) Close() error {
	if err := w.flushBatch(); err != nil {
		return err
	}
	return w.closePart()
}

// Seal gives the parts their final names and the constant run column, and
// returns how many there are.
func (w *Writer[R]) Seal(run string) (parts int, err error) {
	for i := range w.parts {
		if err := w.sealPart(i, run); err != nil {
			return i, fmt.Errorf("%s: part %d: %w", w.table.Name, i, err)
		}
	}
	return w.parts, nil
}

// Abort closes the file of a writer that will not be used again.
func (w *Writer[R]) Abort() {
	if w.file != nil {
		w.file.Close()
		w.file = nil
	}
}

// PartName returns the file name of a part; stagedName, while the run's id is
// not yet known.
func PartName(part int) string   { return fmt.Sprintf("part-%05d.parquet", part) }
func stagedName(part int) string { return fmt.Sprintf("part-%05d.staged", part) }
