package ingest

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"regexp"
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

func TestCorpusLoad(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_CORPUS", "corpus", "INDEX-load.tsv")
	answered := 0
	for _, e := range readCorpusIndex(t, root) {
		if !strings.HasSuffix(e.file, ".json") && !strings.HasSuffix(e.file, ".gz") && !strings.HasSuffix(e.file, ".csv") {
			continue
		}
		if e.format != "k6" && e.format != "pgbench" {
			continue
		}
		t.Run(e.file, func(t *testing.T) {
			dst := &rows{}
			report, err := Ingest(context.Background(), Request{Files: []File{{Path: filepath.Join(root, e.file)}}}, dst)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(report.Files[0].Format, report.Files[0].Rows, report.Files[0].Notes)
			got := map[string]string{}
			sent := dst.with("")
			got["http_reqs"] = strconv.Itoa(len(sent))
			got["http_req_failed_true"] = strconv.Itoa(len(sent) - len(dst.with(runs.OK)))
			got["dropped_iterations"] = strconv.Itoa(len(dst.with(runs.Dropped)))
			if s := services(sent); len(s) > 0 {
				got["dur_ms_p50nr"] = ms(rank(s, 500))
				got["dur_ms_p99nr"] = ms(rank(s, 990))
				got["dur_ms_max"] = ms(s[len(s)-1])
			}
			for k, want := range e.computed {
				if got[k] == "" {
					t.Logf("no %s=%s", k, want)
				} else if got[k] != want {
					t.Errorf("%s: got %s, want %s", k, got[k], want)
				}
			}
			answered++
		})
	}
}

func ms(ns int64) string { return strconv.FormatFloat(float64(ns)/1e6, 'f', -1, 64) }

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
