package ingest

import (
	"bytes"
	"strconv"
	"strings"

	"headroom/runs"
)

// pgPrefixMax is the longest log_line_prefix that is looked through, in bytes.
const pgPrefixMax = 512

// pgPrefixes are values of log_line_prefix that are in use
// (https://www.postgresql.org/docs/current/runtime-config-logging.html); of
// several that fit equally well the first is taken. A prefix that is none of
// them is read by its shape, see pgShape.
var pgPrefixes = []string{
	"%m [%p] ", // the default
	"%m [%p] [queryid=%Q] %u@%d ",
	"%m [%p] %q%u@%d ", // Debian
	"%m [%p] %q%u@%d %a ",
	"%t:%r:%u@%d:[%p]:", // Amazon RDS and Aurora
	"%m:%r:%u@%d:[%p]:%l:%e:%s:%v:%x:%c:%q%a:",
	"%t-%c-",                         // Azure
	"%m [%p]: [%l-1] db=%d,user=%u ", // Cloud SQL
	"%t [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ", // pgBadger's
	"%t [%p]: [%l-1] user=%u,db=%d ",
	"%t [%p]: user=%u,db=%d,app=%a,client=%h ",
	"%t [%p]: db=%d,user=%u,app=%a,client=%h ",
	"%m [%p] user=%u,db=%d ",
	"%t [%p-%l] %q%u@%d ",
	"%m [%p] %q[user=%u,db=%d,app=%a] ",
	"%m [%p][%b][%v][%x] %q[user=%u,db=%d,app=%a] ",
	"%p-%s-%c-%l-%h-%u-%d-%m ",
	"%n [%p] %Q ",
	"%n [%m] [%p] ",
	"%n [%p] ",
}

// pgLine is what stands before the message of a line of a PostgreSQL log.
type pgLine struct {
	stamp []byte // date and time with zone, or epoch number; nil if there is none
	pid   int64  // runs.Missing if there is none

	user, database, application, client, backend, queryID, state []byte

	word    pgWord
	written []byte // the word, as it stands
	text    []byte // what follows it
}

// pgPrefix is a log_line_prefix, taken apart.
type pgPrefix struct {
	format string
	parts  []pgPart
}

// pgPart is a literal, or the letter of an escape.
type pgPart struct {
	literal string
	escape  byte
}

// A prefix of more text fields, or with %q more than once, is not compiled: a
// reload can announce any, and each multiplies the ways in which a line can be
// taken apart.
const pgTextFieldsMax = 6

// compilePGPrefix takes a log_line_prefix apart. Of one that it does not compile
// the parts are nil, and it matches nothing.
func compilePGPrefix(format string) pgPrefix {
	p := pgPrefix{format: format}
	fields, ends := 0, 0
	literal := ""
	flush := func() {
		if literal != "" {
			p.parts = append(p.parts, pgPart{literal: literal})
			literal = ""
		}
	}
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			literal += format[i : i+1]
			continue
		}
		i++
		if format[i] == '%' {
			literal += "%"
			continue
		}
		flush()
		p.parts = append(p.parts, pgPart{escape: format[i]})
		if isPGText(format[i]) {
			fields++
		}
		if format[i] == 'q' {
			ends++
		}
	}
	flush()
	if fields > pgTextFieldsMax || ends > 1 {
		p.parts = nil
	}
	return p
}

// isPGText reports whether an escape's value is text of any form: user, database,
// application, remote host, backend type, command tag.
func isPGText(escape byte) bool { return strings.IndexByte("udarhbi", escape) >= 0 }

// match reads a line that begins with the prefix, and a word with its colon
// right behind it.
func (p *pgPrefix) match(line []byte, out *pgLine) bool {
	*out = pgLine{pid: runs.Missing}
	return p.parts != nil && matchPGParts(p.parts, line[:min(len(line), pgPrefixMax)], line, out)
}

// matchPGParts matches the parts against b, the part of line that is looked
// through. A text field ends at the first place from which the rest fits.
func matchPGParts(parts []pgPart, b, line []byte, out *pgLine) bool {
	for i, part := range parts {
		if part.escape == 0 {
			if !bytes.HasPrefix(b, []byte(part.literal)) {
				return false
			}
			b = b[len(part.literal):]
			continue
		}
		switch {
		case part.escape == 'q': // background processes have nothing from here on
			whole := *out
			if matchPGParts(parts[i+1:], b, line, out) {
				return true
			}
			*out = whole
			return out.end(b, line)
		case isPGText(part.escape):
			return matchPGText(part.escape, parts[i+1:], b, line, out)
		}
		n := pgEscapeLength(part.escape, b)
		if n < 0 {
			return false
		}
		out.set(part.escape, b[:n])
		b = b[n:]
	}
	return out.end(b, line)
}

// matchPGText matches a field of any text, up to the literal that follows it. Of
// user and database it takes no more than a word, lest they swallow fields that
// the prefix does not tell of.
func matchPGText(escape byte, parts []pgPart, b, line []byte, out *pgLine) bool {
	if len(parts) == 0 || parts[0].escape != 0 {
		return false // two fields with nothing between them cannot be told apart
	}
	literal := []byte(parts[0].literal)
	whole := *out
	from := 0
	if escape == 'r' { // an IPv6 address holds colons
		from = remoteLength(b)
	}
	for range 3 { // an application's name may hold the literal
		n := bytes.Index(b[from:], literal)
		if n < 0 {
			return false
		}
		n += from
		if (escape == 'u' || escape == 'd') && bytes.ContainsAny(b[:n], " ,=") {
			return false
		}
		out.set(escape, b[:n])
		if matchPGParts(parts, b[n:], line, out) {
			return true
		}
		*out = whole
		from = n + 1
	}
	return false
}

