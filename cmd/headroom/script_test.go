package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/cmd/headroom/internal/cli"
)

// TestScripts runs every testdata/script/*.txtar: a script, one command a line,
// and the files that it begins with. scriptCommands says which commands there
// are; the scripts show how they read.
func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) { runScript(t, path) })
	}
}

// script is one script being run, in a folder of its own.
type script struct {
	t              *testing.T
	dir            string
	line           int
	stdin          []byte
	stdout, stderr string // of the last headroom
	failed         bool
}

func runScript(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines, files := splitArchive(string(text))
	s := &script{t: t, dir: t.TempDir()}
	for name, content := range files {
		s.write(name, []byte(content))
	}
	for i, line := range lines {
		s.line = i + 1
		words := fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		negated := words[0] == "!"
		if negated {
			words = words[1:]
		}
		command, ok := scriptCommands[words[0]]
		if !ok {
			t.Fatalf("line %d: there is no command %q", s.line, words[0])
		}
		if command(s, negated, words[1:]); s.failed {
			t.Fatalf("%s:%d: %s\nstdout:\n%s\nstderr:\n%s", path, s.line, line, s.stdout, s.stderr)
		}
	}
}

// splitArchive takes a txtar archive apart: the lines before the first
// "-- name --", and the files.
func splitArchive(text string) (script []string, files map[string]string) {
	files = map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		if n, ok := strings.CutPrefix(line, "-- "); ok {
			if n, ok = strings.CutSuffix(strings.TrimSpace(n), " --"); ok {
				name = n
				files[name] = ""
				continue
			}
		}
		if name == "" {
			script = append(script, strings.TrimSuffix(line, "\n"))
			continue
		}
		files[name] += line
	}
	return script, files
}

// fields splits a line at spaces; 'single quotes' keep them.
func fields(line string) []string {
	var words []string
	var word strings.Builder
	quoted, open := false, false
	for _, r := range line {
		switch {
		case r == '\'':
			quoted, open = !quoted, true
		case r == ' ' && !quoted:
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}

// headroom runs a command line as the program would, in the script's folder.
func (s *script) headroom(args []string) int {
	var out, errs bytes.Buffer
	env := &cli.Env{
		Stdio:  cli.Stdio{In: bytes.NewReader(s.stdin), Out: &out, Err: &errs},
		Dir:    s.dir,
		Now:    func() time.Time { return time.Date(2026, 8, 17, 12, 0, 0, 0, time.UTC) },
		Getenv: func(string) string { return "" },
		Width:  func(io.Writer) int { return 0 },
	}
	status := cli.Main(context.Background(), env, args)
	s.stdin, s.stdout, s.stderr = nil, out.String(), errs.String()
	return status
}

func (s *script) path(name string) string { return filepath.Join(s.dir, name) }

func (s *script) read(name string) []byte {
	switch name {
	case "stdout":
		return []byte(s.stdout)
	case "stderr":
		return []byte(s.stderr)
	}
	b, err := os.ReadFile(s.path(name))
	s.must(err)
	return b
}

func (s *script) write(name string, content []byte) {
	s.must(os.MkdirAll(filepath.Dir(s.path(name)), 0o777))
	s.must(os.WriteFile(s.path(name), content, 0o666))
}

func (s *script) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("line %d: %v", s.line, err)
	}
}

// expect fails the script unless ok, or, negated, if ok.
func (s *script) expect(ok, negated bool) { s.failed = ok == negated }

// names lists everything in a folder of the script, hidden names as well.
func (s *script) names(dir string) []string {
	entries, err := os.ReadDir(s.path(dir))
	s.must(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// option returns the value of key=value among args, or def.
func option(args []string, key string, def float64) float64 {
	i := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, key+"=") })
	if i < 0 {
		return def
	}
	v, err := strconv.ParseFloat(args[i][len(key)+1:], 64)
	if err != nil {
		panic(err)
	}
	return v
}
