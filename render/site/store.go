package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"headroom/render/label"
)

// Names of a site's files, beside the folders of its documents.
const (
	siteFile    = "site.json"
	versionFile = "version.json"
	indexFile   = "index.html"
	feedFile    = "feed.xml"
	latest      = "latest"
	noJekyll    = ".nojekyll" // GitHub Pages shows the files as they are
	lockName    = ".headroom-lock"
	newPrefix   = ".headroom-new-"
)

// Bounds on what is read.
const (
	maxVersionFile = 1 << 20
	maxPage        = 256 << 20
)

// ErrBusy says that another publisher has the site.
var ErrBusy = errors.New("another publisher has the site")

// ErrForeign says that a folder has a page that headroom did not make.
var ErrForeign = errors.New("a page that headroom did not write stands there; choose another folder, or move it away")

// ErrURL says that the address of a site is none.
var ErrURL = errors.New("the address of a site begins with https:// or http:// and a host")

// store is a site on a disk, held by one publisher.
type store struct{ dir string }

// versions reads what the site holds, by document and date. A folder without a
// version.json is somebody else's.
func (s store) versions() (map[string][]*Version, error) {
	out := map[string][]*Version{}
	documents, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	for _, d := range documents {
		if !d.IsDir() || !safeName(d.Name()) {
			continue
		}
		folders, err := os.ReadDir(filepath.Join(s.dir, d.Name()))
		if err != nil {
			return nil, err
		}
		for _, f := range folders {
			if !f.IsDir() || !safeName(f.Name()) {
				continue
			}
			name := path.Join(d.Name(), f.Name(), versionFile)
			data, err := s.read(name, maxVersionFile)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			v, err := parseVersion(data, d.Name(), f.Name())
			if err != nil {
				return nil, fmt.Errorf("%s: %w; publish the document of that folder again, or take the folder out", name, err)
			}
			out[d.Name()] = append(out[d.Name()], v)
		}
		slices.SortFunc(out[d.Name()], compare)
	}
	return out, nil
}

// read reads a file of the site, bounded.
func (s store) read(name string, most int64) ([]byte, error) {
	f, err := os.Open(s.path(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s: is larger than %d bytes, the most that is read", name, most)
	}
	return data, err
}

func (s store) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// write puts a file in its place by a rename, unless it is there already.
func (s store) write(name string, data []byte) (err error) {
	to := s.path(name)
	if have, err := os.ReadFile(to); err == nil && bytes.Equal(have, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.dir, newPrefix+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := fill(f, data); err != nil {
		return err
	}
	return os.Rename(f.Name(), to)
}

// fill writes a new file and sees it onto the disk, so that the rename that
// follows does not outrun it.
func fill(f *os.File, data []byte) (err error) {
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// add makes the folder of a version appear by one rename.
func (s store) add(v *Version, files map[string][]byte) (err error) {
	temporary, err := os.MkdirTemp(s.dir, newPrefix+"*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }() // gone already if it was moved
	if err := os.Chmod(temporary, 0o755); err != nil {
		return err
	}
	all := maps.Clone(files)
	if all[versionFile], err = v.json(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !fs.ValidPath(name) {
			return fmt.Errorf("%q is no path in a document", name)
		}
		to := filepath.Join(temporary, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		if err := fill(f, all[name]); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(s.path(v.Document), 0o755); err != nil {
		return err
	}
	return os.Rename(temporary, s.path(path.Join(v.Document, v.folder)))
}

// sweep removes what a publication that was cut off left behind. The lock is
// held, so nobody else is writing it.
func (s store) sweep() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), newPrefix) {
			if err := os.RemoveAll(filepath.Join(s.dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// about is what a site knows of itself, from its site.json.
type about struct {
	Schema string `json:"schema"`
	Title  string `json:"title"`
	URL    string `json:"url,omitempty"`
}

const (
	siteSchema   = "headroom.site/1"
	defaultTitle = "Capacity documents"
)

// about reads site.json, brings it up to date, and writes it. A folder without
// one must not hold pages: they are somebody else's.
func (s store) about(opt Options) (a about, err error) {
	data, err := s.read(siteFile, maxVersionFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		for _, name := range []string{indexFile, feedFile} {
			if _, err := os.Lstat(s.path(name)); err == nil {
				return a, fmt.Errorf("%s: %w", name, ErrForeign)
			}
		}
	case err != nil:
		return a, err
	default:
		if err := json.Unmarshal(data, &a); err != nil {
			return a, fmt.Errorf("%s: %w", siteFile, err)
		}
		if a.Schema != siteSchema {
			return a, fmt.Errorf("%s: schema %q, want %q", siteFile, label.Clean(a.Schema, label.Cell), siteSchema)
		}
	}
	a = about{siteSchema, label.Clean(cmp.Or(opt.Title, a.Title, defaultTitle), label.Title), cmp.Or(opt.URL, a.URL)}
	if a.URL != "" {
		if u, err := url.Parse(a.URL); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			return a, fmt.Errorf("%w: %q", ErrURL, label.Clean(a.URL, label.Cell))
		}
	}
	text, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return a, err
	}
	return a, s.write(siteFile, append(text, '\n'))
}
