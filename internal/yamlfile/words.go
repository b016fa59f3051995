package yamlfile

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"headroom/internal/pattern"
)

// words says what the library found wrong as the author of the file would say it:
// what was seen, and what is to be done. The library speaks of Go's types and of
// its own tokens.
func words(err yaml.Error) string {
	var (
		kind     *yaml.TypeError
		large    *yaml.OverflowError
		node     *yaml.UnexpectedNodeTypeError
		repeated *yaml.DuplicateKeyError
	)
	switch {
	case errors.As(err, &kind):
		return wanted(typeWords(kind.SrcType), typeWords(kind.DstType))
	case errors.As(err, &large):
		return fmt.Sprintf("%s is too large, or is no %s", large.SrcNum, strings.TrimPrefix(typeWords(large.DstType), "a "))
	case errors.As(err, &node):
		return wanted(nodeWords(node.Actual), nodeWords(node.Expected))
	case errors.As(err, &repeated):
		return firstLine(err.GetMessage())
	}
	return syntaxWords(firstLine(err.GetMessage()))
}

// typeWords names a type of Go as YAML has it.
func typeWords(t reflect.Type) string {
	if t == nil {
		return "nothing"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeWords(t.Elem())
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return listWords
	}
	return mappingWords
}

// The two kinds of collections, and how they are written.
const (
	listWords    = "a list"
	mappingWords = "keys with values"
)

// wanted says what stands at a place, and what must stand there instead.
func wanted(got, want string) string {
	how := map[string]string{listWords: ": [a, b], or a line \"- a\" for each", mappingWords: ": {key: value}, or a line \"key: value\" for each"}[want]
	return fmt.Sprintf("this is %s; want %s%s", got, want, how)
}

// nodeWords names what stands in the file.
func nodeWords(n ast.NodeType) string {
	switch n {
	case ast.SequenceType:
		return listWords
	case ast.MappingType, ast.MappingValueType:
		return mappingWords
	case ast.IntegerType, ast.FloatType, ast.InfinityType, ast.NanType:
		return "a number"
	case ast.BoolType:
		return "true or false"
	case ast.NullType:
		return "nothing"
	}
	return "text"
}

// syntaxes are the messages of the library that most people will see, and what
// they are told instead. $1 and $2 are what the pattern captured.
var syntaxes = []struct {
	message *pattern.Pattern
	words   string
}{
	{pattern.New(`^mapping key ("[^"]*") already defined at \[(\d+):\d+\]`), "the key $1 stands in line $2 already; a key stands once"},
	{pattern.New(`^found character '\t'|tab character`), "a tab; indent with blanks"},
	{pattern.New(`^sequence end token '\]' not found|^',' or '\]' must be specified`), "this list has no end: a , or ] is missing"},
	{pattern.New(`^could not find flow mapping end token '\}'|^',' or '\}' must be specified|^could not find flow map content`), "these keys have no end: a , or } is missing"},
	{pattern.New(`^could not find '(.)' character corresponding to '(.)'`), "a $2 without its $1"},
	{pattern.New(`^could not find end character of (single|double)-quote`), "a quote that is not closed"},
	{pattern.New(`^'(.)' is a reserved character`), "no text begins with $1; put it between quotes"},
	{pattern.New(`^unexpected directive value`), "no text begins with %; put it between quotes"},
	{pattern.New(`^cannot convert (".*") to boolean`), "$1: want true or false"},
	{pattern.New(`^mapping value is not allowed in this context`), "a second colon in one line, or a key that is indented too far; text with a colon stands between quotes"},
	{pattern.New(`^(unexpected key name|non-map value is specified|expected map key-value delimiter ':'|unexpected scalar value|value is not allowed in this context.*)$`),
		"this is no \"key: value\": a colon and a blank are missing, or the line is indented wrongly"},
}

// syntaxWords says in words why a text is no YAML.
func syntaxWords(message string) string {
	for _, s := range syntaxes {
		if m := s.message.FindStringSubmatchIndex(message); m != nil {
			return string(s.message.ExpandString(nil, s.words, message, m))
		}
	}
	return message
}
