package ingest

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// caseFile opens an input of a case in HEADROOM_CASES, as Ingest would.
func caseFile(t *testing.T, path ...string) string {
	t.Helper()
	return filepath.Join(append([]string{sharedFolder(t, "HEADROOM_CASES", "cases", path[0])}, path...)...)
}

// readFile reads a file with the importer that recognises it, which must be want.
func readFile(t *testing.T, want *Importer, path string, opt Options) (*Input, *rows, error) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := NewContent(path, f, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	im, err := Sniff(All, c.Head)
	if err != nil || im != want {
		t.Fatalf("%s is not recognised as %s: %v", filepath.Base(path), want.Name, err)
	}
	in, r := NewInput(filepath.Base(path), c, opt), &rows{}
	err = im.Read(in, r)
	return in, r, err
}

// series returns the values of a metric by time, with their times.
func (r *rows) series(metric, entity string) (values []float64, times []string) {
	for _, p := range r.points {
		if p.Metric == metric && p.Entity == entity {
			values = append(values, p.Value)
			times = append(times, stampText(p.Time))
		}
	}
	return values, times
}

// kinds counts the markers by kind.
func (r *rows) kinds() map[string]int {
	n := map[string]int{}
	for _, m := range r.markers {
		n[m.Kind]++
	}
	return n
}

// kind returns the markers of a kind.
func (r *rows) kind(kind string) []runs.Marker {
	var out []runs.Marker
	for _, m := range r.markers {
		if m.Kind == kind {
			out = append(out, m)
		}
	}
	return out
}

// attr returns an attribute of a marker, nil if it has none of that name.
func attrOf(t *testing.T, m runs.Marker, name string) any {
	t.Helper()
	if m.Attrs == "" {
		return nil
	}
	var all map[string]any
	if err := json.Unmarshal([]byte(m.Attrs), &all); err != nil {
		t.Fatalf("attributes %s: %v", m.Attrs, err)
	}
	return all[name]
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func said(in *Input, text string) bool {
	return slices.ContainsFunc(in.Meta.Notes, func(note string) bool { return strings.Contains(note, text) })
}

func TestCasesVmstatLayouts(t *testing.T) {
	const name = "vmstat-first-line-and-layouts"
	_, _, err := readFile(t, Vmstat, caseFile(t, name, "input.narrow.txt"), Options{})
	if !errors.Is(err, ErrNoTimeAxis) {
		t.Errorf("the narrow file without a start: %v", err)
	}
	for file, opt := range map[string]Options{
		"input.wide.txt":   {},
		"input.narrow.txt": {Start: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), Interval: 5 * time.Second},
	} {
		in, r, err := readFile(t, Vmstat, caseFile(t, name, file), opt)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if n, bad := in.BadLines(); n > 0 {
			t.Errorf("%s: %d bad lines: %v", file, n, bad)
		}
		idle, at := r.series("cpu.idle", "")
		if !slices.Equal(idle, []float64{0.50, 0.30, 0.53, 0.46}) {
			t.Errorf("%s: idle %v", file, idle)
		}
		if m := mean(idle); math.Abs(m-0.4475) > 1e-12 {
			t.Errorf("%s: mean idle %v", file, m)
		}
		want := []string{"2026-03-02T10:00:05.000000Z", "2026-03-02T10:00:10.000000Z", "2026-03-02T10:00:15.000000Z", "2026-03-02T10:00:20.000000Z"}
		if !slices.Equal(at, want) {
			t.Errorf("%s: times %v", file, at)
		}
		user, _ := r.series("cpu.user", "")
		system, _ := r.series("cpu.system", "")
		if busy := user[1] + system[1]; math.Abs(busy-0.57) > 1e-12 {
			t.Errorf("%s: busy in the second sample %v", file, busy)
		}
		for metric, most := range map[string]float64{
			"cpu.iowait": 0.13, "procs.blocked": 2, "io.out": 8120 * 1024, "system.context_switches": 16000,
		} {
			if v, _ := r.series(metric, ""); slices.Max(v) != most {
				t.Errorf("%s: highest %s is %v, want %v", file, metric, slices.Max(v), most)
			}
		}
		guest, _ := r.series("cpu.guest", "")
		if wide := file == "input.wide.txt"; wide != slices.Equal(guest, []float64{0, 0, 0, 0}) || !wide && guest != nil {
			t.Errorf("%s: guest %v", file, guest)
		}
		if !said(in, "first row left out") {
			t.Errorf("%s: the first row is not said to be left out: %v", file, in.Meta.Notes)
		}
	}
}

