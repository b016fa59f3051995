//go:build !unix

package site

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// lock takes the site for one publisher. Where the system has no advisory locks
// that end with their process, the file of one that was killed must be removed by
// hand. ErrBusy if another has it.
func lock(dir string) (unlock func() error, err error) {
	path := filepath.Join(dir, lockName)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrBusy
	}
	if err != nil {
		return nil, err
	}
	return func() error { return errors.Join(f.Close(), os.Remove(path)) }, nil
}
