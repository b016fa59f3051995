package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"headroom/runs"
)

// served counts the requests of a server on the loopback; every fifth fails.
func served(t *testing.T) (url string, requests *atomic.Int64) {
	t.Helper()
	requests = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1)%5 == 0 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, requests
}

// samplesOf counts the samples of a run, and those that failed.
func samplesOf(t *testing.T, r *runs.Run) (n, failed int64) {
	t.Helper()
	err := r.ScanSamples(context.Background(), []runs.Column{runs.ColOutcome}, runs.Range{}, func(b *runs.Batch) error {
		n += int64(b.Len)
		for _, o := range b.Outcome[:b.Len] {
			if o != runs.OK {
				failed++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n, failed
}

// opened is a sealed run.
func opened(t *testing.T, path string) *runs.Run {
	t.Helper()
	r, err := runs.Open(path)
	if err == nil {
		err = r.Verify(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// await waits until something holds, a minute at most.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 3000 {
		if holds() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("waited a minute until %s", what)
}

// A load of real requests is recorded through a pipe: every request that the
// server served is a sample, with its outcome; another process begins the second
// step and says what happened; the load's status is passed on.
func TestCaptureHTTP(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	url, requests := served(t)
	cmd := headroomIn(t, dir, "capture", "--quiet", "--out", "run", "--samples", "k6=fifo", "--step", "rate=40", "--",
		"k6pipe", "-url", url, "-out", "{samples}", "-rate", "40", "-seconds", "4", "-status", "99")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "the load runs", func() bool { return requests.Load() > 20 })
	for _, mark := range [][]string{{"--step", "rate=40,phase=second"}, {"--note", "cache emptied"}} {
		if _, talk, status := answerOf(t, headroomIn(t, dir, append([]string{"mark", "run"}, mark...)...)); status != 0 {
			t.Errorf("mark %q: status %d, %s", mark, status, talk)
		}
	}
	cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 99 || stdout.String() != "run\n" {
		t.Fatalf("status %d, printed %q and %s", status, stdout.String(), stderr.String())
	}
	r := opened(t, filepath.Join(dir, "run"))
	n, failed := samplesOf(t, r)
	m := r.Manifest()
	if n != requests.Load() || n != 160 || failed != n/5 {
		t.Errorf("%d samples, %d failed; the server served %d", n, failed, requests.Load())
	}
	if m.ExitStatus == nil || *m.ExitStatus != 99 || m.State != runs.Sealed || m.Load.Tool != "k6" {
		t.Errorf("status %v, state %s, load %+v", m.ExitStatus, m.State, m.Load)
	}
	if s := m.Steps; len(s) != 2 || s[0].End != s[1].Start || s[1].Labels["phase"] != "second" || s[1].End <= s[1].Start {
		t.Errorf("steps %+v", s)
	}
	i := slices.IndexFunc(m.Sources, func(s runs.Source) bool { return s.Format == "k6-json" })
	if i < 0 || m.Sources[i].Samples != n || m.Sources[i].Cut || m.Sources[i].BadLines != 0 {
		t.Errorf("sources %+v", m.Sources)
	}
	var notes []string
	err := r.ScanMarkers(context.Background(), []string{"note"}, runs.Range{}, func(m *runs.Marker) error {
		notes = append(notes, m.Message)
		return nil
	})
	if err != nil || !slices.Equal(notes, []string{"cache emptied"}) {
		t.Errorf("notes %q, %v", notes, err)
	}
}

// Ctrl-C ends the load, which says so by its status; what it had done by then is
// all there, and the run is sealed.
func TestCaptureInterrupted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	url, requests := served(t)
	cmd := headroomIn(t, dir, "capture", "--quiet", "--out", "run", "--samples", "k6=fifo", "--",
		"k6pipe", "-url", url, "-out", "{samples}", "-rate", "40", "-seconds", "60")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "the load runs", func() bool { return requests.Load() > 40 })
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	r := opened(t, filepath.Join(dir, "run"))
	n, _ := samplesOf(t, r)
	m := r.Manifest()
	if status := cmd.ProcessState.ExitCode(); status != 105 || m.ExitStatus == nil || *m.ExitStatus != 105 {
		t.Errorf("status %d, recorded %v: %s", status, m.ExitStatus, stderr.String())
	}
	if n != requests.Load() || n < 40 {
		t.Errorf("%d samples; the server served %d", n, requests.Load())
	}
	if m.State != runs.Sealed || !strings.Contains(strings.Join(m.Notes, ";"), "interrupted") {
		t.Errorf("state %s, notes %q", m.State, m.Notes)
	}
}
