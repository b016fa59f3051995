package study

import (
	_ "embed"
	"fmt"
	"reflect"
	"strings"
)

//go:embed manual.md
var manualHead string

// Manual returns docs/study.md: what a study is, and every key of it.
func Manual() []byte {
	var b strings.Builder
	b.WriteString(manualHead)
	writeKeys(&b, "The file", reflect.TypeFor[written]())
	return []byte(b.String())
}

// writeKeys writes a table of the keys of one level, and below it those of the
// levels inside, each once.
func writeKeys(b *strings.Builder, title string, t reflect.Type) {
	fmt.Fprintf(b, "\n### %s\n\n| key | value | |\n|---|---|---|\n", title)
	type inner struct {
		title string
		of    reflect.Type
	}
	var inside []inner
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("yaml")
		value, of := valueWords(f)
		if of != nil && (title != "configurations" || name != "limits") {
			inside = append(inside, inner{name, of})
		}
		doc := f.Tag.Get("doc")
		if f.Tag.Get("need") != "" {
			doc += " Must be there."
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, value, strings.ReplaceAll(doc, "|", `\|`))
	}
	for _, in := range inside {
		writeKeys(b, in.title, in.of)
	}
}

// valueWords says what a key takes, and the type of the entries below it.
func valueWords(f reflect.StructField) (string, reflect.Type) {
	if words := f.Tag.Get("enum"); words != "" {
		return "`" + strings.Join(strings.Split(words, "|"), "`, `") + "`", nil
	}
	t := f.Type
	switch t.Kind() {
	case reflect.Struct:
		return "keys below", t
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return "list of entries with the keys below", t.Elem()
		}
		return "list of " + plain(t.Elem()), nil
	case reflect.Map:
		if t.Elem().Kind() == reflect.Struct {
			return "name: keys below", t.Elem()
		}
		return "name: " + plain(t.Elem()), nil
	}
	return plain(t), nil
}

func plain(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return plain(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "whole number"
	case reflect.Float64:
		return "number"
	}
	return "text"
}
