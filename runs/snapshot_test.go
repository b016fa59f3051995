package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// twoVersions are rows of a view before and after its server was upgraded, and
// of one that is given as text.
func twoVersions() []Snapshot {
	const t0 = 1_772_445_600_000_000
	old, renewed := []string{"datname", "xact_commit"}, []string{"xact_commit", "sessions", "datname"}
	return []Snapshot{
		{View: "pg_stat_database", Time: t0, Source: "a.csv", Role: "before", Columns: old, Values: []string{"bench", "9007199254740993"}},
		{View: "pg_stat_database", Time: t0, Source: "a.csv", Role: "before", Columns: old, Values: []string{"", "5"}},
		{View: "pg_stat_database", Time: t0 + 1e6, Source: "b.csv", Role: "after", Columns: renewed, Values: []string{"9007199254740999", "3", "bench"}},
		{View: "relation_sizes", Time: Missing, Source: "c.csv", Columns: []string{"Größe"}, Values: []string{"8192"}},
	}
}

func writeSnapshots(t *testing.T, w *Writer, all []Snapshot) {
	t.Helper()
	for i := range all {
		if err := w.Snapshot(&all[i]); err != nil {
			t.Fatal(err)
		}
	}
}

func readSnapshots(t *testing.T, r *Run, view string, within Range) []Snapshot {
	t.Helper()
	var got []Snapshot
	err := r.ScanSnapshots(context.Background(), view, within, func(s *Snapshot) error {
		row := *s
		row.Values = slices.Clone(s.Values)
		got = append(got, row)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A view's table has the columns of all its rows; what a row's source did not
// have is missing, and text keeps every digit.
func TestSnapshotsOfTwoVersions(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	all := twoVersions()
	writeSnapshots(t, w, all)
	r := commit(t, w)
	if got := r.SnapshotViews(); !slices.Equal(got, []string{"pg_stat_database", "relation_sizes"}) {
		t.Errorf("views %v", got)
	}
	got := readSnapshots(t, r, "pg_stat_database", Range{})
	columns := []string{"datname", "xact_commit", "sessions"}
	want := [][]string{{"bench", "9007199254740993", ""}, {"", "5", ""}, {"bench", "9007199254740999", "3"}}
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i, s := range got {
		if !slices.Equal(s.Columns, columns) || !slices.Equal(s.Values, want[i]) || s.Time != all[i].Time || s.Role != all[i].Role || s.Source != all[i].Source {
			t.Errorf("row %d: %+v", i+1, s)
		}
	}
	if after := readSnapshots(t, r, "pg_stat_database", Range{all[2].Time, all[2].Time + 1}); len(after) != 1 || after[0].Role != "after" {
		t.Errorf("of the last instant: %+v", after)
	}
	if c, ok := got[0].Change(&got[2], "xact_commit"); !ok || c != (Change{Amount: "6"}) {
		t.Errorf("change %+v, %v", c, ok)
	}
	sizes := readSnapshots(t, r, "relation_sizes", Range{})
	if len(sizes) != 1 || sizes[0].Time != Missing || sizes[0].Values[0] != "8192" {
		t.Errorf("sizes %+v", sizes)
	}
	if none := readSnapshots(t, r, "relation_sizes", Range{1, 2}); none != nil {
		t.Errorf("a row without a stamp in a window: %+v", none)
	}
	if none := readSnapshots(t, r, "absent", Range{}); none != nil {
		t.Errorf("rows of a view that is not there: %+v", none)
	}
	if err := r.Verify(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestSnapshotRefHolds(t *testing.T) {
	all := twoVersions()
	before := SnapshotRef{View: "pg_stat_database", Source: "a.csv", Role: "before", First: formatInstant(all[0].Time), Last: formatInstant(all[0].Time)}
	bare := SnapshotRef{View: "relation_sizes", Source: "c.csv"}
	for i, want := range [][2]bool{{true, false}, {true, false}, {false, false}, {false, true}} {
		if got := [2]bool{before.Holds(&all[i]), bare.Holds(&all[i])}; got != want {
			t.Errorf("row %d: %v, want %v", i+1, got, want)
		}
	}
}

func TestSnapshotChange(t *testing.T) {
	row := func(pairs ...string) *Snapshot {
		s := &Snapshot{}
		for i := 0; i < len(pairs); i += 2 {
			s.Columns, s.Values = append(s.Columns, pairs[i]), append(s.Values, pairs[i+1])
		}
		return s
	}
	for name, c := range map[string]struct {
		before, after *Snapshot
		amount        string // "": not known
		atLeast       bool
	}{
		"exact where a float is not": {row("n", "0.1"), row("n", "0.3"), "0.2", false},
		"beyond 2^53":                {row("n", "9007199254740993"), row("n", "18014398509481987"), "9007199254740994", false},
		"exponents":                  {row("n", "1e3"), row("n", "1.5e+03"), "500", false},
		"lower than before":          {row("n", "10"), row("n", "4"), "4", true},
		"reset inside, higher":       {row("n", "10", "stats_reset", "09:59"), row("n", "40", "stats_reset", "10:04"), "40", true},
		"reset for the first time":   {row("n", "10", "stats_reset", ""), row("n", "40", "stats_reset", "10:04"), "40", true},
		"same reset":                 {row("n", "10", "stats_reset", "09:59"), row("n", "40", "stats_reset", "09:59"), "30", false},
		"an entry that began anew":   {row("n", "10", "stats_since", "1"), row("n", "12", "stats_since", "2"), "12", true},
		"renamed":                    {row("old", "10"), row("n", "12"), "2", false},
		"missing":                    {row("n", ""), row("n", "12"), "", false},
		"not there":                  {row("x", "1"), row("n", "12"), "", false},
		"no number":                  {row("n", "0x10"), row("n", "12"), "", false},
		"an exponent to do harm":     {row("n", "0"), row("n", "1e999999999"), "", false},
	} {
		got, ok := c.before.Change(c.after, "n", "old")
		if ok != (c.amount != "") || got.Amount != c.amount || got.AtLeast != c.atLeast {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
}

func TestSnapshotRefused(t *testing.T) {
	many := make([]string, MaxSnapshotColumns+1)
	for i := range many {
		many[i] = fmt.Sprintf("c%d", i)
	}
	w := newWriter(t, CreateOptions{})
	ok := Snapshot{View: "v", Time: Missing, Columns: []string{"a"}, Values: []string{"1"}}
	writeSnapshots(t, w, []Snapshot{ok})
	for name, change := range map[string]func(*Snapshot){
		"a view that leads out":     func(s *Snapshot) { s.View = "../x" },
		"a view without a name":     func(s *Snapshot) { s.View = "" },
		"a role that is none":       func(s *Snapshot) { s.Role = "during" },
		"more values than columns":  func(s *Snapshot) { s.Values = []string{"1", "2"} },
		"no columns":                func(s *Snapshot) { s.Columns, s.Values = nil, nil },
		"a column twice":            func(s *Snapshot) { s.Columns, s.Values = []string{"a", "A"}, []string{"1", "2"} },
		"a column of ours":          func(s *Snapshot) { s.Columns = []string{"snapshot_time"} },
		"too many columns":          func(s *Snapshot) { s.Columns, s.Values = many, many },
		"too many columns together": func(s *Snapshot) { s.Columns, s.Values = many[1:], many[1:] },
	} {
		bad := ok
		change(&bad)
		if err := w.Snapshot(&bad); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	writeSnapshots(t, w, []Snapshot{ok})
	if got := readSnapshots(t, commit(t, w), "v", Range{}); len(got) != 2 {
		t.Errorf("%d rows after refusals, want 2", len(got))
	}
}

// The widest table that can be written can be read: footers grow with columns
// and row groups.
func TestSnapshotsWide(t *testing.T) {
	columns := make([]string, MaxSnapshotColumns)
	for i := range columns {
		columns[i] = fmt.Sprintf("c%d", i)
	}
	w := newWriter(t, CreateOptions{})
	for n := 1; n <= MaxSnapshotColumns; n += 33 { // each wider than the one before: a part of its own
		writeSnapshots(t, w, []Snapshot{{View: "wide", Time: int64(n), Columns: columns[:n], Values: columns[:n]}})
	}
	for i, s := range readSnapshots(t, commit(t, w), "wide", Range{}) {
		if n := 33*i + 1; s.Time != int64(n) || s.Values[n-1] != columns[n-1] || n < len(s.Values) && s.Values[n] != "" {
			t.Errorf("row %d: %v", i, s.Values)
		}
	}
}

// Another reader of Parquet reads all parts of a view as one table, without
// options, though a column came late.
func TestDuckDBSnapshots(t *testing.T) {
	folder, err := filepath.Abs("../bench/duckdb")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		t.Skip("DuckDB is not installed: run `npm ci` in bench/duckdb")
	}
	w := newWriter(t, CreateOptions{ID: "two"})
	writeSnapshots(t, w, twoVersions())
	r := commit(t, w)
	const script = `import { DuckDBInstance } from "@duckdb/node-api";
const db = await (await DuckDBInstance.create(":memory:")).connect();
await db.run("SET TimeZone = 'UTC'");
const rows = await db.runAndReadAll("SELECT run, snapshot_time::VARCHAR AS stamp, snapshot_role AS role, datname, xact_commit::HUGEINT::VARCHAR AS n, sessions FROM read_parquet('" + process.argv.at(-1) + "') ORDER BY stamp, n DESC");
console.log(JSON.stringify(rows.getRowObjects()));`
	cmd := exec.Command("node", "--input-type=module", "-e", script, filepath.Join(r.Path(), "snapshots", "pg_stat_database", "*.parquet"))
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var got []map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	want := []map[string]any{
		{"run": "two", "stamp": "2026-03-02 10:00:00+00", "role": "before", "datname": "bench", "n": "9007199254740993", "sessions": nil},
		{"run": "two", "stamp": "2026-03-02 10:00:00+00", "role": "before", "datname": nil, "n": "5", "sessions": nil},
		{"run": "two", "stamp": "2026-03-02 10:00:01+00", "role": "after", "datname": "bench", "n": "9007199254740999", "sessions": "3"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("DuckDB reads\n%s", strings.TrimSpace(string(out)))
	}
}
