package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// PostgresExported reads PostgreSQL logs that a cloud or a collector wrapped in JSON.
var PostgresExported = &Importer{
	Name: "postgres-exported",
	Doc: `PostgreSQL log inside JSON: Cloud SQL, Azure, CloudWatch, containers

JSON lines, an array, or an object with events, whose members hold the server's
own lines as text: textPayload (Cloud Logging), properties.message (Azure's
diagnostic settings), message (CloudWatch: get-log-events, filter-log-events),
log (container logs). The text is put together in the order of time and read as
postgres-log, whatever its log_line_prefix; the server's stamps count, the ones of
the wrapping say when a line arrived. An export that is newest first is turned
round, for which it is held in memory.`,
	Gives: PostgresLog.Gives,
	Lacks: PostgresLog.Lacks,
	Sniff: sniffExported,
	Read:  readPostgresExported,
}

func sniffExported(head []byte) bool {
	if first := bytes.TrimLeft(head, " \t\r\n"); len(first) == 0 || first[0] != '{' && first[0] != '[' {
		return false
	}
	var e exportedLog
	_ = e.entries(bytes.NewReader(head)) // what the head cuts is not needed
	_, ok := learnPGForm(e.joined(pgSampleLines))
	return ok
}

// exportedMax is how much text is held of an export that is one document, or
// newest first, in bytes.
const exportedMax = 256 << 20

// exportedEntry is one entry: the server's text, and when it arrived.
type exportedEntry struct{ stamp, text string }

// exportedLog takes entries out of JSON.
type exportedLog struct {
	all  []exportedEntry
	size int
}

func readPostgresExported(in *Input, sink Sink) error {
	head, err := readSample(in)
	if err != nil {
		return err
	}
	line, whole := firstLine(head)
	e := &exportedLog{}
	if whole && jsontext.Value(line).IsValid() {
		first := exportedLog{}
		_ = first.entries(bytes.NewReader(head))
		if !first.newestFirst() {
			in.R = &exportedLines{l: in.Lines(), in: in}
			return readPostgresLog(in, sink)
		}
		err = e.lines(in)
	} else {
		err = e.entries(in.R)
		if errors.Is(err, io.ErrUnexpectedEOF) && len(e.all) > 0 {
			in.Meta.Cut = true
			in.Note("the document is cut; the entries before were read")
			err = nil
		}
	}
	if err != nil {
		return &FileError{in.Name, err}
	}
	if e.newestFirst() {
		slices.Reverse(e.all)
		in.Note("the export is newest first, and was turned round")
	}
	in.R = bytes.NewReader(e.joined(len(e.all)))
	return readPostgresLog(in, sink)
}

// exportedLines gives the text of an export of JSON lines as it is read.
type exportedLines struct {
	in   *Input
	l    *Lines
	rest []byte
}

func (r *exportedLines) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if !r.l.Next() {
			if err := r.l.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		line := bytes.TrimSpace(r.l.Bytes())
		if len(line) == 0 {
			continue
		}
		e := exportedLog{}
		if err := e.entries(bytes.NewReader(line)); err != nil {
			if err := r.in.BadAt(r.l, "no line of JSON: %v", err); err != nil {
				return 0, err
			}
			continue
		}
		r.rest = e.joined(len(e.all))
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// lines takes the entries of all lines.
func (e *exportedLog) lines(in *Input) error {
	l := in.Lines()
	for l.Next() {
		if line := bytes.TrimSpace(l.Bytes()); len(line) > 0 {
			if err := e.entries(bytes.NewReader(line)); errors.Is(err, ErrTooLarge) {
				return err
			} else if err != nil {
				if err := in.BadAt(l, "no line of JSON: %v", err); err != nil {
					return err
				}
			}
		}
	}
	return l.Finish()
}

// newestFirst reports whether the entries bear falling stamps.
func (e *exportedLog) newestFirst() bool {
	falls, rises := 0, 0
	for i := 1; i < len(e.all); i++ {
		switch a, b := e.all[i-1].stamp, e.all[i].stamp; {
		case len(a) != len(b) && (len(a) < 20 || len(b) < 20): // numbers, or none
		case b < a:
			falls++
		case b > a:
			rises++
		}
	}
	return falls > rises
}

// joined returns the text of the first entries, a line each.
func (e *exportedLog) joined(most int) []byte {
	var text []byte
	for _, entry := range e.all[:min(most, len(e.all))] {
		text = append(text, strings.TrimRight(entry.text, "\r\n")...)
		text = append(text, '\n')
	}
	return text
}

// entries takes the entries out of JSON values, one after the other.
func (e *exportedLog) entries(r io.Reader) error {
	d := jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		if err := e.value(d, 0); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// exportedDepth is how deep entries are looked for.
const exportedDepth = 6

// value takes the entries out of one JSON value.
func (e *exportedLog) value(d *jsontext.Decoder, depth int) error {
	switch d.PeekKind() {
	case jsontext.KindBeginArray:
		if depth == exportedDepth {
			return d.SkipValue()
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != jsontext.KindEndArray {
			if err := e.value(d, depth+1); err != nil {
				return err
			}
		}
		_, err := d.ReadToken()
		return err
	case jsontext.KindBeginObject:
		if depth == exportedDepth {
			return d.SkipValue()
		}
		return e.object(d, depth)
	}
	_, err := d.ReadToken()
	return err
}

// object takes the entry that an object is, and those inside it.
func (e *exportedLog) object(d *jsontext.Decoder, depth int) error {
	var entry exportedEntry
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != jsontext.KindEndObject {
		t, err := d.ReadToken()
		if err != nil {
			return err
		}
		name := t.String()
		switch d.PeekKind() {
		case jsontext.KindBeginObject, jsontext.KindBeginArray:
			switch name {
			case "properties", "events", "entries", "records", "value":
				err = e.value(d, depth+1)
			default:
				err = d.SkipValue()
			}
		default:
			if t, err = d.ReadToken(); err == nil {
				entry.take(name, t.String())
			}
		}
		if err != nil {
			return err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	if entry.text == "" {
		return nil
	}
	e.all = append(e.all, entry)
	if e.size += len(entry.text) + len(entry.stamp); e.size > exportedMax {
		return fmt.Errorf("%w: an export that is one document or newest first is held in memory, at most %d bytes of it; export JSON lines, oldest first", ErrTooLarge, exportedMax)
	}
	return nil
}

// take takes a member of an entry.
func (e *exportedEntry) take(name, value string) {
	switch name {
	case "textPayload", "message", "@message", "log":
		e.text = value
	case "timestamp", "@timestamp", "time", "ts":
		e.stamp = value
	}
}
