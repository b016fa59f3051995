package ingest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonWalk reads JSON values piece by piece, so that a document of any size
// takes no more memory than its largest part.
type jsonWalk struct {
	in   *Input
	d    *jsontext.Decoder
	src  *pacedReader // of a stream; nil for single lines
	line int64        // of a single line
}

// jsonFirstLine is how far a first line is looked at, in bytes, to see whether
// the file is JSON lines.
const jsonFirstLine = 256 << 10

// eachJSON calls each for every JSON value at the top level of the input, whose
// decoder stands before it. If the first line is a whole value the input is read
// by lines, and a line that cannot be read costs no other; else it is one
// document, or several one after another, and damage ends the reading. An error
// that is neither of syntax nor of shape ends the import.
func (in *Input) eachJSON(each func(*jsonWalk) error) error {
	r := bufio.NewReaderSize(in.R, jsonFirstLine)
	head, _ := r.Peek(jsonFirstLine)
	in.R = r
	if line, _ := firstLine(head); jsontext.Value(bytes.TrimSpace(line)).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return in.eachJSONLine(each)
	}
	w := &jsonWalk{in: in, src: &pacedReader{r: in.R}}
	w.d = jsontext.NewDecoder(w.src, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		w.pace()
		if w.d.PeekKind() == 0 {
			if _, err := w.d.ReadToken(); err != io.EOF {
				return w.damage(err)
			}
			return nil
		}
		err := each(w)
		if err == nil {
			continue
		}
		again := isShape(err)
		if err = w.damage(err); err != nil || !again {
			return w.placed(err)
		}
	}
}

