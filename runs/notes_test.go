package runs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 8, 17, 14, 0, 0, 5, time.FixedZone("CEST", 7200))

func TestWithdraw(t *testing.T) {
	r := everyRun(t)
	digest := r.Digest()
	if n, err := r.Withdrawal(); n != nil || err != nil {
		t.Fatalf("before: %v, %v", n, err)
	}
	for _, reason := range []string{" the load generator\nwas throttled ", "and \u2028 again"} {
		if err := r.Withdraw(noon, reason); err != nil {
			t.Fatal(err)
		}
	}
	n, err := r.Withdrawal()
	if err != nil || n == nil || n.Words() != "2026-08-17T12:00:00Z: the load generator\nwas throttled" {
		t.Errorf("withdrawal %+v, %v", n, err)
	}
	if notes, err := r.Notes(); err != nil || len(notes) != 2 || notes[1].Text != "and \u2028 again" {
		t.Errorf("notes %+v, %v", notes, err)
	}
	again, err := Open(r.Path())
	if err != nil || again.Digest() != digest || again.Verify(context.Background()) != nil {
		t.Errorf("the run is not as it was sealed: %v", err)
	}
}

func TestWithdrawRefuses(t *testing.T) {
	r := everyRun(t)
	for _, reason := range []string{"", " \n", strings.Repeat("x", maxNote+1), "\xff"} {
		if err := r.Withdraw(noon, reason); !errors.Is(err, ErrReason) {
			t.Errorf("%.10q: %v", reason, err)
		}
	}
	file := filepath.Join(r.Path(), notesName)
	if _, err := os.Lstat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused withdrawal left %s", file)
	}
	if err := os.Symlink("run.json", file); err != nil {
		t.Fatal(err)
	}
	if err := r.Withdraw(noon, "x"); err == nil {
		t.Error("a link was followed")
	}
	if err := r.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, make([]byte, maxNotes-5), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := r.Withdraw(noon, "x"); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("notes that would not be read again: %v", err)
	}
}

// A writer that was killed leaves a cut line: it is named, and later notes are
// lines of their own.
func TestNotesThatCannotBeRead(t *testing.T) {
	r := everyRun(t)
	file := filepath.Join(r.Path(), notesName)
	if err := os.WriteFile(file, []byte("{\"kind\":\"note\",\"at\":\"\",\"text\":\"a\"}\n{\"kind\":\"with"), 0o666); err != nil {
		t.Fatal(err)
	}
	n, err := r.Withdrawal()
	if n != nil || err == nil || !strings.Contains(err.Error(), "notes.jsonl:2: not a note") {
		t.Errorf("cut line: %+v, %v", n, err)
	}
	if err := r.Withdraw(noon, "later"); err != nil {
		t.Fatal(err)
	}
	n, err = r.Withdrawal()
	if n == nil || n.Text != "later" || err == nil {
		t.Errorf("after a cut line: %+v, %v", n, err)
	}
	if err := os.WriteFile(file, make([]byte, maxNotes+1), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Notes(); err == nil {
		t.Error("notes without bound were read")
	}
}

func FuzzNotes(f *testing.F) {
	f.Add([]byte("{\"kind\":\"withdrawn\",\"at\":\"2026-08-17T12:00:00Z\",\"text\":\"x\"}\n"))
	f.Add([]byte("{}\n\n[1]\n{\"kind\":"))
	f.Fuzz(func(t *testing.T, data []byte) {
		notes, err := parseNotes(data)
		lines := 0
		for line := range strings.SplitSeq(string(data), "\n") {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		if len(notes) > lines || err == nil && len(notes) != lines {
			t.Errorf("%d notes of %d lines, %v", len(notes), lines, err)
		}
	})
}
