package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the longest line that is read, in bytes. A longer one ends the
// import with an error that names it.
const MaxLine = 16 << 20

// linesBuffer is how much of a file Lines reads at once.
const linesBuffer = 256 << 10

// Lines reads an Input by line, whatever their length up to MaxLine.
type Lines struct {
	in   *Input
	r    io.Reader // the input's when the lines began
	buf  []byte    // grows for lines that are longer
	rest []byte    // of buf: read, and not given yet
	end  error     // what ended the reading; what is in rest comes before it

	line []byte
	n    int64
	cut  bool
	err  error
}

// Lines returns a scanner over the input's lines.
func (in *Input) Lines() *Lines {
	return &Lines{in: in, r: in.R, buf: make([]byte, linesBuffer)}
}

// Next reads a line and reports whether there is one. The last line counts
// even without a newline; Cut then tells.
func (l *Lines) Next() bool {
	i := bytes.IndexByte(l.rest, '\n')
	if i < 0 {
		if i = l.more(); i < 0 {
			return l.last()
		}
	}
	l.give(l.rest[:i])
	l.rest = l.rest[i+1:]
	return true
}

func (l *Lines) give(line []byte) {
	l.n++
	l.in.lines = l.n
	if n := len(line) - 1; n >= 0 && line[n] == '\r' {
		line = line[:n]
	}
	l.line = line
}

// more reads on until there is a newline in rest, and returns its place, -1 if
// the input ends or the line is too long.
func (l *Lines) more() int {
	if l.end != nil || l.err != nil {
		return -1
	}
	n := copy(l.buf, l.rest)
	for idle := 0; idle < 100; idle++ { // readers may return nothing now and then
		if n == len(l.buf) {
			l.buf = append(l.buf, make([]byte, len(l.buf))...)
		}
		k, err := l.r.Read(l.buf[n:])
		at := bytes.IndexByte(l.buf[n:n+k], '\n')
		n += k
		l.rest, l.end = l.buf[:n], err
		switch {
		case at >= 0:
			return n - k + at
		case n > MaxLine:
			l.err = &SyntaxError{l.in.Name, l.n + 1, fmt.Sprintf("the line is longer than %d bytes, the most that is read", MaxLine)}
			return -1
		case err != nil:
			return -1
		case k > 0:
			idle = 0
		}
	}
	l.end = io.ErrNoProgress
	return -1
}

// last gives what is left when the input has ended.
func (l *Lines) last() bool {
	if l.err != nil {
		return false
	}
	l.err = l.end
	if len(l.rest) == 0 {
		return false
	}
	l.cut = true
	l.give(l.rest)
	l.rest = nil
	return true
}

// Bytes returns the line without its end, valid until Next.
func (l *Lines) Bytes() []byte { return l.line }

// Number returns the 1-based number of the line.
func (l *Lines) Number() int64 { return l.n }

// Cut reports whether the line just read had no newline: the file's last line,
// which may be incomplete.
func (l *Lines) Cut() bool { return l.cut }

// Finish returns the error that an importer returns when the lines are over: nil
// at the end of the file, and also when a compressed file was cut, which it
// records in Meta.Cut; what was read until then is good.
func (l *Lines) Finish() error {
	err := l.Err()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		l.in.Meta.Cut = true
		return nil
	}
	return err
}

// Err returns the error that ended the lines, nil at the end of the file. A
// compressed file that was cut gives io.ErrUnexpectedEOF; see Finish.
func (l *Lines) Err() error {
	if l.err == io.EOF {
		return nil
	}
	return l.err
}
