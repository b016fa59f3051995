package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"headroom/runs"
)

// write puts files into a new folder and returns their paths, by name.
func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func paths(dir string, names ...string) []File {
	var files []File
	for _, name := range names {
		files = append(files, File{Path: filepath.Join(dir, name)})
	}
	return files
}

// k6At returns a k6 file of n requests of 10 ms, one a second from start on, each
// of ten events.
func k6At(start string, n int) string {
	at, err := time.Parse(time.RFC3339, start)
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	b.WriteString(`{"type":"Metric","data":{"name":"events_sent","type":"counter","contains":"default","thresholds":[],"submetrics":null},"metric":"events_sent"}` + "\n")
	for i := range n {
		end := at.Add(time.Duration(i)*time.Second + 10*time.Millisecond).Format(time.RFC3339Nano)
		for _, m := range []string{`"http_reqs","type":"Point","data":{"time":"T","value":1`, `"http_req_duration","type":"Point","data":{"time":"T","value":10`,
			`"events_sent","type":"Point","data":{"time":"T","value":10.25`} {
			b.WriteString(`{"metric":` + strings.Replace(m, "T", end, 1) + `,"tags":{"scenario":"ingest","status":"200"}}}` + "\n")
		}
	}
	return b.String()
}

const (
	countsBefore = "at,rows,quantity\n2026-03-02 09:59:50+00,100,5.5\n"
	countsAfter  = "at,rows,quantity\n2026-03-02 10:00:30+00,150,7.5\n"
)

func ingest(t *testing.T, req Request) (*Report, *rows, error) {
	t.Helper()
	dst := &rows{}
	report, err := Ingest(context.Background(), req, dst)
	return report, dst, err
}

func must(t *testing.T, req Request) (*Report, *rows) {
	t.Helper()
	report, dst, err := ingest(t, req)
	if err != nil {
		t.Fatal(err)
	}
	return report, dst
}

func TestIngestFoldsFilesIntoOneRun(t *testing.T) {
	dir := write(t, map[string]string{
		"k6.json": k6At("2026-03-02T10:00:00Z", 5), "k6.exit": "99\n", "before.csv": countsBefore, "after.csv": countsAfter,
		"k6-summary.json": `{"root_group":{},"metrics":{"http_reqs":{"count":5},"http_req_duration":{"avg":10,"thresholds":{"p(95)<5":true}}}}`,
	})
	report, dst := must(t, Request{
		Files:     paths(dir, "k6.json", "k6.exit", "before.csv", "after.csv", "k6-summary.json"),
		Labels:    map[string]string{"arm": "control"},
		Steps:     []runs.Step{{Labels: map[string]string{"rate": "1"}}},
		Claims:    map[string]string{"events": "events_sent", "batch": "10"},
		Reconcile: map[string]string{"rows": "events_sent"},
		Warmup:    time.Second,
		Probes:    []string{"probe"},
		Own:       []string{"k6"},
		Host:      runs.Host{Cores: 2},
		Model:     runs.OpenLoop,
		Rate:      1,
	})
	m := dst.m
	if m.ExitStatus == nil || *m.ExitStatus != 99 {
		t.Errorf("exit status %v", m.ExitStatus)
	}
	if m.Claims["events_sent"] != "51.25" || m.Claims["events"] != "51.25" || m.Claims["batch"] != "10" || m.EventsClaim != "events_sent" {
		t.Errorf("claims %v, events claim %q", m.Claims, m.EventsClaim)
	}
	if m.Before == nil || m.Before.Values["rows"] != "100" || m.After == nil || m.After.Values["quantity"] != "7.5" {
		t.Errorf("before %v, after %v", m.Before, m.After)
	}
	if m.Window == nil || m.Window.Start != "2026-03-02T10:00:01.000000Z" || m.Window.End != "2026-03-02T10:00:04.010000Z" || !m.Window.Declared {
		t.Errorf("window %v", m.Window)
	}
	if m.Load.Model != runs.OpenLoop || m.Load.Tool != "k6" || m.Load.Basis != basisRequest || !m.Load.DropsKnown || m.Load.Rate != 1 || m.Load.LatencyUnit != "ms" {
		t.Errorf("load %+v", m.Load)
	}
	if len(m.Thresholds) != 1 || !m.Thresholds[0].Crossed || m.Thresholds[0].Samples != 5 {
		t.Errorf("thresholds %v", m.Thresholds)
	}
	if m.Labels["arm"] != "control" || len(m.Steps) != 1 || m.Reconcile["rows"] != "events_sent" || m.Own[0] != "k6" || m.Host.Cores != 2 || m.Load.ProbeOf[0] != "probe" {
		t.Errorf("what the caller said is not there: %+v", m)
	}
	var names []string
	for _, s := range m.Sources {
		names = append(names, s.File)
		if len(s.SHA256) != 64 || s.Bytes == 0 || strings.Contains(s.File, "/") {
			t.Errorf("source %+v", s)
		}
	}
	if want := "after.csv before.csv k6-summary.json k6.exit k6.json"; strings.Join(names, " ") != want {
		t.Errorf("sources are in the order %v", names)
	}
	load := m.Sources[4]
	if load.Rows != 10 || load.First != "2026-03-02T10:00:00.000000Z" || load.Last != "2026-03-02T10:00:04.010000Z" || load.Zone != "UTC, written" {
		t.Errorf("source of the load %+v", load)
	}
	if len(report.Files) != 5 || report.Files[4].Format != "k6-json" {
		t.Errorf("report %+v", report)
	}
	var absent []string
	for _, a := range m.NotCollected {
		absent = append(absent, a.What)
	}
	if want := []string{"contention", "wait samples", "database log"}; !slices.Equal(absent, want) {
		t.Errorf("not collected: %v, want %v", absent, want)
	}
}

