package runs

import (
	"github.com/parquet-go/parquet-go"
)

// fieldType is the type of a column; docs/format/run.md says how each is stored.
type fieldType uint8

const (
	instant  fieldType = iota // INT64, TIMESTAMP(MICROS, UTC), DELTA_BINARY_PACKED
	integer                   // INT64, DELTA_BINARY_PACKED
	real                      // DOUBLE, PLAIN
	text                      // BYTE_ARRAY, STRING, RLE_DICTIONARY
	document                  // like text, but holds a JSON object: never cut
)

// field is a column of a table whose rows are of type R. One accessor is set,
// according to typ; reading and writing both go through it.
type field[R any] struct {
	name     string
	typ      fieldType
	optional bool // null where the value is Missing or ""
	num      func(*R) *int64
	real     func(*R) *float64
	text     func(*R) *string
}

// table is the declaration of a table: the single source of its columns, for
// the writer, the reader and the test of docs/format/run.md. The constant
// column run comes first in every file and is not listed.
type table[R any] struct {
	name   string
	fields []field[R] // fields[0] is the instant by which rows are selected
}

// runColumn is the constant first column of every table.
const runColumn = "run"

var samplesTable = &table[Sample]{"samples", []field[Sample]{
	{name: string(ColStart), typ: instant, num: func(s *Sample) *int64 { return &s.Start }},
	{name: string(ColStartNS), typ: integer, optional: true, num: func(s *Sample) *int64 { return &s.StartNS }},
	{name: string(ColWait), typ: integer, optional: true, num: func(s *Sample) *int64 { return &s.Wait }},
	{name: string(ColService), typ: integer, optional: true, num: func(s *Sample) *int64 { return &s.Service }},
	{name: string(ColScenario), typ: text, text: func(s *Sample) *string { return &s.Scenario }},
	{name: string(ColOp), typ: text, text: func(s *Sample) *string { return &s.Op }},
	{name: string(ColStatus), typ: text, text: func(s *Sample) *string { return &s.Status }},
	{name: string(ColOutcome), typ: text, text: func(s *Sample) *string { return (*string)(&s.Outcome) }},
	{name: string(ColTarget), typ: text, text: func(s *Sample) *string { return &s.Target }},
	{name: string(ColEvents), typ: integer, num: func(s *Sample) *int64 { return &s.Events }},
	{name: string(ColError), typ: text, optional: true, text: func(s *Sample) *string { return &s.Error }},
	{name: string(ColWorker), typ: text, optional: true, text: func(s *Sample) *string { return &s.Worker }},
	{name: string(ColID), typ: text, optional: true, text: func(s *Sample) *string { return &s.ID }},
	{name: string(ColTags), typ: document, optional: true, text: func(s *Sample) *string { return &s.Tags }},
	{name: string(ColConnecting), typ: integer, optional: true, num: func(s *Sample) *int64 { return &s.Connecting }},
	{name: string(ColTLS), typ: integer, optional: true, num: func(s *Sample) *int64 { return &s.TLS }},
	{name: string(ColSending), typ: integer, optional: true, num: func(s *Sample) *int64 { return &s.Sending }},
	{name: string(ColWaiting), typ: integer, optional: true, num: func(s *Sample) *int64 { return &s.Waiting }},
	{name: string(ColReceiving), typ: integer, optional: true, num: func(s *Sample) *int64 { return &s.Receiving }},
}}

var pointsTable = &table[Point]{"points", []field[Point]{
	{name: "time", typ: instant, num: func(p *Point) *int64 { return &p.Time }},
	{name: "source", typ: text, text: func(p *Point) *string { return &p.Source }},
	{name: "entity", typ: text, text: func(p *Point) *string { return &p.Entity }},
	{name: "metric", typ: text, text: func(p *Point) *string { return &p.Metric }},
	{name: "kind", typ: text, text: func(p *Point) *string { return (*string)(&p.Kind) }},
	{name: "value", typ: real, real: func(p *Point) *float64 { return &p.Value }},
	{name: "unit", typ: text, text: func(p *Point) *string { return &p.Unit }},
	{name: "resolution", typ: integer, num: func(p *Point) *int64 { return &p.Resolution }},
	{name: "tags", typ: document, optional: true, text: func(p *Point) *string { return &p.Tags }},
}}

