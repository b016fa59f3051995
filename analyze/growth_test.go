package analyze_test

import (
	"fmt"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// 100 events; a table of 24.7 kB more, an index of 12.1 kB more.
func TestGrowthPerEvent(t *testing.T) {
	size := func(role, row string) reading { return reading{"relation_sizes", role, row} }
	for _, c := range []struct {
		name     string
		readings []reading
		want     map[string]any
		counted  analyze.Outcome
	}{
		{"table and index", []reading{
			size("before", "relname=t relkind=r bytes=1000"), size("before", "relname=t_pkey relkind=i bytes=0"),
			size("after", "relname=t relkind=r bytes=25700"), size("after", "relname=t_pkey relkind=i bytes=12100"),
		}, map[string]any{"growth.t.bytes_per_event": 247.0, "growth.t_pkey.bytes_per_event": 121.0, "growth.tables.bytes_per_event": 247.0, "growth.indexes.bytes_per_event": 121.0}, analyze.Pass},
		{"kinds not told", []reading{size("before", "relname=t bytes=1000"), size("after", "relname=t bytes=25700")},
			map[string]any{"growth.t.bytes_per_event": 247.0, "growth.tables.bytes_per_event": nil}, analyze.Pass},
		{"parts of a table", []reading{size("before", "relname=t table_bytes=0 index_bytes=100"), size("after", "relname=t table_bytes=500 index_bytes=300")},
			map[string]any{"growth.t.table.bytes_per_event": 5.0, "growth.t.indexes.bytes_per_event": 2.0}, analyze.Pass},
		{"it shrank", []reading{size("before", "relname=t bytes=1000"), size("after", "relname=t bytes=500")}, map[string]any{"growth.t.bytes_per_event": -5.0}, analyze.Pass},
		{"a relation that came", []reading{size("before", "relname=t bytes=1000"), size("after", "relname=t bytes=1500"), size("after", "relname=u bytes=7")},
			map[string]any{"growth.t.bytes_per_event": 5.0, "growth.u.bytes_per_event": "was not there before the load"}, analyze.Unknown},
		{"only before", []reading{size("before", "relname=t bytes=1000")}, map[string]any{"growth.bytes_per_event": "not read after the load"}, analyze.Unknown},
		{"the view gained its schema", []reading{size("before", "relname=t bytes=1000"), size("after", "schemaname=public relname=t bytes=25700")},
			map[string]any{"growth.t.bytes_per_event": 247.0}, analyze.Pass},
		{"the view gained its schema, and the name is in two", []reading{size("before", "relname=t bytes=1000"), size("after", "schemaname=public relname=t bytes=25700"), size("after", "schemaname=old relname=t bytes=1000")},
			map[string]any{"growth.t.bytes_per_event": "two rows are of one relation"}, analyze.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := ledgerRun(t, 0, c.readings, claims("events=100"))
			for id, want := range c.want {
				expect(t, m, id, want)
			}
			gate(t, m, "counted", c.counted)
		})
	}
}

// sampled writes rows of an own query, each "seconds column=value …".
func sampled(t *testing.T, w *runs.Writer, view string, rows ...string) {
	t.Helper()
	for _, row := range rows {
		var at float64
		var column string
		var value string
		if _, err := fmt.Sscan(row, &at, &column, &value); err != nil {
			t.Fatal(row, err)
		}
		s := runs.Snapshot{View: view, Source: view + ".csv", Time: start.Add(time.Duration(at * 1e9)).UnixMicro(), Columns: []string{column}, Values: []string{value}}
		if value == "NULL" {
			s.Values[0] = ""
		}
		if err := w.Snapshot(&s); err != nil {
			t.Fatal(err)
		}
	}
}

func TestStoredBytesPerEvent(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []string
		want   any
	}{
		{"counted once", []string{"0 events 100"}, 879.37},
		{"not counted", nil, "nobody counted what is stored"},
		{"none stored", []string{"0 events 0"}, "no event is stored"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, 0, func(w *runs.Writer, m *runs.Manifest) {
				for _, r := range []string{"t 50000", "u 37937"} {
					var name, bytes string
					fmt.Sscan(r, &name, &bytes)
					s := runs.Snapshot{View: "relation_sizes", Source: "sizes.csv", Time: start.UnixMicro(), Columns: []string{"relname", "total_bytes"}, Values: []string{name, bytes}}
					if err := w.Snapshot(&s); err != nil {
						t.Fatal(err)
					}
				}
				sampled(t, w, "stored", c.events...)
				m.Sources = nil
			})
			expect(t, m, "stored.bytes", 87937.0)
			expect(t, m, "stored.bytes_per_event", c.want)
		})
	}
}

// A series from 100 to 400 rows in 30 s, with steps of 10 s.
func TestLevelsOfOwnQueries(t *testing.T) {
	steps := []runs.Step{}
	for i := range 3 {
		s := start.UnixMicro() + int64(i)*12e6
		steps = append(steps, runs.Step{Labels: map[string]string{"soak": fmt.Sprint(i + 1)}, Start: s, End: s + 10e6})
	}
	for _, c := range []struct {
		name   string
		rows   []string
		growth any
		level  [3]any // at the end of each step
		event  any    // growth for each of the 3,500 events
	}{
		{"read at each end", []string{"-1 rows 100", "10 rows 150", "22 rows 250", "35 rows 3600"}, 3500.0 / 36, [3]any{150.0, 250.0, 3600.0}, 1.0},
		{"the last is lost", []string{"-1 rows 100", "10 rows 150", "22 rows 250"}, 150.0 / 23, [3]any{150.0, 250.0, "no reading was taken in the step"}, "do not bracket the load"},
		{"NULL is no level", []string{"-1 rows 100", "10 rows NULL", "22 rows 250", "35 rows 400"}, 300.0 / 36, [3]any{"no reading", 250.0, 400.0}, 300.0 / 3500},
		{"the nearer of two", []string{"-1 rows 1", "4 rows 2", "9 rows 3", "11.5 rows 4", "36 rows 9"}, 8.0 / 37, [3]any{3.0, "no reading", 9.0}, 8.0 / 3500},
		{"once", []string{"10 rows 5"}, "growth takes two", [3]any{5.0, "no reading", "no reading"}, nil},
		{"two rows at one instant", []string{"1 rows 5", "1 rows 6"}, nil, [3]any{"several of its rows have one stamp", "several", "several"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, 3500, func(w *runs.Writer, m *runs.Manifest) {
				sampled(t, w, "db", c.rows...)
				m.Steps = steps
			})
			expect(t, m, "sql.db.rows.growth", c.growth)
			expect(t, m, "sql.db.rows.per_event", c.event)
			for i, want := range c.level {
				expectIn(t, &m.Result, "sql.db.rows", detect.Scope{Step: fmt.Sprintf("soak=%d", i+1)}, want)
			}
		})
	}
}