func TestIngestSameWhateverTheOrder(t *testing.T) {
	dir := write(t, map[string]string{"a.json": k6At("2026-03-02T10:00:00Z", 2), "b.json": k6At("2026-03-02T10:00:02Z", 2)})
	_, one := must(t, Request{Files: paths(dir, "a.json", "b.json")})
	_, two := must(t, Request{Files: paths(dir, "b.json", "a.json")})
	if one.m.Sources[0].File != two.m.Sources[0].File || one.samples[0] != two.samples[0] {
		t.Error("the order of the arguments changes the run")
	}
	_, kept := must(t, Request{Files: paths(dir, "b.json", "a.json"), KeepOrder: true})
	if kept.m.Sources[0].File != "b.json" {
		t.Error("an order that is to be kept was not")
	}
}

func TestIngestRefuses(t *testing.T) {
	k6 := k6At("2026-03-02T10:00:00Z", 5)
	dir := write(t, map[string]string{
		"a.json": k6, "copy.json": k6, "overlap.json": k6At("2026-03-02T10:00:02Z", 5), "binary": "\x00\x01\x02\x03\xff",
		"far.json": k6At("2026-03-02T11:00:00Z", 5),
		"text":     "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor\n", "nothing": "",
		"one": "1\n", "two": "2\n", "run.json": "{}", "run1.json": k6,
	})
	for _, c := range []struct {
		name string
		req  Request
		want error
		says []string
	}{
		{"same content", Request{Files: paths(dir, "a.json", "copy.json")}, ErrDuplicate, []string{"copy.json", "a.json"}},
		{"overlap", Request{Files: paths(dir, "a.json", "overlap.json")}, ErrOverlap, []string{"overlap.json", "a.json", "2026-03-02T10:00:02"}},
		{"hole", Request{Files: paths(dir, "a.json", "far.json")}, ErrHole, []string{"far.json", "a.json", "make a run of each"}},
		{"binary", Request{Files: paths(dir, "binary")}, ErrUnknown, []string{"binary: ", "binary data (00 01 02 03 ff"}},
		{"text", Request{Files: paths(dir, "text")}, ErrUnknown, []string{`"Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed…"`, "--as", "--map", "headroom formats"}},
		{"empty", Request{Files: paths(dir, "nothing")}, ErrEmpty, []string{"nothing: empty"}},
		{"absent", Request{Files: paths(dir, "absent.json")}, ErrUnreadable, []string{"absent.json: cannot be read: no such file"}},
		{"no file", Request{}, ErrUsage, nil},
		{"no such format", Request{Files: []File{{Path: filepath.Join(dir, "a.json"), As: "k6-xml"}}}, ErrUsage, []string{"k6-json, k6-summary"}},
		{"no such tool", Request{Files: []File{{Path: filepath.Join(dir, "a.json"), As: "nope"}}}, ErrUsage, []string{"headroom formats"}},
		{"two exit statuses", Request{Files: paths(dir, "a.json", "one", "two")}, ErrUsage, []string{"with 1 and with 2"}},
		{"a run", Request{Files: []File{{Path: dir}}}, ErrUsage, []string{"is a run already"}},
		{"window of nothing", Request{Files: paths(dir, "a.json"), Warmup: time.Hour}, ErrUsage, []string{"holds nothing"}},
		{"window that is none", Request{Files: paths(dir, "a.json"), Window: &runs.Window{Start: "x", End: "y"}}, ErrUsage, nil},
		{"no standard input", Request{Files: []File{{Path: "-"}}}, ErrUsage, nil},
		{"generic without mapping", Request{Files: []File{{Path: filepath.Join(dir, "text"), As: "generic-csv"}}}, ErrUsage, []string{"--map"}},
		{"not one line of the format", Request{Files: []File{{Path: filepath.Join(dir, "text"), As: "k6-json"}}}, ErrUnreadable, []string{"none of its lines can be read as k6-json", "text:1: "}},
		{"not of the format", Request{Files: []File{{Path: filepath.Join(dir, "text"), As: "exit-status"}}}, nil, []string{"text:1: ", "no exit status"}},
	} {
		_, _, err := ingest(t, c.req)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
			continue
		}
		for _, part := range c.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", c.name, err, part)
			}
		}
		if strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q is not one line of base names", c.name, err)
		}
	}
}