func (in *Input) eachJSONLine(each func(*jsonWalk) error) error {
	var src lineSource
	w := &jsonWalk{in: in, d: jsontext.NewDecoder(&src)}
	lines := in.Lines()
	for lines.Next() {
		src.rest = lines.Bytes()
		w.d.Reset(&src, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		w.line = lines.Number()
		for {
			var err error
			if w.d.PeekKind() != 0 {
				err = each(w)
			} else if _, err = w.d.ReadToken(); err == io.EOF {
				break
			}
			if err == nil {
				continue
			}
			if !isShape(err) && !isSyntax(err) {
				return w.placed(err)
			}
			if err := in.BadAt(lines, "%s", clip(plainly(err.Error()))); err != nil {
				return err
			}
			break
		}
	}
	return lines.Finish()
}

// damage deals with an error inside a document that is no line: what was read
// until then is good. It returns nil if the reading just ends.
func (w *jsonWalk) damage(err error) error {
	switch {
	case isShape(err):
		return w.bad(err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		w.in.Meta.Cut = true
		w.in.Note("the document is cut in line %d; what it held until then was read", w.at())
		return nil
	case isSyntax(err):
		return w.in.Bad(w.at(), "no JSON from here on, and the rest was not read: %s", clip(plainly(err.Error())))
	}
	return err
}

// placed says in which line a stamp could not be read without being told more.
func (w *jsonWalk) placed(err error) error {
	if errors.Is(err, ErrZone) || errors.Is(err, ErrNoTimeAxis) || errors.Is(err, errMixedUnits) {
		return fmt.Errorf("line %d: %w", w.at(), err)
	}
	return err
}

// shapeError is the error of a value that is JSON and not what was expected.
type shapeError string

func (e shapeError) Error() string { return string(e) }

func isShape(err error) bool {
	var e shapeError
	return errors.As(err, &e)
}

func isSyntax(err error) bool {
	var e *jsontext.SyntacticError
	return errors.As(err, &e) || errors.Is(err, io.ErrUnexpectedEOF)
}

// at returns the number of the line that the decoder stands in.
func (w *jsonWalk) at() int64 {
	if w.src == nil {
		return w.line
	}
	return w.src.lineAt(w.d.InputOffset())
}

// bad reports a part that cannot be used; it returns the errors of [Input.Bad].
func (w *jsonWalk) bad(err error) error { return w.in.Bad(w.at(), "%s", clip(plainly(err.Error()))) }

// object calls member for the members of the object that comes next; member
// must read or skip the value. null is an object without members. A member of
// another shape than expected is the error, once the others were read.
func (w *jsonWalk) object(member func(name string) error) error {
	if ok, err := w.begin(jsontext.KindBeginObject, "an object"); !ok {
		return err
	}
	var shape error
	for w.d.PeekKind() == jsontext.KindString {
		w.pace()
		tok, err := w.d.ReadToken()
		if err != nil {
			return err
		}
		switch err := member(tok.String()); {
		case isShape(err):
			shape = err
		case err != nil:
			return err
		}
	}
	if _, err := w.d.ReadToken(); err != nil {
		return err
	}
	return shape
}

// array calls element for each element of the array that comes next; null is an
// array without elements. An element of another shape than expected is reported,
// and the others are read.
func (w *jsonWalk) array(element func() error) error {
	if ok, err := w.begin(jsontext.KindBeginArray, "an array"); !ok {
		return err
	}
	for {
		w.pace()
		if k := w.d.PeekKind(); k == jsontext.KindEndArray || k == 0 {
			break
		}
		err := element()
		if isShape(err) {
			err = w.bad(err)
		}
		if err != nil {
			return err
		}
	}
	_, err := w.d.ReadToken()
	return err
}

// begin reads the begin of an object or array. It is not ok if there is none.
func (w *jsonWalk) begin(kind jsontext.Kind, what string) (ok bool, err error) {
	w.pace()
	switch k := w.d.PeekKind(); k {
	case kind, 0:
		_, err = w.d.ReadToken()
		return err == nil, err
	case jsontext.KindNull:
		return false, w.skip()
	default:
		if err := w.skip(); err != nil {
			return false, err
		}
		return false, shapeError(fmt.Sprintf("%s was expected, and %s found", what, k))
	}
}

// value reads the next value into v, which encoding/json fills. A value of
// another shape is a shapeError, and was read.
func (w *jsonWalk) value(v any) error {
	raw, err := w.raw()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return shapeError(err.Error())
	}
	return nil
}

// raw reads the next value as it is written, valid until the next read. A number
// with which the input ends inside a document may lack digits, and is none.
func (w *jsonWalk) raw() (jsontext.Value, error) {
	w.pace()
	v, err := w.d.ReadValue()
	if err == nil && v.Kind() == jsontext.KindNumber && w.d.StackDepth() > 0 {
		v = v.Clone()
		if w.d.PeekKind() == 0 {
			return nil, io.ErrUnexpectedEOF
		}
	}
	return v, err
}

func (w *jsonWalk) skip() error {
	if w.src != nil {
		w.src.left = 1 << 62 // what is skipped takes no memory
	}
	return w.d.SkipValue()
}

func (w *jsonWalk) pace() {
	if w.src != nil {
		w.src.left = MaxLine
		w.at() // forgets the ends of lines that lie behind
	}
}

// pacedReader bounds how much is read for one part of a document, and knows in
// which line a part stands.
type pacedReader struct {
	r    io.Reader
	left int64
	n    int64 // bytes read
	line int64 // ends of lines before those ahead
	// ahead are the offsets of ends of lines behind the place last asked for.
	ahead []int64
}

func (p *pacedReader) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, fmt.Errorf("%w: one part of the document is longer than %d bytes, the most that is read", ErrTooLarge, MaxLine)
	}
	n, err := p.r.Read(b)
	p.left -= int64(n)
	for i, c := range b[:n] {
		if c == '\n' {
			p.ahead = append(p.ahead, p.n+int64(i))
		}
	}
	p.n += int64(n)
	return n, err
}

// lineAt returns the number of the line of an offset; offsets only grow.
func (p *pacedReader) lineAt(offset int64) int64 {
	i := 0
	for i < len(p.ahead) && p.ahead[i] < offset {
		i++
	}
	p.line += int64(i)
	p.ahead = append(p.ahead[:0], p.ahead[i:]...)
	return p.line + 1
}

// beginsJSON reports whether head begins with an object or an array.
func beginsJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// hasKeys reports whether head holds all of the keys, as "key", anywhere.
func hasKeys(head []byte, keys ...string) bool {
	for _, k := range keys {
		if !bytes.Contains(head, []byte(`"`+k+`"`)) {
			return false
		}
	}
	return true
}

// placeError is the error of a value whose time could not be told: it ends the
// import if no other could be placed either, and else is about this value alone.
func placeError(err error) error {
	if errors.Is(err, ErrZone) || errors.Is(err, ErrNoTimeAxis) || errors.Is(err, errMixedUnits) {
		return err
	}
	return shapeError(err.Error())
}
