package conformance

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/ingest"
	"headroom/runs"
)

// TestBenchstat compares medians, intervals, changes, p values and geometric means
// with what the program benchstat (golang.org/x/perf, 2026-09-08) printed of the
// same two files: `benchstat -format csv old.txt new.txt`. With ties between samples
// of different sizes its p depends on which sample comes first, and headroom's does
// not (stat.RankSum): there it may print another p, or, where its own is 0, none.
func TestBenchstat(t *testing.T) {
	dir := filepath.Join("testdata", "benchstat")
	var ms []*analyze.Measured
	for _, name := range []string{"old", "new"} {
		ms = append(ms, measureBenchmarks(t, filepath.Join(dir, name+".txt"), name))
	}
	c, err := analyze.Combine(ms, analyze.Protocol{})
	noError(t, "combine", err)
	equal(t, "protocol", c.Protocol, "bench")
	measures := map[string]string{"sec/op": "bench.time", "B/op": "bench.bytes", "allocs/op": "bench.allocs"}
	rows, cells, id := 0, map[string][]string{}, ""
	for _, tb := range c.Tables {
		if strings.HasPrefix(tb.ID, "bench-changes") {
			for _, r := range tb.Rows {
				key := strings.Fields(tb.Title)[0] + " " + r.Cells[0].Text
				for _, cell := range r.Cells[1:] {
					cells[key] = append(cells[key], cell.Text)
				}
			}
		}
	}
	f, err := os.Open(filepath.Join(dir, "benchstat.csv"))
	noError(t, "benchstat.csv", err)
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	all, err := r.ReadAll()
	noError(t, "benchstat.csv", err)
	for _, row := range all {
		switch {
		case len(row) < 3:
		case row[0] == "" && measures[row[1]] != "":
			id = measures[row[1]]
		case row[0] == "geomean":
			rows++
			geoMean(t, c, ms, id, row)
		case id != "" && row[0] != "":
			rows++
			benchRow(t, ms, cells, id, row)
		}
	}
	t.Logf("answered %d of %d ids", rows, rows)
	if rows != 21 {
		t.Errorf("%d rows were compared, want those of 6 benchmarks and a mean in 3 measures", rows)
	}
}

func measureBenchmarks(t *testing.T, path, name string) *analyze.Measured {
	t.Helper()
	w, err := runs.Create(filepath.Join(t.TempDir(), name), runs.CreateOptions{})
	noError(t, name, err)
	defer w.Abort()
	_, err = ingest.Ingest(context.Background(), ingest.Request{Files: []ingest.File{{Path: path}}, Labels: map[string]string{"arm": name}}, w)
	noError(t, name, err)
	run, err := w.Commit()
	noError(t, name, err)
	m, err := analyze.Measure(context.Background(), run, analyze.Protocol{})
	noError(t, name, err)
	return m
}

// benchRow compares one benchmark's row of benchstat.
func benchRow(t *testing.T, ms []*analyze.Measured, cells map[string][]string, id string, row []string) {
	t.Helper()
	name := strings.TrimSuffix(row[0], "-4")
	for i, m := range ms {
		if len(row) <= 1+2*i {
			continue
		}
		q := m.Result.Quantity(id, detect.Scope{Op: name})
		want, err := strconv.ParseFloat(row[1+2*i], 64)
		noError(t, row[0], err)
		if q == nil || q.Value == nil || !close(*q.Value, want, nil) {
			t.Errorf("%s of %s: %v, want %v", id, name, q, want)
			continue
		}
		if got := analyze.Spread(*q.Value, q.Interval[0], q.Interval[1]); got != row[2+2*i] {
			t.Errorf("%s of %s: ± %s, want %s", id, name, got, row[2+2*i])
		}
	}
	if len(row) < 7 {
		return
	}
	unit := map[string]string{"bench.time": "s/op", "bench.bytes": "B/op", "bench.allocs": "allocs/op"}[id]
	got := cells[unit+" "+name]
	tied := strings.Contains(row[6], "+") && id != "bench.time"
	if len(got) != 6 || got[4] != row[5] || got[5] != row[6] && !tied {
		t.Errorf("%s of %s: change %v, want %s (%s)", id, name, got, row[5], row[6])
	}
}

// geoMean compares benchstat's last row.
func geoMean(t *testing.T, c *analyze.Capacity, ms []*analyze.Measured, id string, row []string) {
	t.Helper()
	for i, m := range ms {
		q := m.Result.Quantity(strings.Replace(id, "bench.", "bench.geomean.", 1), detect.Scope{})
		want, err := strconv.ParseFloat(row[1+2*i], 64)
		switch {
		case q == nil:
			t.Errorf("no geometric mean of %s", id)
		case err != nil && q.Value != nil || err == nil && (q.Value == nil || !close(*q.Value, want, nil)):
			t.Errorf("geometric mean of %s: %s, want %q", id, q.Display, row[1+2*i])
		}
	}
	got := "?"
	for i := range c.Quantities {
		if q := &c.Quantities[i]; q.ID == id+".geomean_change" {
			got = q.Display
		}
	}
	if got != row[5] {
		t.Errorf("geometric mean of the changes of %s: %s, want %s", id, got, row[5])
	}
}
