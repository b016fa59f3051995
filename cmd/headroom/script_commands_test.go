package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are the words of the scripts beside those of testscript.
var scriptCommands = map[string]func(ts *testscript.TestScript, args []string){
	"status":   status,
	"only":     only,
	"gzip":     gzipped,
	"cut":      cut,
	"flip":     flip,
	"edit":     edit,
	"binary":   binary,
	"k6load":   k6load,
	"examples": examples,
}

// status is `status N PROGRAM ARG…`: run a program and expect this exit status.
func status(ts *testscript.TestScript, args []string) {
	want := number(ts, args[0])
	if got := exitStatus(ts, args[1], args[2:]...); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// exitStatus runs a program, whose output stdout and stderr then are about.
func exitStatus(ts *testscript.TestScript, program string, args ...string) int {
	err := ts.Exec(program, args...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	ts.Check(err)
	return 0
}

// only is `only DIR NAME…`: the folder holds these names and no other, hidden
// or not.
func only(ts *testscript.TestScript, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, slices.Sorted(slices.Values(args[1:]))) {
		ts.Fatalf("%s holds %q", args[0], got)
	}
}

// gzipped is `gzip FILE`: makes FILE.gz.
func gzipped(ts *testscript.TestScript, args []string) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(content(ts, args[0]))
	ts.Check(err)
	ts.Check(w.Close())
	write(ts, args[0]+".gz", b.Bytes())
}

// cut is `cut FILE N`: keeps its first N bytes; a negative N cuts as many off
// its end.
func cut(ts *testscript.TestScript, args []string) {
	b := content(ts, args[0])
	write(ts, args[0], b[:place(ts, b, args[1])])
}

// flip is `flip FILE N`: changes its byte N; a negative N counts from its end.
func flip(ts *testscript.TestScript, args []string) {
	b := content(ts, args[0])
	b[place(ts, b, args[1])] ^= 0xff
	write(ts, args[0], b)
}

// edit is `edit FILE OLD NEW`: changes the first OLD, which must be there.
func edit(ts *testscript.TestScript, args []string) {
	text := string(content(ts, args[0]))
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	write(ts, args[0], []byte(strings.Replace(text, args[1], args[2], 1)))
}

// binary is `binary FILE N`: N bytes that are no text.
func binary(ts *testscript.TestScript, args []string) {
	b := make([]byte, number(ts, args[1]))
	for i := range b {
		b[i] = byte(i * 7 % 256)
	}
	write(ts, args[0], b)
}

// k6load is `k6load FILE [KEY=NUMBER]…`: a k6 JSON file of a k6Load.
func k6load(ts *testscript.TestScript, args []string) {
	l, err := parseK6Load(args[1:])
	ts.Check(err)
	write(ts, args[0], l.json())
}

// examples is `examples FILE`: runs the examples of headroom in a Markdown file
// as they would be typed, without what follows a pipe or a redirection. None may
// be bad usage, and none may lack its input.
func examples(ts *testscript.TestScript, args []string) {
	lines := exampleLines(string(content(ts, args[0])))
	if len(lines) < 20 {
		ts.Fatalf("only %d examples were found in %s", len(lines), args[0])
	}
	for _, line := range lines {
		words := strings.Fields(line)
		reads := strings.HasPrefix(line, "headroom report check ") // what is named as output is looked at
		if i := slices.IndexFunc(words, func(w string) bool { return w == "--out" || w == "-o" }); i >= 0 && !reads {
			ts.Check(os.RemoveAll(ts.MkAbs(words[i+1]))) // an example makes what another reads
		}
		if got := exitStatus(ts, "sh", "-c", line); got > 2 || strings.Contains(ts.ReadFile("stderr"), "headroom: ") {
			ts.Fatalf("%s\nexit status %d", line, got)
		}
	}
}

// exampleLines returns the commands in the shell blocks of a Markdown text that
// are headroom's.
func exampleLines(text string) []string {
	var lines []string
	inside := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
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

func content(ts *testscript.TestScript, name string) []byte {
	b, err := os.ReadFile(ts.MkAbs(name))
	ts.Check(err)
	return b
}

func write(ts *testscript.TestScript, name string, b []byte) {
	ts.Check(os.WriteFile(ts.MkAbs(name), b, 0o666))
}

func number(ts *testscript.TestScript, s string) int {
	n, err := strconv.Atoi(s)
	ts.Check(err)
	return n
}

// place is the position in b that a number means; negative ones count from the
// end.
func place(ts *testscript.TestScript, b []byte, s string) int {
	n := number(ts, s)
	if n < 0 {
		n += len(b)
	}
	return n
}
