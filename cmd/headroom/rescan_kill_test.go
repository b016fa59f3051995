package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// headroomIn runs headroom as a process of its own: the test binary by that name.
func headroomIn(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &exec.Cmd{Path: self, Args: append([]string{"headroom"}, args...), Dir: dir, Env: os.Environ()}
}

// answerOf is what a command prints, and its exit status.
func answerOf(t *testing.T, cmd *exec.Cmd) (out, talk string, status int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// kept counts the entries of a cache.
func kept(cache string) int {
	n := 0
	filepath.WalkDir(cache, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name()[0] != '.' {
			n++
		}
		return nil
	})
	return n
}

const slowRequests = `name: slow-requests
version: 1
doc: |
  Requests of more than a quarter of a second.
  Cannot see: requests that nobody sent.
input: samples
window: {kind: sliding, length: 1s, least: 5}
when: max > limit
merge: 1s
severity: warning
params:
  limit: {default: 0.25, unit: s, doc: a request over this is slow}
measures: {worst: max}
message: requests were slow
`

// manyRuns writes n runs; every third has a slow second.
func manyRuns(t *testing.T, dir string, n int) {
	t.Helper()
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		w, err := runs.Create(filepath.Join(dir, "r"+strconv.Itoa(i)), runs.CreateOptions{ID: "r" + strconv.Itoa(i)})
		if err != nil {
			t.Fatal(err)
		}
		for k := range 300 {
			s := runs.NewSample()
			s.Start, s.Scenario, s.Outcome = 1767225600e6+int64(k)*20_000, "default", runs.OK
			s.Service = int64(8*time.Millisecond) + int64(i*1000+k)
			if i%3 == 0 && k >= 150 && k < 170 {
				s.Service = int64(300 * time.Millisecond)
			}
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}

// A scan that is killed, whenever that is, leaves a cache from which the next one
// goes on, and the answer is the undisturbed one byte for byte.
func TestKilledRescanGoesOn(t *testing.T) {
	dir := t.TempDir()
	const n = 24
	manyRuns(t, filepath.Join(dir, "archive"), n)
	if err := os.WriteFile(filepath.Join(dir, "slow.yaml"), []byte(slowRequests), 0o666); err != nil {
		t.Fatal(err)
	}
	first := func(cache string) []string { return []string{"rescan", "archive", "--cache", cache, "--quiet"} }
	second := func(cache string) []string {
		return []string{"rescan", "archive", "--cache", cache, "--json", "--detector", "slow.yaml", "--jobs", "2"}
	}
	if _, talk, status := answerOf(t, headroomIn(t, dir, first("undisturbed")...)); status != 0 {
		t.Fatalf("status %d: %s", status, talk)
	}
	pristine := filepath.Join(dir, "undisturbed")
	want := map[string]string{}
	for _, cache := range []string{"k0", "k1", "k2", "k3", "k4"} {
		if err := os.CopyFS(filepath.Join(dir, cache), os.DirFS(pristine)); err != nil {
			t.Fatal(err)
		}
	}
	out, talk, status := answerOf(t, headroomIn(t, dir, second("undisturbed")...))
	if status != 1 || strings.Count(out, `"detector": "slow-requests"`) != n/3 || !strings.HasPrefix(talk, "24 measured, 0 from the cache") {
		t.Fatalf("undisturbed: status %d, %s\n%.2000s", status, talk, out)
	}
	want["out"] = out
	for i, after := range []int{0, 1, n / 3, n / 2, n - 1} {
		cache := "k" + strconv.Itoa(i)
		killAfter(t, headroomIn(t, dir, second(cache)...), filepath.Join(dir, cache), after)
		left := kept(filepath.Join(dir, cache)) - kept(pristine) + n // entries of the killed scan; the history is in both
		out, talk, status := answerOf(t, headroomIn(t, dir, second(cache)...))
		if out != want["out"] || status != 1 {
			t.Errorf("killed after %d runs: status %d, the answer differs from the undisturbed one", after, status)
		}
		if left >= n && strings.HasPrefix(talk, "24 measured") {
			t.Errorf("killed after %d runs: nothing was taken from the cache: %s", after, talk)
		}
	}
	out, talk, status = answerOf(t, headroomIn(t, dir, second("k2")...))
	if out != want["out"] || status != 1 || !strings.HasPrefix(talk, "0 measured, 24 from the cache") {
		t.Errorf("once more: status %d, %s", status, talk)
	}
}

// killAfter starts a scan and kills its process, by SIGKILL, once the cache has
// so many entries more; a scan that ends before is as good as killed.
func killAfter(t *testing.T, cmd *exec.Cmd, cache string, entries int) {
	t.Helper()
	had := kept(cache)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for kept(cache)-had < entries {
		select {
		case <-ended:
			return
		case <-time.After(time.Millisecond):
		}
	}
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	<-ended
}
