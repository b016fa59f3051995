package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// pages builds n documents of one run each, measured on one day after the other.
func pages(t *testing.T, dir string, n int) (names []string) {
	t.Helper()
	for i := range n {
		caseRun{Run: i + 1, Started: time.Date(2026, 3, i+1, 10, 0, 0, 0, time.UTC), P99: 20 + float64(i)}.document(t, dir)
		name := fmt.Sprintf("page-%d", i)
		if err := os.Rename(filepath.Join(dir, "page"), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPublishersAtOnce starts a process for each of several documents at the same
// moment: the site is that of one after the other.
func TestPublishersAtOnce(t *testing.T) {
	dir := t.TempDir()
	names := pages(t, dir, 6)
	for _, name := range names {
		if out, talk, status := answerOf(t, headroomIn(t, dir, "report", "publish", name, "--site", "one")); status != 0 {
			t.Fatalf("%s%s", out, talk)
		}
	}
	var all sync.WaitGroup
	said := make([]string, 2*len(names))
	for i := range said { // each document twice
		cmd := headroomIn(t, dir, "report", "publish", names[i/2], "--site", "many")
		all.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				said[i] = fmt.Sprintf("%v: %s", err, out)
			} else {
				said[i] = string(out)
			}
		})
	}
	all.Wait()
	published, unchanged := 0, 0
	for _, s := range said {
		published += strings.Count(s, ": published")
		unchanged += strings.Count(s, ": unchanged")
	}
	if published != len(names) || unchanged != len(names) {
		t.Errorf("%d published and %d unchanged, want %d each: %q", published, unchanged, len(names), said)
	}
	if one, many := filesOf(t, filepath.Join(dir, "one")), filesOf(t, filepath.Join(dir, "many")); !maps.Equal(one, many) {
		t.Errorf("the sites differ: %q and %q", slices.Sorted(maps.Keys(one)), slices.Sorted(maps.Keys(many)))
	}
}

var siteLink = regexp.MustCompile(`(?:href="|url=)([^"#:]+)"`)

// wholeSite checks that every link of a site leads to a file, that each of those is
// whole, and that the versions are as they were sealed.
func wholeSite(t *testing.T, dir, site string) {
	t.Helper()
	root := filepath.Join(dir, site)
	index := filepath.Join(root, "index.html")
	if _, err := os.Stat(index); err != nil {
		return // nothing is published yet
	}
	seen, todo := map[string]bool{index: true}, []string{index}
	for len(todo) > 0 {
		page := todo[0]
		todo = todo[1:]
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if strings.HasSuffix(page, ".html") && !strings.HasSuffix(strings.TrimSpace(text), "</html>") || strings.HasSuffix(page, ".xml") && !strings.HasSuffix(text, "</feed>\n") {
			t.Fatalf("%s is cut", page)
		}
		for _, m := range siteLink.FindAllStringSubmatch(text, -1) {
			to := filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))
			if !seen[to] && !strings.HasSuffix(page, ".xml") {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
}

// TestPublisherIsKilled kills publishers at many moments: what the site shows is
// whole each time, and the next publication makes the site that an undisturbed one
// has made.
func TestPublisherIsKilled(t *testing.T) {
	dir := t.TempDir()
	names := pages(t, dir, 3)
	start := time.Now()
	for _, name := range names {
		if out, talk, status := answerOf(t, headroomIn(t, dir, "report", "publish", name, "--site", "undisturbed")); status != 0 {
			t.Fatalf("%s%s", out, talk)
		}
	}
	usual := time.Since(start) / time.Duration(len(names))
	want := filesOf(t, filepath.Join(dir, "undisturbed"))
	killed := 0
	for i := range 30 {
		name := names[i%len(names)]
		if i%10 == 0 {
			if err := os.RemoveAll(filepath.Join(dir, "site")); err != nil {
				t.Fatal(err)
			}
		}
		cmd := headroomIn(t, dir, "report", "publish", name, "--site", "site")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(usual * time.Duration(i%10+1) / 10)
		_ = cmd.Process.Kill() // unless it was done
		_ = cmd.Wait()
		if !cmd.ProcessState.Exited() {
			killed++
		}
		wholeSite(t, dir, "site")
	}
	for _, name := range names {
		if out, talk, status := answerOf(t, headroomIn(t, dir, "report", "publish", name, "--site", "site")); status != 0 {
			t.Fatalf("after the kills: %s%s", out, talk)
		}
	}
	got := filesOf(t, filepath.Join(dir, "site"))
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs from that of an undisturbed site", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d: %q", len(got), len(want), slices.Sorted(maps.Keys(got)))
	}
	t.Logf("%d publishers were killed", killed)
	if killed == 0 {
		t.Error("every publisher was done before it was killed")
	}
}

// TestRescanOfSite finds every version of a site, once each.
func TestRescanOfSite(t *testing.T) {
	dir := t.TempDir()
	names := pages(t, dir, 2)
	for _, name := range names {
		if out, talk, status := answerOf(t, headroomIn(t, dir, "report", "publish", name, "--site", "site")); status != 0 {
			t.Fatalf("%s%s", out, talk)
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "runs", "c016"), os.DirFS("../../runs/testdata/compat/v1")); err != nil {
		t.Fatal(err)
	}
	out, talk, status := answerOf(t, headroomIn(t, dir, "rescan", "runs", "--against", "site", "--json"))
	if n := strings.Count(out, `"path": "site/`); n != 2 || status != 2 { // its runs are not in this archive
		t.Errorf("status %d, %d documents, want 2: %s%s", status, n, out[:min(len(out), 800)], talk)
	}
}
