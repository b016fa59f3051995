package cli

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// indexName is the page of a document.
const indexName = "index.html"

// checkOut refuses, before the work begins, a folder that holds something else
// than a document; render would refuse it after the work.
func checkOut(env *Env, out string) error {
	entries, err := os.ReadDir(env.Path(out))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return usagef("report build: -o %s: %w", out, pathless(err))
	case len(entries) > 0 && !isDocument(env.Path(out)):
		return usagef("report build: -o %s: the folder holds something else than a document; choose another", out)
	}
	return nil
}

// isDocument reports whether dir holds the capacity.json of a document.
func isDocument(dir string) bool {
	f, err := os.Open(filepath.Join(dir, "capacity.json"))
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 512))
	return err == nil && bytes.Contains(head, []byte(`"headroom.capacity/`))
}

// documentFiles lists the files of a document, as the user would name them.
func documentFiles(env *Env, out string) []string {
	files := []string{}
	root := env.Path(out)
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if rel, relErr := filepath.Rel(root, path); err == nil && relErr == nil && !d.IsDir() {
			files = append(files, filepath.Join(out, rel))
		}
		return nil
	})
	return files
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
