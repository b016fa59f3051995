package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// pipeWait is how long a named pipe that is given as a file may be without a
// writer: one that never comes must not hang the command.
const pipeWait = 5 * time.Second

// pipePoll is how often a pipe without a writer is looked at.
const pipePoll = 20 * time.Millisecond

// isPipe reports whether a path is that of a named pipe, as the shell's <(…) is.
func isPipe(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}

// pipes opens the named pipes among the files of a command.
func pipes(ctx context.Context) func(path string) (io.ReadCloser, error) {
	return func(path string) (io.ReadCloser, error) { return openPipe(ctx, path, pipeWait) }
}

// openNamed opens a file that is read once, which may be a named pipe.
func openNamed(path string) (io.ReadCloser, error) {
	if isPipe(path) {
		return openPipe(context.Background(), path, pipeWait)
	}
	return os.Open(path)
}

// openPipe opens a named pipe for reading once something has opened it for
// writing; a writer that says nothing yet will do.
func openPipe(ctx context.Context, path string, wait time.Duration) (io.ReadCloser, error) {
	// Without O_NONBLOCK, opening waits for a writer.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	begun, err := awaitWriter(ctx, f, wait)
	if err != nil {
		f.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(begun), f), f}, nil
}

// awaitWriter waits for a writer and returns the first bytes that came, if any.
func awaitWriter(ctx context.Context, f *os.File, wait time.Duration) ([]byte, error) {
	buf := make([]byte, 4096)
	for left := wait; left > 0; left -= pipePoll {
		// A pipe with a writer and no bytes is waited for, one without a writer
		// is at its end.
		if err := f.SetReadDeadline(time.Now().Add(pipePoll)); err != nil {
			return nil, err
		}
		n, err := f.Read(buf)
		if n > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			return buf[:n], f.SetReadDeadline(time.Time{})
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pipePoll):
		}
	}
	return nil, fmt.Errorf("it is a named pipe that nothing opened for writing within %s: start its writer first, or give a file", wait)
}
