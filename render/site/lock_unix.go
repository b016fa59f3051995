//go:build unix

package site

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lock takes the site for one publisher. The kernel gives it back when the
// process ends, however it ends. ErrBusy if another has it.
func lock(dir string) (unlock func() error, err error) {
	path := filepath.Join(dir, lockName)
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			f.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, ErrBusy
			}
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if held(f, path) {
			// The file goes while it is held: it is no part of the site.
			return func() error { return errors.Join(os.Remove(path), f.Close()) }, nil
		}
		f.Close() // who had it before removed it meanwhile
	}
}

// held reports whether the file that is locked is the one that has the name.
func held(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(mine, named)
}
