package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"headroom/internal/yamlfile"
	"headroom/runs"
)

var fenced = regexp.MustCompile("(?s)```(csv|json|logfmt|yaml)\n(.*?)```")

// TestMappingDocument runs the examples of docs/formats/mapping.md.
func TestMappingDocument(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "formats", "mapping.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := fenced.FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 7 {
		t.Fatalf("the page has %d blocks", len(blocks))
	}
	read := func(data, mapping string) *rows {
		t.Helper()
		maps, err := ReadMappings("mapping.yaml", []byte(mapping))
		if err != nil {
			t.Fatal(err)
		}
		_, dst := must(t, Request{Files: paths(write(t, map[string]string{"data": data}), "data"), Maps: maps})
		return dst
	}
	csv := read(blocks[0][2], blocks[1][2])
	if len(csv.samples) != 3 || csv.samples[0].Outcome != runs.OK || csv.samples[0].Events != 20 || csv.samples[0].Service != 116666000 ||
		csv.samples[1].Outcome != runs.Rejected || csv.samples[2].Outcome != runs.Failed || csv.samples[2].Service != runs.Missing ||
		csv.m.Load.Model != runs.ClosedLoop || csv.m.Load.Concurrency != 8 {
		t.Errorf("the CSV example gives %+v", csv.samples)
	}
	jsonl := read(blocks[2][2], blocks[3][2])
	if len(jsonl.samples) != 1 || stampText(jsonl.samples[0].Start) != "2026-10-05T09:00:00.000290Z" || jsonl.samples[0].Wait != 11180000 || jsonl.samples[0].Op != "Create" {
		t.Errorf("the JSON example gives %+v", jsonl.samples)
	}
	logfmt := read(blocks[4][2], blocks[5][2])
	if len(logfmt.samples) != 1 || logfmt.samples[0].Wait != 358141 || logfmt.samples[0].Service != 5223054 || len(logfmt.points) != 1 || logfmt.points[0].Value != 10000 {
		t.Errorf("the logfmt example gives %+v and %+v", logfmt.samples, logfmt.points)
	}
	if maps, err := ReadMappings("mapping.yaml", []byte(blocks[6][2])); err != nil || len(maps) != 2 {
		t.Errorf("the example of several mappings gives %d, %v", len(maps), err)
	}
	_, err = ReadMappings("mapping.yaml", []byte("format: generic-csv\nstart: {field: at, unit: auto}\nlatency: {field: took, unit: msec}\n"))
	quoted := regexp.MustCompile("`mapping\\.yaml:\\d+:\\d+: ([^`]+)`").FindStringSubmatch(string(text))
	if err == nil || !strings.Contains(err.Error(), quoted[1]) {
		t.Errorf("got %v, the page says %q", err, quoted[1])
	}
}

func TestMappingErrors(t *testing.T) {
	const good = "start: {field: at, unit: rfc3339}\nlatency: {field: took, unit: ms}\n"
	for _, c := range []struct{ text, want string }{
		{"format: csv\n" + good, `m.yaml:1:9: format is "csv"`},
		{"format: generic-csv\n", "m.yaml:1:1: start or end"},
		{"format: generic-csv\nend: {field: at, unit: rfc3339}\n", "m.yaml:2:7: an end alone"},
		{"format: generic-csv\nstart: {field: at, unit: ms}\n", `m.yaml:2:9: unit is "ms"`},
		{"format: generic-csv\nstart: {field: at, unit: layout}\n", "m.yaml:2:9: the unit layout needs a layout"},
		{"format: generic-csv\nstart: {field: at, unit: auto, zone: Mars/Base}\n", `m.yaml:2:9: there is no time zone "Mars/Base"; want a name as Europe/Paris or UTC, or how far it is ahead of UTC as +02:00`},
		{"format: generic-csv\nstart: {unit: auto}\n", "m.yaml:2:9: it names no field"},
		{"format: generic-csv\nstart: {field: at, unit: auto}\nlatency: {unit: ms}\n", "m.yaml:3:11: it names no field"},
		{"format: generic-csv\n" + good + "service: {field: s, unit: ms}\n", "m.yaml:4:11: latency is wait and service together"},
		{"format: generic-csv\n" + good + "end: {field: e, unit: auto}\n", "m.yaml:4:7: start and end say the latency already"},
		{"format: generic-csv\n" + good + "delimiter: ab\n", "m.yaml:4:12: the delimiter must be one character"},
		{"format: generic-jsonl\n" + good + "delimiter: ;\n", "m.yaml:1:1: delimiter, comment and columns are for CSV"},
		{"format: generic-csv\n" + good + "files: [\"[\"]\n", "m.yaml:4:9: \"[\" is no pattern"},
		{"format: generic-csv\n" + good + "where: [{field: x}]\n", "m.yaml:4:10: a condition needs"},
		{"format: generic-csv\n" + good + "load: {model: looped}\n", "m.yaml:4:15: the load model is open or closed"},
		{"format: generic-csv\n" + good + "set: {events: -1}\n", "m.yaml:4:15: a row cannot carry"},
		{"format: generic-csv\n" + good + "stauts: status\n", `m.yaml:4:1: unknown field "stauts"`},
		{"mappings:\n  - {format: generic-csv, files: [a], start: {field: at, unit: auto}}\n  - {format: x, files: [b]}\n", `m.yaml:3:14: format is "x"`},
		{"mappings:\n  - {format: generic-csv, start: {field: at, unit: auto}}\n  - {format: x}\n", "m.yaml:2:6: one of several mappings must name its files"},
	} {
		_, err := ReadMappings("m.yaml", []byte(c.text))
		var e *yamlfile.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestMappingBuiltInCode(t *testing.T) {
	m := &Mapping{Format: "generic-csv", Files: []string{"s*.csv"}, Start: &InstantField{Field: "at", Unit: "unix_s"}, Latency: &DurationField{Field: "took", Unit: "s"}}
	dir := write(t, map[string]string{"s.csv": "at,took\n1772445600,0.5\n", "other.csv": "at,took\n1772445700,0.5\n1772445701,0.5\n"})
	_, dst := must(t, Request{Files: paths(dir, "s.csv"), Maps: []*Mapping{m}})
	if len(dst.samples) != 1 || dst.samples[0].Service != 5e8 {
		t.Errorf("got %+v", dst.samples)
	}
	if _, err := Ingest(context.Background(), Request{Files: paths(dir, "other.csv"), Maps: []*Mapping{m}}, &rows{}); !errors.Is(err, ErrUnknown) {
		t.Errorf("a file that the mapping does not name: %v", err)
	}
	if err := (&Mapping{Format: "csv"}).Validate(); !errors.Is(err, ErrUsage) {
		t.Errorf("got %v", err)
	}
}
