package ingest

import (
	"bytes"
	"strconv"
	"strings"

	"headroom/runs"
)

// pgForm is how the records of one log begin: what an exporter put in front, and
// the server's log_line_prefix.
type pgForm struct {
	envelope pgEnvelope
	prefix   pgPrefix // of log_line_prefix, if it is a known one
	shape    pgShape  // else
}

// pgEnvelope says what stands in front of the server's own lines.
type pgEnvelope int

const (
	pgBare     pgEnvelope = iota
	pgEvents              // a stamp before each record, as CloudWatch exports have: the time of arrival
	pgLines               // a stamp before every line
	pgServices            // "name | " before every line, as docker compose prints
)

// pgShape is what the records of a log with an unknown prefix have in common.
type pgShape struct {
	first byte // class of the first byte, see byteClass
	pid   bool // they hold a pid
}

// open takes the envelope off a line. record is false for a line that cannot
// begin a record, since it lacks the envelope that records have.
func (f *pgForm) open(line []byte) (rest []byte, record bool) {
	switch f.envelope {
	case pgEvents, pgLines:
		rest, record = cutEventStamp(line)
	case pgServices:
		rest, record = cutService(line)
	default:
		return line, true
	}
	if !record {
		return line, false
	}
	return rest, true
}

// match reads a line that begins a record or a further field of one.
func (f *pgForm) match(line []byte, out *pgLine) bool {
	if f.prefix.parts != nil {
		return f.prefix.match(line, out)
	}
	return f.shape.match(line, out)
}

// describe says what the prefix was taken for.
func (f *pgForm) describe() string {
	if f.prefix.parts != nil {
		return "log_line_prefix taken for " + strconv.Quote(f.prefix.format)
	}
	return "log_line_prefix is none of those that are known; stamp, pid, user@database and key=value fields were looked for in it"
}

// match reads a line whose prefix has this shape.
func (s pgShape) match(line []byte, out *pgLine) bool {
	if len(line) == 0 || byteClass(line[0]) != s.first || !readPGShape(line, out) {
		return false
	}
	return !s.pid || out.pid != runs.Missing
}

// readPGShape reads a line with any prefix that holds a stamp: it ends where a
// severity or a label with its colon stands.
func readPGShape(line []byte, out *pgLine) bool {
	*out = pgLine{pid: runs.Missing}
	at, w, ok := findPGWord(line)
	if !ok {
		return false
	}
	prefix := line[:at]
	if n := pgEpochLength(prefix); n > 0 {
		out.stamp = prefix[:n]
	} else {
		for i := 0; i+19 <= len(prefix) && out.stamp == nil; i++ {
			if n := pgStampLength(prefix[i:]); n > 0 {
				out.stamp = prefix[i : i+n]
			}
		}
	}
	if out.stamp == nil {
		return false
	}
	out.pid = bracketedPID(prefix)
	for _, word := range bytes.FieldsFunc(prefix, isPGSeparator) {
		out.keyValue(word)
	}
	_, text, _ := leadingPGWord(line[at:])
	out.word, out.text = w, text
	out.written = bytes.TrimRight(line[at:at+bytes.IndexByte(line[at:], ':')], " ")
	return true
}

// isPGSeparator reports whether r parts the fields of a prefix.
func isPGSeparator(r rune) bool { return strings.ContainsRune(" ,;/|[]<>", r) }

// keyValue takes a "key=value" or "user@database" out of a prefix.
func (l *pgLine) keyValue(word []byte) {
	if key, value, ok := bytes.Cut(word, []byte("=")); ok {
		switch string(key) {
		case "user":
			l.user = value
		case "db", "database":
			l.database = value
		case "app", "application":
			l.application = value
		case "client", "host":
			l.client = value
		case "queryid":
			l.queryID = value
		}
		return
	}
	user, database, ok := bytes.Cut(word, []byte("@"))
	if !ok {
		return
	}
	database, _, _ = bytes.Cut(database, []byte(":"))
	l.user, l.database = user[bytes.LastIndexByte(user, ':')+1:], database
}

// bracketedPID returns the number in the first brackets that begin with one.
func bracketedPID(prefix []byte) int64 {
	for {
		open := bytes.IndexByte(prefix, '[')
		if open < 0 {
			return runs.Missing
		}
		prefix = prefix[open+1:]
		n := digitsLength(prefix, isDigit)
		if n > 0 && n < len(prefix) && (prefix[n] == ']' || prefix[n] == '-' && n < 10 && !isDate(prefix)) {
			if pid, err := strconv.ParseInt(string(prefix[:n]), 10, 64); err == nil {
				return pid
			}
		}
	}
}

// byteClass tells digits, letters and each other byte apart.
func byteClass(c byte) byte {
	switch {
	case isDigit(c):
		return '0'
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		return 'a'
	}
	return c
}

// cutEventStamp takes an RFC 3339 stamp and a blank off a line.
func cutEventStamp(line []byte) ([]byte, bool) {
	stamp, rest, ok := leadingStamp(line)
	if !ok || !isDate(stamp) || stamp[10] != 'T' {
		return line, false
	}
	return rest, true
}

// cutService takes "name | " off a line.
func cutService(line []byte) ([]byte, bool) {
	bar := bytes.Index(line[:min(len(line), 80)], []byte(" | "))
	if bar <= 0 || bytes.ContainsAny(bytes.TrimRight(line[:bar], " "), " :[]") {
		return line, false
	}
	return line[bar+3:], true
}
