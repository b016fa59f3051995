package ingest

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// xmlText makes the XML of JMeter fit for encoding/xml and bounds it: control
// characters, written out or as references (&#x1;), which responses hold and XML
// forbids, become the replacement character; text between tags is cut, since it
// holds what servers replied; a tag of more than xmlTagMax bytes is an error.
type xmlText struct {
	r   *bufio.Reader
	out []byte
	err error

	tag   int  // bytes since the tag began; 0: outside of tags
	quote rune // that is open in the tag
	text  int  // bytes of text since the last tag
	plain bool // in a declaration or a comment, where quotes mean nothing
}

const (
	xmlTagMax  = 1 << 20 // bytes of one tag
	xmlTextMax = 4 << 10 // bytes of text kept between two tags
)

func (x *xmlText) Read(p []byte) (int, error) {
	for len(x.out) == 0 && x.err == nil {
		x.fill()
	}
	n := copy(p, x.out)
	x.out = x.out[n:]
	if n == 0 {
		return 0, x.err
	}
	return n, nil
}

// fill takes some thousand characters.
func (x *xmlText) fill() {
	x.out = x.out[:0]
	for len(x.out) < 4<<10 && x.err == nil {
		c, _, err := x.r.ReadRune()
		if err != nil {
			x.err = err
			return
		}
		if c == '&' {
			x.reference()
			continue
		}
		if !xmlAllows(c) {
			c = utf8.RuneError
		}
		x.put(c)
	}
}

// xmlAllows reports whether XML 1.0 allows a character.
func xmlAllows(c rune) bool {
	return c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c <= 0xd7ff || c >= 0xe000 && c <= 0xfffd || c >= 0x10000 && c <= 0x10ffff
}

// reference passes a reference on, or what stands for one that is not allowed.
func (x *xmlText) reference() {
	const longest = 12
	peek, _ := x.r.Peek(longest)
	name, _, ok := strings.Cut(string(peek), ";")
	number, isNumber := strings.CutPrefix(name, "#")
	if !ok || !isNumber {
		x.put('&')
		return
	}
	base := 10
	if hex, isHex := strings.CutPrefix(number, "x"); isHex {
		number, base = hex, 16
	}
	if n, err := strconv.ParseUint(number, base, 32); err == nil && xmlAllows(rune(n)) {
		x.put('&')
		return
	}
	_, _ = x.r.Discard(len(name) + 1) // it was seen
	x.put(utf8.RuneError)
}

// put passes a character on, unless it is text beyond what is kept.
func (x *xmlText) put(c rune) {
	switch {
	case x.tag == 0 && c == '<':
		peek, _ := x.r.Peek(1)
		x.plain = len(peek) == 1 && (peek[0] == '!' || peek[0] == '?')
		x.tag, x.text = 1, 0
	case x.tag == 0:
		if x.text += utf8.RuneLen(c); x.text > xmlTextMax {
			return
		}
	default:
		x.tag++
		switch {
		case x.quote != 0:
			if c == x.quote {
				x.quote = 0
			}
		case c == '>':
			x.tag = 0
		case (c == '"' || c == '\'') && !x.plain:
			x.quote = c
		}
		if x.tag > xmlTagMax {
			x.err = fmt.Errorf("%w: a tag of more than %d characters", ErrTooLarge, xmlTagMax)
			return
		}
	}
	x.out = utf8.AppendRune(x.out, c)
}

var _ io.Reader = (*xmlText)(nil)
