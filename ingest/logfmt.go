package ingest

import (
	"bytes"
	"strings"
)

// logfmtPair is one key=value of a logfmt line. A bare key has no value; one with
// nothing behind the sign has an empty one, which is missing.
type logfmtPair struct {
	key, value string
	bare       bool
}

// parseLogfmt takes a line of logfmt apart (https://brandur.org/logfmt): words
// parted by blanks, values in quotes where they hold blanks. ok is false if a
// quote is not closed.
func parseLogfmt(line string, into []logfmtPair) (pairs []logfmtPair, ok bool) {
	pairs = into[:0]
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return pairs, true
		}
		end := strings.IndexAny(line, "= \t")
		if end < 0 || line[end] != '=' {
			if end < 0 {
				end = len(line)
			}
			pairs = append(pairs, logfmtPair{key: line[:end], bare: true})
			line = line[end:]
			continue
		}
		p := logfmtPair{key: line[:end]}
		line = line[end+1:]
		if strings.HasPrefix(line, `"`) {
			value, n, closed := unquoteLogfmt(line[1:])
			if !closed {
				return pairs, false
			}
			p.value, line = value, line[1+n:]
		} else {
			end := strings.IndexAny(line, " \t")
			if end < 0 {
				end = len(line)
			}
			p.value, line = line[:end], line[end:]
		}
		pairs = append(pairs, p)
	}
}

// unquoteLogfmt reads up to the closing quote; n counts it.
func unquoteLogfmt(text string) (value string, n int, ok bool) {
	end := strings.IndexAny(text, `"\`)
	if end >= 0 && text[end] == '"' {
		return text[:end], end + 1, true
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), i + 1, true
		case c == '\\' && i+1 < len(text):
			i++
			switch text[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'r':
				b.WriteByte('\r')
			default:
				b.WriteByte(text[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, false
}

// isLogfmt reports whether most whole lines of head are logfmt with a time and a
// level or a message.
func isLogfmt(head []byte) bool {
	if beginsJSON(head) || isBinary(head) {
		return false
	}
	lines, good := 0, 0
	var pairs []logfmtPair
	for line := range bytes.Lines(head) {
		if !bytes.HasSuffix(line, []byte("\n")) && lines > 0 || lines >= sniffedLines {
			break
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		lines++
		var ok bool
		if pairs, ok = parseLogfmt(string(line), pairs); ok && isLogRecord(pairs) {
			good++
		}
	}
	return good > 0 && good*5 >= lines*4
}

// sniffedLines is how many lines are looked at to tell a log.
const sniffedLines = 50

// isLogRecord reports whether the pairs have a time and a level or a message, and
// are pairs for the most part.
func isLogRecord(pairs []logfmtPair) bool {
	timed, said, valued := false, false, 0
	for _, p := range pairs {
		if p.bare {
			continue
		}
		valued++
		timed = timed || appTimes[p.key]
		said = said || appLevels[p.key] || appMessages[p.key]
	}
	return timed && said && valued*5 >= len(pairs)*4
}
