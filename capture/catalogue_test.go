package capture

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"headroom/ingest"
	"headroom/runs"
)

// recordedCatalogues are the columns of the statistics views as the catalogues of
// PostgreSQL 12 to 18 list them: major → view → columns.
func recordedCatalogues(t *testing.T) map[string]map[string][]string {
	t.Helper()
	dir, set := os.LookupEnv("HEADROOM_CORPUS")
	if !set {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	text, err := os.ReadFile(filepath.Join(dir, "pg-stats", "columns-12-18.tsv"))
	if os.IsNotExist(err) && !set {
		t.Skipf("no recorded catalogues: %v; set HEADROOM_CORPUS", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string][]string{}
	for line := range strings.Lines(string(text)) {
		row := strings.Split(line, "\t")
		if len(row) != 5 {
			t.Fatalf("%q has %d fields", line, len(row))
		}
		if out[row[0]] == nil {
			out[row[0]] = map[string][]string{}
		}
		_, view, _ := strings.Cut(row[1], ".")
		out[row[0]][view] = append(out[row[0]][view], row[3])
	}
	return out
}

// What a server lacks is by its version, and nothing else.
func TestCatalogues(t *testing.T) {
	lacks := map[string][]string{
		"12": {"pg_stat_checkpointer", "pg_stat_wal", "pg_stat_io", "pg_stat_slru", "pg_stat_statements_info"},
		"13": {"pg_stat_checkpointer", "pg_stat_wal", "pg_stat_io", "pg_stat_statements_info"},
		"14": {"pg_stat_checkpointer", "pg_stat_io"},
		"15": {"pg_stat_checkpointer", "pg_stat_io"},
		"16": {"pg_stat_checkpointer"},
		"17": nil,
		"18": nil,
	}
	catalogues := recordedCatalogues(t)
	for major, want := range lacks {
		columns := catalogues[major]
		have, lack := viewsOf(columns)
		var names []string
		for _, v := range lack {
			names = append(names, v.relation)
		}
		if !slices.Equal(names, want) || len(have)+len(lack) != len(statViews) {
			t.Errorf("%s lacks %q, want %q", major, names, want)
		}
		if activityQuery(columns["pg_stat_activity"]) == "" {
			t.Errorf("%s: its sessions are not looked at", major)
		}
		recorded := map[string]bool{}
		for _, v := range have {
			queried(t, major, v, columns[v.relation], recorded)
		}
		n, _ := strconv.Atoi(major)
		for metric, of := range columnsOf {
			if want := n >= of.from && n <= of.to; recorded[metric] != want {
				t.Errorf("%s: %s is recorded: %t, want %t", major, metric, recorded[metric], want)
			}
		}
	}
}

// columnsOf are columns that came, went or were renamed between two majors: the
// name they are recorded by, and from which major to which.
var columnsOf = map[string]struct{ from, to int }{
	"postgres.checkpointer.num_timed":             {12, 18}, // of pg_stat_bgwriter until 16
	"postgres.checkpointer.num_done":              {18, 18},
	"postgres.bgwriter.buffers_backend":           {12, 16},
	"postgres.database.checksum_failures":         {12, 18},
	"postgres.database.session_time":              {14, 18},
	"postgres.database.parallel_workers_launched": {18, 18},
	"postgres.table.n_ins_since_vacuum":           {13, 18},
	"postgres.table.n_tup_newpage_upd":            {16, 18},
	"postgres.table.total_vacuum_time":            {18, 18},
	"postgres.slru.blks_hit":                      {13, 18},
	"postgres.wal.wal_bytes":                      {14, 18},
	"postgres.wal.wal_write":                      {14, 17},
	"postgres.io.reads":                           {16, 18},
	"postgres.io.read_bytes":                      {16, 18}, // reads times op_bytes until 17,
	"postgres.statements.total_exec_time":         {12, 18}, // total_time in 12
	"postgres.statements.wal_bytes":               {13, 18},
	"postgres.statements.shared_blk_read_time":    {12, 18}, // blk_read_time until 16
}

var named = regexp.MustCompile(`\b[a-z]+_[a-z_]+\b|\b(?:state|mode|granted|locktype)\b`)

// queried checks that a view has every column that its query names, and that the
// importer knows it by what comes back. recorded takes the metrics of its columns.
func queried(t *testing.T, major string, v statView, columns []string, recorded map[string]bool) {
	t.Helper()
	asked, _, _ := strings.Cut(strings.TrimPrefix(v.sql, "select $at, "), "from")
	if strings.Contains(asked, ".*") {
		asked, columns = "", append(slices.Clone(columns), "main_bytes", "bytes")
	}
	for _, column := range named.FindAllString(asked, -1) {
		if !slices.Contains(columns, column) {
			t.Errorf("%s: %s has no column %s", major, v.name, column)
		}
	}
	if asked != "" {
		columns = named.FindAllString(asked, -1)
	}
	text := "sampled_at," + strings.Join(columns, ",") + "\n2026-03-02T10:00:00.000000Z" + strings.Repeat(",1", len(columns)) + "\n"
	sink := &viewNamesSink{metrics: recorded}
	in := ingest.NewInput("postgres", strings.NewReader(text), ingest.Options{})
	if err := ingest.PostgresStats.Read(in, sink); err != nil || !slices.Equal(sink.names, []string{v.name}) {
		t.Errorf("%s: what %s gives is read as %q, %v", major, v.name, sink.names, err)
	}
}

// viewNamesSink keeps the names of the views whose rows come.
type viewNamesSink struct {
	viewSink
	names   []string
	metrics map[string]bool
}

func (s *viewNamesSink) Point(p *runs.Point) error {
	s.metrics[p.Metric] = true
	return nil
}

func (s *viewNamesSink) Snapshot(r *runs.Snapshot) error {
	s.names = append(s.names, r.View)
	return nil
}

// The figures beside the views, by what functions there are and may be called.
func TestServerFigures(t *testing.T) {
	all := []string{"wal_insert_bytes", "xid", "xid_age", "multixact_age", "wal_files", "wal_files_bytes"}
	had := map[string]bool{"pg_current_wal_insert_lsn": true, "txid_current_snapshot": true, "pg_ls_waldir": true}
	for name, c := range map[string]struct {
		change  func(*serverHas)
		without []string
		lacks   map[string]string
		query   string
	}{
		"12":           {func(*serverHas) {}, nil, nil, "txid_snapshot_xmax"},
		"13 and later": {func(h *serverHas) { h.functions["pg_current_snapshot"] = true }, nil, nil, "pg_snapshot_xmax"},
		"standby":      {func(h *serverHas) { h.standby = true }, []string{"wal_insert_bytes"}, map[string]string{"WAL position": "is a standby"}, "txid_snapshot_xmax"},
		"no right":     {func(h *serverHas) { h.functions["pg_ls_waldir"] = false }, []string{"wal_files", "wal_files_bytes"}, map[string]string{"WAL files": "grant it pg_monitor"}, "xid_age"},
		"another server": {func(h *serverHas) { clear(h.functions) }, []string{"wal_insert_bytes", "xid", "wal_files", "wal_files_bytes"},
			map[string]string{"WAL position": "no function pg_current_wal_insert_lsn", "transaction ids": "no function", "WAL files": "no function pg_ls_waldir"}, "xid_age"},
	} {
		has := serverHas{functions: map[string]bool{}}
		for f := range had {
			has.functions[f] = true
		}
		c.change(&has)
		figures, lacks := figuresOf(has)
		var names []string
		for _, f := range figures {
			names = append(names, f.name)
		}
		want := slices.DeleteFunc(slices.Clone(all), func(n string) bool { return slices.Contains(c.without, n) })
		if !slices.Equal(names, want) || len(lacks) != len(c.lacks) {
			t.Errorf("%s: %q, lacks %q", name, names, lacks)
		}
		for what, why := range c.lacks {
			if !strings.Contains(lacks[what], why) {
				t.Errorf("%s: %s: %q", name, what, lacks[what])
			}
		}
		query := serverQuery(figures)
		if !strings.Contains(query, c.query) || strings.Contains(query, "pg_ls_waldir") != slices.Contains(names, "wal_files") {
			t.Errorf("%s: %s", name, query)
		}
	}
	if serverQuery(nil) != "" {
		t.Error("a query for nothing")
	}
}
