package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"headroom/analyze"
	"headroom/render"
)

// indexName is the page of a document.
const indexName = "index.html"

// documentNames are what the folder of a document holds.
var documentNames = []string{"capacity.json", "figures", "index.html", "index.md", "junit.xml", "summary.md"}

// checkOut refuses a folder that a document must not replace.
func checkOut(env *Env, out string) error {
	if base := filepath.Base(filepath.Clean(out)); base == "." || base == ".." {
		return usagef("report build: -o %s: name a folder of its own for the document", out)
	}
	entries, err := os.ReadDir(env.Path(out))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return usagef("report build: -o %s: %w", out, pathless(err))
	case len(entries) == 0:
		return nil
	}
	if !isDocument(env.Path(out)) {
		return usagef("report build: -o %s: the folder holds something else than a document; choose another", out)
	}
	for _, e := range entries {
		if !slices.Contains(documentNames, e.Name()) {
			return usagef("report build: -o %s: the folder holds %s, which is no part of a document; move it, or choose another folder", out, e.Name())
		}
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

// publish renders the document beside its place and then puts it there, so that
// a reader sees the old one or the new one, whole.
func publish(env *Env, c *analyze.Capacity, out, tmp string) error {
	page, place := filepath.Join(tmp, "page"), env.Path(out)
	if err := render.Build(c, page, render.Options{}); err != nil {
		return fmt.Errorf("rendering: %w", err)
	}
	if err := os.Rename(place, filepath.Join(tmp, "replaced")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replacing the document: %w", err)
	}
	return os.Rename(page, place)
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
