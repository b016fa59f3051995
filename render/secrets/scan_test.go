package secrets

import (
	"strings"
	"testing"
)

// found are texts with secrets that were made up here, by the kind that names them.
// They are put together at run time so that no scanner of repositories takes this
// file for a leak.
var found = map[string]string{
	"-----BEGIN " + "RSA PRIVATE KEY-----":                                           "private key",
	"-----BEGIN " + "PRIVATE KEY-----":                                               "private key",
	"-----BEGIN " + "OPENSSH PRIVATE KEY-----":                                       "private key",
	"-----BEGIN PGP " + "PRIVATE KEY BLOCK-----":                                     "private key",
	"id AKIA" + "QWERTYUIOPASDFGH used":                                              "AWS access key",
	"aws_secret_access_key = " + strings.Repeat("aB3/", 10):                          "AWS secret key",
	"ghp_" + strings.Repeat("a1B2", 9):                                               "GitHub token",
	"glpat-" + strings.Repeat("x9_", 8):                                              "GitLab token",
	"xoxb-" + "123456789012-abcdefghijkl":                                            "Slack token",
	"AIza" + strings.Repeat("Sy7_x", 7):                                              "Google API key",
	"sk-ant-" + strings.Repeat("api03x", 6):                                          "API key",
	"eyJ" + "hbGciOiJIUzI1.eyJ" + "zdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4":                 "JSON web token",
	"-H 'Authorization: Bearer " + "abcdef0123456789'":                               "authorization header",
	"postgres://app:" + "hunter2@db.example.test:5432/app":                           "connection string with a password",
	"amqp://:" + "s3cr3t!@mq":                                                        "connection string with a password",
	"Server=db;Database=app;User Id=sa;Password=" + "Hunter2;":                       "connection string with a password",
	"host=db user=app password=" + "hunter2 dbname=app":                              "connection string with a password",
	"PGPASSWORD=" + "hunter2 psql -h db":                                             "password",
	`{"password": "` + `hunter2"}`:                                                   "password",
	"ALTER ROLE app PASSWORD '" + "hunter2'":                                         "password",
	"mysql --password " + "hunter2 app":                                              "password",
	"api_key: " + "9f8e7d6c5b4a39281706":                                             "token",
	"client_secret=" + "9f8e7d6c5b4a39281706":                                        "token",
	"postgres:&#x2F;&#x2F;app:" + "hunter2@db":                                       "connection string with a password",
	`postgres\://app\:` + `hunter2\@db`:                                              "connection string with a password",
	`{\"password\": \"` + `hunter2\"}`:                                               "password",
	`"why": "dial postgres://app:` + `hunter2@db:5432/app?sslmode=disable: refused"`: "connection string with a password",
	`<code>PGPASSWORD&#61;` + `hunter2 psql</code>`:                                  "password",
	`| command | PGPASSWORD\=` + `hunter2 psql \| tee |`:                             "password",
	"redis://default:" + "p%40ss@cache:6379":                                         "connection string with a password",
}

func TestFound(t *testing.T) {
	for text, want := range found {
		got := Scan(map[string][]byte{"a.md": []byte("first\n" + text + "\nlast\n")})
		if len(got) == 0 || got[0].Line != 2 || got[0].File != "a.md" || !hasKind(got, want) {
			t.Errorf("%q: %v, want a %s at line 2", text, got, want)
		}
		for _, l := range got {
			if s := l.String(); strings.Contains(s, "hunter2") || !strings.HasPrefix(s, "a.md:2: ") {
				t.Errorf("%q is said as %q", text, s)
			}
		}
	}
}

func hasKind(list []Leak, kind string) bool {
	for _, l := range list {
		if l.Kind == kind {
			return true
		}
	}
	return false
}

// TestNoSecrets holds texts that look like secrets and are none.
func TestNoSecrets(t *testing.T) {
	for _, text := range []string{
		"postgres://app@db.example.test/app", "postgres://app:***@db/app", "postgres://app:$PGPASSWORD@db/app", "postgres://app:<password>@db/app",
		"postgres://app:xxxxx@db/app", "http://localhost:8080/a@b", "https://example.test:443/x?y=1@2", "see https://example.test/: a@b",
		"password: never stored", "passwords are not recorded", `"password": "***"`, "password=${DB_PASSWORD}", "PGPASSWORD=$SECRET psql",
		"md5 and scram-sha-256 password checks", "password_encryption = scram-sha-256", "tokens=1200", "token bucket: refill 100/s, burst 400",
		"token: 12345678901234567890", "secret: nobody-told-us-about-this-one", "primary_key: shipments_received_by_customer", `"digest": "713b9257e985f6f7b7e3754cad2d8745312deca48d7c8d38ab4e72eaf70df497"`,
		"-----BEGIN CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----", "bypass=12000", "by_pass 4 of 5", "AKIA is how they begin", "sweep.sustained.throughput",
		"ask-and-you-shall-receive-no-token", "Authorization: Bearer <token>", "Authorization: Basic $AUTH", "pass: 5,506 requests/s sustained",
		"compass=north east", "host=db user=app dbname=app", "user=app password=*** host=db",
	} {
		if got := Scan(map[string][]byte{"a": []byte(text)}); len(got) > 0 {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestOrder is by file and line, whatever the order of the map.
func TestOrder(t *testing.T) {
	key := []byte("x\n-----BEGIN " + "PRIVATE KEY-----\n")
	for range 10 {
		got := Scan(map[string][]byte{"b": key, "a": key, "c": append(key, key...)})
		var said []string
		for _, l := range got {
			said = append(said, l.String())
		}
		if want := "a:2: private key b:2: private key c:2: private key c:4: private key"; strings.Join(said, " ") != want {
			t.Fatalf("got %q", said)
		}
	}
}

func FuzzScan(f *testing.F) {
	for text := range found {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range Scan(map[string][]byte{"f": []byte(text)}) {
			if l.Line < 1 || l.Line > strings.Count(text, "\n")+1 || l.Kind == "" {
				t.Errorf("%q: %+v", text, l)
			}
		}
	})
}
