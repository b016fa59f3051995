package runs

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"headroom/runs/internal/table"
)

// section returns the text of docs/format/run.md below a heading.
func section(t *testing.T, heading string) string {
	t.Helper()
	data, err := os.ReadFile("../docs/format/run.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(data), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("docs/format/run.md has no heading %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n#")
	return text
}

var columnRow = regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\| (\\w+) \\| (yes|no) \\| ")

// The format's document lists the columns as they are declared, in their order.
func TestFormatDocumentsColumns(t *testing.T) {
	documented(t, samplesTable)
	documented(t, pointsTable)
	documented(t, activityTable)
	documented(t, markersTable)
	documented(t, histogramsTable)
	documented(t, benchmarksTable)
}

func documented[R any](t *testing.T, declared *table.Table[R]) {
	t.Helper()
	var got, want [][]string
	for _, m := range columnRow.FindAllStringSubmatch(section(t, "### "+declared.Name), -1) {
		got = append(got, m[1:])
	}
	types := map[table.Type]string{table.Instant: "instant", table.Integer: "integer", table.Real: "real", table.Text: "text", table.Document: "document"}
	for _, f := range declared.Fields {
		want = append(want, []string{f.Name, types[f.Type], map[bool]string{true: "yes", false: "no"}[f.Optional]})
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s is documented as\n%v\nand declared as\n%v", declared.Name, got, want)
	}
}

// Every member of the manifest is documented, those of its parts included.
func TestFormatDocumentsManifest(t *testing.T) {
	text := section(t, "## The manifest")
	var check func(reflect.Type)
	check = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			return
		}
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if !strings.Contains(text, "`"+name+"`") {
				t.Errorf("%s.%s: member %q is not documented", typ.Name(), typ.Field(i).Name, name)
			}
			check(typ.Field(i).Type)
		}
	}
	check(reflect.TypeFor[Manifest]())
}
