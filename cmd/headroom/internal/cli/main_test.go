package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"headroom/ingest"
)

// vmstatLines is a host log of n seconds.
func vmstatLines(n int) string {
	var b strings.Builder
	b.WriteString(`procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC
`)
	at := time.Date(2026, 8, 17, 12, 0, 0, 0, time.UTC)
	for i := range n {
		b.WriteString(" 8  0      0 15461312  24536 8561396    0    0  2012  3682  832 1913 74 10 15  0  1 ")
		b.WriteString(at.Add(time.Duration(i)*time.Second).Format(time.DateTime) + "\n")
	}
	return b.String()
}

// cancelling is a reader that cancels a context once it was read from.
type cancelling struct {
	r      io.Reader
	cancel func()
}

func (c *cancelling) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.cancel()
	return n, err
}

// TestInterrupt ends a command in the middle of its input: nothing stays.
func TestInterrupt(t *testing.T) {
	for _, args := range [][]string{
		{"ingest", "--out", "new/r", "-"},
		{"report", "build", "-o", "new/page", "-"},
	} {
		env := newTestEnv(t.TempDir())
		ctx, cancel := context.WithCancel(context.Background())
		env.In = &cancelling{strings.NewReader(vmstatLines(20_000)), cancel}
		if status := Main(ctx, &env.Env, args); status != 3 {
			t.Errorf("%q: status %d, want 3", args, status)
		}
		if got := env.err.String(); got != "headroom: interrupted; nothing was written\n" {
			t.Errorf("%q: %q", args, got)
		}
		if left, _ := os.ReadDir(env.Dir); len(left) > 0 {
			t.Errorf("%q left %v", args, left)
		}
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestAnswerLost does not call a command a success whose answer went nowhere.
func TestAnswerLost(t *testing.T) {
	for _, args := range [][]string{{"formats"}, {"version"}, {"version", "--json"}, {"completion", "bash"}, {"--help"}, {"--version"}} {
		env := newTestEnv("")
		env.Out = full{}
		if status := Main(context.Background(), &env.Env, args); status != 3 {
			t.Errorf("%q: status %d, want 3", args, status)
		}
		if !strings.Contains(env.err.String(), errFull.Error()) {
			t.Errorf("%q: %q", args, env.err.String())
		}
	}
}

// TestUnwritable says why a run cannot be written, with status 3.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "vmstat.txt"), []byte(vmstatLines(3)), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o666))
	for _, args := range [][]string{
		{"ingest", "--out", "file/r", "vmstat.txt"},
		{"report", "build", "-o", "file/page", "vmstat.txt"},
		{"report", "build", "-o", "file", "vmstat.txt"},
		{"report", "build", "-o", ".", "vmstat.txt"},
	} {
		env := newTestEnv(dir)
		status := Main(context.Background(), &env.Env, args)
		if status != 3 || strings.Count(env.err.String(), "\n") != 1 {
			t.Errorf("%q: status %d, %q; want 3 and one line", args, status, env.err.String())
		}
	}
}

// TestWidth asks for the width of the process's own streams.
func TestWidth(t *testing.T) {
	env := newTestEnv("")
	env.Width = func(w io.Writer) int {
		if w == &env.out {
			return 30
		}
		return 0
	}
	if status := Main(context.Background(), &env.Env, []string{"formats"}); status != 0 {
		t.Fatalf("status %d: %s", status, env.err.String())
	}
	for line := range strings.Lines(env.out.String()) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 30 {
			t.Errorf("%q is longer than the terminal", line)
		}
	}
}

// TestPanic is an internal error with a status of its own, not Go's 2.
func TestPanic(t *testing.T) {
	env := newTestEnv("")
	env.Width = func(io.Writer) int { panic("a fault of ours") }
	if status := Main(context.Background(), &env.Env, []string{"formats"}); status != 3 {
		t.Errorf("status %d, want 3", status)
	}
	if !strings.HasPrefix(env.err.String(), "headroom: internal error: a fault of ours\n") {
		t.Errorf("stderr: %q", env.err.String())
	}
}

// TestProgress draws at most ten times a second, within the terminal, and only
// on one.
func TestProgress(t *testing.T) {
	env := newTestEnv("")
	now := time.Date(2026, 8, 17, 12, 0, 0, 0, time.UTC)
	env.Now = func() time.Time { return now }
	env.Width = func(io.Writer) int { return 30 }
	p := newProgress(&env.Env, Output{})
	p.file(ingest.Progress{File: "a-long-file-name.json.gz", Read: 34_000_000, Size: 120_000_000})
	p.file(ingest.Progress{File: "too soon", Read: 35_000_000})
	now = now.Add(time.Second)
	p.file(ingest.Progress{File: "b\x1b", Read: 999})
	p.clear()
	p.clear()
	const clear = "\r\x1b[K"
	if got, want := env.err.String(), clear+"reading a-long-file-name.json"+clear+`reading b\x1b  999 B`+clear; got != want {
		t.Errorf("drawn %q, want %q", got, want)
	}

	for name, silence := range map[string]func(*testEnv, *Output){
		"no terminal": func(e *testEnv, _ *Output) { e.Width = func(io.Writer) int { return 0 } },
		"quiet":       func(_ *testEnv, o *Output) { o.Quiet = true },
		"dumb":        func(e *testEnv, _ *Output) { e.Getenv = func(string) string { return "dumb" } },
	} {
		env, o := newTestEnv(""), Output{}
		env.Width = func(io.Writer) int { return 80 }
		silence(env, &o)
		p := newProgress(&env.Env, o)
		p.file(ingest.Progress{File: "a", Read: 1})
		p.clear()
		if env.err.Len() > 0 {
			t.Errorf("%s: drawn %q", name, env.err.String())
		}
	}
}

func TestBytesText(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1500: "1.5 kB", 34e6: "34.0 MB", 2e9: "2.0 GB"} {
		if got := bytesText(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// TestPaths resolves what is typed against the folder, and back.
func TestPaths(t *testing.T) {
	env := Env{Dir: "/base"}
	for typed, resolved := range map[string]string{"a/b": "/base/a/b", "/x": "/x", ".": "/base"} {
		if got := env.Path(typed); got != resolved {
			t.Errorf("Path(%s) = %s, want %s", typed, got, resolved)
		}
	}
	if got := env.Shown("/base/a/b"); got != "a/b" {
		t.Errorf("Shown: %s", got)
	}
	if got := (&Env{}).Shown("/base/a"); got != "/base/a" {
		t.Errorf("Shown without a folder: %s", got)
	}
}

// TestMakeParents removes only what it made, and only if it is empty.
func TestMakeParents(t *testing.T) {
	dir := t.TempDir()
	undo, err := makeParents(filepath.Join(dir, "a", "b", "c"))
	must(t, err)
	must(t, os.Mkdir(filepath.Join(dir, "a", "b", "c"), 0o777))
	undo()
	if _, err := os.Stat(filepath.Join(dir, "a", "b", "c")); err != nil {
		t.Error("a folder that holds something was removed")
	}
	must(t, os.Remove(filepath.Join(dir, "a", "b", "c")))
	undo()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestPrintJSON keeps text as it is: programs read it, not browsers.
func TestPrintJSON(t *testing.T) {
	var b bytes.Buffer
	must(t, printJSON(&b, map[string]any{"a": "<b> & ü", "list": nonNil[string](nil)}))
	if got, want := b.String(), "{\n  \"a\": \"<b> & ü\",\n  \"list\": []\n}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
