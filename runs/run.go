package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Errors of Open, for errors.Is.
var (
	// ErrNotRun: the folder holds no run.json.
	ErrNotRun = errors.New("not a run: no " + manifestName)
	// ErrNewer: the run was written in a format that this version does not know.
	ErrNewer = errors.New("the run's format is newer than this version reads: use a newer headroom")
)

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
// tables, nor compare their digests: see [Run.Verify]. Files outside the folder
// are never read, whatever the run says or links to.
//
// A folder without run.json gives ErrNotRun; one whose SHA256SUMS is missing or
// damaged, or whose run.json cannot be read and is not the one that was sealed,
// gives a *VerifyError.
func Open(path string) (*Run, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", path, err)
	}
	defer root.Close()
	data, err := readBounded(root, manifestName, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("run %s: %w", path, ErrNotRun)
	} else if err != nil {
		return nil, fmt.Errorf("run %s: %w", path, err)
	}
	r := &Run{path: filepath.Clean(path)}
	wrong := r.manifest.parse(data)
	if errors.Is(wrong, ErrNewer) {
		return nil, fmt.Errorf("run %s: %w", path, wrong)
	}
	listed, list, err := readSums(root, path)
	switch {
	case err != nil:
		return nil, err
	case wrong != nil && hexDigest(data) != listed[manifestName]:
		return nil, &VerifyError{Run: path, Changed: []string{manifestName}, Cause: wrong}
	case wrong != nil:
		return nil, fmt.Errorf("run %s: %w", path, wrong)
	}
	r.digest = hexDigest(list)
	return r, nil
}

func hexDigest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
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
		return fmt.Errorf("%s: schema %d, known up to %d: %w", manifestName, version.Schema, Version, ErrNewer)
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

// table returns what the manifest says of a table, nothing if it has no rows.
func (r *Run) table(name string) TableDigest {
	for _, t := range r.manifest.Tables {
		if t.Table == name {
			return t
		}
	}
	return TableDigest{}
}

// maxDepth is how many folders deep runs are looked for.
const maxDepth = 16

// List returns the runs in the folder dir, sorted by path: dir itself if it is a
// run, else those below it, at whatever depth up to 16 folders. Nothing is looked
// for inside a run. Folders whose names begin with a dot are left out: those are
// runs being written; so are links to folders, which may lead anywhere, but for
// links to runs in dir itself.
func List(dir string) ([]string, error) {
	if isRun(dir) {
		return []string{dir}, nil
	}
	return listBelow(dir, 1)
}

func listBelow(dir string, depth int) (paths []string, err error) {
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.Name()[0] == '.':
		case (e.IsDir() || depth == 1) && isRun(path):
			paths = append(paths, path)
		case e.IsDir() && depth < maxDepth:
			below, err := listBelow(path, depth+1)
			if err != nil {
				return nil, err
			}
			paths = append(paths, below...)
		}
	}
	return paths, nil
}

// isRun reports whether path is a folder that holds a run.json.
func isRun(path string) bool {
	info, err := os.Stat(filepath.Join(path, manifestName))
	return err == nil && info.Mode().IsRegular()
}
