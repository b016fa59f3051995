package ingest

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// GenericJSONL reads JSON lines whose fields a mapping declares.
var GenericJSONL = &Importer{
	Name: genericJSONLName,
	Doc: `JSON lines with a declared mapping

Chosen only with a mapping (--map), which says which field is the start or the
end, the latency, the status and so on, and in which unit; see
docs/formats/mapping.md. A field inside another is named by its path, with dots.
Rows of other kinds in the same file are left out by the mapping's conditions.`,
	Gives: []string{"samples: what the mapping names", "points: what the mapping names"},
	Lacks: []string{"what the mapping does not name"},
	Load:  true,
	Sniff: func([]byte) bool { return false },
	Read:  readGenericJSONL,
}

func readGenericJSONL(in *Input, sink Sink) error {
	g, err := newGenericReader(in, sink, genericJSONLName)
	if err != nil {
		return err
	}
	row := newJSONRow(g.fields)
	return g.lines(row, func(text []byte) string {
		if err := row.read(text); err != nil {
			return "not a JSON object: " + err.Error()
		}
		return ""
	})
}

// lines makes a row of every line that is not empty. read puts the line's values
// into row, or says why it is none.
func (g *genericReader) lines(row *jsonRow, read func(text []byte) (reason string)) error {
	lines := g.in.Lines()
	for lines.Next() {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		reason := read(text)
		if reason == "" {
			var err error
			if reason, err = g.row(row.values); err != nil {
				return &SyntaxError{g.in.Name, lines.Number(), err.Error()}
			}
		}
		if reason != "" {
			if err := g.in.BadAt(lines, "%s", reason); err != nil {
				return err
			}
		}
	}
	if err := lines.Finish(); err != nil {
		return err
	}
	if err := g.close(); err != nil {
		return err
	}
	return g.missing(row)
}

// missing is an error if the whole file has not one value of a field that a
// sample cannot do without: a name that is misspelt, most likely. Of the others
// it makes a note, for an error or a label may well never occur.
func (g *genericReader) missing(row *jsonRow) error {
	a := &g.at
	needed := append([]int{a.start, a.end, a.latency, a.wait, a.service, a.events, a.by}, a.where...)
	for _, p := range g.points {
		needed = append(append(needed, p.value), p.where...)
	}
	if g.fit != nil {
		needed = append(needed, g.fit.x, g.fit.y)
	}
	for i, name := range g.fields {
		switch {
		case row.seen[i] || row.lines == 0:
		case slices.Contains(needed, i):
			return fmt.Errorf("%w: none of its %d lines has a field %q", ErrMapping, row.lines, clip(name))
		default:
			g.in.Note("no line has the field %q", clip(name))
		}
	}
	return nil
}

// jsonRow finds fields in JSON objects by their paths.
type jsonRow struct {
	root   jsonStep
	values []genericValue
	seen   []bool
	lines  int64

	src lineSource
	dec *jsontext.Decoder
	buf []byte
}

// jsonStep is one step on the way to the fields.
type jsonStep struct {
	next   map[string]*jsonStep
	fields []int // that end here
}

func newJSONRow(fields []string) *jsonRow {
	r := &jsonRow{values: make([]genericValue, len(fields)), seen: make([]bool, len(fields))}
	r.dec = jsontext.NewDecoder(&r.src, jsontext.AllowDuplicateNames(true))
	for i, path := range fields {
		r.root.add(strings.Split(path, "."), i)
		if strings.Contains(path, ".") {
			r.root.add([]string{path}, i) // a name that holds the dots itself
		}
	}
	return r
}

func (s *jsonStep) add(path []string, field int) {
	if len(path) == 0 {
		s.fields = append(s.fields, field)
		return
	}
	if s.next == nil {
		s.next = map[string]*jsonStep{}
	}
	if s.next[path[0]] == nil {
		s.next[path[0]] = &jsonStep{}
	}
	s.next[path[0]].add(path[1:], field)
}

// read finds the fields of one line. The values are valid until the next.
func (r *jsonRow) read(line []byte) error {
	clear(r.values)
	r.buf = r.buf[:0]
	r.src.rest = line
	r.dec.Reset(&r.src, jsontext.AllowDuplicateNames(true))
	if r.dec.PeekKind() != jsontext.KindBeginObject {
		return fmt.Errorf("it begins with %q", clip(string(line)))
	}
	if err := r.object(&r.root); err != nil {
		return err
	}
	if _, err := r.dec.ReadToken(); err != io.EOF {
		return fmt.Errorf("more follows the object")
	}
	r.lines++
	return nil
}

func (r *jsonRow) object(step *jsonStep) error {
	if _, err := r.dec.ReadToken(); err != nil {
		return err
	}
	for r.dec.PeekKind() == jsontext.KindString {
		name, err := r.dec.ReadValue()
		if err != nil {
			return err
		}
		next := step.next[string(name[1:len(name)-1])]
		if bytes.IndexByte(name, '\\') >= 0 {
			text, err := jsontext.AppendUnquote(nil, name)
			if err != nil {
				return err
			}
			next = step.next[string(text)]
		}
		switch {
		case next == nil:
			err = r.dec.SkipValue()
		case len(next.fields) == 0 && r.dec.PeekKind() == jsontext.KindBeginObject:
			err = r.object(next)
		case len(next.fields) == 0:
			err = r.dec.SkipValue()
		default:
			err = r.value(next.fields)
		}
		if err != nil {
			return err
		}
	}
	_, err := r.dec.ReadToken()
	return err
}

// value reads a value that is wanted: text unquoted, null as nothing, anything
// else as written.
func (r *jsonRow) value(fields []int) error {
	v, err := r.dec.ReadValue()
	if err != nil {
		return err
	}
	n := len(r.buf)
	switch v.Kind() {
	case jsontext.KindNull:
		for _, i := range fields {
			r.seen[i] = true
		}
		return nil
	case jsontext.KindString:
		if r.buf, err = jsontext.AppendUnquote(r.buf, v); err != nil {
			return err
		}
	default:
		r.buf = append(r.buf, v...)
	}
	text := r.buf[n:len(r.buf):len(r.buf)]
	if text == nil {
		text = []byte{}
	}
	for _, i := range fields {
		r.values[i], r.seen[i] = text, true
	}
	return nil
}
