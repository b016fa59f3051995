package ingest

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// csvRecords reads CSV records of any number of lines, each of a bounded size,
// and knows where each began. A quote that is never closed costs the one line
// that it is on, not the rest of the file.
//
// encoding/csv does the quoting; what is done here is to find where a record
// ends: at the first end of a line at which no quoted field is open.
type csvRecords struct {
	l   *Lines
	csv *csv.Reader
	one csvRecord // the record that csv is shown
	// begins reports whether a line can be the first of a record.
	begins func(line []byte) bool
	// lazy lets quotes stand inside a field, as those who join fields with commas
	// themselves write them.
	lazy bool
	// comma parts the fields; 0 is a comma. comment begins a line that is no
	// record; "" is none.
	comma   rune
	comment string

	line   int64  // where the record began, from 1
	buf    []byte // of the record
	back   []byte // lines that were read already, after an unclosed quote
	backAt int64  // the number of the first of them
	fields []string
	split  []string // memory of fields
	err    error
	ends   bool // with err: the file ends inside the record
}

// csvRecordMax is the longest record that is read, in bytes. A longer one is
// taken for an unclosed quote.
const csvRecordMax = 16 << 20

func (in *Input) csvRecords(begins func(line []byte) bool) *csvRecords {
	return &csvRecords{l: in.Lines(), begins: begins}
}

// bad reports the record as one that cannot be read; if the file ends inside it,
// the file is cut.
func (r *csvRecords) bad(in *Input, format string, args ...any) error {
	if r.ends || r.l.Cut() && len(r.back) == 0 {
		in.Meta.Cut = true
		in.Note("line %d: the last record is cut and was left out", r.line)
		return nil
	}
	return in.Bad(r.line, format, args...)
}

// next reads a record; blank lines are none. Then fields or err hold it. It
// returns false at the end of the file; the lines' Finish then tells why.
func (r *csvRecords) next() bool {
	r.fields, r.err, r.ends = nil, nil, false
	for {
		line, n, ok := r.nextLine()
		if !ok {
			return false
		}
		if len(bytes.TrimSpace(line)) == 0 || r.comment != "" && bytes.HasPrefix(line, []byte(r.comment)) {
			continue
		}
		r.line = n
		if r.plain(line) {
			return true
		}
		first := len(line)
		if r.collect(line) && !r.decode() {
			r.putBack(first)
		}
		return true
	}
}

// plain splits a line that needs no quoting, as encoding/csv would; every other
// one it leaves to that.
func (r *csvRecords) plain(line []byte) bool {
	if bytes.IndexByte(line, '"') >= 0 || bytes.IndexByte(line, '\r') >= 0 {
		return false
	}
	comma := r.comma
	if comma == 0 {
		comma = ','
	}
	text := string(line)
	fields := r.split[:0]
	if comma < utf8.RuneSelf {
		from := 0
		for i := range len(text) {
			if text[i] == byte(comma) {
				fields, from = append(fields, text[from:i]), i+1
			}
		}
		text = text[from:]
	} else {
		for {
			before, after, ok := strings.Cut(text, string(comma))
			if !ok {
				break
			}
			fields, text = append(fields, before), after
		}
	}
	r.split = append(fields, text)
	r.fields = r.split
	return true
}

// nextLine returns the next line with its number: one that was put back, or else
// one from the file.
func (r *csvRecords) nextLine() ([]byte, int64, bool) {
	if len(r.back) > 0 {
		line, rest, _ := bytes.Cut(r.back, []byte("\n"))
		r.back = rest
		r.backAt++
		return line, r.backAt - 1, true
	}
	if !r.l.Next() {
		return nil, 0, false
	}
	return r.l.Bytes(), r.l.Number(), true
}

// collect gathers the lines of a record that begins with line in buf. If its
// quote is never closed it sets err and returns false.
func (r *csvRecords) collect(line []byte) bool {
	r.buf = append(r.buf[:0], line...)
	first := len(line)
	open := opensQuote(line, r.separator(), false)
	for open {
		line, _, ok := r.nextLine()
		if !ok {
			r.unclosed(first)
			return false
		}
		r.buf = append(append(r.buf, '\n'), line...)
		if len(r.buf) > csvRecordMax {
			r.unclosed(first)
			return false
		}
		open = opensQuote(line, r.separator(), true)
	}
	return true
}

// separator is what parts the fields.
func (r *csvRecords) separator() []byte {
	if r.comma == 0 {
		return []byte{','}
	}
	return []byte(string(r.comma))
}

// opensQuote reports whether a quoted field is open at the end of a line; inside
// says that one is at its start.
func opensQuote(line, separator []byte, inside bool) bool {
	for {
		if !inside {
			if rest, ok := bytes.CutPrefix(line, []byte{'"'}); ok {
				line, inside = rest, true
				continue
			}
			_, rest, ok := bytes.Cut(line, separator)
			if !ok {
				return false
			}
			line = rest
			continue
		}
		quote := bytes.IndexByte(line, '"')
		if quote < 0 {
			return true
		}
		line = line[quote+1:]
		if len(line) == 0 {
			return false
		}
		if rest, doubled := bytes.CutPrefix(line, []byte{'"'}); doubled {
			line = rest
		} else if rest, ends := bytes.CutPrefix(line, separator); ends {
			line, inside = rest, false
		}
	}
}

// unclosed deals with the record in buf, whose first line is first bytes long and
// whose quote is never closed. If no other record seems to begin in it, the file
// ends inside the record; else the lines after the first are put back.
func (r *csvRecords) unclosed(first int) {
	r.err = errors.New("a quote is opened and not closed")
	r.ends = !r.putBack(first) && len(r.buf) <= csvRecordMax
}

// putBack puts the lines of buf after the first back, if another record seems to
// begin among them.
func (r *csvRecords) putBack(first int) bool {
	if len(r.buf) <= first+1 {
		return false
	}
	after := bytes.Clone(bytes.TrimSuffix(r.buf[first+1:], []byte("\n")))
	for line := range bytes.Lines(after) {
		if r.begins(line) {
			if len(r.back) > 0 {
				after = append(append(after, '\n'), r.back...)
			}
			r.back, r.backAt = after, r.line+1
			return true
		}
	}
	return false
}

// decode splits the record into fields. If it cannot, it sets err.
func (r *csvRecords) decode() bool {
	if r.csv == nil {
		r.csv = csv.NewReader(&r.one)
		r.csv.FieldsPerRecord = -1
		r.csv.ReuseRecord = true
		r.csv.LazyQuotes = r.lazy
		if r.comma != 0 {
			r.csv.Comma = r.comma
		}
	}
	r.one.rest = append(r.buf, '\n')
	r.buf = r.one.rest
	r.fields, r.err = r.csv.Read()
	if r.err != nil {
		if e, ok := errors.AsType[*csv.ParseError](r.err); ok {
			r.err = e.Err // its line numbers are not the file's
		}
		r.csv, r.one.rest = nil, nil // what it holds of the record is left behind
	}
	return r.err == nil
}

// csvRecord is one CSV record as a reader; it ends after each.
type csvRecord struct{ rest []byte }

func (r *csvRecord) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