var activityTable = &table[Activity]{"activity", []field[Activity]{
	{name: "time", typ: instant, num: func(a *Activity) *int64 { return &a.Time }},
	{name: "source", typ: text, text: func(a *Activity) *string { return &a.Source }},
	{name: "pid", typ: integer, optional: true, num: func(a *Activity) *int64 { return &a.PID }},
	{name: "backend_type", typ: text, optional: true, text: func(a *Activity) *string { return &a.BackendType }},
	{name: "state", typ: text, optional: true, text: func(a *Activity) *string { return &a.State }},
	{name: "wait_type", typ: text, optional: true, text: func(a *Activity) *string { return &a.WaitType }},
	{name: "wait", typ: text, optional: true, text: func(a *Activity) *string { return &a.Wait }},
	{name: "database", typ: text, optional: true, text: func(a *Activity) *string { return &a.Database }},
	{name: "user", typ: text, optional: true, text: func(a *Activity) *string { return &a.User }},
	{name: "application", typ: text, optional: true, text: func(a *Activity) *string { return &a.Application }},
	{name: "query", typ: text, optional: true, text: func(a *Activity) *string { return &a.Query }},
	{name: "blocked_by", typ: text, optional: true, text: func(a *Activity) *string { return &a.BlockedBy }},
}}

var markersTable = &table[Marker]{"markers", []field[Marker]{
	{name: "time", typ: instant, num: func(m *Marker) *int64 { return &m.Time }},
	{name: "source", typ: text, text: func(m *Marker) *string { return &m.Source }},
	{name: "kind", typ: text, text: func(m *Marker) *string { return &m.Kind }},
	{name: "severity", typ: text, optional: true, text: func(m *Marker) *string { return &m.Severity }},
	{name: "message", typ: text, text: func(m *Marker) *string { return &m.Message }},
	{name: "detail", typ: text, optional: true, text: func(m *Marker) *string { return &m.Detail }},
	{name: "attrs", typ: document, optional: true, text: func(m *Marker) *string { return &m.Attrs }},
	{name: "duration", typ: integer, optional: true, num: func(m *Marker) *int64 { return &m.Duration }},
	{name: "pid", typ: integer, optional: true, num: func(m *Marker) *int64 { return &m.PID }},
}}

var histogramsTable = &table[Histogram]{"histograms", []field[Histogram]{
	{name: "start", typ: instant, num: func(h *Histogram) *int64 { return &h.Start }},
	{name: "length", typ: integer, num: func(h *Histogram) *int64 { return &h.Length }},
	{name: "source", typ: text, text: func(h *Histogram) *string { return &h.Source }},
	{name: "scenario", typ: text, text: func(h *Histogram) *string { return &h.Scenario }},
	{name: "op", typ: text, text: func(h *Histogram) *string { return &h.Op }},
	{name: "low", typ: integer, num: func(h *Histogram) *int64 { return &h.Low }},
	{name: "high", typ: integer, num: func(h *Histogram) *int64 { return &h.High }},
	{name: "count", typ: integer, num: func(h *Histogram) *int64 { return &h.Count }},
}}

// node returns the Parquet node that stores the type.
func (t fieldType) node(optional bool) parquet.Node {
	var n parquet.Node
	switch t {
	case instant:
		n = parquet.Encoded(parquet.Timestamp(parquet.Microsecond), &parquet.DeltaBinaryPacked)
	case integer:
		n = parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.DeltaBinaryPacked)
	case real:
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
func (t *table[R]) schema(withRun bool) *parquet.Schema {
	g := orderedGroup{Group: parquet.Group{}}
	if withRun {
		g.add(runColumn, text.node(false))
	}
	for _, f := range t.fields {
		g.add(f.name, f.typ.node(f.optional))
	}
	return parquet.NewSchema(t.name, g)
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
