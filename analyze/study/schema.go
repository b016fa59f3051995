package study

import (
	"encoding/json"
	"reflect"
	"strings"
)

// SchemaName is the name of the file that editors read: `headroom report init`
// writes it beside the study.
const SchemaName = "study.schema.json"

// schema is a node of JSON Schema, as far as a study needs it.
type schema struct {
	Schema      string     `json:"$schema,omitempty"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Type        string     `json:"type"`
	Enum        []string   `json:"enum,omitempty"`
	Items       *schema    `json:"items,omitempty"`
	Properties  properties `json:"properties,omitempty"`
	Additional  any        `json:"additionalProperties,omitempty"` // false, or the schema of the values
	Required    []string   `json:"required,omitempty"`
}

// properties keep the order in which the keys are declared.
type properties []property

type property struct {
	name string
	of   *schema
}

// MarshalJSON writes an object with its keys in order.
func (ps properties) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, p := range ps {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(p.name)
		if err != nil {
			return nil, err
		}
		of, err := json.Marshal(p.of)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(of)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// Schema returns the JSON Schema of study.yaml.
func Schema() []byte {
	s := schemaOf(reflect.TypeFor[written]())
	s.Schema, s.Title = "http://json-schema.org/draft-07/schema#", "headroom study"
	s.Description = "Which runs make one document, and by which rules they are judged."
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // of declarations that are compiled in: found by the first test
	}
	return append(b, '\n')
}

// schemaOf describes a type of the file.
func schemaOf(t reflect.Type) *schema {
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.String:
		return &schema{Type: "string"}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &schema{Type: "integer"}
	case reflect.Float64:
		return &schema{Type: "number"}
	case reflect.Slice:
		return &schema{Type: "array", Items: schemaOf(t.Elem())}
	case reflect.Map:
		return &schema{Type: "object", Additional: schemaOf(t.Elem())}
	}
	s := &schema{Type: "object", Additional: false}
	for i := range t.NumField() {
		f := t.Field(i)
		of := schemaOf(f.Type)
		of.Description = f.Tag.Get("doc")
		if words := f.Tag.Get("enum"); words != "" {
			of.Enum = strings.Split(words, "|")
		}
		name := f.Tag.Get("yaml")
		if f.Tag.Get("need") != "" {
			s.Required = append(s.Required, name)
		}
		s.Properties = append(s.Properties, property{name, of})
	}
	return s
}

// places returns every key of the file, as configurations[].limits.p99.
func places() []string { return placesIn("", reflect.TypeFor[written]()) }

func placesIn(prefix string, t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		f := t.Field(i)
		name := prefix + f.Tag.Get("yaml")
		out = append(out, name)
		switch inner := f.Type; inner.Kind() {
		case reflect.Struct:
			out = append(out, placesIn(name+".", inner)...)
		case reflect.Slice:
			if inner.Elem().Kind() == reflect.Struct {
				out = append(out, placesIn(name+"[].", inner.Elem())...)
			}
		case reflect.Map:
			if inner.Elem().Kind() == reflect.Struct {
				out = append(out, placesIn(name+".NAME.", inner.Elem())...)
			}
		}
	}
	return out
}
