//go:build unix

package runs

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock takes the lock of a recording, which the kernel gives back when the file
// is closed, so also when the process dies. ErrRecording if another has it.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrRecording
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}