// remoteLength returns the length of "192.0.2.7(50418)" or "[local]" at the start
// of b, 0 if there is neither.
func remoteLength(b []byte) int {
	if bytes.HasPrefix(b, []byte("[local]")) {
		return len("[local]")
	}
	open := bytes.IndexByte(b[:min(len(b), 60)], '(')
	if open < 0 || bytes.ContainsAny(b[:open], "@ ") {
		return 0
	}
	port := digitsLength(b[open+1:], isDigit)
	if port < 0 || open+1+port >= len(b) || b[open+1+port] != ')' {
		return 0
	}
	return open + port + 2
}

// end reads the word with its colon, right behind the prefix. b is a part of line.
func (l *pgLine) end(b, line []byte) bool {
	at := len(line[:min(len(line), pgPrefixMax)]) - len(b)
	w, text, ok := leadingPGWord(line[at:])
	if !ok {
		return false
	}
	l.word, l.text = w, text
	l.written = bytes.TrimRight(line[at:at+bytes.IndexByte(line[at:], ':')], " ")
	return true
}

// set takes the value of an escape.
func (l *pgLine) set(escape byte, v []byte) {
	switch escape {
	case 'm', 't', 'n':
		if l.stamp == nil { // an epoch number before a date says more
			l.stamp = v
		}
	case 'p':
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			l.pid = n
		}
	case 'c': // start of the session and pid, in hex
		_, pid, _ := bytes.Cut(v, []byte("."))
		if n, err := strconv.ParseInt(string(pid), 16, 64); err == nil && l.pid == runs.Missing {
			l.pid = n
		}
	case 'u':
		l.user = v
	case 'd':
		l.database = v
	case 'a':
		l.application = v
	case 'r', 'h':
		l.client = v
	case 'b':
		l.backend = v
	case 'Q':
		l.queryID = v
	case 'e':
		l.state = v
	}
}

// pgEscapeLength returns the length of an escape's value at the start of b, -1
// if it has not that form.
func pgEscapeLength(escape byte, b []byte) int {
	switch escape {
	case 'm', 't', 's':
		return pgStampLength(b)
	case 'n':
		return pgEpochLength(b)
	case 'p', 'l':
		return digitsLength(b, isDigit)
	case 'P', 'x', 'Q':
		n := 0
		if len(b) > 0 && b[0] == '-' {
			n = 1
		}
		return max(n+digitsLength(b[n:], isDigit), 0)
	case 'c':
		n := digitsLength(b, isHex)
		if n < 0 || n >= len(b) || b[n] != '.' {
			return -1
		}
		pid := digitsLength(b[n+1:], isHex)
		if pid < 0 {
			return -1
		}
		return n + 1 + pid
	case 'v': // backend/transaction, or nothing
		n := max(digitsLength(b, isDigit), 0)
		if n == 0 || n >= len(b) || b[n] != '/' {
			return 0
		}
		return n + 1 + max(digitsLength(b[n+1:], isDigit), 0)
	case 'e':
		if len(b) < 5 {
			return -1
		}
		return 5
	}
	return -1
}

// pgStampLength returns the length of "2026-03-02 10:00:05.123 UTC" at the start
// of b, -1 if there is none.
func pgStampLength(b []byte) int {
	if !isDate(b) {
		return -1
	}
	n := 19
	if n < len(b) && b[n] == '.' {
		n += 1 + max(digitsLength(b[n+1:], isDigit), 0)
	}
	zone := n
	if zone < len(b) && b[zone] == ' ' {
		zone++
	}
	end := zone
	for end < len(b) && end-zone < 6 && (b[end] >= 'A' && b[end] <= 'Z') {
		end++
	}
	if end == zone {
		end += offsetLength(b[zone:])
	}
	if end == zone {
		return n // no zone is written
	}
	return end
}

// offsetLength returns the length of "+05", "+0530" or "+05:30" at the start of
// b, which PostgreSQL writes for zones that have no abbreviation; 0 if there is none.
func offsetLength(b []byte) int {
	if len(b) < 3 || b[0] != '+' && b[0] != '-' || digitsLength(b[1:3], isDigit) != 2 {
		return 0
	}
	rest := b[3:]
	if len(rest) >= 3 && rest[0] == ':' && digitsLength(rest[1:3], isDigit) == 2 {
		return 6
	}
	if len(rest) >= 2 && digitsLength(rest[:2], isDigit) == 2 {
		return 5
	}
	return 3
}

// pgEpochLength returns the length of "1796052341.793" at the start of b, -1 if
// there is none.
func pgEpochLength(b []byte) int {
	n := digitsLength(b, isDigit)
	if n != minEpochDigits || n >= len(b) || b[n] != '.' {
		return -1
	}
	if digitsLength(b[n+1:], isDigit) != 3 {
		return -1
	}
	return n + 4
}

// digitsLength returns how many bytes at the start of b are digits, -1 if none is.
func digitsLength(b []byte, digit func(byte) bool) int {
	n := 0
	for n < len(b) && n < 24 && digit(b[n]) {
		n++
	}
	if n == 0 {
		return -1
	}
	return n
}

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' }
