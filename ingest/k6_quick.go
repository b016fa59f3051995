package ingest

import "bytes"

// quick reads a line of the form that k6 writes today, if its metric was seen
// before and its tags were too, or are plain; whatever else it meets it leaves to parse, which reads
// every line that quick reads alike.
//
// A line is mostly a repeat of the one before: its metric is the one that followed
// the same metric last time, its time is that of the request's other lines, and
// what follows the value is what followed it there. Each is a comparison of
// bytes, with a look-up behind it.
func (k *k6Reader) quick(line []byte, l *k6Line) bool {
	m, at := k.metricOf(line)
	if m == nil {
		return false
	}
	if n := at + len(l.stamp); len(l.stamp) > 0 && n < len(line) && line[n] == '"' && string(line[at:n]) == string(l.stamp) {
		l.time, at = line[at:n], n
	} else {
		n := bytes.IndexByte(line[at:], '"')
		if n < 0 || !plainStamp(line[at:at+n]) {
			return false
		}
		l.time, at = line[at:at+n], at+n
	}
	const value = `","value":`
	if len(line) < at+len(value) || string(line[at:at+len(value)]) != value {
		return false
	}
	at += len(value)
	end := plainNumber(line, at)
	if end == at {
		return false
	}
	l.value = line[at:end]
	if l.known = k.tagsOf(line[end:]); l.known == nil {
		return false
	}
	l.seen, l.metric, l.kind = m, m.quoted, pointKind
	return true
}

var pointKind = []byte("Point")

// What a line begins with, before and after the name of its metric.
const (
	k6Begin = `{"metric":"`
	k6Point = `","type":"Point","data":{"time":"`
)

// metricOf returns the metric of a line and where its time begins; nil if the line
// begins otherwise, or its metric was not seen before.
func (k *k6Reader) metricOf(line []byte) (*k6Metric, int) {
	if p := k.before; p != nil && p.next != nil && bytes.HasPrefix(line, p.next.begin) {
		k.before = p.next
		return p.next, len(p.next.begin)
	}
	rest, ok := bytes.CutPrefix(line, []byte(k6Begin))
	if !ok {
		return nil, 0
	}
	n := bytes.IndexByte(rest, '"')
	if n < 0 || !bytes.HasPrefix(rest[n:], []byte(k6Point)) || !unescaped(rest[:n]) {
		return nil, 0
	}
	m := k.metrics[string(rest[:n])]
	if m == nil {
		return nil, 0
	}
	if m.begin == nil {
		m.begin = bytes.Clone(line[:len(k6Begin)+n+len(k6Point)])
		m.quoted = m.begin[len(k6Begin) : len(k6Begin)+n]
	}
	if k.before != nil {
		k.before.next = m
	}
	k.before = m
	return m, len(m.begin)
}

// tagsOf returns the tags of a line by what follows its value; nil if that is
// not of the usual form, or neither was seen before nor is plain.
func (k *k6Reader) tagsOf(rest []byte) *k6Tags {
	if k.sameTags != nil && string(rest) == string(k.sameRest) {
		return k.sameTags
	}
	raw, ok := bytes.CutPrefix(rest, []byte(`,"tags":`))
	if !ok {
		return nil
	}
	if raw, ok = bytes.CutSuffix(raw, []byte(`}}`)); !ok || len(raw) == 0 {
		return nil
	}
	t := k.tags.lookup(raw)
	if t == nil {
		t = k.plainTags(raw)
	}
	if t != nil {
		k.sameTags, k.sameRest = t, append(k.sameRest[:0], rest...)
	}
	return t
}

// unescaped reports whether b is the text of a JSON string as it is: nothing in
// it is escaped, and nothing would have to be.
func unescaped(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c == '\\' {
			return false
		}
	}
	return true
}

// plainStamp reports whether b holds only what RFC 3339 stamps are made of.
func plainStamp(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) && c != '-' && c != ':' && c != '.' && c != 'T' && c != 'Z' && c != '+' {
			return false
		}
	}
	return len(b) > 0
}

// plainNumber returns the end of the JSON number without an exponent that
// stands at b[at:] with a comma behind it; at if there is none.
func plainNumber(b []byte, at int) int {
	start := at
	if start < len(b) && b[start] == '-' {
		start++
	}
	i := start
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	if i == start || i > start+1 && b[start] == '0' {
		return at
	}
	if i < len(b) && b[i] == '.' {
		point := i
		for i++; i < len(b) && isDigit(b[i]); i++ {
		}
		if i == point+1 {
			return at
		}
	}
	if i == len(b) || b[i] != ',' {
		return at
	}
	return i
}
