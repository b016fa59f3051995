package ingest

import (
	"strings"

	"headroom/internal/pattern"
)

// libraryWords are what the libraries that decode JSON, numbers, times and
// compressed data call things, and what a reader of an error calls them.
var libraryWords = []struct {
	form *pattern.Pattern
	word string
}{
	{pattern.New(`(?:json: )?cannot unmarshal (?:JSON )?(\w+)(?: \S+)? into Go (?:value|struct field)[^:;,]*? of type (struct \{.*\}|\S+)`), "\x01$1\x01 stands where \x01$2\x01 was expected"},
	{pattern.New(`json: unable to unmarshal (?:JSON )?(\w+)?[^:]* into Go (\S+)`), "\x01$1\x01 stands where \x01$2\x01 was expected"},
	{pattern.New(`strconv\.\w+: parsing ("(?:[^"\\]|\\.)*"): (?:invalid syntax|value out of range)`), "$1 is no number that can be read"},
	{pattern.New(`parsing time ("(?:[^"\\]|\\.)*")(?: as "[^"]*": cannot parse .*|: .*)?`), "$1 is no time that can be read"},
	{pattern.New(`time: (?:invalid duration|unknown unit "[^"]*" in duration|missing unit in duration) ("(?:[^"\\]|\\.)*")`), "$1 is no duration"},
	{pattern.New(`unexpected (?:EOF|end of JSON input) within "([^"]*)"`), `it ends inside $1,`},
	{pattern.New(`unexpected (?:EOF|end of JSON input)`), "it ends too soon"},
	{pattern.New(`illegal base64 data at input byte (\d+)`), "it is damaged at byte $1"},
	{pattern.New(`(?:zlib|gzip|flate): (?:invalid (?:header|checksum|dictionary)|corrupt input before offset \d+)`), "what is compressed is damaged"},
	{pattern.New(`(^|: |\()(?:jsontext|json|gob|xml|csv): `), "$1"},
}

// goTypes are the kinds of values that decoders met and were asked for.
var goTypes = pattern.New("\x01([^\x01]*)\x01")

// plainly writes an error as somebody would who knows the file and not the
// language that this program is written in.
func plainly(text string) string {
	for _, w := range libraryWords {
		text = w.form.ReplaceAllString(text, w.word)
	}
	return goTypes.ReplaceAllStringFunc(text, func(m string) string {
		switch kind := strings.Trim(m, "\x01*"); {
		case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"), strings.HasPrefix(kind, "float"), kind == "number", kind == "ingest.jsonNumber":
			return "a number"
		case kind == "string", kind == "bool":
			return "a " + kind
		case strings.HasPrefix(kind, "[]"), kind == "array":
			return "a list"
		default:
			return "an object"
		}
	})
}
