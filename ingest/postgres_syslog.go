package ingest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
)

// PostgresSyslog reads PostgreSQL logs that went through syslog.
var PostgresSyslog = &Importer{
	Name: "postgres-syslog",
	Doc: `PostgreSQL log through syslog, journald or Heroku

Lines "STAMP HOST postgres[PID]: [N-M] …", or Heroku's "STAMP app[postgres.PID]:
[COLOR] [N-M] …": a message is split at its line breaks and length, into parts
numbered M, which are put together by pid and N whatever came in between; tabs are
written #011. What stands inside is read as postgres-log. A stamp of the server's
own inside counts; else that of the line does.

Traditional stamps ("Feb 11 13:15:39") lack year and zone: the year is that of a
given start, the zone must be given.`,
	Gives: PostgresLog.Gives,
	Lacks: append([]string{"year and zone, with traditional stamps"}, PostgresLog.Lacks...),
	Sniff: sniffSyslog,
	Read:  readPostgresSyslog,
}

func sniffSyslog(head []byte) bool {
	for n := 0; n < 50 && len(head) > 0; n++ {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		head = rest
		if p, ok := parseSyslog(line); ok && whole {
			if _, _, isWord := findPGWord(p.text); isWord {
				return true
			}
		}
	}
	return false
}

// syslogPart is one line: a part of a message of one process.
type syslogPart struct {
	stamp  []byte // as written
	pid    int64
	number int64 // of the message
	part   int64 // of it, from 1
	text   []byte
}

