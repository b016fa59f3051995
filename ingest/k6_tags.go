package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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

// newK6Tags takes a set of tags apart.
func newK6Tags(tags map[string]string) *k6Tags {
	t := &k6Tags{}
	rest := map[string]string{}
	for name, value := range tags {
		value = cutTag(value)
		switch name {
		case "scenario":
			t.scenario = value
		case "name":
			t.name = value
		case "status":
			t.status = value
		case "error":
			t.error = value
		case "error_code":
			t.errorCode = value
		case "expected_response":
			t.expected = value
		case "vu":
			t.worker = value
		case "trace_id":
			t.id = value
		default:
			if value != "" {
				rest[name] = value
			}
		}
	}
	switch {
	case t.name == "":
		t.name = rest["url"]
		delete(rest, "url")
	case t.name == rest["url"]:
		delete(rest, "url")
	}
	if t.error != "" && t.errorCode != "" {
		rest["error_code"] = t.errorCode
	}
	t.rest = canonicalObject(rest)
	all := map[string]string{}
	for name, value := range tags {
		if name != "scenario" && value != "" {
			all[name] = cutTag(value)
		}
	}
	t.points = canonicalObject(all)
	return t
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
		c.store(raw, t)
	}
	return t
}

func (c *k6TagCache) store(raw []byte, t *k6Tags) {
	if len(raw) > maxCachedTags {
		return
	}
	if c.young == nil || len(c.young) >= tagGeneration {
		c.old, c.young = c.young, map[string]*k6Tags{}
	}
	c.young[string(raw)] = t
}

// intern returns the set of tags that says what these say, whatever the order
// in which they were written.
func (c *k6TagCache) intern(tags map[string]string) *k6Tags {
	canonical := []byte(canonicalObject(tags))
	if t := c.lookup(canonical); t != nil {
		return t
	}
	t := newK6Tags(tags)
	c.store(canonical, t)
	return t
}