func TestIngestFolder(t *testing.T) {
	dir := write(t, map[string]string{"a.json": k6At("2026-03-02T10:00:00Z", 2), "README": "About this run.\n", ".hidden": "x", "empty": ""})
	if err := os.Mkdir(filepath.Join(dir, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, dst := must(t, Request{Files: []File{{Path: dir}}})
	if len(dst.m.Sources) != 1 || dst.m.Sources[0].File != "a.json" {
		t.Errorf("sources %v", dst.m.Sources)
	}
	notes := strings.Join(dst.m.Notes, "\n")
	if !strings.Contains(notes, "left out: README") || !strings.Contains(notes, "left out: empty") || strings.Contains(notes, "hidden") {
		t.Errorf("notes %q", notes)
	}
	if _, _, err := ingest(t, Request{Files: []File{{Path: t.TempDir()}}}); !errors.Is(err, ErrEmpty) {
		t.Errorf("an empty folder: %v", err)
	}
}

// A pipe is opened once and read whole, though a format is told by its beginning;
// without anybody to open it, it is refused.
func TestIngestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k6.fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	text := k6At("2026-03-02T10:00:00Z", 400)
	opened, closed := 0, 0
	pipe := func(string) (io.ReadCloser, error) {
		opened++
		return countedCloser{strings.NewReader(text), &closed}, nil
	}
	_, dst := must(t, Request{Files: []File{{Path: path}}, Pipe: pipe})
	sum := sha256.Sum256([]byte(text))
	if s := dst.m.Sources[0]; len(dst.samples) != 400 || s.File != "k6.fifo" || s.SHA256 != hex.EncodeToString(sum[:]) || len(text) <= HeadSize {
		t.Errorf("%d samples, %+v", len(dst.samples), s)
	}
	if opened != 1 || closed != 1 {
		t.Errorf("opened %d times, closed %d times", opened, closed)
	}
	_, err := Ingest(context.Background(), Request{Files: []File{{Path: path}}}, &rows{})
	if !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), "named pipe") {
		t.Errorf("a pipe that nobody opens: %v", err)
	}
}

type countedCloser struct {
	io.Reader
	closed *int
}

func (c countedCloser) Close() error { *c.closed++; return nil }

