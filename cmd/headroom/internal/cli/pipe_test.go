package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func makePipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A pipe without a writer is given up after a while, and at once when the command
// is interrupted.
func TestPipeWithoutWriter(t *testing.T) {
	path := makePipe(t)
	if _, err := openPipe(context.Background(), path, 3*pipePoll); err == nil || !strings.Contains(err.Error(), "nothing opened for writing within 60ms") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := openPipe(ctx, path, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Nothing of what a writer says is lost, however late it says it after opening.
func TestPipeRead(t *testing.T) {
	for name, pause := range map[string]time.Duration{"at once": 0, "late": 4 * pipePoll} {
		path := makePipe(t)
		text := strings.Repeat("0123456789", 2000)
		go func() {
			w, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Error(err)
				return
			}
			time.Sleep(pause)
			io.WriteString(w, text)
			w.Close()
		}()
		r, err := openPipe(context.Background(), path, time.Minute)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := io.ReadAll(r)
		if r.Close(); err != nil || string(got) != text {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(text), err)
		}
	}
}
