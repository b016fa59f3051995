package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExamples runs the examples of every command's help, in a folder that
// holds the files they name: none may be bad usage, and none may find its input
// missing.
func TestExamples(t *testing.T) {
	lines := exampleLines(t)
	if len(lines) < 20 {
		t.Fatalf("only %d examples were found", len(lines))
	}
	s := &script{t: t, dir: t.TempDir()}
	exampleFiles(s)
	for _, line := range lines {
		words := glob(s.dir, fields(line))
		if i := slices.IndexFunc(words, func(w string) bool { return w == "--out" || w == "-o" }); i >= 0 {
			s.must(os.RemoveAll(s.path(words[i+1]))) // an example makes what another reads
		}
		if status := s.headroom(words[1:]); status == 3 || strings.Contains(s.stderr, "headroom: ") {
			t.Errorf("%s\nstatus %d\n%s", line, status, s.stderr)
		}
	}
}

// exampleLines returns the examples in docs/cli.md as they would be typed,
// without what follows a pipe or a redirection. Lines that are not headroom's
// are left out.
func exampleLines(t *testing.T) []string {
	text, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	inside := false
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", "")) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			inside = line == "```sh"
			continue
		}
		line, _, _ = strings.Cut(line, " | ")
		line, _, _ = strings.Cut(line, " > ")
		if inside && strings.HasPrefix(line, "headroom ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// exampleFiles makes the files that examples name.
func exampleFiles(s *script) {
	s.write("k6.json", k6Load([]string{"seconds=4"}))
	scriptCommands["gzip"](s, false, []string{"k6.json"})
	s.write("vmstat.txt", []byte(vmstatExample))
	s.write("postgresql.csv", []byte(csvlogExample))
	s.write("before.csv", []byte("rows\n100\n"))
	s.write("after.csv", []byte("rows\n300\n"))
	for _, dir := range []string{"runs/a", "runs/b", "archive/a", "sweep/1"} {
		s.must(os.MkdirAll(filepath.Dir(s.path(dir)), 0o777))
		s.write("load.json", k6Load([]string{"seconds=4", "at=" + map[byte]string{'a': "0", 'b': "60", '1': "120"}[dir[len(dir)-1]]}))
		if status := s.headroom([]string{"ingest", "--quiet", "--out", dir, "load.json"}); status != 0 {
			s.t.Fatal(s.stderr)
		}
	}
	s.must(os.Remove(s.path("load.json")))
	for _, step := range []string{"1", "2"} {
		s.write("c"+step+"/pgbench_log.77", []byte(strings.Repeat("0 1 1843 0 179698"+step+"000 100000\n", 5)))
	}
	s.write("pgbench_log.77", []byte("0 1 1843 0 1796981000 100000\n0 2 1900 0 1796981000 200000\n"))
}

// glob expands the patterns among words as a shell would.
func glob(dir string, words []string) []string {
	var out []string
	for _, w := range words {
		found, _ := filepath.Glob(filepath.Join(dir, w))
		if !strings.Contains(w, "*") || len(found) == 0 {
			out = append(out, w)
			continue
		}
		for _, f := range found {
			rel, _ := filepath.Rel(dir, f)
			out = append(out, rel)
		}
	}
	return out
}

const vmstatExample = `procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC
 8  0      0 15461312  24536 8561396    0    0  2012  3682  832 1913 74 10 15  0  1 2026-08-17 12:00:00
 2  0      0 15461312  24536 8561396    0    0     0   128  832 1913 20  5 75  0  0 2026-08-17 12:00:01
`

const csvlogExample = `2026-08-17 12:00:03.297 UTC,,,18080,,6b0dae13.46a0,1,,2026-08-17 11:59:43 UTC,,0,LOG,00000,"checkpoint starting: time",,,,,,,,,"","checkpointer",,0
`