func TestIngestStdin(t *testing.T) {
	_, dst := must(t, Request{Files: []File{{Path: "-"}}, Stdin: strings.NewReader(string(gzipped(k6At("2026-03-02T10:00:00Z", 3))))})
	if len(dst.samples) != 3 || dst.m.Sources[0].File != "standard input" {
		t.Errorf("%d samples of %v", len(dst.samples), dst.m.Sources)
	}
}

func TestIngestRolesWithoutStamps(t *testing.T) {
	dir := write(t, map[string]string{"k6.json": k6At("2026-03-02T10:00:00Z", 5), "a.csv": "rows,quantity\n0,0\n", "b.csv": "rows,quantity\n50,1\n", "c.csv": "rows,other\n51,2\n"})
	_, dst := must(t, Request{Files: paths(dir, "k6.json", "a.csv", "b.csv")})
	if dst.m.Before != nil || dst.m.After != nil || !strings.Contains(strings.Join(dst.m.Notes, "\n"), "--before or --after") {
		t.Errorf("counts without a stamp and a role were taken: %v, %v", dst.m.Before, dst.m.After)
	}
	_, dst = must(t, Request{Files: []File{{Path: filepath.Join(dir, "k6.json")}, {Path: filepath.Join(dir, "a.csv"), Role: Before},
		{Path: filepath.Join(dir, "b.csv"), Role: After}, {Path: filepath.Join(dir, "c.csv"), Role: After}}})
	m := dst.m
	if m.Before.Values["rows"] != "0" || m.After.Values["rows"] != "50" || m.After.Values["other"] != "2" || m.After.Source != "b.csv, c.csv" {
		t.Errorf("before %v, after %v", m.Before, m.After)
	}
	if !strings.Contains(strings.Join(m.Notes, "\n"), "c.csv: column rows was given by another file") {
		t.Errorf("notes %v", m.Notes)
	}
	if m.Sources[0].Role != "before" {
		t.Errorf("source %+v", m.Sources[0])
	}
}

func TestIngestCountsThatDoNotBracket(t *testing.T) {
	during := "at,rows,quantity\n2026-03-02 10:00:02+00,120,6\n"
	dir := write(t, map[string]string{"k6.json": k6At("2026-03-02T10:00:00Z", 5), "a.csv": countsBefore, "b.csv": during})
	_, dst := must(t, Request{Files: paths(dir, "k6.json", "a.csv", "b.csv")})
	if dst.m.Before != nil || dst.m.After != nil {
		t.Errorf("counts from the middle of the load were taken for those after it")
	}
}

func TestIngestThreadsAreOneGenerator(t *testing.T) {
	dir := write(t, map[string]string{
		"pgbench_log.77":   "0 1 10833 0 1796052125 2040\n0 2 10000 0 1796052126 2040\n",
		"pgbench_log.77.1": "1 1 10833 0 1796052125 2041\n1 2 10000 0 1796052126 2041\n",
		"pgbench_log.78":   "1 1 10833 0 1796052125 2042\n1 2 10000 0 1796052126 2042\n",
	})
	_, dst := must(t, Request{Files: paths(dir, "pgbench_log.77", "pgbench_log.77.1")})
	if len(dst.samples) != 4 || dst.m.Load.Model != runs.ClosedLoop {
		t.Errorf("%d samples, load %+v", len(dst.samples), dst.m.Load)
	}
	if _, _, err := ingest(t, Request{Files: paths(dir, "pgbench_log.77", "pgbench_log.78")}); !errors.Is(err, ErrOverlap) {
		t.Errorf("two processes: %v", err)
	}
}

