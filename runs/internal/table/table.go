package table

import (
	"math"
	"slices"
)

// Missing is the number that is stored as null in an optional column.
const Missing int64 = math.MinInt64

// Type is the type of a column; docs/format/run.md says how each is stored.
type Type uint8

// The types of columns.
const (
	Instant  Type = iota // INT64, TIMESTAMP(MICROS, UTC), DELTA_BINARY_PACKED
	Integer              // INT64, DELTA_BINARY_PACKED
	Real                 // DOUBLE, PLAIN; finite
	Text                 // BYTE_ARRAY, STRING, RLE_DICTIONARY; cut at MaxText
	Document             // like Text, but holds a JSON object: never cut
)

// Field is a column of a table whose rows are of type R. One accessor is set,
// according to Type; reading and writing both go through it.
type Field[R any] struct {
	Name     string
	Type     Type
	Optional bool // null where the value is Missing or ""; not for Real
	Int      func(*R) *int64
	Real     func(*R) *float64
	Text     func(*R) *string
}

// Table is the declaration of a table.
type Table[R any] struct {
	Name   string
	Fields []Field[R] // the first is the instant by which rows are selected, if it is one

	// Put and Fit say again in one function what the fields say, for tables that
	// have many rows; nil: the fields' accessors are called one by one.
	Put func(*R, Row)   // takes a row apart
	Fit func(r *R) bool // whether the row is surely fit to be stored
}

// Row takes the values of a row, each into the column of a field's number.
type Row struct{ columns []*values }

// Int takes the value of an Instant or Integer.
func (r Row) Int(field int, n int64) { r.columns[field].addInt(n) }

// Real takes the value of a Real.
func (r Row) Real(field int, x float64) { r.columns[field].addReal(x) }

// Text takes the value of a Text or Document.
func (r Row) Text(field int, s string) { r.columns[field].addText(s) }

// Names returns the names of the columns.
func (t *Table[R]) Names() []string {
	var names []string
	for i := range t.Fields {
		names = append(names, t.Fields[i].Name)
	}
	return names
}

// RunColumn is the constant first column that Writer.Seal adds to every part.
const RunColumn = "run"

// Field returns the field of a name, nil if there is none.
func (t *Table[R]) Field(name string) *Field[R] {
	if i := t.index(name); i >= 0 {
		return &t.Fields[i]
	}
	return nil
}

func (t *Table[R]) index(name string) int {
	return slices.IndexFunc(t.Fields, func(f Field[R]) bool { return f.Name == name })
}
