package ingest

import (
	"bytes"

	"headroom/runs"
)

// pgSampleLines is how many lines of a log its form is learned from.
const pgSampleLines = 200

// learnPGForm tells the form of a log from its first lines. ok is false if no
// line looks like the server's.
func learnPGForm(sample []byte) (f pgForm, ok bool) {
	lines := pgLinesOf(sample)
	begin := commonBegin(lines)
	f.envelope = learnPGEnvelope(lines, begin)
	var records [][]byte
	for _, line := range begin {
		if rest, record := f.open(line); record && looksLikePG(rest) {
			records = append(records, rest)
		}
	}
	if records = withPID(untilReload(records)); len(records) == 0 {
		return f, false
	}
	best, most := -1, 0
	for i, format := range pgPrefixes {
		p := compilePGPrefix(format)
		if n := countPG(records, p.match); n > most {
			best, most = i, n
		}
	}
	// What a known prefix leaves unread can be sessions' lines, which have more
	// in their prefix than background processes have.
	if most*10 >= len(records)*9 {
		f.prefix = compilePGPrefix(pgPrefixes[best])
		return f, true
	}
	f.shape = learnPGShape(records)
	return f, true
}

// pgLinesOf cuts a sample into lines, the last without its end left out.
func pgLinesOf(sample []byte) [][]byte {
	var lines [][]byte
	for line := range bytes.Lines(sample) {
		if len(lines) == pgSampleLines {
			break
		}
		lines = append(lines, bytes.TrimRight(line, "\r\n"))
	}
	return lines
}

// untilReload returns the records before the one that says that the prefix changes.
func untilReload(records [][]byte) [][]byte {
	for i, line := range records {
		if bytes.Contains(line, prefixChanged) && i > 0 {
			return records[:i]
		}
	}
	return records
}

// withPID returns the records that have a pid, if most have one: the others are a
// message's own text that begins with a stamp.
func withPID(records [][]byte) [][]byte {
	var with [][]byte
	var p pgLine
	for _, line := range records {
		if readPGShape(line, &p) && p.pid != runs.Missing {
			with = append(with, line)
		}
	}
	if len(with)*2 > len(records) {
		return with
	}
	return records
}

// commonBegin returns the lines that look like PostgreSQL's in any envelope, but
// for those that begin otherwise than most: they are a message's own text.
func commonBegin(lines [][]byte) [][]byte {
	byClass := map[byte][][]byte{}
	var most byte
	for _, line := range lines {
		event, isEvent := cutEventStamp(line)
		service, isService := cutService(line)
		if looksLikePG(line) || isEvent && looksLikePG(event) || isService && looksLikePG(service) {
			c := byteClass(line[0])
			byClass[c] = append(byClass[c], line)
			if len(byClass[c]) > len(byClass[most]) {
				most = c
			}
		}
	}
	return byClass[most]
}

// looksLikePG reports whether a line has a stamp and a severity or label as
// PostgreSQL writes them: with two blanks after the colon, or LOG, which no other
// logger has, with one.
func looksLikePG(line []byte) bool {
	var p pgLine
	if !readPGShape(line, &p) {
		return false
	}
	after := line[len(line)-len(p.text)-2:]
	return p.word.english == "LOG" || bytes.HasPrefix(after, []byte("  "))
}

func countPG(lines [][]byte, match func([]byte, *pgLine) bool) int {
	n := 0
	var p pgLine
	for _, line := range lines {
		if match(line, &p) {
			n++
		}
	}
	return n
}

// learnPGEnvelope tells what an exporter put in front of the server's lines, from
// all lines and from those that seem to begin a record.
func learnPGEnvelope(lines, begin [][]byte) pgEnvelope {
	events, services, stamped := 0, 0, 0
	for _, line := range begin {
		if rest, ok := cutEventStamp(line); ok && looksLikePG(rest) {
			events++
		}
		if rest, ok := cutService(line); ok && looksLikePG(rest) {
			services++
		}
	}
	for _, line := range lines {
		if _, ok := cutEventStamp(line); ok {
			stamped++
		}
	}
	switch {
	case len(begin) == 0:
		return pgBare
	case events*2 >= len(begin) && stamped == len(lines) && len(lines) > len(begin):
		return pgLines
	case events*2 >= len(begin):
		return pgEvents
	case services*2 >= len(begin):
		return pgServices
	}
	return pgBare
}

// learnPGShape takes what the records have in common.
func learnPGShape(records [][]byte) pgShape {
	s := pgShape{first: byteClass(records[0][0]), pid: true}
	var p pgLine
	for _, line := range records {
		s.pid = s.pid && readPGShape(line, &p) && p.pid != runs.Missing
	}
	return s
}