func TestIngestCompanionTellsTheColumns(t *testing.T) {
	const log = "0 1 10833 0 1796052125 2040 3\n0 2 10000 0 1796052126 2040 4\n"
	const report = "pgbench (16.1)\ntransaction type: x\nnumber of clients: 1\nnumber of transactions actually processed: 2\nrate limit schedule lag: avg 1.0 (max 2.0) ms\n"
	dir := write(t, map[string]string{"pgbench_log.77": log, "zz.txt": report})
	_, dst := must(t, Request{Files: paths(dir, "pgbench_log.77")})
	if dst.samples[0].Wait != runs.Missing {
		t.Error("small values were taken for lag")
	}
	_, dst = must(t, Request{Files: paths(dir, "pgbench_log.77", "zz.txt")})
	if dst.samples[0].Wait != 3000 || dst.m.Load.Model != runs.OpenLoop || dst.m.Load.Basis != basisResponse || dst.m.Load.Concurrency != 1 {
		t.Errorf("wait %d, load %+v", dst.samples[0].Wait, dst.m.Load)
	}
	_, dst = must(t, Request{Files: paths(dir, "pgbench_log.77"), Options: Options{Seventh: seventhLag}})
	if dst.samples[0].Wait != 3000 {
		t.Error("what was said of the column was not believed")
	}
}

func TestIngestClaims(t *testing.T) {
	summary := `{"root_group":{},"metrics":{"http_reqs":{"count":5},"events_sent":{"count":1261259.75,"rate":1}}}`
	dir := write(t, map[string]string{"k6.json": k6At("2026-03-02T10:00:00Z", 2), "summary.json": summary})
	_, dst := must(t, Request{Files: paths(dir, "k6.json", "summary.json")})
	if dst.m.Claims["events_sent"] != "20.5" {
		t.Errorf("claims %v; the samples' own sum goes before the summary's", dst.m.Claims)
	}
	lost := strings.ReplaceAll(k6At("2026-03-02T10:00:00Z", 2), "events_sent", "other")
	dir2 := write(t, map[string]string{"k6.json": lost, "summary.json": summary})
	_, dst = must(t, Request{Files: paths(dir2, "k6.json", "summary.json"), Claims: map[string]string{"events": "events_sent"}})
	if dst.m.Claims["events"] != "" || dst.m.EventsClaim != "" {
		t.Errorf("claims %v; a counter that the samples lack was taken from the summary", dst.m.Claims)
	}
	_, dst = must(t, Request{Files: paths(dir, "summary.json"), Claims: map[string]string{"events": "nope"}})
	notes := strings.Join(dst.m.Notes, "\n")
	if dst.m.Claims["events_sent"] != "1261259.75" || !strings.Contains(notes, `no counter "nope" (they hold: events_sent, http_reqs)`) {
		t.Errorf("claims %v, notes %s", dst.m.Claims, notes)
	}
}

// TestIngestClaimPrinted: what a tool's report prints is a claim if it is named,
// beside samples too, and none otherwise.
func TestIngestClaimPrinted(t *testing.T) {
	const log = "0 1 5000 0 1772445600 0\n0 2 6000 0 1772445600 9000\n"
	const report = "pgbench (16.1)\ntransaction type: x\nnumber of clients: 1\nnumber of transactions actually processed: 2\n"
	dir := write(t, map[string]string{"pgbench_log.77": log, "zz.txt": report})
	_, dst := must(t, Request{Files: paths(dir, "pgbench_log.77", "zz.txt")})
	if len(dst.m.Claims) != 0 {
		t.Errorf("claims %v that nobody asked for", dst.m.Claims)
	}
	named := map[string]string{"sold": "transactions"}
	_, dst = must(t, Request{Files: paths(dir, "pgbench_log.77", "zz.txt"), Claims: named})
	if dst.m.Claims["sold"] != "2" {
		t.Errorf("claims %v, want sold=2", dst.m.Claims)
	}
	_, dst = must(t, Request{Files: paths(dir, "pgbench_log.77"), Claims: named, Part: true})
	if notes := strings.Join(dst.m.Notes, "\n"); len(dst.m.Claims) != 0 || strings.Contains(notes, "no counter") {
		t.Errorf("of a part: claims %v, notes %s", dst.m.Claims, notes)
	}
}

