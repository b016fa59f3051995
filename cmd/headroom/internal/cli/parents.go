package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// makeParents makes the folders above path that are missing. undo removes
// those again, if they are still empty: a command that failed leaves nothing.
func makeParents(path string) (undo func(), err error) {
	var made []string
	undo = func() {
		for _, dir := range made {
			os.Remove(dir) // fails on a folder that holds something: then it stays
		}
	}
	var missing []string
	for dir := filepath.Dir(filepath.Clean(path)); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := os.Mkdir(missing[i], 0o777); err != nil {
			undo()
			return nil, err
		}
		made = append([]string{missing[i]}, made...)
	}
	return undo, nil
}
