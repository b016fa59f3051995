package capture

import (
	"strings"
	"testing"
)

// No secret of a command line is stored; what is none stays readable.
func TestMaskCommand(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"k6", "run", "--vus", "10", "load.js"}, "k6 run --vus 10 load.js"},
		{[]string{"app", "--password", "hunter2", "-v"}, "app --password '***' -v"},
		{[]string{"app", "--db-password=hunter2"}, "app '--db-password=***'"},
		{[]string{"env", "PGPASSWORD=hunter2", "pgbench"}, "env 'PGPASSWORD=***' pgbench"},
		{[]string{"curl", "-H", "Authorization: Bearer hunter2hunter2"}, "curl -H 'Authorization: ***'"},
		{[]string{"curl", "-u", "bob:hunter2", "http://x/"}, "curl -u '***' http://x/"},
		{[]string{"/usr/bin/curl", "-ubob:hunter2"}, "/usr/bin/curl '-u***'"},
		{[]string{"pgbench", "postgres://bob:hunter2@db:5432/x?sslmode=require"}, "pgbench 'postgres://***@db:5432/x?sslmode=require'"},
		{[]string{"pgbench", "host=db password=hunter2 user=bob"}, "pgbench 'host=db password=*** user=bob'"},
		{[]string{"pgbench", "password='hunter2 x' host=db"}, `pgbench 'password=*** host=db'`},
		{[]string{"hey", "https://x/?q=1&api_key=hunter2&z=2"}, "hey 'https://x/?q=1&api_key=***&z=2'"},
		{[]string{"k6", "run", "-e", "API_TOKEN=hunter2", "x.js"}, "k6 run -e 'API_TOKEN=***' x.js"},
		{[]string{"sh", "-c", "export SECRET=hunter2; run"}, "sh -c 'export SECRET=***; run'"},
		{[]string{"x", `{"password": "hunter2", "n": 1}`}, `x '{"password": ***, "n": 1}'`},
		{[]string{"x", "Cookie: sid=hunter2"}, "x 'Cookie: ***'"},
		{[]string{"x", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.hunter2"}, "x '***'"},
		{[]string{"x", "a b", "it's"}, `x 'a b' 'it'\''s'`},
	} {
		got := maskCommand(c.words)
		if strings.Contains(got, "hunter2") || got != c.want {
			t.Errorf("%q\n got  %s\n want %s", c.words, got, c.want)
		}
	}
}

func TestNormaliseSQL(t *testing.T) {
	for q, want := range map[string]string{
		"select * from t1 where a = 'hunter2' and b = 42": "select * from t1 where a = ? and b = ?",
		"select 'it''s', E'a\\'b', 1.5e3":                 "select ?, ?, ?",
		"select $1, $$hunter2$$, $x$ 'y' $x$":             "select $?, ?, ?",
		"insert into t values ('cut off in the midd":      "insert into t values (?",
		"select a1, b_2 from c3":                          "select a1, b_2 from c3",
	} {
		if got := normaliseSQL(q); got != want {
			t.Errorf("%s\n got  %s\n want %s", q, got, want)
		}
	}
}
