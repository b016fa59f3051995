// Package yamlfile reads the YAML files that people write by hand: studies,
// protocols, mappings. Reading is strict, and every error says file, line and
// column and shows the line.
//
// It is the only door to github.com/goccy/go-yaml.
package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MaxSize is the largest file that is read, in bytes.
const MaxSize = 1 << 20

// maxDepth is how deep collections may be nested.
const maxDepth = 100

// maxIndent is how far a line may be indented, in columns.
const maxIndent = 1000

// Error is something wrong at a place in a file. Line and Column count from 1.
type Error struct {
	File         string
	Line, Column int
	Msg          string
	Source       string // the line, as written
}

// Error prints the place and the reason and, below them, the line with a mark
// under the place.
func (e *Error) Error() string {
	head := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
	if e.Source == "" {
		return head
	}
	number := fmt.Sprint(e.Line)
	return fmt.Sprintf("%s\n  %s | %s\n  %s | %s^", head, number, e.Source, strings.Repeat(" ", len(number)), indent(e.Source, e.Column-1))
}

// indent returns as many blanks as there are runes in the first n of the line,
// with its tabs kept, so that a mark below it lines up.
func indent(line string, n int) string {
	var b strings.Builder
	for i, r := range []rune(line) {
		if i == n {
			break
		}
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Document is a parsed file.
type Document struct {
	file string
	text []byte
	root ast.Node
}

// Parse reads the text of the file called name. The text must be one document,
// without anchors and aliases.
func Parse(name string, text []byte) (doc *Document, err error) {
	d := &Document{file: name, text: bytes.TrimPrefix(text, []byte("\ufeff"))}
	if len(text) > MaxSize {
		return nil, d.at(1, 1, fmt.Sprintf("the file has %d bytes; the most that is read is %d", len(text), MaxSize))
	}
	if line, column := tooDeep(d.text); line > 0 {
		return nil, d.at(line, column, fmt.Sprintf("collections are nested more than %d deep", maxDepth))
	}
	defer d.recovered(&err)
	parsed, err := parser.ParseBytes(d.text, 0)
	if err != nil {
		return nil, d.wrap(err)
	}
	for _, part := range parsed.Docs {
		if part.Body == nil {
			continue
		}
		if d.root != nil {
			t := part.Body.GetToken().Position
			return nil, d.at(t.Line, t.Column, "a second document begins here; one file holds one")
		}
		d.root = part.Body
	}
	if d.root == nil {
		return nil, d.at(1, 1, "the file holds nothing")
	}
	v := &aliases{}
	ast.Walk(v, d.root)
	if v.found != nil {
		t := v.found.GetToken().Position
		return nil, d.at(t.Line, t.Column, "anchors and aliases are not read; write the value out")
	}
	return d, nil
}

// aliases finds the first anchor or alias.
type aliases struct{ found ast.Node }

func (a *aliases) Visit(n ast.Node) ast.Visitor {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		if a.found == nil {
			a.found = n
		}
	}
	return a
}

// tooDeep looks for deep nesting before the parser, which recurses, gets to see
// it. It counts brackets, the marks that begin a line, and its indentation, and
// knows nothing of quotes, so a text with so many brackets in strings is refused
// as well.
func tooDeep(text []byte) (line, column int) {
	brackets := 0
	for row := range bytes.Lines(text) {
		line++
		marks, leading := 0, true
		for i, c := range row {
			switch {
			case c == '[' || c == '{':
				brackets++
			case c == ']' || c == '}':
				brackets = max(brackets-1, 0)
			case leading && c == ' ' && i > 0 && row[i-1] != ' ':
				marks++
			}
			leading = leading && (c == ' ' || c == '-' || c == '?' || c == ':')
			if brackets > maxDepth || marks > maxDepth || leading && i > maxIndent {
				return line, i + 1
			}
		}
	}
	return 0, 0
}

// Decode stores the document in v. A name that v has no field for is an error,
// and so is a value of another type.
func (d *Document) Decode(v any) (err error) {
	defer d.recovered(&err)
	if n := fraction(d.root, reflect.TypeOf(v)); n != nil {
		t := n.GetToken()
		return d.at(t.Position.Line, t.Position.Column, t.Value+" is no whole number")
	}
	err = yaml.NodeToValue(d.root, v, yaml.Strict())
	if err != nil {
		return d.wrap(err)
	}
	return nil
}

// Decode parses text and stores it in v; see Parse and Document.Decode.
func Decode(name string, text []byte, v any) error {
	d, err := Parse(name, text)
	if err != nil {
		return err
	}
	return d.Decode(v)
}

// Errorf returns an error at the place of a value, for what only the reader of
// the values can know to be wrong. The path leads to it by names (string) and
// positions (int, from 0); of a path that the file does not have, the longest
// part that it has is taken.
func (d *Document) Errorf(path []any, format string, args ...any) error {
	node := d.root
	for _, step := range path {
		next := child(node, step)
		if next == nil {
			break
		}
		node = next
	}
	t := node.GetToken().Position
	if m, ok := node.(*ast.MappingNode); ok && len(m.Values) > 0 {
		t = m.Values[0].Key.GetToken().Position
	}
	return d.at(t.Line, t.Column, fmt.Sprintf(format, args...))
}

// Has reports whether the document is a mapping with the name at its top.
func (d *Document) Has(name string) bool { return child(d.root, name) != nil }

func child(node ast.Node, step any) ast.Node {
	switch n := node.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			if key := fmt.Sprint(step); v.Key.GetToken().Value == key {
				return v.Value
			}
		}
	case *ast.MappingValueNode:
		if n.Key.GetToken().Value == fmt.Sprint(step) {
			return n.Value
		}
	case *ast.SequenceNode:
		if i, ok := step.(int); ok && i >= 0 && i < len(n.Values) {
			return n.Values[i]
		}
	}
	return nil
}

// wrap turns an error of the library into one of ours.
func (d *Document) wrap(err error) error {
	var e yaml.Error
	if !errors.As(err, &e) || e.GetToken() == nil || e.GetToken().Position == nil {
		return &Error{File: d.file, Line: 1, Column: 1, Msg: firstLine(err.Error())}
	}
	p := e.GetToken().Position
	var syntax *yaml.SyntaxError
	if errors.As(err, &syntax) {
		if at := d.unclosed(p.Line, p.Column); at != nil {
			return at
		}
	}
	return d.at(p.Line, p.Column, words(e))
}

// recovered turns a panic of the library over hostile text into an error.
func (d *Document) recovered(err *error) {
	if r := recover(); r != nil {
		*err = d.at(1, 1, fmt.Sprintf("the file cannot be read as YAML: %v", r))
	}
}

func (d *Document) at(line, column int, msg string) *Error {
	e := &Error{File: d.file, Line: max(line, 1), Column: max(column, 1), Msg: msg}
	n := 0
	for row := range bytes.Lines(d.text) {
		if n++; n == e.Line {
			e.Source = shown(string(bytes.TrimRight(row, "\r\n")))
			break
		}
	}
	return e
}

// shown cuts a line that is too long to show.
func shown(line string) string {
	const most = 160
	if len(line) <= most {
		return strings.ToValidUTF8(line, "\uFFFD")
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
