package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"headroom/render/check"
	"headroom/render/site"
)

// largestFile is the largest file of a document that is read, in bytes.
const largestFile = 256 << 20

// readDocument reads the files of a document: those of its folder and of its
// figures.
func readDocument(env *Env, out string) (map[string][]byte, error) {
	root := env.Path(out)
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, lookf("%s: there is no such folder", out)
	case err != nil:
		return nil, lookf("%s: %w", out, pathless(err))
	case !info.IsDir():
		return nil, usagef("%s is a file; name the folder of a document", out)
	}
	files := map[string][]byte{}
	for _, dir := range []string{"", "figures"} {
		entries, err := os.ReadDir(filepath.Join(root, dir))
		if err != nil && dir == "" {
			return nil, lookf("%s: %w", out, pathless(err))
		}
		for _, e := range entries {
			if !documentFile(dir, e.Name()) || e.IsDir() {
				continue
			}
			data, err := readBounded(filepath.Join(root, dir, e.Name()))
			if err != nil {
				return nil, lookf("%s: %w", filepath.Join(out, dir, e.Name()), pathless(err))
			}
			if dir == "" { // a site has put a note on it
				data = site.Original(e.Name(), data)
			}
			files[filepath.ToSlash(filepath.Join(dir, e.Name()))] = data
		}
	}
	if _, ok := files[check.CapacityFile]; !ok {
		return nil, lookf("%s: %w", out, check.ErrNoCapacity)
	}
	return files, nil
}

// documentFile reports whether a document may have a file of that name.
func documentFile(dir, name string) bool {
	if dir != "" {
		return strings.HasSuffix(name, ".svg")
	}
	switch name {
	case "index.md", indexName, check.CapacityFile, "junit.xml", "summary.md":
		return true
	}
	return false
}

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, largestFile+1))
	if err == nil && len(data) > largestFile {
		err = errors.New("is larger than any file of a document")
	}
	return data, err
}

// addRedact gives a command the flag that masks names.
func addRedact(fs *pflag.FlagSet, redact *bool) {
	fs.BoolVar(redact, "redact", false, "mask hosts, addresses, users, folders of users and literals of queries")
}
