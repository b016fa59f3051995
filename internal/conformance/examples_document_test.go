package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/analyze/study"
	"headroom/internal/yamlfile"
	"headroom/render"
	"headroom/render/check"
)

// mostPage is how large a page may be, in bytes.
const mostPage = 3 << 20

// TestExamplePages builds the page of every example with its prose, as make demo
// does, and finds it as it was built: no digit unbound, no claim that does not hold,
// nothing said to be missing that was measured.
func TestExamplePages(t *testing.T) {
	for _, set := range exampleSets(t) {
		t.Run(set, func(t *testing.T) {
			c := exampleDocument(t, filepath.Join(exampleRoot, set))
			if c.Prose == nil {
				t.Fatal("the example has no prose")
			}
			problems, err := render.Prose(c, true)
			noError(t, "prose", err)
			for _, p := range problems {
				if !p.Note { // a number in words is to be looked at, and fails nothing
					t.Errorf("%v", p)
				}
			}
			files, err := render.Files(c, render.Options{Version: "0"})
			noError(t, "page", err)
			if n := len(files["index.html"]); n == 0 || n > mostPage {
				t.Errorf("the page has %d bytes, want at most %d", n, mostPage)
			}
			list, _, err := check.Alone(files)
			if err != nil || len(list) > 0 {
				t.Errorf("check: %v, %v", list, err)
			}
		})
	}
}

// proseOfExample reads the text that a study names.
func proseOfExample(t *testing.T, dir string, s *study.Study) *analyze.Prose {
	t.Helper()
	if s.Text == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, s.Text))
	noError(t, dir, err)
	return &analyze.Prose{File: s.Text, Text: string(text)}
}

// TestExampleSchema holds every study of the examples against the published JSON
// Schema, by the keywords that it uses.
func TestExampleSchema(t *testing.T) {
	var schema map[string]any
	readJSON(t, "../../docs/study.schema.json", &schema)
	for _, set := range exampleSets(t) {
		text, err := os.ReadFile(filepath.Join(exampleRoot, set, "study.yaml"))
		noError(t, set, err)
		var doc any
		noError(t, set, yamlfile.Decode("study.yaml", text, &doc))
		for _, problem := range violations(schema, schema, plainJSON(t, doc), "") {
			t.Errorf("%s: %s", set, problem)
		}
	}
	broken := map[string]any{"titel": "x", "configurations": []any{map[string]any{"name": 3.0, "protocol": "dance"}}}
	if got := violations(schema, schema, broken, ""); len(got) < 3 {
		t.Errorf("a broken study has only these faults: %v", got)
	}
}

// plainJSON turns what a YAML decoder makes into what a JSON one does.
func plainJSON(t *testing.T, v any) (out any) {
	t.Helper()
	b, err := json.Marshal(v)
	noError(t, "study", err)
	noError(t, "study", json.Unmarshal(b, &out))
	return out
}

// violations lists where a value breaks a schema of type, enum, required,
// properties, additionalProperties and items. A keyword that it does not know is a
// violation too, so that none is passed over.
func violations(root, schema map[string]any, v any, at string) (out []string) {
	said := func(format string, args ...any) { out = append(out, at+": "+fmt.Sprintf(format, args...)) }
	known := []string{"$schema", "$id", "$ref", "$defs", "title", "description", "type", "enum", "required", "properties", "additionalProperties", "items", "minItems", "default"}
	for k := range schema {
		if !slices.Contains(known, k) {
			said("the schema uses %q, which this test does not check", k)
		}
	}
	if ref, ok := schema["$ref"].(string); ok {
		defs, _ := root["$defs"].(map[string]any)
		target, ok := defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		if !ok {
			return append(out, at+": no definition "+ref)
		}
		return append(out, violations(root, target, v, at)...)
	}
	if kind, ok := schema["type"].(string); ok && !isKind(v, kind) {
		return append(out, fmt.Sprintf("%s: %v is no %s", at, v, kind))
	}
	if list, ok := schema["enum"].([]any); ok && !slices.Contains(list, v) {
		said("%v is none of %v", v, list)
	}
	properties, _ := schema["properties"].(map[string]any)
	switch v := v.(type) {
	case map[string]any:
		required, _ := schema["required"].([]any)
		for _, k := range required {
			if _, ok := v[k.(string)]; !ok {
				said("the key %s is missing", k)
			}
		}
		for k, x := range v {
			inner, ok := properties[k].(map[string]any)
			if more, isSchema := schema["additionalProperties"].(map[string]any); !ok && isSchema {
				inner, ok = more, true
			}
			if !ok && schema["additionalProperties"] == false {
				said("there is no key %s", k)
			}
			if ok {
				out = append(out, violations(root, inner, x, at+"/"+k)...)
			}
		}
	case []any:
		if inner, ok := schema["items"].(map[string]any); ok {
			for i, x := range v {
				out = append(out, violations(root, inner, x, fmt.Sprintf("%s/%d", at, i))...)
			}
		}
	}
	return out
}

func isKind(v any, kind string) bool {
	switch x := v.(type) {
	case map[string]any:
		return kind == "object"
	case []any:
		return kind == "array"
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && x == float64(int64(x))
	}
	return false
}