// parseSyslog takes a line apart.
func parseSyslog(line []byte) (p syslogPart, ok bool) {
	line = bytes.TrimRight(line, "\r")
	if len(line) > 0 && line[0] == '<' { // priority, and version of RFC 5424
		if end := bytes.IndexByte(line[:min(len(line), 8)], '>'); end > 0 {
			line = bytes.TrimPrefix(line[end+1:], []byte("1 "))
		}
	}
	stamp, rest, isStamp := leadingStamp(line)
	if !isStamp || !isDate(stamp) {
		if len(line) < 16 {
			return p, false
		}
		if _, err := time.Parse(time.Stamp, string(line[:15])); err != nil || line[15] != ' ' {
			return p, false
		}
		stamp, rest = line[:15], line[16:]
	}
	p.stamp = stamp
	tag := bytes.Index(rest[:min(len(rest), 200)], []byte("postgres"))
	if tag < 0 || tag > 0 && rest[tag-1] != ' ' && rest[tag-1] != '[' {
		return p, false
	}
	rest = rest[tag+len("postgres"):]
	if len(rest) == 0 || rest[0] != '[' && rest[0] != '.' {
		return p, false
	}
	pid, rest, found := bytes.Cut(rest[1:], []byte("]: "))
	n, err := strconv.ParseInt(string(pid), 10, 64)
	if !found || err != nil {
		return p, false
	}
	p.pid = n
	if color, after, ok := bytes.Cut(rest, []byte("] ")); ok && len(color) > 1 && color[0] == '[' && len(bytes.Trim(color[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) == 0 {
		rest = after // [GREEN]
	}
	id, text, found := bytes.Cut(rest, []byte("]"))
	number, part, dashed := bytes.Cut(bytes.TrimPrefix(id, []byte("[")), []byte("-"))
	var err1, err2 error
	p.number, err1 = strconv.ParseInt(string(number), 10, 64)
	p.part, err2 = strconv.ParseInt(string(part), 10, 64)
	if !found || !dashed || err1 != nil || err2 != nil || p.part < 1 {
		return p, false
	}
	p.text = bytes.ReplaceAll(bytes.TrimPrefix(text, []byte(" ")), []byte("#011"), []byte("\t"))
	return p, true
}

func readPostgresSyslog(in *Input, sink Sink) error {
	in.R = &syslogReader{in: in, l: in.Lines(), open: map[int64][]syslogPart{}}
	return readPostgresLog(in, sink)
}

// syslogReader puts the messages together and gives them as the server's own log
// has them. Messages of one process are in order, those of several nearly.
type syslogReader struct {
	in *Input
	l  *Lines

	open  map[int64][]syslogPart // by pid: the parts of its last message
	order []int64                // the pids of open, as their messages began
	rest  []byte
	done  bool

	year int // of the last traditional stamp
	last time.Month
}

// syslogOpen is how many messages are open at once, and syslogParts of how many
// parts one can be.
const (
	syslogOpen  = 256
	syslogParts = 10_000
)

func (r *syslogReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.done {
			return 0, io.EOF
		}
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// fill reads a line, and gives out what it ends.
func (r *syslogReader) fill() error {
	if !r.l.Next() {
		if err := r.l.Err(); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		} else if err != nil {
			r.in.Meta.Cut = true
		}
		r.done = true
		for len(r.order) > 0 {
			r.flush(r.order[0])
		}
		return nil
	}
	line := r.l.Bytes()
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	p, ok := parseSyslog(line)
	if !ok {
		if bytes.Contains(line, []byte("postgres")) {
			return r.in.BadAt(r.l, "no line of syslog as PostgreSQL writes it: %q", clip(string(line)))
		}
		return nil // another program's
	}
	stamp, err := r.instant(p.stamp)
	if err != nil {
		return r.in.unplaced(r.l, err)
	}
	p.stamp, p.text = stamp, bytes.Clone(p.text)
	if parts := r.open[p.pid]; len(parts) > 0 && (parts[0].number != p.number || len(parts) >= syslogParts) {
		r.flush(p.pid)
	}
	if len(r.open[p.pid]) == 0 {
		if len(r.order) == syslogOpen {
			r.flush(r.order[0])
		}
		r.order = append(r.order, p.pid)
	}
	r.open[p.pid] = append(r.open[p.pid], p)
	return nil
}

// instant returns the stamp of a line as a date and time with a zone.
func (r *syslogReader) instant(stamp []byte) ([]byte, error) {
	if isDate(stamp) {
		ns, err := r.in.Stamps().Bytes(stamp)
		return appendStamp(ns), err
	}
	if r.year == 0 {
		if r.in.Opt.Start.IsZero() {
			return nil, fmt.Errorf("stamp %q: %w: it has no year", clip(string(stamp)), ErrNoTimeAxis)
		}
		r.year = r.in.Opt.Start.Year()
		r.in.Note("stamps have no year: that of the given start, %d, was taken", r.year)
	}
	t, err := time.Parse(time.Stamp, string(stamp))
	if err != nil {
		return nil, err
	}
	if t.Month() < r.last && r.last-t.Month() > 6 {
		r.year++ // December, then January
	}
	r.last = t.Month()
	ns, err := r.in.Stamps().Bytes(fmt.Appendf(nil, "%04d-%02d-%02d %s", r.year, t.Month(), t.Day(), stamp[7:]))
	return appendStamp(ns), err
}

func appendStamp(ns int64) []byte {
	return time.Unix(0, ns).UTC().AppendFormat(nil, "2006-01-02 15:04:05.999999 MST")
}

// flush gives out the message of a process.
func (r *syslogReader) flush(pid int64) {
	parts := r.open[pid]
	delete(r.open, pid)
	r.order = slices.DeleteFunc(r.order, func(other int64) bool { return other == pid })
	slices.SortStableFunc(parts, func(a, b syslogPart) int { return cmp.Compare(a.part, b.part) })
	for _, p := range parts {
		_, _, isWord := findPGWord(p.text)
		switch {
		case looksLikePG(p.text):
			r.rest = append(r.rest, p.text...)
		case isWord && !bytes.HasPrefix(p.text, []byte("\t")):
			r.rest = append(r.rest, p.stamp...)
			r.rest = append(r.rest, " ["...)
			r.rest = strconv.AppendInt(r.rest, p.pid, 10)
			r.rest = append(append(r.rest, "] "...), p.text...)
		default:
			r.rest = append(append(r.rest, '\t'), bytes.TrimPrefix(p.text, []byte("\t"))...)
		}
		r.rest = append(r.rest, '\n')
	}
}