// TestIngestOneRow: a CSV of one row is counts, but not where a mapping says what
// its columns are, and an outcome in words that nobody explained is named.
func TestIngestOneRow(t *testing.T) {
	dir := write(t, map[string]string{"one.csv": "started,took,n,result\n2026-03-02T10:00:00Z,5,7,OK\n", "two.csv": "rows\n7\n"})
	m := &Mapping{Format: genericCSVName, Start: &InstantField{Field: "started", Unit: "rfc3339"}, Latency: &DurationField{"took", "ms"}, Status: "result"}
	_, dst := must(t, Request{Files: paths(dir, "one.csv"), Maps: []*Mapping{m}})
	if len(dst.samples) != 1 || !strings.Contains(strings.Join(dst.m.Sources[0].Notes, "\n"), `"OK" in 1`) {
		t.Errorf("%d samples, sources %+v", len(dst.samples), dst.m.Sources)
	}
	report, err := DryRun(context.Background(), Request{Files: paths(dir, "two.csv"), Maps: []*Mapping{m}})
	if err != nil || report.Files[0].Format != PsqlCounts.Name {
		t.Errorf("%v: report %+v", err, report)
	}
}

func TestDryRun(t *testing.T) {
	dir := write(t, map[string]string{"a.json": k6At("2026-03-02T10:00:00Z", 2), "b": "Lorem ipsum\n", "c.exit": "0"})
	report, err := DryRun(context.Background(), Request{Files: paths(dir, "a.json", "b", "c.exit")})
	if !errors.Is(err, ErrUnknown) {
		t.Errorf("got %v", err)
	}
	if len(report.Files) != 3 || report.Files[0].Rows != 4 || report.Files[0].First != "2026-03-02T10:00:00.000000Z" ||
		!strings.Contains(report.Files[1].Error, "Lorem") || report.Files[2].Format != "exit-status" || report.Files[2].Notes == nil {
		t.Errorf("report %+v", report)
	}
}

// TestDryRunAsIngest: what a dry run says of a folder is what Ingest does.
func TestDryRunAsIngest(t *testing.T) {
	dir := write(t, map[string]string{
		"pgbench_log.77": "0 1 10833 0 1796052125 2040 3\n", "README": "About this run.\n",
		"report.txt": "pgbench (16.1)\ntransaction type: x\nrate limit schedule lag: avg 1.0 (max 2.0) ms\n",
	})
	req := Request{Files: []File{{Path: dir}}}
	dry, err := DryRun(context.Background(), req)
	if err != nil || dry.Files[0].Error == "" {
		t.Errorf("got %v, report %+v", err, dry)
	}
	real, dst := must(t, req)
	if dst.samples[0].Wait != 3000 || len(real.Files) != 2 || !slices.Equal(real.Files[0].Notes, dry.Files[1].Notes) {
		t.Errorf("ingest says %+v, the dry run %+v", real.Files, dry.Files)
	}
	k6 := k6At("2026-03-02T10:00:00Z", 5)
	dir = write(t, map[string]string{"a.json": k6, "b.json": k6})
	if _, err := DryRun(context.Background(), Request{Files: []File{{Path: dir}}}); !errors.Is(err, ErrDuplicate) {
		t.Errorf("the same file twice: %v", err)
	}
}

func TestIngestStopsWhenToldTo(t *testing.T) {
	dir := write(t, map[string]string{"a.json": k6At("2026-03-02T10:00:00Z", 2)})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Ingest(ctx, Request{Files: paths(dir, "a.json")}, &rows{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestIngestReportsProgress(t *testing.T) {
	dir := write(t, map[string]string{"a.json": k6At("2026-03-02T10:00:00Z", 200)})
	var last Progress
	must(t, Request{Files: paths(dir, "a.json"), Progress: func(p Progress) { last = p }})
	if last.File != "a.json" || last.Read != last.Size || last.Size == 0 {
		t.Errorf("the last word was %+v", last)
	}
}

func TestIngestTooManyBadLines(t *testing.T) {
	text := k6At("2026-03-02T10:00:00Z", 3) + strings.Repeat("{\"broken\n", 200)
	dir := write(t, map[string]string{"a.json": text})
	_, _, err := ingest(t, Request{Files: paths(dir, "a.json")})
	if err == nil || !strings.Contains(err.Error(), "lines cannot be read") || !strings.Contains(err.Error(), "a.json") {
		t.Errorf("got %v", err)
	}
}
