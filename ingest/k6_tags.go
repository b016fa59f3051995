package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// k6Tags is one set of tags, taken apart: what a Sample has a column for, and
// the rest. See https://grafana.com/docs/k6/latest/using-k6/tags-and-groups/.
type k6Tags struct {
	scenario  string
	name      string // the name tag, else the url
	status    string
	error     string
	errorCode string
	expected  string // "true", "false", or "" where the tag is off
	worker    string // vu
	id        string // trace_id
	rest      string // canonical JSON object of the other tags, or ""
	points    string // the same for points: all tags but the scenario
}

// maxTag is the longest tag value that is kept, in bytes; the rest is cut and
// marked with an ellipsis, so that one error text cannot swell every row.
const maxTag = 1 << 10

// cutTag returns a foreign label fit to be stored: short, and valid UTF-8.
func cutTag(s string) string {
	if len(s) <= maxTag {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.ToValidUTF8(s[:maxTag], "") + "…"
}

// k6Label is one tag.
type k6Label struct{ name, value string }

// sortedK6Labels returns tags in the order of their names.
func sortedK6Labels(tags map[string]string) []k6Label {
	labels := make([]k6Label, 0, len(tags))
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		labels = append(labels, k6Label{name, tags[name]})
	}
	return labels
}

// newK6Tags takes a set of tags, in the order of their names, apart. Its texts
// are copies; those that many sets hold are shared.
func newK6Tags(labels []k6Label, shared intern) *k6Tags {
	t := &k6Tags{}
	url := ""
	for _, l := range labels {
		switch l.name {
		case "scenario":
			t.scenario = shared.word(l.value)
		case "name":
			t.name = cutTag(strings.Clone(l.value))
		case "status":
			t.status = shared.word(l.value)
		case "error":
			t.error = shared.word(l.value)
		case "error_code":
			t.errorCode = shared.word(l.value)
		case "expected_response":
			t.expected = shared.word(l.value)
		case "vu":
			t.worker = shared.word(l.value)
		case "trace_id":
			t.id = cutTag(strings.Clone(l.value))
		case "url":
			url = cutTag(strings.Clone(l.value))
		}
	}
	named := t.name == url
	if t.name == "" {
		t.name, named = url, true
	}
	t.rest = shared.keep(appendK6Labels(nil, labels, func(name string) bool {
		switch name {
		case "scenario", "name", "status", "error", "expected_response", "vu", "trace_id":
			return false
		case "error_code":
			return t.error != "" && t.errorCode != ""
		case "url":
			return !named
		}
		return true
	}))
	t.points = string(appendK6Labels(nil, labels, func(name string) bool { return name != "scenario" }))
	return t
}

// appendK6Labels appends the labels that are wanted and not empty as one JSON
// object, nothing if there are none.
func appendK6Labels(b []byte, labels []k6Label, wanted func(name string) bool) []byte {
	for _, l := range labels {
		if !wanted(l.name) || l.value == "" {
			continue
		}
		b = append(b, "{,"[min(len(b), 1)])
		b = append(appendJSONString(b, l.name), ':')
		b = appendJSONString(b, cutTag(l.value))
	}
	if len(b) > 0 {
		b = append(b, '}')
	}
	return b
}

// canonicalObject writes labels as one JSON object with sorted names; "" if
// there are none.
func canonicalObject(labels map[string]string) string {
	if len(labels) == 0 {
		return ""
	}
	size := 2
	var few [24]string
	names := few[:0]
	for name, value := range labels {
		names = append(names, name)
		size += len(name) + len(value) + len(`"":"",`)
	}
	slices.Sort(names)
	b := make([]byte, 0, size)
	for i, name := range names {
		b = append(b, "{,"[min(i, 1)])
		b = append(appendJSONString(b, name), ':')
		b = appendJSONString(b, labels[name])
	}
	return string(append(b, '}'))
}

