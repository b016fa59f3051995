package table

import (
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
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

// node returns the Parquet node that stores the type.
func (t Type) node(optional bool) parquet.Node {
	var n parquet.Node
	switch t {
	case Instant:
		n = parquet.Encoded(parquet.Timestamp(parquet.Microsecond), &parquet.DeltaBinaryPacked)
	case Integer:
		n = parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.DeltaBinaryPacked)
	case Real:
		n = parquet.Leaf(parquet.DoubleType)
	default:
		n = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	if optional {
		n = parquet.Optional(n)
	}
	return n
}

// schema returns the Parquet schema of the table, with the run column or
// without it.
func (t *Table[R]) schema(withRun bool) *parquet.Schema {
	g := orderedGroup{Group: parquet.Group{}}
	if withRun {
		g.add(RunColumn, Text.node(false))
	}
	for _, f := range t.Fields {
		g.add(f.Name, f.Type.node(f.Optional))
	}
	return parquet.NewSchema(t.Name, g)
}

// orderedGroup is a parquet.Group whose fields keep the order in which they
// were added; a plain Group sorts them by name.
type orderedGroup struct {
	parquet.Group
	names []string
}

func (g *orderedGroup) add(name string, n parquet.Node) {
	g.Group[name] = n
	g.names = append(g.names, name)
}

func (g orderedGroup) Fields() []parquet.Field {
	byName := make(map[string]parquet.Field, len(g.names))
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(g.names))
	for i, name := range g.names {
		fields[i] = byName[name]
	}
	return fields
}
