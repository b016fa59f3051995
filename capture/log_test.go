package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// csvLine is one record of a csvlog of PostgreSQL 15.
func csvLine(at time.Time, n int, message string) string {
	return fmt.Sprintf("%s UTC,,,%d,,65d5a1b2.1,%d,,2026-08-17 12:00:00 UTC,,0,LOG,00000,%q,,,,,,,,,\"\",\"checkpointer\",,0\n",
		at.UTC().Format("2006-01-02 15:04:05.000"), n, n, message)
}

// A log is followed from its end, through rotation and truncation: every record
// once, none of those before.
func TestFollow(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.csv")
	at := time.Date(2026, 8, 17, 12, 0, 0, 0, time.UTC)
	n := 0
	lines := func(count int) string {
		var b strings.Builder
		for range count {
			n++
			b.WriteString(csvLine(at.Add(time.Duration(n)*time.Second), n, fmt.Sprintf("record %d", n)))
		}
		return b.String()
	}
	write := func(text string, flag int) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|flag, 0o666)
		if err == nil {
			_, err = f.WriteString(text)
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write(lines(300), os.O_APPEND) // before
	o := testOptions(t, "sleep", "4")
	o.Logs = []string{path, filepath.Join(t.TempDir(), "never.log")}
	done := make(chan struct{})
	go func() {
		defer close(done)
		pause := func() { time.Sleep(500 * time.Millisecond) }
		pause()
		text := lines(5)
		write(text[:len(text)-20], os.O_APPEND) // the last record comes in two pieces
		pause()
		write(text[len(text)-20:], os.O_APPEND)
		pause()
		write(lines(3), os.O_APPEND)
		if err := os.Rename(path, path+".1"); err != nil {
			t.Error(err)
		}
		write(lines(4), os.O_APPEND)
		pause()
		pause()
		write(lines(2), os.O_TRUNC)
		pause()
		pause()
	}()
	r := record(t, o).Run
	<-done
	got := contentsOf(t, r)
	seen := map[string]int{}
	for _, m := range got.messages {
		if strings.HasPrefix(m, "record ") {
			seen[m]++
		}
	}
	for i := 301; i <= n; i++ {
		if seen[fmt.Sprintf("record %d", i)] != 1 {
			t.Errorf("record %d was recorded %d times", i, seen[fmt.Sprintf("record %d", i)])
		}
	}
	if len(seen) != n-300 || got.kinds["capture.log.rotated"] != 1 || got.kinds["capture.log.truncated"] != 1 {
		t.Errorf("%d records, %v", len(seen), got.kinds)
	}
	for _, s := range r.Manifest().Sources {
		if s.File == "log.csv" && (s.Format != "postgres-csvlog" || s.Rows != int64(n-300) || s.BadLines != 0 || s.SHA256 == "") {
			t.Errorf("source %+v", s)
		}
	}
}

func TestFollowUnknown(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "app.log")
	if err := os.WriteFile(path, []byte("\x00\x01 no log\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := testOptions(t, "sh", "-c", "sleep 0.5; echo what is this >> "+path)
	o.Logs = []string{path, t.TempDir()}
	r := record(t, o).Run
	if a, ok := lacks(r, "log app.log"); !ok || a.Why != runs.NotMeasurable {
		t.Errorf("not collected: %v", r.Manifest().NotCollected)
	}
	if a, ok := lacks(r, "log "+filepath.Base(o.Logs[1])); !ok || !strings.Contains(a.Note, "no regular file") {
		t.Errorf("not collected: %v", r.Manifest().NotCollected)
	}
}
