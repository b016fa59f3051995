package ingest

import (
	"bytes"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// K6JSON reads the output of k6 run --out json
// (https://grafana.com/docs/k6/latest/results-output/real-time/json/).
var K6JSON = &Importer{
	Name: "k6-json",
	Doc: `k6 JSON lines (k6 run --out json=FILE)

Recognised by lines with "type":"Metric" or "type":"Point", in either order of
keys. The up to nine metric lines of an HTTP request, which carry the same end
and the same tags, become one sample: start = time - blocked - duration,
wait = http_req_blocked, service = http_req_duration. A request is ok as
expected_response says, else http_req_failed, else its status. Every dropped
iteration is a sample with the outcome dropped; a whole file without the metric
means that none was. All other metrics become points "k6.<name>", and the sums
of the script's own counters become claims. Thresholds are in k6's summary, not
here.`,
	Gives: []string{"samples: start, wait, service, phases, scenario, op, status, outcome, error", "points: k6.*", "manifest: claims"},
	Lacks: []string{"the load model and the offered rate", "whether thresholds were crossed", "when a request was due"},
	Load:  true,
	Sniff: sniffK6JSON,
	Read:  readK6JSON,
}

// sniffLines is how many lines of a head are looked at for a record's mark.
const sniffLines = 8

func sniffK6JSON(head []byte) bool {
	for range sniffLines {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] == '{' && bytes.Contains(line, []byte(`"data"`)) {
			if kind := valueAfterKey(line, "type"); kind == "Metric" || kind == "Point" {
				return true
			}
		}
		head = rest
	}
	return false
}

// valueAfterKey returns the first string value of a key in JSON text that may
// be cut; it is for recognising, not for reading.
func valueAfterKey(text []byte, key string) string {
	for {
		_, after, ok := bytes.Cut(text, []byte(`"`+key+`"`))
		if !ok {
			return ""
		}
		text = after
		after = bytes.TrimLeft(after, " \t")
		if len(after) == 0 || after[0] != ':' {
			continue
		}
		after = bytes.TrimLeft(after[1:], " \t")
		if len(after) == 0 || after[0] != '"' {
			continue
		}
		value, _, ok := bytes.Cut(after[1:], []byte(`"`))
		if ok && (string(value) == "Metric" || string(value) == "Point") {
			return string(value)
		}
	}
}

func readK6JSON(in *Input, sink Sink) error {
	k := newK6Reader(in, sink)
	l := newK6Line()
	lines := in.Lines()
	for lines.Next() {
		text := lines.Bytes()
		l.reset()
		reason := ""
		if !k.quick(text, l) {
			if text = bytes.TrimSpace(text); len(text) == 0 {
				continue
			}
			if err := l.parse(text); err != nil {
				reason = err.Error()
			}
		}
		var err error
		if reason == "" {
			reason, err = k.line(l)
		}
		if err != nil {
			return err
		}
		if reason != "" {
			if err := in.BadAt(lines, "%s", reason); err != nil {
				return err
			}
		}
	}
	if err := lines.Finish(); err != nil {
		return err
	}
	k.stamps.fraction(9) // RFC 3339 to the nanosecond, which drops trailing zeros
	return k.close()
}

// k6Line is one line, its parts as written. They are valid until the next.
type k6Line struct {
	kind, metric   []byte // "Metric" or "Point"; its name
	time, value    []byte
	tags, metadata []byte
	seen           *k6Metric // the metric, and
	known          *k6Tags   // the tags, if they were seen before

	metricType, contains []byte // of a Metric line
	thresholds           []byte

	src lineSource
	dec *jsontext.Decoder
	buf []byte // copies of the parts

	stamp []byte // the last time, as written, and
	ns    int64  // its instant
}

func newK6Line() *k6Line {
	l := &k6Line{}
	l.dec = jsontext.NewDecoder(&l.src, jsontext.AllowDuplicateNames(true))
	return l
}

func (l *k6Line) reset() {
	l.kind, l.metric, l.time, l.value, l.tags, l.metadata = nil, nil, nil, nil, nil, nil
	l.seen, l.known, l.metricType, l.contains, l.thresholds = nil, nil, nil, nil, nil
	l.buf = l.buf[:0]
}

func startsNumber(b []byte) bool {
	return len(b) > 0 && (isDigit(b[0]) || b[0] == '-')
}

// lineSource is the reader of one line, for a decoder that is used again.
type lineSource struct{ rest []byte }

