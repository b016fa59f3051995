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
}

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
