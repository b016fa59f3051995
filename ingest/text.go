package ingest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// decodeText takes a byte-order mark off and turns UTF-16 into UTF-8.
func (c *Content) decodeText(body *bufio.Reader) (*bufio.Reader, error) {
	mark, err := body.Peek(4)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, readError(err)
	}
	switch {
	case bytes.HasPrefix(mark, []byte{0xef, 0xbb, 0xbf}):
		_, err := body.Discard(3)
		return body, err
	case bytes.Equal(mark, []byte{0xff, 0xfe, 0, 0}):
		return body, nil // UTF-32, or binary: Sniff says what it saw
	case bytes.HasPrefix(mark, []byte{0xff, 0xfe}):
		c.Layers = append(c.Layers, "UTF-16LE")
		return utf16Reader(body, binary.LittleEndian), nil
	case bytes.HasPrefix(mark, []byte{0xfe, 0xff}):
		c.Layers = append(c.Layers, "UTF-16BE")
		return utf16Reader(body, binary.BigEndian), nil
	}
	return body, nil
}

// utf16Reader returns the text of a UTF-16 stream, after its mark, as UTF-8.
func utf16Reader(r *bufio.Reader, order binary.ByteOrder) *bufio.Reader {
	_, _ = r.Discard(2) // the mark was seen
	return bufio.NewReaderSize(&utf16Text{r: r, order: order}, HeadSize)
}

type utf16Text struct {
	r     *bufio.Reader
	order binary.ByteOrder
	out   []byte
	high  rune // the first half of a pair, or 0
	err   error
}

func (u *utf16Text) Read(p []byte) (int, error) {
	for len(u.out) == 0 && u.err == nil {
		u.fill()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	if n == 0 {
		return 0, u.err
	}
	return n, nil
}

// fill decodes some units; a lone surrogate becomes the replacement character.
func (u *utf16Text) fill() {
	u.out = u.out[:0]
	for len(u.out) < 4096 {
		var pair [2]byte
		if _, err := io.ReadFull(u.r, pair[:]); err != nil {
			u.err = err
			break
		}
		u.append(rune(u.order.Uint16(pair[:])))
	}
	if u.err != nil && u.high != 0 {
		u.out = utf8.AppendRune(u.out, utf8.RuneError)
		u.high = 0
	}
}

func (u *utf16Text) append(unit rune) {
	if u.high != 0 {
		r := utf16.DecodeRune(u.high, unit)
		u.high = 0
		u.out = utf8.AppendRune(u.out, r)
		if r != utf8.RuneError {
			return
		}
	}
	if utf16.IsSurrogate(unit) && unit < 0xdc00 {
		u.high = unit
		return
	}
	u.out = utf8.AppendRune(u.out, unit)
}
