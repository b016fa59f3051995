package capture

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"headroom/internal/pgtest"
	"headroom/runs"
)

// packaged is where the second PostgreSQL of the live tests lies.
const packaged = "../internal/pgtest/npm/node_modules"

// sql runs statements on the server as its owner, and returns the first value that
// the last one gives.
func sql(t *testing.T, s *pgtest.Server, text string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgconn.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		t.Error(err)
		return ""
	}
	defer conn.Close(ctx)
	results, err := conn.Exec(ctx, text).ReadAll()
	if err != nil {
		t.Error(err)
		return ""
	}
	if last := results[len(results)-1]; len(last.Rows) > 0 {
		return string(last.Rows[0][0])
	}
	return ""
}

// contents counts what a run holds.
type contents struct {
	metrics  map[string]int
	kinds    map[string]int
	messages []string
	waits    map[string]int
	apps     map[string]int
	views    map[string]map[string]int // view → role → rows
}

func contentsOf(t *testing.T, r *runs.Run) contents {
	t.Helper()
	ctx := context.Background()
	out := contents{metrics: map[string]int{}, kinds: map[string]int{}, waits: map[string]int{}, apps: map[string]int{}, views: map[string]map[string]int{}}
	err := r.ScanPoints(ctx, nil, runs.Range{}, func(p *runs.Point) error { out.metrics[p.Metric]++; return nil })
	if err == nil {
		err = r.ScanMarkers(ctx, nil, runs.Range{}, func(m *runs.Marker) error {
			out.kinds[m.Kind]++
			out.messages = append(out.messages, m.Message)
			return nil
		})
	}
	if err == nil {
		err = r.ScanActivity(ctx, runs.Range{}, func(a *runs.Activity) error {
			out.waits[a.WaitType+":"+a.Wait]++
			out.apps[a.Application]++
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Manifest().Snapshots {
		if out.views[f.View] == nil {
			out.views[f.View] = map[string]int{}
		}
		out.views[f.View][f.Role] += int(f.Rows)
	}
	return out
}

func lacks(r *runs.Run, what string) (runs.Absence, bool) {
	for _, a := range r.Manifest().NotCollected {
		if a.What == what {
			return a, true
		}
	}
	return runs.Absence{}, false
}

// liveServers runs a test on each PostgreSQL there is.
func liveServers(t *testing.T, test func(t *testing.T, bin pgtest.Binaries)) {
	t.Run("installed", func(t *testing.T) { test(t, pgtest.Installed(t)) })
	t.Run("packaged", func(t *testing.T) { test(t, pgtest.Packaged(t, packaged)) })
}

func TestPostgresLive(t *testing.T) {
	t.Parallel()
	liveServers(t, func(t *testing.T, bin pgtest.Binaries) {
		s := pgtest.Start(t, bin, "shared_preload_libraries = ''")
		sql(t, s, "create table events (n int); insert into events select generate_series(1, 100)")
		// A slow host begins later, and sleeps longer, than told: the load says when
		// it runs and is told when to end.
		begun, done := filepath.Join(t.TempDir(), "begun"), filepath.Join(t.TempDir(), "done")
		o := testOptions(t, "sh", "-c", ": > "+begun+"; sleep 3; while [ ! -e "+done+" ]; do sleep 0.1; done")
		o.Postgres = Postgres{DSN: s.DSN("postgres"), Views: time.Second, Counts: []Count{{"rows", "select count(*) from events"}, {"bad", "select now()"}, {"none", "select 1 where false"}}}
		o.Logs = []string{s.Log()}
		hold := make(chan struct{})
		go func() {
			defer close(hold)
			for _, err := os.Stat(begun); err != nil && !t.Failed(); _, err = os.Stat(begun) {
				time.Sleep(50 * time.Millisecond)
			}
			sql(t, s, "insert into events values (101); select pg_sleep(2); select 'hunter2'")
			sql(t, s, "checkpoint")
			if err := os.WriteFile(done, nil, 0o644); err != nil {
				t.Error(err)
			}
		}()
		r := record(t, o).Run
		<-hold
		m, got := r.Manifest(), contentsOf(t, r)
		if m.Before == nil || m.Before.Values["rows"] != "100" || m.After == nil || m.After.Values["rows"] != "101" {
			t.Errorf("counts %v and %v", m.Before, m.After)
		}
		for what, note := range map[string]string{"count bad before": "gave no number", "count none after": "gave 0 rows"} {
			if a, ok := lacks(r, what); !ok || !strings.Contains(a.Note, note) {
				t.Errorf("a count that is none: %v", m.NotCollected)
			}
		}
		if got.waits["Timeout:PgSleep"] < 3 || got.apps[applicationName] > 0 && got.apps[applicationName] > got.waits["Timeout:PgSleep"] {
			t.Errorf("waits %v by %v", got.waits, got.apps)
		}
		for _, metric := range []string{"postgres.database.xact_commit", "postgres.wal.wal_bytes", "postgres.checkpointer.num_timed",
			"postgres.server.wal_insert_bytes", "postgres.server.xid", "postgres.server.xid_age", "postgres.server.multixact_age",
			"postgres.server.wal_files", "postgres.server.wal_files_bytes", "postgres.slru.blks_hit", "postgres.archiver.archived_count"} {
			least := 3
			if strings.HasPrefix(metric, "postgres.slru.") || strings.HasPrefix(metric, "postgres.archiver.") {
				least = 2 // at both ends, and seldom between them
			}
			if got.metrics[metric] < least {
				t.Errorf("%d points of %s", got.metrics[metric], metric)
			}
		}
		for _, view := range []string{"pg_stat_database", "pg_stat_bgwriter", "pg_stat_wal", "pg_stat_user_tables", "pg_stat_slru", "pg_stat_archiver", "pg_server"} {
			if v := got.views[view]; v["before"] == 0 || v["after"] == 0 || v[""] != 0 {
				t.Errorf("snapshots of %s: %v", view, v)
			}
		}
		if got.kinds["postgres.checkpoint.complete"] == 0 {
			t.Errorf("markers %v", got.kinds)
		}
		if m.Environment[databaseDisk] == "" {
			t.Errorf("the filesystem of the database is not recorded: %v", m.Environment)
		}
		if m.Settings["server_version"] == "" || m.Settings["fsync"] != "off" {
			t.Errorf("settings %v", m.Settings)
		}
		if _, ok := lacks(r, "pg_stat_statements"); !ok {
			t.Errorf("an extension that is absent is not said to be: %v", m.NotCollected)
		}
		if got.metrics["group.cpu_seconds"] == 0 || !slices.ContainsFunc(m.Sources, func(s runs.Source) bool { return s.File == sourcePostgres && len(s.Notes) == 2 }) {
			t.Errorf("sources %v", m.Sources)
		}
		noSecret(t, r, "hunter2")
	})
}

// noSecret fails if any file of the run holds the word.
func noSecret(t *testing.T, r *runs.Run, word string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.Path(), "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := string(text)
	ctx := context.Background()
	r.ScanActivity(ctx, runs.Range{}, func(a *runs.Activity) error { all += a.Query + a.Application; return nil })
	r.ScanMarkers(ctx, nil, runs.Range{}, func(m *runs.Marker) error { all += m.Message + m.Detail + m.Attrs; return nil })
	r.ScanPoints(ctx, nil, runs.Range{}, func(p *runs.Point) error { all += p.Entity + p.Tags; return nil })
	if strings.Contains(all, word) {
		t.Errorf("the run holds the secret %q", word)
	}
}

func TestPostgresRestart(t *testing.T) {
	t.Parallel()
	s := pgtest.Start(t, pgtest.Installed(t), "")
	o := testOptions(t, "sleep", "5")
	o.Postgres = Postgres{DSN: s.DSN("postgres"), Views: time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(1500 * time.Millisecond)
		s.Stop()
		time.Sleep(300 * time.Millisecond)
		s.Run(t)
	}()
	r := record(t, o).Run
	<-done
	got := contentsOf(t, r)
	if a, ok := lacks(r, sourcePostgres); !ok || a.Why != runs.CollectorDied || got.kinds["capture.gap"] != 1 {
		t.Errorf("the gap is recorded as %v, markers %v", a, got.kinds)
	}
	if v := got.views["pg_stat_database"]; v["after"] != 1 {
		t.Errorf("snapshots after the restart: %v", v)
	}
}

// A server that does not answer any more is given up, and the gap begins when it
// fell silent, not when that was noticed.
func TestPostgresStuck(t *testing.T) {
	t.Parallel()
	s := pgtest.Start(t, pgtest.Installed(t), "")
	stop := filepath.Join(t.TempDir(), "stop")
	o := testOptions(t, "sh", "-c", "while [ ! -e "+stop+" ]; do sleep 0.1; done")
	o.Postgres = Postgres{DSN: s.DSN("postgres")}
	var silent time.Time
	over := make(chan struct{})
	again := make(chan struct{})
	tell := o.Tell
	o.Tell = func(e Event) {
		tell(e)
		if e.Kind == Note && strings.Contains(e.Text, "recorded again") {
			close(again)
		}
	}
	go func() {
		defer close(over)
		time.Sleep(2 * time.Second)
		pid, err := strconv.Atoi(sql(t, s, "select pid from pg_stat_activity where application_name = '"+applicationName+"'"))
		if err != nil {
			t.Error(err)
		} else {
			silent = time.Now()
			syscall.Kill(pid, syscall.SIGSTOP)
			select {
			case <-again:
			case <-time.After(time.Minute):
				t.Error("it is not recorded again")
			}
			syscall.Kill(pid, syscall.SIGCONT)
		}
		if err := os.WriteFile(stop, nil, 0o644); err != nil {
			t.Error(err)
		}
	}()
	r := record(t, o).Run
	<-over
	a, ok := lacks(r, sourcePostgres)
	if !ok || !strings.Contains(a.Note, "the server did not answer in time") || strings.Contains(a.Note, "context") {
		t.Fatalf("not collected: %v", r.Manifest().NotCollected)
	}
	text, _, _ := strings.Cut(strings.TrimPrefix(a.Note, "from "), " ")
	from, err := time.Parse(time.RFC3339Nano, text)
	if late := from.Sub(silent); err != nil || late > answerTimeout/2 {
		t.Errorf("the gap begins %s after the server fell silent: %s, %v", late, a.Note, err)
	}
}

func TestPostgresRights(t *testing.T) {
	t.Parallel()
	s := pgtest.Start(t, pgtest.Installed(t), "")
	sql(t, s, "create role plain login password 'hunter2'; create role watcher login; grant pg_monitor to watcher; create table t (n int)")
	o := testOptions(t, "sleep", "1")
	o.Postgres = Postgres{DSN: s.DSN("plain"), Counts: []Count{{"rows", "select count(*) from t"}}}
	r := record(t, o).Run
	if a, ok := lacks(r, "wait samples"); !ok || !strings.Contains(a.Note, "grant it pg_monitor") {
		t.Errorf("not collected: %v", r.Manifest().NotCollected)
	}
	if a, ok := lacks(r, "count rows before"); !ok || !strings.Contains(a.Note, "permission denied") {
		t.Errorf("not collected: %v", r.Manifest().NotCollected)
	}
	if a, ok := lacks(r, databaseDisk); !ok || !strings.Contains(a.Note, "grant the role pg_monitor") {
		t.Errorf("not collected: %v", r.Manifest().NotCollected)
	}
	if a, ok := lacks(r, "WAL files"); !ok || a.Why != runs.NotMeasurable || !strings.Contains(a.Note, "grant it pg_monitor") {
		t.Errorf("not collected: %v", r.Manifest().NotCollected)
	}
	if got := contentsOf(t, r); len(got.waits) > 0 || got.views["pg_stat_database"]["before"] != 1 {
		t.Errorf("waits %v, views %v", got.waits, got.views)
	}
	o = testOptions(t, "sleep", "1")
	o.Postgres.DSN = s.DSN("watcher")
	if got := contentsOf(t, record(t, o).Run); len(got.waits) == 0 || got.metrics["postgres.server.wal_files"] == 0 {
		t.Errorf("pg_monitor is not enough to see the sessions and the files of the WAL: %v", got.metrics)
	}
}

func TestPostgresRefused(t *testing.T) {
	t.Parallel()
	s := pgtest.Start(t, pgtest.Installed(t), "")
	if err := os.WriteFile(filepath.Join(s.Dir, "pg_hba.conf"), []byte("host all all 127.0.0.1/32 scram-sha-256\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	sql(t, s, "alter role postgres password 'right'; select pg_reload_conf()")
	time.Sleep(100 * time.Millisecond)
	for dsn, want := range map[string]string{
		strings.Replace(s.DSN("postgres"), "postgres@", "postgres:hunter2@", 1): "password authentication failed",
		"postgres://postgres:hunter2@127.0.0.1:1/postgres?sslmode=disable":      "connection refused",
	} {
		o := testOptions(t, "sleep", "1")
		o.Postgres.DSN = dsn
		r := record(t, o).Run
		a, ok := lacks(r, sourcePostgres)
		if !ok || a.Why != runs.CollectorDied || !strings.Contains(a.Note, want) {
			t.Errorf("%s: not collected: %v", want, r.Manifest().NotCollected)
		}
		noSecret(t, r, "hunter2")
	}
	o := testOptions(t, "sleep", "1")
	o.Postgres.DSN = "postgres://u:hunter2@[bad"
	if _, err := Run(context.Background(), o); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a connection string that cannot be read: %v", err)
	}
}

// An error of the driver becomes one line that says each thing once.
func TestPlainErrors(t *testing.T) {
	conf, err := pgconn.ParseConfig("password=hunter2")
	if err != nil {
		t.Fatal(err)
	}
	p := &postgres{conf: &pgx.ConnConfig{Config: *conf}}
	for text, want := range map[string]string{
		"failed to connect to `user=a database=b`:\n\thost:1 (host): tls error: server refused TLS connection\n\thost:1 (host): failed SASL auth: no hunter2": "failed to connect to `user=a database=b`: host:1 (host): failed SASL auth: no ***",
		"it:\n\trefused\n\trefused":                "it: refused",
		"tls error: server refused TLS connection": "the server refused a TLS connection",
	} {
		if got := p.plain(errors.New(text)).Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
