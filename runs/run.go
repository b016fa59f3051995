package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// ErrNotRun is returned by Open for a folder that holds no run.json.
var ErrNotRun = errors.New("not a run: no run.json")

// maxManifest bounds the size of run.json, in bytes.
const maxManifest = 64 << 20

// maxParts bounds the number of parts of a table.
const maxParts = 100_000

// Run is a recorded run, opened. Tables are read lazily, by column. A Run may
// be used by several goroutines at once.
type Run struct {
	path     string
	manifest Manifest
	digest   string
}

// Open reads the manifest of the run in the folder path. It does not read the
// tables, nor compare digests: see [Run.Verify]. Files outside the folder are
// never read, whatever the run says or links to.
func Open(path string) (*Run, error) {
	r, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", path, err)
	}
	return r, nil
}

func open(path string) (*Run, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := readBounded(root, manifestName, maxManifest)
	if isAbsent(err) {
		return nil, ErrNotRun
	} else if err != nil {
		return nil, err
	}
	r := &Run{path: filepath.Clean(path)}
	if err := r.manifest.parse(data); err != nil {
		return nil, err
	}
	list, err := readBounded(root, sumsName, maxSums)
	if isAbsent(err) {
		return nil, fmt.Errorf("%s is missing: the run was never sealed", sumsName)
	} else if err != nil {
		return nil, err
	}
	if _, err := parseSums(list); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(list)
	r.digest = hex.EncodeToString(sum[:])
	return r, nil
}

// parse reads run.json and checks what the rest of the package relies on.
func (m *Manifest) parse(data []byte) error {
	var version struct {
		Schema int `json:"schema"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return fmt.Errorf("%s: %w", manifestName, err)
	}
	if version.Schema > Version {
		return fmt.Errorf("%s: run format %d is newer than this version reads (up to %d): use a newer headroom", manifestName, version.Schema, Version)
	}
	if version.Schema < 1 {
		return fmt.Errorf("%s: schema is %d: want 1 to %d", manifestName, version.Schema, Version)
	}
	if err := json.Unmarshal(data, m); err != nil {
		return fmt.Errorf("%s: %w", manifestName, err)
	}
	if !idPattern.MatchString(m.ID) {
		return fmt.Errorf("%s: id %q is not a run id", manifestName, m.ID)
	}
	if !slices.Contains([]State{Recording, Sealed, Partial}, m.State) {
		return fmt.Errorf("%s: state %q: want recording, sealed or partial", manifestName, m.State)
	}
	if err := m.checkSources(); err != nil {
		return fmt.Errorf("%s: %w", manifestName, err)
	}
	seen := map[string]bool{}
	for _, t := range m.Tables {
		if !filepath.IsLocal(t.Table) || t.Parts < 0 || t.Parts > maxParts || t.Rows < 0 || seen[t.Table] {
			return fmt.Errorf("%s: table %q with %d rows in %d parts: not a table of a run", manifestName, t.Table, t.Rows, t.Parts)
		}
		seen[t.Table] = true
	}
	return nil
}

// Path returns the folder of the run.
func (r *Run) Path() string { return r.path }

// Manifest returns the manifest; it is not to be changed.
func (r *Run) Manifest() *Manifest { return &r.manifest }

// Digest returns the identity of the run: the SHA-256 of its SHA256SUMS, hex.
func (r *Run) Digest() string { return r.digest }

// parts returns how many parts a table has.
func (r *Run) parts(table string) int {
	for _, t := range r.manifest.Tables {
		if t.Table == table {
			return t.Parts
		}
	}
	return 0
}

// List returns the runs in the folder dir, sorted by path: dir itself if it is
// a run, else its sub-folders that are, one level deep. Folders whose names
// begin with a dot are left out: those are runs being written.
func List(dir string) ([]string, error) {
	if isRun(dir) {
		return []string{dir}, nil
	}
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.Name()[0] != '.' && isRun(path) {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// isRun reports whether path is a folder that holds a run.json.
func isRun(path string) bool {
	info, err := os.Stat(filepath.Join(path, manifestName))
	return err == nil && info.Mode().IsRegular()
}
