package capture

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headroom/internal/pgtest"
)

// A connection string is refused for what it cannot mean, without quoting what
// could be its password.
func TestDSN(t *testing.T) {
	for dsn, want := range map[string]string{
		"hst=1":                             `unknown key "hst"; did you mean host?`,
		"postgres://u:hunter2@h/db?sslmod=": `unknown key "sslmod"; did you mean sslmode?`,
		"host=h hostaddr=1.2.3.4":           `unknown key "hostaddr"; did you mean host?`,
		"host=h zzzz=1":                     "known are channel_binding",
		"host=h port=hunter2":               "invalid port",
		"host=h sslmode=never":              "sslmode is one of disable",
		"host=h connect_timeout=soon":       "connect_timeout",
		"host=h gssencmode=require":         `unknown key "gssencmode"`,
		"postgres://u:hunter2@[bad":         "want postgres://",
		"hunter2":                           "want postgres://",
	} {
		_, err := parseDSN(dsn)
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", dsn, err)
		}
	}
	for _, dsn := range []string{
		"host=h user=u password=p dbname=d port=5433 sslmode=disable connect_timeout=3 keepalives=1 keepalives_idle=30 gssencmode=disable fallback_application_name=x",
		"postgresql://u:p@h:5433/d?sslmode=disable&search_path=a&options=-c%20geqo%3Doff&application_name=x&pg_stat_statements.track=all&TimeZone=UTC",
	} {
		conf, err := parseDSN(dsn)
		if err != nil || conf.Host != "h" || conf.Port != 5433 || conf.Database != "d" || conf.RuntimeParams["keepalives"] != "" {
			t.Errorf("%s: %v", dsn, err)
		}
	}
}

// SQL that can never be a count ends the capture before the load; a count that
// the server does not answer, and a server that is not there, are warned of.
func TestCounts(t *testing.T) {
	t.Parallel()
	s := pgtest.Start(t, pgtest.Installed(t), "")
	for query, want := range map[string]string{
		"select cont(* from t": "count rows: the server cannot read its SQL", "select 1, 2": "gives 2 columns", "--": "the statement is empty",
	} {
		o := testOptions(t, "sh", "-c", ": > began")
		o.Dir = t.TempDir()
		o.Postgres = Postgres{DSN: s.DSN("postgres"), Counts: []Count{{"one", "select 1"}, {"rows", query}}}
		_, err := Run(context.Background(), o)
		_, began := os.Stat(filepath.Join(o.Dir, "began"))
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) || began == nil {
			t.Errorf("%s: %v; the load began: %v", query, err, began == nil)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(o.Out), "*")); len(left) > 0 {
			t.Errorf("%s left %v", query, left)
		}
	}
	o := testOptions(t, "sh", "-c", ": > began")
	o.Dir, o.Reconcile = t.TempDir(), map[string]string{"rows": "events"}
	o.Postgres = Postgres{DSN: s.DSN("postgres"), Counts: []Count{{"rows", "select count(*) from later"}}}
	if _, err := Run(context.Background(), o); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "without it rows=events can never be reconciled") {
		t.Errorf("a count to be reconciled that there is not: %v", err)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "began")); err == nil {
		t.Error("the load began")
	}
	for dsn, want := range map[string]string{
		s.DSN("postgres"): `count rows before the load: ERROR: relation "later" does not exist`,
		"postgres://postgres:hunter2@127.0.0.1:1/postgres?sslmode=disable": "nothing was counted before the load (rows)",
	} {
		o := testOptions(t, "true")
		o.Postgres = Postgres{DSN: dsn, Counts: []Count{{"rows", "select count(*) from later"}}}
		warned := ""
		o.Tell = func(e Event) {
			if e.Kind == Warning {
				warned += e.Text + "\n"
			}
		}
		r := record(t, o).Run
		for _, role := range []string{"before", "after"} {
			if _, ok := lacks(r, "count rows "+role); !ok {
				t.Errorf("not collected: %v", r.Manifest().NotCollected)
			}
			if want := strings.ReplaceAll(want, "before", role); !strings.Contains(warned, want) {
				t.Errorf("want the warning %q, got %s", want, warned)
			}
		}
	}
}
