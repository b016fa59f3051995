package ingest

import (
	"bufio"
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

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

// corpusFormats are the formats of the index that this version reads; the rest
// belongs to later versions.
var corpusFormats = []string{"k6", "pgbench"}

// notLoad are files that stand beside the files of a format and are not read.
var notLoad = regexp.MustCompile(`(expected\.stdout\.txt|stderr\.txt)$`)

func TestCorpusLoad(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-load.tsv")
	ids, answered := 0, 0
	for _, e := range readCorpusIndex(t, root) {
		if !slices.Contains(corpusFormats, e.format) || notLoad.MatchString(e.file) {
			continue
		}
		t.Run(e.file, func(t *testing.T) {
			dst := &rows{}
			report, err := Ingest(context.Background(), Request{Files: []File{{Path: filepath.Join(root, e.file)}}}, dst)
			if err != nil {
				t.Fatal(err)
			}
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
		})
	}
	t.Logf("answered %d of %d ids", answered, ids)
	if answered == 0 {
		t.Error("no entry of the index was answered")
	}
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
