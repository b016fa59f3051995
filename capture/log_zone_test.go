package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/internal/pgtest"
	"headroom/runs"
)

// followed records what is appended to a log while the load runs, and returns the
// log's source, what was not collected, and the warnings.
func followed(t *testing.T, zone *time.Location, lines func(now time.Time) string) (runs.Source, string, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pg.csv")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	o := testOptions(t, "sleep", "1.5")
	o.Logs, o.Zone = []string{path}, zone
	var warned strings.Builder
	o.Tell = func(e Event) {
		if e.Kind == Warning {
			warned.WriteString(e.Text + "\n")
		}
	}
	time.AfterFunc(500*time.Millisecond, func() {
		if err := os.WriteFile(path, []byte(lines(time.Now())), 0o666); err != nil {
			t.Error(err)
		}
	})
	r := record(t, o).Run
	a, _ := lacks(r, "log pg.csv")
	for _, s := range r.Manifest().Sources {
		if s.File == "pg.csv" {
			return s, a.Note, warned.String()
		}
	}
	t.Fatalf("no source: %+v", r.Manifest().Sources)
	return runs.Source{}, "", ""
}

// A log whose stamps are in another zone than was taken, or in one that nobody knows,
// is not lost in silence.
func TestFollowAnotherZone(t *testing.T) {
	t.Parallel()
	stamped := func(zone *time.Location, abbreviation string) func(time.Time) string {
		return func(now time.Time) string {
			var b strings.Builder
			for i := range 3 {
				b.WriteString(strings.Replace(csvLine(now, i+1, fmt.Sprintf("record %d", i)), now.UTC().Format("2006-01-02 15:04:05.000")+" UTC",
					now.In(zone).Format("2006-01-02 15:04:05.000")+" "+abbreviation, 1))
			}
			return b.String()
		}
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	kiritimati := time.FixedZone("", 14*3600)
	for name, c := range map[string]struct {
		zone   *time.Location
		lines  func(time.Time) string
		rows   int64
		warned string // "": of nothing
	}{
		"UTC":                   {nil, stamped(time.UTC, "UTC"), 3, ""},
		"a zone that was given": {berlin, stamped(berlin, "CET"), 3, ""},
		"an unknown zone":       {nil, stamped(berlin, "CET"), 0, "the abbreviation CET stands for more than one zone; give --timezone"},
		"another zone":          {berlin, stamped(kiritimati, "XXX"), 3, "3 of 3 entries are stamped far from when they were written"},
	} {
		s, note, warned := followed(t, c.zone, c.lines)
		if s.Rows != c.rows || c.warned == "" && warned != "" || !strings.Contains(warned, c.warned) {
			t.Errorf("%s: %d rows, warned %q", name, s.Rows, warned)
		}
		if c.warned != "" && !strings.Contains(note+strings.Join(s.Notes, "\n"), c.warned) {
			t.Errorf("%s: the manifest says %q, %q", name, note, s.Notes)
		}
	}
}

// A server says in which zone it stamps its log.
func TestFollowServerZone(t *testing.T) {
	t.Parallel()
	s := pgtest.Start(t, pgtest.Installed(t), "log_timezone = 'Europe/Berlin'\nlog_checkpoints = on\n")
	o := testOptions(t, "sleep", "3")
	o.Postgres, o.Logs = Postgres{DSN: s.DSN("postgres")}, []string{s.Log()}
	time.AfterFunc(time.Second, func() { sql(t, s, "checkpoint") })
	o.Tell = func(e Event) {
		if e.Kind == Warning {
			t.Errorf("warned: %s", e.Text)
		}
	}
	began := time.Now()
	r := record(t, o).Run
	for _, source := range r.Manifest().Sources {
		if source.File != filepath.Base(s.Log()) {
			continue
		}
		first, err := time.Parse(time.RFC3339Nano, source.First)
		if err != nil || source.Rows == 0 || first.Before(began.Add(-time.Minute)) || first.After(time.Now()) {
			t.Errorf("%+v", source)
		}
		return
	}
	t.Errorf("no log: %+v", r.Manifest().Sources)
}
