package ingest

import "bytes"

// quick reads a line of the form that k6 writes today, if its metric and its
// tags were seen before; whatever else it meets it leaves to parse, which reads
// every line that quick reads alike.
func (k *k6Reader) quick(line []byte, l *k6Line) bool {
	rest, ok := bytes.CutPrefix(line, []byte(`{"metric":"`))
	if !ok {
		return false
	}
	if l.metric, rest, ok = plainString(rest); !ok {
		return false
	}
	if l.seen = k.metrics[string(l.metric)]; l.seen == nil {
		return false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"type":"Point","data":{"time":"`)); !ok {
		return false
	}
	if l.time, rest, ok = plainString(rest); !ok || !bytes.Equal(l.time, l.stamp) && !plainStamp(l.time) {
		return false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"value":`)); !ok {
		return false
	}
	if l.value, rest, ok = bytes.Cut(rest, []byte(",")); !ok || !plainNumber(l.value) {
		return false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`"tags":`)); !ok {
		return false
	}
	if rest, ok = bytes.CutSuffix(rest, []byte(`}}`)); !ok || len(rest) == 0 {
		return false
	}
	if l.known = k.tags.lookup(rest); l.known == nil {
		return false
	}
	l.kind = pointKind
	return true
}

var pointKind = []byte("Point")

// plainString returns the text before the next quote, and what follows it, if
// it needs no unquoting.
func plainString(b []byte) (text, rest []byte, ok bool) {
	i := bytes.IndexByte(b, '"')
	if i < 0 || bytes.IndexByte(b[:i], '\\') >= 0 {
		return nil, nil, false
	}
	return b[:i], b[i+1:], true
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

// plainNumber reports whether b is a JSON number without an exponent.
func plainNumber(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("-"))
	whole, after, point := 0, 0, false
	for _, c := range b {
		switch {
		case c == '.' && !point:
			point = true
		case !isDigit(c):
			return false
		case point:
			after++
		default:
			whole++
		}
	}
	return whole > 0 && (whole == 1 || b[0] != '0') && point == (after > 0)
}
