package table

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of what a writer holds in memory; docs/format/run.md states them.
const (
	groupRows  = 64 << 10 // rows of a row group, at most
	groupText  = 32 << 20 // bytes of different texts in a row group after which it is closed
	partGroups = 64       // row groups of a part, at most: some four million rows
)

// limits are the bounds, so that a test can have lower ones.
type limits struct {
	groupRows  int64
	groupText  int
	partGroups int
}

// MaxText is the longest text, in bytes, that a column keeps; the rest is cut
// and marked with an ellipsis. A longer Document is an error, since a cut one
// could not be read.
const MaxText = 16 << 10

// MaxInstant is the last microsecond whose nanoseconds fit an int64 (in the
// year 2262); -MaxInstant is the first that is stored (in 1677).
const MaxInstant = math.MaxInt64/1000 - 1

const ellipsis = "…"

// Writer streams the rows of one table into parts. A row is taken apart into the
// columns of the row group that is being written, and costs no allocation.
type Writer[R any] struct {
	// Metadata is written into the footer of every part; set it before Seal.
	Metadata map[string]string

	table  *Table[R]
	dir    string // of the table
	tool   string
	limits limits

	file    *os.File
	out     *output
	columns []*values // of the row group
	encoder encoder
	copied  chunk // of a staged part

	checked []int // fields that a value may be unfit for

	inText  int   // bytes of different texts in the current row group
	inGroup int64 // rows in it
	groups  int   // row groups in the current part
	rows    int64 // rows of the whole table
	parts   int   // staged, or being written
	sealed  int   // final parts that Seal has made
	taken   int   // staged parts that those were made of
	durable bool  // parts are to be on disk when they are staged
	err     error // of a write: there is no going on after it
}

// NewWriter returns a writer of parts in the folder dir, which is made when the
// first row is written. tool, a name and a version with a space between, is
// recorded in the files.
func NewWriter[R any](t *Table[R], dir, tool string) *Writer[R] {
	w := &Writer[R]{
		dir:    dir,
		tool:   tool,
		limits: limits{groupRows, groupText, partGroups},
	}
	w.use(t)
	return w
}

// use makes the writer one of the table's columns.
func (w *Writer[R]) use(t *Table[R]) {
	w.table = t
	w.columns, w.checked = nil, nil
	for i := range t.Fields {
		f := &t.Fields[i]
		w.columns = append(w.columns, newValues(f.Type, f.Optional, &w.inText))
		if f.Type != Text && !(f.Type == Integer && f.Optional) {
			w.checked = append(w.checked, i)
		}
	}
}

// Rows returns how many rows were appended.
func (w *Writer[R]) Rows() int64 { return w.rows }

// Append adds a row, which may be reused after the call; its strings are kept
// for a while and must not change (no views of a buffer that is used again). A
// row that cannot be stored gives an error that names row and column, and is
// left out.
func (w *Writer[R]) Append(r *R) error {
	if w.err != nil {
		return w.err
	}
	if w.table.Fit == nil || !w.table.Fit(r) {
		if err := w.check(r); err != nil {
			return err
		}
	}
	if w.file == nil {
		if w.err = w.openPart(); w.err != nil {
			return w.err
		}
	}
	if w.table.Put != nil {
		w.table.Put(r, Row{w.columns})
	} else {
		w.put(r)
	}
	w.rows++
	w.inGroup++
	if w.inGroup >= w.limits.groupRows || w.inText >= w.limits.groupText {
		w.err = w.endGroup()
	}
	return w.err
}

// check reports why a row cannot be stored.
func (w *Writer[R]) check(r *R) error {
	for _, i := range w.checked {
		f := &w.table.Fields[i]
		if err := f.check(r); err != nil {
			return fmt.Errorf("%s: row %d: column %s: %w", w.table.Name, w.rows+1, f.Name, err)
		}
	}
	return nil
}

// put takes a row apart by the fields' accessors.
func (w *Writer[R]) put(r *R) {
	for i, v := range w.columns {
		switch f := &w.table.Fields[i]; {
		case f.Int != nil:
			v.addInt(*f.Int(r))
		case f.Text != nil:
			v.addText(*f.Text(r))
		default:
			v.addReal(*f.Real(r))
		}
	}
}

// Extend adds optional columns behind those of the table. Rows appended before
// are null there: what was written of them stays as it is, and Seal adds the
// columns to it.
func (w *Writer[R]) Extend(fields []Field[R]) error {
	if w.err == nil {
		w.err = w.closePart()
	}
	w.use(&Table[R]{Name: w.table.Name, Fields: append(slices.Clone(w.table.Fields), fields...)})
	return w.err
}

// check reports why a value cannot be stored.
func (f *Field[R]) check(r *R) error {
	switch f.Type {
	case Instant:
		if n := *f.Int(r); (n > MaxInstant || n < -MaxInstant) && !(f.Optional && n == Missing) {
			return fmt.Errorf("%d µs lies outside the years 1677 to 2262", n)
		}
	case Integer:
		if !f.Optional && *f.Int(r) == Missing {
			return errors.New("is missing, and must not be")
		}
	case Real:
		if x := *f.Real(r); math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%v is not a finite number; leave such a row out", x)
		}
	case Document:
		// A byte that is not UTF-8 becomes three.
		if s := *f.Text(r); len(s) > MaxText && len(strings.ToValidUTF8(s, "\uFFFD")) > MaxText {
			return fmt.Errorf("holds %d bytes, more than the %d a JSON document may have", len(s), MaxText)
		}
	}
	return nil
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

// endGroup writes the row group, and closes the part when it is full.
func (w *Writer[R]) endGroup() error {
	if err := w.closeGroup(); err != nil {
		return err
	}
	if w.groups == w.limits.partGroups {
		return w.closePart()
	}
	return nil
}

func (w *Writer[R]) fail(err error) error {
	return fmt.Errorf("%s: part %d: %w", w.table.Name, w.parts-1, err)
}
