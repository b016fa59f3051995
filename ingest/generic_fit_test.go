package ingest

import (
	"slices"
	"strings"
	"testing"
)

const fitMapping = `format: generic-csv
fit:
  x: {field: events}
  y: {field: took, unit: ms, name: latency}
  group: table
  budget: 500
`

// Points to be fitted are rows of a view, in SI units, without a time.
func TestPointsToBeFitted(t *testing.T) {
	maps, err := ReadMappings("mapping.yaml", []byte(fitMapping))
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, map[string]string{"usage.csv": "table,events,took\na,100,321.971\nb,200,NaN\nb,,5\n" + strings.Repeat("c,300,640\n", 200)})
	report, dst := must(t, Request{Files: paths(dir, "usage.csv"), Maps: maps})
	if report.Files[0].BadLines != 2 || len(dst.samples) != 0 || len(dst.snapshots) != 201 {
		t.Fatalf("%d bad lines, %d samples, %d rows", report.Files[0].BadLines, len(dst.samples), len(dst.snapshots))
	}
	s := dst.snapshots[0]
	want := []string{"100", "0.321971", "a", "events", "1", "latency", "s", "table", "0.5"}
	if s.View != "fit_usage" || !slices.Equal(s.Columns, fitColumns) || !slices.Equal(s.Values, want) {
		t.Errorf("%s: %q of %q", s.View, s.Values, s.Columns)
	}
}

func TestFitsThatAreRefused(t *testing.T) {
	for _, c := range []struct{ change, to, want string }{
		{"field: events", "unit: s", "mapping.yaml:3:7: it names no field"},
		{"unit: ms", "unit: msec", `unit is "msec"`},
		{"unit: ms", "unit: duration", `unit is "duration"`},
		{"fit:", "start: {field: at, unit: auto}\nfit:", "rows that are fitted are neither samples nor points"},
	} {
		_, err := ReadMappings("mapping.yaml", []byte(strings.Replace(fitMapping, c.change, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.to, err, c.want)
		}
	}
	maps, err := ReadMappings("mapping.yaml", []byte(fitMapping))
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = ingest(t, Request{Files: paths(write(t, map[string]string{"usage.csv": "table,took\na,1\n"}), "usage.csv"), Maps: maps})
	if err == nil || !strings.Contains(err.Error(), `no column "events"`) {
		t.Errorf("a file without the size: %v", err)
	}
}
