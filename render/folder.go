package render

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// schemaPrefix begins the schema of every capacity.json, whatever its version.
const schemaPrefix = "headroom.capacity/"

// writeFolder writes the files of a document into outDir. They are written into a
// temporary sibling first: a new folder appears by one rename, in an existing one
// each file does, the marker of a document (capacity.json) last.
func writeFolder(outDir string, files map[string][]byte) error {
	outDir = filepath.Clean(outDir)
	exists, earlier, err := inspect(outDir, files)
	if err != nil {
		return err
	}
	parent := filepath.Dir(outDir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(parent, "."+filepath.Base(outDir)+".new-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temporary) }() // gone already if it was moved
	if err := writeFiles(temporary, files); err != nil {
		return err
	}
	if !exists {
		if err := os.Chmod(temporary, 0o755); err != nil {
			return err
		}
		return os.Rename(temporary, outDir)
	}
	return replace(outDir, temporary, files, earlier)
}

// inspect looks at the folder before anything is written: whether it exists, and
// which figures an earlier document left in it. A folder without an earlier
// document must not hold files of the names to be written: they are not ours.
func inspect(outDir string, files map[string][]byte) (exists bool, figures []string, err error) {
	info, err := os.Stat(outDir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	}
	if err != nil {
		return false, nil, err
	}
	if !info.IsDir() {
		return false, nil, fmt.Errorf("%s: is a file; name a folder for the document", outDir)
	}
	figures, ours, err := earlierFigures(filepath.Join(outDir, fileCapacity))
	if err != nil || ours {
		return true, figures, err
	}
	for _, name := range sortedKeys(files) {
		if _, err := os.Lstat(filepath.Join(outDir, name)); err == nil {
			return true, nil, fmt.Errorf("%s: the folder holds a file %s that is not of a headroom document; name another folder, or move it away", outDir, name)
		}
	}
	return true, nil, nil
}

// earlierFigures reads which figures the document of a capacity.json has.
func earlierFigures(path string) (ids []string, ours bool, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	var c struct {
		Schema  string `json:"schema"`
		Figures []struct {
			ID string `json:"id"`
		} `json:"figures"`
	}
	if json.Unmarshal(data, &c) != nil || !strings.HasPrefix(c.Schema, schemaPrefix) {
		return nil, false, nil // somebody else's
	}
	for _, f := range c.Figures {
		if safeName(f.ID) {
			ids = append(ids, f.ID)
		}
	}
	return ids, true, nil
}

func writeFiles(dir string, files map[string][]byte) error {
	for _, name := range sortedKeys(files) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := writeFile(path, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a file and sees it onto the disk, so that the rename that
// follows does not outrun it.
func writeFile(path string, data []byte) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// replace moves the files into a folder that exists, then removes the figures of
// the earlier document that the new one does not have.
func replace(outDir, temporary string, files map[string][]byte, earlier []string) error {
	move := func(name string) error {
		path := filepath.Join(outDir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.Rename(filepath.Join(temporary, name), path)
	}
	for _, name := range sortedKeys(files) {
		if name == fileCapacity {
			continue
		}
		if err := move(name); err != nil {
			return err
		}
	}
	for _, id := range earlier {
		name := dirFigures + "/" + id + ".svg"
		if _, again := files[name]; again {
			continue
		}
		if err := os.Remove(filepath.Join(outDir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return move(fileCapacity)
}
