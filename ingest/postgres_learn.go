package ingest

import "bytes"

// pgSampleLines is how many lines of a log its form is learned from.
const pgSampleLines = 200

// learnPGForm tells the form of a log from its first lines. ok is false if no
// line looks like the server's.
func learnPGForm(sample []byte) (f pgForm, ok bool) {
	lines := pgLinesOf(sample)
	f.envelope = learnPGEnvelope(lines)
	var records [][]byte
	for _, line := range lines {
		if rest, record := f.open(line); record && looksLikePG(rest) {
			records = append(records, rest)
		}
	}
	if len(records) == 0 {
		return f, false
	}
	best, most := -1, 0
	for i, format := range pgPrefixes {
		p := compilePGPrefix(format)
		if n := countPG(records, p.match); n > most {
			best, most = i, n
		}
	}
	// A few lines can be a message's own text that looks like a record.
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

// learnPGEnvelope tells what an exporter put in front of the server's lines.
func learnPGEnvelope(lines [][]byte) pgEnvelope {
	records, events, services, stamped := 0, 0, 0, 0
	for _, line := range lines {
		rest, hasStamp := cutEventStamp(line)
		if hasStamp {
			stamped++
		}
		inner, hasService := cutService(line)
		switch {
		case hasStamp && looksLikePG(rest):
			events++
			records++
		case hasService && looksLikePG(inner):
			services++
			records++
		case looksLikePG(line):
			records++
		}
	}
	switch {
	case records == 0:
		return pgBare
	case events*10 >= records*9 && stamped == len(lines) && len(lines) > events:
		return pgLines
	case events*10 >= records*9:
		return pgEvents
	case services*10 >= records*9:
		return pgServices
	}
	return pgBare
}

// learnPGShape takes what most records have in common.
func learnPGShape(records [][]byte) pgShape {
	classes := map[byte]int{}
	pids := 0
	var s pgShape
	var p pgLine
	for _, line := range records {
		c := byteClass(line[0])
		classes[c]++
		if classes[c] > classes[s.first] {
			s.first = c
		}
		if readPGShape(line, &p); p.pid >= 0 {
			pids++
		}
	}
	s.pid = pids*10 >= len(records)*9
	return s
}
