package ingest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// pgLogs writes n entries of a server that begin at a second, as its stderr and its
// csvlog hold them; word makes them those of another server.
func pgLogs(at time.Time, n int, word string) (stderr, csvlog string) {
	var a, b strings.Builder
	for i := range n {
		stamp := at.Add(time.Duration(i)*1500*time.Millisecond).Format("2006-01-02 15:04:05.000") + " UTC"
		message := fmt.Sprintf("duration: %d.5 ms  statement: select %q", i, word)
		fmt.Fprintf(&a, "%s [77] LOG:  %s\n", stamp, message)
		fmt.Fprintf(&b, "%s,\"app\",\"db\",77,\"[local]\",66e0a0.4d,%d,\"SELECT\",%s,3/1,0,LOG,00000,\"%s\",,,,,,,,,\"psql\",\"client backend\",,0\n",
			stamp, i+1, stamp, strings.ReplaceAll(message, `"`, `""`))
	}
	return a.String(), b.String()
}

// TestIngestOneServersLogs refuses the two forms in which one server logs what it
// logs, and takes the logs of two servers, or of one after the other.
func TestIngestOneServersLogs(t *testing.T) {
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name    string
		from, n int // seconds after, and entries of, the second log
		word    string
		twice   bool
	}{
		{name: "the same for the same time", n: 40, twice: true},
		{name: "a part of it", from: 30, n: 10, word: "later", twice: false},
		{name: "another server", n: 40, word: "other"},
		{name: "the next log of the server", from: 60, n: 40},
		{name: "a long log", n: 3 * maxEntries, twice: true},
	} {
		stderr, _ := pgLogs(at, max(40, c.n), "")
		_, csvlog := pgLogs(at.Add(time.Duration(c.from)*time.Second), c.n, c.word)
		dir := write(t, map[string]string{"a.log": stderr, "b.csv": csvlog})
		_, dst, err := ingest(t, Request{Files: paths(dir, "a.log", "b.csv")})
		if errors.Is(err, ErrDuplicate) != c.twice || !c.twice && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(dst.markers) != max(40, c.n)+c.n {
			t.Errorf("%s: %d markers, %v", c.name, len(dst.markers), dst.m.Sources)
		}
	}
}

// TestIngestTwiceCompressed sees through compression that a file is given twice.
func TestIngestTwiceCompressed(t *testing.T) {
	text := "rows\n5\n"
	dir := write(t, map[string]string{"a.csv": text})
	if err := os.WriteFile(filepath.Join(dir, "a.csv.gz"), gzipped(text), 0o644); err != nil {
		t.Fatal(err)
	}
	files := paths(dir, "a.csv", "a.csv.gz")
	files[0].Role, files[1].Role = Before, Before
	if _, _, err := ingest(t, Request{Files: files}); !errors.Is(err, ErrDuplicate) || !strings.Contains(err.Error(), "its content is that of a.csv") {
		t.Errorf("got %v", err)
	}
	files[1].Role = After // nothing was gained: it is no slip
	if _, dst := must(t, Request{Files: files}); dst.m.Before == nil || dst.m.After == nil {
		t.Errorf("counts %v and %v", dst.m.Before, dst.m.After)
	}
}

// TestIngestTools refuses to pool what two tools measured, and takes what stands in
// scenarios of its own.
func TestIngestTools(t *testing.T) {
	const log = "0 1 12000 0 1772445609 800000\n0 2 12000 0 1772445611 800000\n" // from 10:00:09.8 on
	dir := write(t, map[string]string{"k6.json": k6At("2026-03-02T10:00:00Z", 10), "more.json": k6At("2026-03-02T10:00:10Z", 10), "pgbench_log.7": log})
	if _, dst := must(t, Request{Files: paths(dir, "k6.json", "more.json")}); len(dst.samples) != 20 {
		t.Errorf("two files of one tool gave %d samples", len(dst.samples))
	}
	_, _, err := ingest(t, Request{Files: paths(dir, "k6.json", "pgbench_log.7"), Options: Options{Scenario: "ingest"}})
	if !errors.Is(err, ErrTools) || !strings.Contains(err.Error(), "make a run of each") {
		t.Errorf("two tools in one scenario: %v", err)
	}
	if _, dst := must(t, Request{Files: paths(dir, "k6.json", "pgbench_log.7")}); len(dst.samples) != 12 { // scenarios ingest and default
		t.Errorf("two tools in two scenarios gave %d samples", len(dst.samples))
	}
}

