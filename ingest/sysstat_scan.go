package ingest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// sysScanner cuts the elements out of the list called statistics of a JSON that
// may be cut, or have a comma too many: a decoder of JSON would give up on what is
// whole in it. What it cuts out is decoded as JSON.
type sysScanner struct {
	r      *bufio.Reader
	line   int64 // where the element began
	lines  int64 // read so far
	at     int64 // bytes before the element
	read   int64
	stray  int64 // line of a comma before the first element, 0 if there is none
	closed bool
	buf    []byte
	any    bool // an element was read
}

// Bounds of what is held: the text before the list, and one element.
const (
	sysPreambleMax = 64 << 10
	sysElementMax  = 16 << 20
)

func (s *sysScanner) byte() (byte, error) {
	c, err := s.r.ReadByte()
	if err == nil {
		s.read++
		if c == '\n' {
			s.lines++
		}
	}
	return c, err
}

// preamble returns what stands before the list.
func (s *sysScanner) preamble() ([]byte, error) {
	var text []byte
	for len(text) < sysPreambleMax {
		c, err := s.byte()
		if err != nil {
			break
		}
		text = append(text, c)
		if c == '[' {
			if i := bytes.LastIndex(text, []byte(`"statistics"`)); i >= 0 && len(bytes.TrimRight(text[i:len(text)-1], " \t\r\n:")) == len(`"statistics"`) {
				return text, nil
			}
		}
	}
	return nil, fmt.Errorf("holds no list of statistics in its first %d bytes", sysPreambleMax)
}

// next returns the next element, valid until it is called again. At the end of the
// list, or of the file, it returns io.EOF.
func (s *sysScanner) next() ([]byte, error) {
	for {
		c, err := s.byte()
		if err != nil {
			return nil, err
		}
		switch c {
		case ' ', '\t', '\r', '\n':
		case ',':
			if !s.any && s.stray == 0 {
				s.stray = s.lines + 1
			}
		case ']':
			s.closed = true
			return nil, io.EOF
		case '{':
			s.any = true
			return s.element()
		default:
			return nil, fmt.Errorf("line %d: %q where an element of statistics should begin", s.lines+1, c)
		}
	}
}

// element reads an element up to the brace that closes it.
func (s *sysScanner) element() ([]byte, error) {
	s.at, s.line = s.read-1, s.lines+1
	s.buf = append(s.buf[:0], '{')
	depth, quoted := 1, false
	for depth > 0 {
		c, err := s.byte()
		if err != nil {
			return nil, err
		}
		s.buf = append(s.buf, c)
		switch {
		case quoted && c == '\\':
			if c, err = s.byte(); err != nil {
				return nil, err
			}
			s.buf = append(s.buf, c)
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
		if len(s.buf) > sysElementMax {
			return nil, fmt.Errorf("%w: an element of more than %d bytes", ErrTooLarge, sysElementMax)
		}
	}
	return s.buf, nil
}
