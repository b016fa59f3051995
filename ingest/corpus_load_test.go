package ingest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// corpusEntry is one line of INDEX-load.tsv.
type corpusEntry struct {
	file, format string
	computed     map[string]string // right answers that were computed from the file
	printed      string            // what the tool itself printed
}

var computedPair = regexp.MustCompile(`(\w+)=([^;|\s]+)`)

func readCorpusIndex(t *testing.T, root string) []corpusEntry {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "INDEX-load.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var entries []corpusEntry
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		fields := strings.Split(sc.Text(), "\t")
		if len(fields) < 5 || fields[0] == "file" {
			continue
		}
		e := corpusEntry{file: fields[0], format: fields[1], computed: map[string]string{}}
		answer := fields[4]
		if i := strings.Index(answer, "computed:"); i >= 0 {
			for _, m := range computedPair.FindAllStringSubmatch(answer[i:], -1) {
				e.computed[m[1]] = m[2]
			}
			e.printed = answer[:i]
			if j := strings.Index(answer[i:], "printed:"); j >= 0 {
				e.printed += answer[i+j:]
			}
		} else {
			e.printed = answer
		}
		entries = append(entries, e)
	}
	return entries
}

// corpusKind is a group of the index's formats whose right answers are found in
// one way.
type corpusKind struct {
	formats []string
	beside  *regexp.Regexp              // files that are no evidence: a console, what a tool was to print
	options func(format string) Options // what has to be said of files that say too little
	refused map[string]string           // files that are not read, with what the refusal says
	answers func(t *testing.T, root string, e corpusEntry, report *Report, r *rows) (answered, ids int)
}

var corpusKinds = []corpusKind{
	{
		formats: []string{"k6", "pgbench"}, beside: regexp.MustCompile(`(expected\.stdout\.txt|stderr\.txt)$`),
		options: func(string) Options { return Options{} }, answers: loadAnswers,
	},
	{
		formats: []string{"vegeta", "jmeter", "locust", "gatling", "wrk", "wrk2", "hey", "ab"}, beside: regexp.MustCompile(`console\.txt$`),
		options: func(string) Options {
			return Options{Zone: time.UTC, Start: time.Date(2026, 11, 30, 15, 0, 0, 0, time.UTC), Interval: time.Second}
		}, answers: httpAnswers,
	},
	{
		formats: []string{
			"oha", "bombardier", "autocannon", "artillery", "fortio", "siege", "h2load", "sysbench",
			"ycsb", "benchbase", "hammerdb", "openmessaging", "hdrhistogram", "gobench",
		},
		beside: regexp.MustCompile(`^$`), options: reportOptions, refused: refusedReports, answers: reportAnswers,
	},
}

// TestCorpusLoad reads every file of every load generator as it is, and again
// renamed and compressed, and compares with the right answers of the index. A
// format of the index that no kind has fails.
func TestCorpusLoad(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-load.tsv")
	ids, answered := 0, 0
	for _, e := range readCorpusIndex(t, root) {
		i := slices.IndexFunc(corpusKinds, func(k corpusKind) bool { return slices.Contains(k.formats, e.format) })
		if i < 0 {
			t.Errorf("%s: nothing answers for files of %s", e.file, e.format)
			continue
		}
		kind := corpusKinds[i]
		if kind.beside.MatchString(e.file) {
			continue
		}
		t.Run(e.file, func(t *testing.T) {
			path := filepath.Join(root, e.file)
			if why := kind.refused[e.file]; why != "" {
				ids, answered = ids+1, answered+1
				if _, _, err := ingestWith(path, kind.options(e.format)); err == nil || !strings.Contains(err.Error(), why) {
					t.Errorf("read, or refused otherwise: %v", err)
				}
				return
			}
			report, r, err := ingestWith(path, kind.options(e.format))
			if err != nil {
				t.Fatal(err)
			}
			if f := report.Files[0]; f.BadLines > 0 && e.format != "ycsb" && e.format != "hdrhistogram" {
				t.Errorf("%d lines could not be read: %v", f.BadLines, f.Bad)
			}
			disguised(t, path, kind.options(e.format), report.Files[0].Format, r)
			n, of := kind.answers(t, root, e, report, r)
			answered, ids = answered+n, ids+of
		})
	}
	t.Logf("answered %d of %d ids", answered, ids)
	if answered == 0 {
		t.Error("no entry of the index was answered")
	}
}