// appendJSONString appends s as a JSON string, escaped as encoding/json does
// without its care for HTML.
func appendJSONString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return append(b, escapedJSON(s)...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

func escapedJSON(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // a string always encodes
		return []byte(`""`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// parseK6Tags reads a JSON object of tags, or null, into tags. Values that are
// not strings keep their JSON text.
func parseK6Tags(raw []byte, tags map[string]string) error {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	tok, err := d.ReadToken()
	if err != nil {
		return err
	}
	if tok.Kind() == jsontext.KindNull {
		return nil
	}
	if tok.Kind() != jsontext.KindBeginObject {
		return fmt.Errorf("tags are no object")
	}
	for d.PeekKind() != jsontext.KindEndObject {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		if value.Kind() != jsontext.KindString {
			tags[key] = string(value)
			continue
		}
		text, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return err
		}
		tags[key] = string(text)
	}
	_, err = d.ReadToken()
	if err == io.EOF {
		err = nil
	}
	return err
}

// k6TagCache keeps the sets of tags that were seen lately, by their raw text.
// It has two generations, so that it is bounded and a set in use keeps its
// identity.
type k6TagCache struct {
	young, old map[string]*k6Tags
}

const (
	// tagGeneration is how many sets of tags one generation of the cache holds.
	tagGeneration = 16 << 10
	// maxCachedTags is the longest raw text that is cached, in bytes.
	maxCachedTags = 4 << 10
)

// lookup returns the set of the raw text, or nil.
func (c *k6TagCache) lookup(raw []byte) *k6Tags {
	if t := c.young[string(raw)]; t != nil {
		return t
	}
	t := c.old[string(raw)]
	if t != nil {
		c.store(string(raw), t)
	}
	return t
}

func (c *k6TagCache) store(raw string, t *k6Tags) {
	if len(raw) > maxCachedTags {
		return
	}
	if c.young == nil || len(c.young) >= tagGeneration {
		c.old, c.young = c.young, map[string]*k6Tags{}
	}
	c.young[raw] = t
}

// canonicalTags returns the set of tags that says what these say, whatever the
// order in which they were written.
func (k *k6Reader) canonicalTags(tags map[string]string) *k6Tags {
	text := canonicalObject(tags)
	t := k.canonical.lookup([]byte(text))
	if t == nil {
		t = newK6Tags(sortedK6Labels(tags), k.words)
		k.canonical.store(text, t)
	}
	return t
}

// plainTags returns the set of tags of a text in the form that k6 writes where
// nothing has to be escaped: names in ascending order, all values strings of plain
// ASCII. Such a text is the canonical one. Of any other it returns nil.
func (k *k6Reader) plainTags(raw []byte) *k6Tags {
	if len(raw) > maxCachedTags {
		return nil
	}
	text := string(raw)
	var ok bool
	if k.labels, ok = appendPlainLabels(k.labels[:0], text); !ok {
		return nil
	}
	t := k.canonical.lookup(raw)
	if t == nil {
		t = newK6Tags(k.labels, k.words)
		k.canonical.store(text, t)
	}
	k.tags.store(text, t)
	return t
}

// appendPlainLabels appends the members of an object of the form of plainTags.
func appendPlainLabels(labels []k6Label, text string) ([]k6Label, bool) {
	if !strings.HasPrefix(text, `{"`) || !strings.HasSuffix(text, `"}`) {
		return labels, false
	}
	rest := text[len(`{"`) : len(text)-len(`}`)]
	for {
		name, after, ok := cutPlain(rest)
		if !ok || !strings.HasPrefix(after, `:"`) || len(labels) > 0 && name <= labels[len(labels)-1].name {
			return labels, false
		}
		value, after, ok := cutPlain(after[len(`:"`):])
		if !ok {
			return labels, false
		}
		labels = append(labels, k6Label{name, value})
		if after == "" {
			return labels, true
		}
		if rest, ok = strings.CutPrefix(after, `,"`); !ok {
			return labels, false
		}
	}
}

// cutPlain returns what stands before the next quote and what follows it, if it
// is plain ASCII that JSON need not escape.
func cutPlain(s string) (text, after string, ok bool) {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			return s[:i], s[i+1:], true
		case c < ' ' || c > '~' || c == '\\':
			return "", "", false
		}
	}
	return "", "", false
}
