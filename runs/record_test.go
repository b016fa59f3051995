package runs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func record(t *testing.T) *Writer {
	t.Helper()
	w, err := Record(filepath.Join(t.TempDir(), "run"), CreateOptions{ID: "live"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Abort() })
	return w
}

// workers returns the worker of every sample, in the order recorded.
func workers(t *testing.T, r *Run) []string {
	t.Helper()
	var got []string
	err := r.ScanSamples(context.Background(), []Column{ColWorker}, Range{}, func(b *Batch) error {
		got = append(got, b.Worker...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func numbered(from, to int) []Sample {
	var out []Sample
	for i := from; i < to; i++ {
		s := sampleAt(1_700_000_000_000_000+int64(i)*1000, 500)
		s.Worker = strconv.Itoa(i)
		out = append(out, s)
	}
	return out
}

func TestRecordNeedsAnID(t *testing.T) {
	if _, err := Record(filepath.Join(t.TempDir(), "run"), CreateOptions{}); err == nil || !strings.Contains(err.Error(), "needs an id") {
		t.Errorf("%v", err)
	}
	w := newWriter(t, CreateOptions{})
	if err := w.Flush(1); err == nil || !strings.Contains(err.Error(), "is not recorded live") {
		t.Errorf("Flush of a run that is not: %v", err)
	}
}

// A recording that ends as it should is a run like any other.
func TestRecordCommit(t *testing.T) {
	w := record(t)
	for i := range 100 {
		writeSamples(t, w, numbered(i*10, i*10+10))
		if err := w.Snapshot(&Snapshot{View: "v", Time: int64(i), Columns: []string{"a", fmt.Sprintf("c%d", i/30)}, Values: []string{"1", "2"}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	r := commit(t, w)
	if m := r.Manifest(); m.State != Sealed || len(m.Notes) > 0 || len(m.NotCollected) > 0 {
		t.Errorf("state %s, notes %q", m.State, m.Notes)
	}
	if err := r.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	if got := workers(t, r); len(got) != 1000 || got[999] != "999" {
		t.Errorf("%d samples", len(got))
	}
	if names := list(t, r.Path()); slices.Contains(names, recordingName) {
		t.Errorf("the run holds %v", names)
	}
}

// What was flushed is sealed, what came later is lost, and the run says so.
func TestRecoverFlushed(t *testing.T) {
	w := record(t)
	writeSamples(t, w, numbered(0, 10))
	w.Manifest().Labels = map[string]string{"a": "b"}
	if err := w.Snapshot(&Snapshot{View: "v", Time: 1, Columns: []string{"a"}, Values: []string{"1"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(1_700_000_000_000_000); err != nil {
		t.Fatal(err)
	}
	writeSamples(t, w, numbered(10, 5000))
	if err := w.Snapshot(&Snapshot{View: "late", Time: 1, Columns: []string{"a"}, Values: []string{"1"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := Recover(w.path); !errors.Is(err, ErrRecording) {
		t.Errorf("Recover beside a live writer: %v", err)
	}
	path := w.path
	w.Leave()
	r, err := Recover(filepath.Join(filepath.Dir(path), ".run.headroom-writing"))
	if err != nil {
		t.Fatal(err)
	}
	m := r.Manifest()
	if got := workers(t, r); len(got) != 10 || m.State != Partial || m.Labels["a"] != "b" || r.Path() != path {
		t.Errorf("%d samples, state %s, labels %v, at %s", len(got), m.State, m.Labels, r.Path())
	}
	if len(m.Notes) != 1 || !strings.Contains(m.Notes[0], "what came after 2023-11-14T22:13:20.000000Z is lost") || m.NotCollected[0].Why != CollectorDied {
		t.Errorf("notes %q, not collected %v", m.Notes, m.NotCollected)
	}
	if err := r.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	if _, err := Recover(path); !errors.Is(err, ErrNothingRecorded) {
		t.Errorf("a second Recover: %v", err)
	}
}

// A writer of Create, or one that never flushed, left nothing to seal.
func TestRecoverNothing(t *testing.T) {
	w := newWriter(t, CreateOptions{})
	writeSamples(t, w, numbered(0, 10))
	if _, err := Recover(w.path); !errors.Is(err, ErrNothingRecorded) {
		t.Errorf("Create: %v", err)
	}
	l := record(t)
	writeSamples(t, l, numbered(0, 10))
	path := l.path
	l.Leave()
	if _, err := Recover(path); !errors.Is(err, ErrNothingRecorded) || !strings.Contains(err.Error(), "before the first flush") {
		t.Errorf("Record: %v", err)
	}
}

// recordForEver is the process that TestKill kills: it appends ten samples,
// flushes, says how many there are certain to be, and seals every now and then.
func recordForEver(dir string) {
	at := 0
	w, err := Record(filepath.Join(dir, "run"), CreateOptions{ID: "live"})
	for err == nil && at < 200 {
		for _, s := range numbered(at, at+10) {
			if err = w.Sample(&s); err != nil {
				break
			}
			if err = w.Point(&Point{Time: s.Start, Kind: Gauge, Metric: "m"}); err != nil {
				break
			}
		}
		at += 10
		if err == nil {
			err = w.Flush(int64(at))
		}
		fmt.Println(at)
	}
	if err == nil {
		_, err = w.Commit()
	}
	fmt.Println("end", err)
}

// TestKill kills a recording process 50 times, at moments spread over its life
// and over its sealing. What it said was certain is there, in order, without a
// gap, in each table alike.
func TestKill(t *testing.T) {
	if dir := os.Getenv("HEADROOM_TEST_RECORD"); dir != "" {
		recordForEver(dir)
		os.Exit(0)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	lost, partial := 0, 0
	for range 50 {
		dir := t.TempDir()
		said := killedRecording(t, dir, rng)
		run, err := Open(filepath.Join(dir, "run"))
		if errors.Is(err, os.ErrNotExist) {
			run, err = Recover(filepath.Join(dir, "run"))
		}
		if errors.Is(err, ErrNothingRecorded) && said == 0 {
			continue
		}
		if err != nil {
			t.Fatalf("after %d samples: %v", said, err)
		}
		got := workers(t, run)
		for i, worker := range got {
			if worker != strconv.Itoa(i) {
				t.Fatalf("sample %d is that of %s", i, worker)
			}
		}
		points := 0
		if err := run.ScanPoints(context.Background(), nil, Range{}, func(*Point) error { points++; return nil }); err != nil {
			t.Fatal(err)
		}
		if len(got) < said || len(got) > said+10 || points != len(got) {
			t.Fatalf("%d samples and %d points; it had said %d", len(got), points, said)
		}
		if err := run.Verify(context.Background()); err != nil {
			t.Fatal(err)
		}
		lost += len(got) - said
		if run.Manifest().State == Partial {
			partial++
		}
	}
	t.Logf("50 kills: %d runs partial, %d samples more than the killed process had said", partial, lost)
}

// killedRecording starts a recording, kills it after a random number of flushes
// and a moment more, and returns what it had said was certain.
func killedRecording(t *testing.T, dir string, rng *rand.Rand) (said int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestKill$")
	cmd.Env = append(os.Environ(), "HEADROOM_TEST_RECORD="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := rng.IntN(23) // of 20 flushes
	lines := bufio.NewScanner(out)
	for n := 0; n < stop && lines.Scan(); n++ {
		said, _ = strconv.Atoi(lines.Text())
		if lines.Text() == "end <nil>" {
			said = 200
			break
		}
	}
	time.Sleep(time.Duration(rng.IntN(3000)) * time.Microsecond)
	cmd.Process.Kill()
	for lines.Scan() { // what it said before it was killed
		if n, err := strconv.Atoi(lines.Text()); err == nil {
			said = n
		}
	}
	cmd.Wait()
	return said
}