// disguised reads a file again, renamed and compressed: the content alone decides.
func disguised(t *testing.T, path string, opt Options, format string, want *rows) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(text)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"file.dat": text, "file.bin": packed.Bytes()} {
		hidden := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(hidden, content, 0o600); err != nil {
			t.Fatal(err)
		}
		report, got, err := ingestWith(hidden, opt)
		if err != nil || report.Files[0].Format != format {
			t.Errorf("as %s it is read otherwise: %v", name, err)
			continue
		}
		for i := range got.histograms {
			got.histograms[i].Source = filepath.Base(path) // the base name is the rows' source
		}
		for i := range got.benchmarks {
			got.benchmarks[i].Source = filepath.Base(path)
		}
		if !reflect.DeepEqual(got.samples, want.samples) || !reflect.DeepEqual(got.histograms, want.histograms) ||
			!reflect.DeepEqual(got.benchmarks, want.benchmarks) || len(got.points) != len(want.points) {
			t.Errorf("as %s it gives something else", name)
		}
	}
}

// loadAnswers compares what was read of one file of k6 or pgbench.
func loadAnswers(t *testing.T, _ string, e corpusEntry, report *Report, dst *rows) (answered, ids int) {
	got := corpusAnswers(report.Files[0].Format, dst)
	for id, want := range e.computed {
		if id == "lines" || id == "points" || id == "cols" || id == "files" {
			continue // of the file, not of the run
		}
		ids++
		v, ok := got[id]
		w, err := strconv.ParseFloat(want, 64)
		if !ok || err != nil {
			t.Errorf("%s=%s has no answer", id, want)
			continue
		}
		answered++
		if v != w {
			t.Errorf("%s: got %v, want %v", id, v, w)
		}
	}
	for _, p := range printedPair.FindAllStringSubmatch(e.printed, 1) {
		if report.Files[0].Format != PgbenchOutput.Name {
			continue
		}
		ids++
		answered++
		if w, _ := strconv.ParseFloat(p[1], 64); dst.m.Summaries[0].Values["requests"] != w {
			t.Errorf("printed %s, the summary holds %v", p[0], dst.m.Summaries[0].Values)
		}
	}
	return answered, ids
}

var printedPair = regexp.MustCompile(`transactions actually processed: (\d+)`)

// corpusAnswers computes, from the rows of one file, what the index computed
// from the file, under the names of the index.
func corpusAnswers(format string, r *rows) map[string]float64 {
	got := map[string]float64{}
	for _, s := range r.samples {
		switch {
		case s.Outcome == runs.OK:
			got["ok"]++
		case s.Status != "":
			got[s.Status]++
		}
	}
	for _, p := range r.points {
		if p.Metric == "k6.iterations" {
			got["iterations"] += p.Value
		}
		if p.Metric == "pgbench.transactions" {
			got["intervals"]++
		}
		name, ok := strings.CutPrefix(p.Metric, "pgbench.")
		name = strings.TrimSuffix(name, "_failures")
		switch {
		case !ok:
		case name == "latency_sum":
			got["sum_latency_us"] = math.Round(got["sum_latency_us"] + p.Value*1e6)
		case name == "latency_max":
			got["max_latency_us"] = math.Max(got["max_latency_us"], math.Round(p.Value*1e6))
		default:
			got[name] += p.Value
		}
	}
	got["rows"] = float64(len(r.samples))
	sent := r.with("")
	got["http_reqs"] = float64(len(sent))
	got["http_req_failed_true"] = float64(len(sent) - len(r.with(runs.OK)))
	got["dropped_iterations"] = float64(len(r.with(runs.Dropped)))
	if s := services(sent); len(s) > 0 {
		got["dur_ms_p50nr"], got["dur_ms_p99nr"], got["dur_ms_max"] = float64(rank(s, 500))/1e6, float64(rank(s, 990))/1e6, float64(s[len(s)-1])/1e6
	}
	if s := latencies(r.samples); format == PgbenchLog.Name && len(s) > 0 {
		got["lat_us_p50nr"], got["lat_us_p99nr"], got["lat_us_max"] = float64(rank(s, 500))/1e3, float64(rank(s, 990))/1e3, float64(s[len(s)-1])/1e3
	}
	if format == K6CSV.Name { // the index counts lines of metrics: nine a request, and every other value
		got["rows"] = float64(9*len(sent)) + got["dropped_iterations"] + float64(len(r.points))
	}
	return got
}

// sharedFolder returns the folder of test data that the variable names, by
// default a folder beside the project. Only an absent default skips the test.
func sharedFolder(t *testing.T, variable, name, mark string) string {
	t.Helper()
	if dir := os.Getenv(variable); dir != "" {
		if _, err := os.Stat(filepath.Join(dir, mark)); err != nil {
			t.Fatalf("%s=%s holds nothing of the expected shape: %v", variable, dir, err)
		}
		return dir
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the package")
		}
		dir = filepath.Dir(dir)
	}
	dir = filepath.Join(dir, "..", "shared", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not set and the default %s is absent", variable, filepath.Join("..", "shared", name))
	}
	return dir
}
