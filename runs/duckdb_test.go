package runs

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"headroom/runs/internal/table"
	"headroom/stat"
)

// duckdb is what bench/duckdb/check.mjs prints.
type duckdb struct {
	Tables  map[string]duckTable `json:"tables"`
	Samples []duckScenario       `json:"samples"`
}

type duckTable struct {
	Rows    int            `json:"rows"`
	Run     string         `json:"run"`
	Runs    int            `json:"runs"` // distinct ids in the run column
	Nulls   map[string]int `json:"nulls"`
	Columns []string       `json:"columns"`
}

type duckScenario struct {
	Scenario  string `json:"scenario"`
	N         int    `json:"n"`
	Latencies int    `json:"latencies"`
	Events    int64  `json:"events"`
	P50       int64  `json:"p50"`
	P99       int64  `json:"p99"`
	Max       int64  `json:"max"`
	First     int64  `json:"first"`
	Last      int64  `json:"last"`
}

// TestDuckDB has another reader of Parquet read every column of every table,
// and compares counts, nulls, types and exact percentiles.
func TestDuckDB(t *testing.T) {
	script, err := filepath.Abs("../bench/duckdb/check.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(script), "node_modules")); err != nil {
		t.Skip("DuckDB is not installed: run `npm ci` in bench/duckdb")
	}
	w := newWriter(t, CreateOptions{})
	c := everyTable()
	for i, s := range manySamples(200_000) { // two row groups, with nulls and another scenario
		if i%7 == 0 {
			s.Service, s.Outcome = Missing, Dropped
		}
		if i%3 == 0 {
			s.Scenario, s.Events = "batch", 10
		}
		c.Samples = append(c.Samples, s)
	}
	if err := c.write(w); err != nil {
		t.Fatal(err)
	}
	r := commit(t, w)
	out, err := exec.Command("node", script, r.Path()).Output()
	if err != nil {
		t.Fatalf("node %s: %v", script, err)
	}
	var got duckdb
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	want := duckdb{Tables: map[string]duckTable{}, Samples: scenarios(t, r)}
	describe(r, samplesTable, c.Samples, want.Tables)
	describe(r, pointsTable, c.Points, want.Tables)
	describe(r, activityTable, c.Activity, want.Tables)
	describe(r, markersTable, c.Markers, want.Tables)
	describe(r, histogramsTable, c.Histograms, want.Tables)
	describe(r, benchmarksTable, c.Benchmarks, want.Tables)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("DuckDB reads\n%+v\nwant\n%+v", got, want)
	}
}

// describe adds what a reader must find of a table.
func describe[R any](r *Run, t *table.Table[R], rows []R, tables map[string]duckTable) {
	d := duckTable{Rows: len(rows), Run: r.Manifest().ID, Runs: 1, Nulls: map[string]int{"run": 0}, Columns: []string{"run VARCHAR"}}
	types := map[table.Type]string{
		table.Instant: "TIMESTAMP WITH TIME ZONE", table.Integer: "BIGINT", table.Real: "DOUBLE", table.Text: "VARCHAR", table.Document: "VARCHAR",
	}
	for _, f := range t.Fields {
		d.Columns = append(d.Columns, f.Name+" "+types[f.Type])
		d.Nulls[f.Name] = 0
		for i := range rows {
			if f.Optional && (f.Int != nil && *f.Int(&rows[i]) == Missing || f.Text != nil && *f.Text(&rows[i]) == "") {
				d.Nulls[f.Name]++
			}
		}
	}
	tables[t.Name] = d
}

// scenarios computes from our own reader what DuckDB is asked for.
func scenarios(t *testing.T, r *Run) []duckScenario {
	t.Helper()
	latencies := map[string][]int64{}
	found := map[string]*duckScenario{}
	cols := []Column{ColStart, ColService, ColScenario, ColEvents}
	err := r.ScanSamples(context.Background(), cols, Range{}, func(b *Batch) error {
		for i, name := range b.Scenario {
			s := found[name]
			if s == nil {
				s = &duckScenario{Scenario: name, First: b.Start[i], Last: b.Start[i]}
				found[name] = s
			}
			s.N++
			s.Events += b.Events[i]
			s.First, s.Last = min(s.First, b.Start[i]), max(s.Last, b.Start[i])
			if b.Service[i] != Missing {
				latencies[name] = append(latencies[name], b.Service[i])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []duckScenario
	for name, s := range found {
		q, err := stat.Quantiles(latencies[name], stat.P50, stat.P99)
		if err != nil {
			t.Fatal(err)
		}
		s.Latencies, s.P50, s.P99, s.Max = len(latencies[name]), q[0], q[1], slices.Max(latencies[name])
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b duckScenario) int {
		if a.Scenario < b.Scenario {
			return -1
		}
		return 1
	})
	return all
}
