package ingest

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// attrs collects the parsed attributes of a marker: numbers in SI base units,
// and strings. An attribute that was not seen is not there.
type attrs []attr

type attr struct {
	name   string
	text   string
	number float64
	isText bool
}

// number adds an attribute. A value that is no number is left out.
func (a *attrs) number(name string, v float64) {
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		*a = append(*a, attr{name: name, number: v})
	}
}

// text adds an attribute unless it is empty.
func (a *attrs) text(name, v string) {
	if v != "" {
		*a = append(*a, attr{name: name, text: strings.ToValidUTF8(v, "\uFFFD"), isText: true})
	}
}

// json returns the attributes as one JSON object with sorted names, "" if there
// are none. Of two attributes of one name the first counts.
func (a attrs) json() string {
	if len(a) == 0 {
		return ""
	}
	slices.SortStableFunc(a, func(x, y attr) int { return cmp.Compare(x.name, y.name) })
	a = slices.CompactFunc(a, func(x, y attr) bool { return x.name == y.name })
	var buf [256]byte
	b := append(buf[:0], '{')
	for i, v := range a {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendQuoted(b, v.name)
		b = append(b, ':')
		if v.isText {
			b = appendQuoted(b, v.text) // text made it valid UTF-8
		} else {
			b = strconv.AppendFloat(b, v.number, 'f', -1, 64)
		}
	}
	return string(append(b, '}'))
}

// appendQuoted appends valid UTF-8 as a JSON string, with no more escaped than must be
// (appendJSONString escapes as encoding/json does).
func appendQuoted(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			b, _ = jsontext.AppendQuote(b, s)
			return b
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