func (s *lineSource) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// parse reads any line of the format.
func (l *k6Line) parse(line []byte) error {
	l.reset()
	l.src.rest = line
	l.dec.Reset(&l.src, jsontext.AllowDuplicateNames(true))
	err := l.object(func(key []byte) error {
		var err error
		switch string(key) {
		case `"type"`:
			l.kind, err = l.text()
		case `"metric"`:
			l.metric, err = l.text()
		case `"data"`:
			if l.dec.PeekKind() != jsontext.KindBeginObject {
				return fmt.Errorf("data is no object")
			}
			err = l.object(l.field)
		default:
			err = l.dec.SkipValue()
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("not a line of k6 JSON: %w", err)
	}
	if _, err := l.dec.ReadToken(); err != io.EOF {
		return fmt.Errorf("not a line of k6 JSON: more follows the object")
	}
	return nil
}

// object reads an object; field is called for each name, quoted and valid until
// field reads the value.
func (l *k6Line) object(field func(name []byte) error) error {
	tok, err := l.dec.ReadToken()
	if err != nil {
		return err
	}
	if tok.Kind() != jsontext.KindBeginObject {
		return fmt.Errorf("an object was expected")
	}
	for l.dec.PeekKind() == jsontext.KindString {
		name, err := l.dec.ReadValue()
		if err != nil {
			return err
		}
		if err := field(name); err != nil {
			return err
		}
	}
	_, err = l.dec.ReadToken()
	return err
}

// field reads one member of data.
func (l *k6Line) field(key []byte) (err error) {
	switch string(key) {
	case `"time"`:
		l.time, err = l.text()
	case `"value"`:
		l.value, err = l.raw()
	case `"tags"`:
		l.tags, err = l.raw()
	case `"metadata"`:
		l.metadata, err = l.raw()
	case `"name"`:
		err = l.dec.SkipValue() // as "metric" beside data
	case `"type"`:
		l.metricType, err = l.text()
	case `"contains"`:
		l.contains, err = l.text()
	case `"thresholds"`:
		l.thresholds, err = l.raw()
	default:
		err = l.dec.SkipValue()
	}
	return err
}

// raw returns a copy of the next value as written.
func (l *k6Line) raw() ([]byte, error) {
	v, err := l.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	n := len(l.buf)
	l.buf = append(l.buf, v...)
	return l.buf[n:len(l.buf):len(l.buf)], nil
}

// text returns a copy of the next value, a string, unquoted.
func (l *k6Line) text() ([]byte, error) {
	v, err := l.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	if v.Kind() != jsontext.KindString {
		return nil, fmt.Errorf("a string was expected, not %s", clip(string(v)))
	}
	n := len(l.buf)
	l.buf, err = jsontext.AppendUnquote(l.buf, v)
	return l.buf[n:len(l.buf):len(l.buf)], err
}

// line takes a line's content. It returns the reason if it cannot be used.
func (k *k6Reader) line(l *k6Line) (reason string, err error) {
	switch string(l.kind) {
	case "Metric":
		return k.declare(l), nil
	case "Point":
	default:
		return fmt.Sprintf("neither a Metric nor a Point but %q", clip(string(l.kind))), nil
	}
	m := l.seen
	if m == nil {
		m = k.metrics[string(l.metric)]
	}
	if m == nil {
		if len(l.metric) == 0 || len(k.metrics) >= maxMetrics {
			return "the point names no metric, or one too many", nil
		}
		m = k.metric(string(l.metric))
	}
	if !bytes.Equal(l.time, l.stamp) || len(l.stamp) == 0 {
		ns, err := k.stamps.Bytes(l.time)
		if err != nil {
			l.stamp = l.stamp[:0]
			return err.Error(), nil
		}
		l.stamp, l.ns = append(l.stamp[:0], l.time...), ns
	}
	if !startsNumber(l.value) {
		return "the point's value is no number: " + clip(string(l.value)), nil
	}
	tags := l.known
	if tags == nil {
		if tags, err = k.readTags(l); err != nil {
			return "tags: " + err.Error(), nil
		}
	}
	return k.value(m, l.ns, l.value, tags)
}

// readTags returns the tags of a line, with its metadata, if it has any.
func (k *k6Reader) readTags(l *k6Line) (*k6Tags, error) {
	raw, cache := l.tags, &k.tags
	if len(l.metadata) > 0 {
		raw, cache = append(append(l.buf[len(l.buf):], l.tags...), l.metadata...), &k.traced
	}
	if t := cache.lookup(raw); t != nil {
		return t, nil
	}
	tags := map[string]string{}
	for _, object := range [][]byte{l.tags, l.metadata} {
		if len(object) == 0 {
			continue
		}
		if err := parseK6Tags(object, tags); err != nil {
			return nil, err
		}
	}
	t := k.canonicalTags(tags)
	cache.store(string(raw), t)
	return t, nil
}

// declare takes a Metric line.
func (k *k6Reader) declare(l *k6Line) (reason string) {
	if len(l.metric) == 0 || len(k.metrics) >= maxMetrics {
		return "the line declares no metric, or one too many"
	}
	m := k.metric(string(l.metric))
	if len(l.metricType) > 0 {
		m.kind = string(l.metricType)
	}
	if len(l.contains) > 0 {
		m.contains = string(l.contains)
	}
	m.thresholds = k6Thresholds(l.thresholds)
	return ""
}

// k6Thresholds returns the expressions of a JSON list of strings.
func k6Thresholds(raw []byte) []string {
	var list []string
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		tok, err := d.ReadToken()
		if err != nil {
			return list
		}
		if tok.Kind() == jsontext.KindString {
			list = append(list, clip(tok.String()))
		}
	}
}