func TestCasesPGCSVLogVersions(t *testing.T) {
	in, r, err := readFile(t, PostgresCSVLog, caseFile(t, "pg-csvlog-versions", "input.csv"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n, bad := in.BadLines(); n > 0 || len(r.markers) != 5 {
		t.Fatalf("%d records, %d bad: %v", len(r.markers), n, bad)
	}
	severities := map[string]int{}
	for i, m := range r.markers {
		severities[m.Severity]++
		if app := attrOf(t, m, "application"); app != "loadgen" {
			t.Errorf("record %d: application %v", i+1, app)
		}
		backend, query := any("client backend"), any("7781234567890123456")
		if i < 2 {
			backend = nil
		}
		if i < 3 {
			query = nil
		}
		if got := attrOf(t, m, "backend_type"); got != backend {
			t.Errorf("record %d: backend type %v, want %v", i+1, got, backend)
		}
		if got := attrOf(t, m, "query_id"); got != query {
			t.Errorf("record %d: query id %v, want %v", i+1, got, query)
		}
	}
	if severities["LOG"] != 4 || severities["ERROR"] != 1 {
		t.Errorf("severities %v", severities)
	}
	statements, binds, waits := r.kind("postgres.statement"), r.kind("postgres.statement.bind"), r.kind("postgres.lock.wait")
	if len(statements) != 2 || statements[0].Duration != 12_345_000 || statements[1].Duration != 151_002_000 {
		t.Errorf("statements %+v", statements)
	}
	if len(binds) != 1 || binds[0].Duration != 8_500_000 {
		t.Errorf("binds %+v", binds)
	}
	if d := statements[1].Detail; d != "FROM t\nWHERE x = $1\nDETAIL:  parameters: $1 = 'line one\nline two'" {
		t.Errorf("detail of record 3: %q", d)
	}
	if len(waits) != 1 {
		t.Fatalf("lock waits %+v", waits)
	}
	w := waits[0]
	if w.Duration != 1_000_123_000 || attrOf(t, w, "mode") != "ShareLock" || attrOf(t, w, "waiter") != 4242.0 || attrOf(t, w, "holders") != "4301" {
		t.Errorf("lock wait %+v", w)
	}
}

func TestCasesPGRDSMultiline(t *testing.T) {
	for _, file := range []string{"input.plain.log", "input.cloudwatch.log"} {
		in, r, err := readFile(t, PostgresLog, caseFile(t, "pg-rds-multiline", file), Options{})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if n, bad := in.BadLines(); n > 0 || len(r.markers) != 3 {
			t.Fatalf("%s: %d records, bad lines %v: %+v", file, len(r.markers), bad, r.markers)
		}
		for i, want := range []struct {
			kind, at string
			duration int64
			pid      int64
			attrs    map[string]any
		}{
			{"postgres.autovacuum", "2026-03-02T10:00:05.000000Z", 68_400_000_000, 20311, map[string]any{
				"table": "bench.public.usage_events", "elapsed": 68.4, "buffers_dirtied": 485000.0,
				"read_rate": 71.25 * (1 << 20), "write_rate": 52.7 * (1 << 20), "wal_bytes": nil,
			}},
			{"postgres.statement", "2026-03-02T10:00:06.000000Z", 341_250_000, 20777, map[string]any{
				"user": "app", "database": "bench", "client": "192.0.2.7", "duration": 0.34125,
			}},
			{"postgres.autovacuum", "2026-03-02T10:00:08.000000Z", 1_120_000_000, 20315, map[string]any{
				"table": "bench.public.api_keys", "elapsed": 1.12, "buffers_dirtied": 9.0,
				"wal_records": 61.0, "wal_fpi": 4.0, "wal_bytes": 11200.0,
			}},
		} {
			m := r.markers[i]
			if m.Kind != want.kind || stampText(m.Time) != want.at || m.Duration != want.duration || m.PID != want.pid {
				t.Errorf("%s: event %d: %+v", file, i+1, m)
			}
			for name, v := range want.attrs {
				if got := attrOf(t, m, name); got != v {
					t.Errorf("%s: event %d: %s = %v, want %v", file, i+1, name, got, v)
				}
			}
		}
		want := "DETAIL:  parameters: $1 = 'first line\nsecond line 2026-03-02 10:00:00 UTC::@:[1]:LOG:  not a log line\nthird line'"
		if d := r.markers[1].Detail; d != want {
			t.Errorf("%s: detail of the statement %q", file, d)
		}
	}
}

func TestCasesJoinAcrossZones(t *testing.T) {
	const name = "join-across-zones"
	_, r, err := readFile(t, PostgresLog, caseFile(t, name, "input.rds.log"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	vacuum := r.kind("postgres.autovacuum")
	if len(vacuum) != 1 || stampText(vacuum[0].Time) != "2026-08-19T11:20:17.000000Z" ||
		vacuum[0].Duration != 6e9 || attrOf(t, vacuum[0], "table") != "bench.public.usage_events" {
		t.Errorf("autovacuum %+v", vacuum)
	}
	if s := r.kind("postgres.statement"); len(s) != 1 || stampText(s[0].Time) != "2026-08-19T16:50:17.000000Z" {
		t.Errorf("statement %+v", s)
	}

	path := caseFile(t, name, "input.vmstat.txt")
	if _, _, err := readFile(t, Vmstat, path, Options{}); !errors.Is(err, ErrZone) || !strings.Contains(err.Error(), "IST") {
		t.Errorf("vmstat without a zone: %v", err)
	}
	_, r, err = readFile(t, Vmstat, path, Options{Zone: time.FixedZone("+05:30", 5*3600+1800)})
	if err != nil {
		t.Fatal(err)
	}
	for metric, want := range map[string]float64{"cpu.idle": 0.20, "cpu.iowait": 0.30, "procs.blocked": 7} {
		values, times := r.series(metric, "")
		i := slices.Index(times, "2026-08-19T11:20:17.000000Z")
		if i < 0 || values[i] != want {
			t.Errorf("%s at the frozen second: %v at %v", metric, values, times)
		}
	}
}