// TestIngestCountsOfOneSide says what was counted at one end of the load alone.
func TestIngestCountsOfOneSide(t *testing.T) {
	dir := write(t, map[string]string{"k6.json": k6At("2026-03-02T10:00:00Z", 5), "a.csv": "rows,early\n0,0\n", "b.csv": "rows,late\n50,1\n"})
	before, after := File{Path: filepath.Join(dir, "a.csv"), Role: Before}, File{Path: filepath.Join(dir, "b.csv"), Role: After}
	for _, c := range []struct {
		files []File
		want  []string
	}{
		{[]File{before}, []string{"a.csv was counted before the load and nothing after it", "--after"}},
		{[]File{after}, []string{"b.csv was counted after the load and nothing before it", "--before"}},
		{[]File{before, after}, []string{"counted before the load (a.csv) and not after it, so that what was gained is not known: early", "counted after the load (b.csv) and not before it, so that what was gained is not known: late"}},
	} {
		_, dst := must(t, Request{Files: append(paths(dir, "k6.json"), c.files...)})
		notes := strings.Join(dst.m.Notes, "\n")
		for _, want := range c.want {
			if !strings.Contains(notes, want) {
				t.Errorf("notes %q lack %q", notes, want)
			}
		}
	}
}

// TestIngestClaimsOfRequests: the requests that headroom counts itself, and those of
// k6's own name, are claims by name.
func TestIngestClaimsOfRequests(t *testing.T) {
	text := k6At("2026-03-02T10:00:00Z", 5) + strings.ReplaceAll(k6At("2026-03-02T10:00:05Z", 2), `"200"`, `"500"`)
	dir := write(t, map[string]string{"k6.json": text, "k6-summary.json": `{"root_group":{},"metrics":{"http_reqs":{"count":9},"http_req_duration":{"avg":10}}}`})
	claims := map[string]string{"good": "requests", "sent": "http_reqs"}
	_, dst := must(t, Request{Files: paths(dir, "k6.json", "k6-summary.json"), Claims: claims})
	if m := dst.m; m.Claims["good"] != "5" || m.Claims["sent"] != "7" {
		t.Errorf("claims %v, notes %q", m.Claims, m.Notes)
	}
	_, dst = must(t, Request{Files: paths(dir, "k6.json"), Claims: claims, Probes: []string{"ingest"}})
	if dst.m.Claims["good"] != "" {
		t.Errorf("a probe's requests are claimed: %v", dst.m.Claims)
	}
	_, dst = must(t, Request{Files: paths(dir, "k6-summary.json"), Claims: claims})
	if m := dst.m; m.Claims["sent"] != "9" || m.Claims["good"] != "" {
		t.Errorf("claims of a summary alone %v", m.Claims)
	}
	if why := dst.m.NotCollected[0]; why.What != "samples" || why.Why != runs.NotAsked || !strings.Contains(why.Note, "k6 holds totals of its run") {
		t.Errorf("a summary alone: %+v", why)
	}
}

// TestErrorsKeepThePath names a file by its path as it was typed, also in a dry run.
func TestErrorsKeepThePath(t *testing.T) {
	dir := write(t, map[string]string{"words.txt": "nothing that is known\n"})
	req := Request{Files: paths(dir, "absent.json", "words.txt"), Show: func(path string) string { return "logs/" + filepath.Base(path) }}
	report, err := DryRun(t.Context(), req)
	if err == nil || len(report.Files) != 2 {
		t.Fatalf("%v, %v", report, err)
	}
	for _, f := range report.Files {
		if want := "logs/" + filepath.Base(f.Path) + ": "; !strings.HasPrefix(f.Error, want) {
			t.Errorf("got %q, want %q…", f.Error, want)
		}
	}
	if _, _, err := ingest(t, req); err == nil || !strings.HasPrefix(err.Error(), "logs/absent.json: ") {
		t.Errorf("got %v", err)
	}
}
