package rule

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"headroom/internal/golden"
	"headroom/internal/yamlfile"
)

// docs/detector.schema.json is printed from the code.
func TestSchemaIsPublished(t *testing.T) {
	golden.Equal(t, filepath.Join("..", "..", "docs", SchemaName), Schema())
}

// compiled is the schema, ready to judge values.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("detector.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("detector.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func judgedBySchema(s *jsonschema.Schema, text string) error {
	var v any
	if err := yamlfile.Decode("x.yaml", []byte(text), &v); err != nil {
		return err
	}
	return s.Validate(v)
}

// Schema and parser agree: what one takes the other takes, and what is wrong
// outside of an expression both refuse.
func TestSchemaAndParserAgree(t *testing.T) {
	s := compiled(t)
	markers := strings.NewReplacer("input: points", "input: markers", "metrics: [queue.depth]", "kinds: [app.log]").Replace(valid)
	sessions := "name: a\ndoc: \"x. Cannot see: y\"\ninput: sessions\nwhen: active > 3\nconsecutive: 2\n"
	samples := "name: a\ndoc: \"x. Cannot see: y\"\ninput: samples\ngroup: target\nwindow: {kind: run}\nwhen: share < 0.1\n"
	for name, text := range map[string]string{
		"points": valid, "markers": markers, "sessions": sessions, "samples": samples,
		"all": strings.Replace(valid, "metrics:", "all: true\nmetrics:", 1), "severity": valid + "severity: info\nmerge: 1m30s\nversion: 3\n",
		"with": valid + "with: {cpus: host.cpus}\n", "row": strings.Replace(valid, "window: {kind: sliding, length: 10s}", "window: {kind: row}", 1),
		"no window": strings.Replace(valid, "window: {kind: sliding, length: 10s}\n", "", 1),
	} {
		if _, err := Parse("x.yaml", []byte(text)); err != nil {
			t.Errorf("%s: the parser refuses what it should take: %v", name, err)
		}
		if err := judgedBySchema(s, text); err != nil {
			t.Errorf("%s: the schema refuses what the parser takes: %v", name, err)
		}
	}
	change := func(old, new string) string {
		if !strings.Contains(valid, old) {
			t.Fatalf("%q is not in the file", old)
		}
		return strings.Replace(valid, old, new, 1)
	}
	for name, text := range map[string]string{
		"name": change("queue-long", "Queue Long"), "no name": change("name: queue-long\n", ""), "doc": change("Cannot see", "May not see"),
		"input": change("input: points", "input: dots"), "no input": change("input: points\n", ""), "no metrics": change("metrics: [queue.depth]\n", ""), "empty metrics": change("[queue.depth]", "[]"),
		"unknown key": change("when:", "wehn:"), "no when": change("when: min > limit && growth >= 0\n", ""), "length": change("10s", "soon"), "no length": change(", length: 10s", ""),
		"window kind": change("sliding", "hopping"), "window key": change("kind: sliding", "sort: sliding"), "param unit": change(`unit: "1", `, ""), "param doc": change(", doc: jobs that may wait", ""),
		"param name": change("limit: {", "Limit: {"), "default": change("default: 100", "default: many"), "severity": valid + "severity: bad\n", "merge": valid + "merge: -1s\n",
		"group of points": valid + "group: op\n", "kinds of points": valid + "kinds: [a]\n", "consecutive": valid + "consecutive: often\n",
		"negative consecutive": valid + "consecutive: -1\n", "negative version": valid + "version: -3\n", "negative least": change("kind: sliding", "kind: sliding, least: -4"),
		"no consecutive": valid + "consecutive: 0\n", "no version": valid + "version: 0\n", "no least": change("kind: sliding", "kind: sliding, least: 0"),
		"metrics of markers": markers + "metrics: [a.b]\n", "no kinds": strings.Replace(markers, "kinds: [app.log]\n", "", 1), "with of sessions": sessions + "with: {a: b.c}\n",
		"all of samples": samples + "all: true\n", "window of sessions": sessions + "window: {length: 1s}\n", "run of sessions": sessions + "window: {kind: run}\n",
	} {
		if _, err := Parse("x.yaml", []byte(text)); err == nil {
			t.Errorf("%s: the parser takes it", name)
		}
		if err := judgedBySchema(s, text); err == nil {
			t.Errorf("%s: the schema takes it", name)
		}
	}
}

// Every key that a file may have is in the schema, and no other.
func TestSchemaHasEveryKey(t *testing.T) {
	s := compiled(t)
	for key := range s.Properties {
		if strings.Contains(valid, "\n"+key+":") || key == "name" {
			continue
		}
		if _, err := Parse("x.yaml", []byte(valid+key+": {}\n")); err != nil && strings.Contains(err.Error(), "unknown field") {
			t.Errorf("the schema has %s, which the parser does not know", key)
		}
	}
	if keys := reflect.TypeFor[written]().NumField(); len(s.Properties) != keys {
		t.Errorf("the schema has %d keys, a file %d", len(s.Properties), keys)
	}
}

// The detectors that are built in, and stand as examples, keep to the schema.
func TestSchemaTakesBuiltins(t *testing.T) {
	s := compiled(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "detect", "rules", "*.yaml"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d rules: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := judgedBySchema(s, string(text)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
