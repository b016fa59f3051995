//go:build !unix

package runs

import "os"

// lock opens the lock of a recording. Where the system has no advisory locks
// that end with their process, who recovers must know that the writer is dead.
func lock(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
}
