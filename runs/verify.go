package runs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// VerifyError says in which files a run differs from its seal. Paths are
// inside the run, sorted.
type VerifyError struct {
	Run      string   // path of the run
	Changed  []string // the content has another digest, or is no regular file, or cannot be read
	Missing  []string // listed in SHA256SUMS, and not there
	Unlisted []string // there, and not listed
	Cause    error    // how it showed, where a file could not be understood at all; else nil
}

// Unwrap returns the cause.
func (e *VerifyError) Unwrap() error { return e.Cause }

func (e *VerifyError) Error() string {
	var parts []string
	for _, p := range []struct {
		what  string
		files []string
	}{{"changed", e.Changed}, {"missing", e.Missing}, {"not listed in " + sumsName, e.Unlisted}} {
		if len(p.files) > 0 {
			parts = append(parts, p.what+": "+strings.Join(p.files, ", "))
		}
	}
	msg := fmt.Sprintf("run %s: not as it was sealed: %s", e.Run, strings.Join(parts, "; "))
	if e.Cause != nil {
		msg += fmt.Sprintf(" (%v)", e.Cause)
	}
	return msg
}

// readSums reads the run's SHA256SUMS and returns it parsed and as it is. One
// that is missing or damaged gives a *VerifyError.
func readSums(root *os.Root, run string) (sums, []byte, error) {
	data, err := readBounded(root, sumsName, maxSums)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, &VerifyError{Run: run, Missing: []string{sumsName}}
	} else if err != nil {
		return nil, nil, fmt.Errorf("run %s: %w", run, err)
	}
	s, err := parseSums(data)
	if err != nil {
		return nil, nil, &VerifyError{Run: run, Changed: []string{sumsName}, Cause: err}
	}
	return s, data, nil
}

// openSeal opens the run's folder and returns what its seal lists, and which files
// are there. The caller closes the folder.
func (r *Run) openSeal() (root *os.Root, listed sums, present []string, err error) {
	if root, err = os.OpenRoot(r.path); err != nil {
		return nil, nil, nil, fmt.Errorf("run %s: %w", r.path, err)
	}
	if listed, _, err = readSums(root, r.path); err == nil {
		if present, err = sealedFiles(root); err != nil {
			err = fmt.Errorf("run %s: %w", r.path, err)
		}
	}
	if err != nil {
		root.Close()
		return nil, nil, nil, err
	}
	return root, listed, present, nil
}

// Verify recomputes every digest in SHA256SUMS and names each file that
// differs, is missing or is not listed, in a *VerifyError.
func (r *Run) Verify(ctx context.Context) error {
	root, listed, present, err := r.openSeal()
	if err != nil {
		return err
	}
	defer root.Close()
	bad := &VerifyError{Run: r.path}
	for _, name := range present {
		want, ok := listed[name]
		if !ok {
			bad.Unlisted = append(bad.Unlisted, name)
			continue
		}
		delete(listed, name)
		got, err := fileDigest(ctx, root, name)
		if ctxErr := ctx.Err(); ctxErr != nil {
			return ctxErr
		}
		if err != nil || got != want {
			bad.Changed = append(bad.Changed, name)
		}
	}
	for name := range listed {
		bad.Missing = append(bad.Missing, name)
	}
	slices.Sort(bad.Missing)
	if len(bad.Changed)+len(bad.Missing)+len(bad.Unlisted) > 0 {
		return bad
	}
	return nil
}

// VerifyManifest is the part of Verify that reads no table: run.json is the one
// that was sealed, every listed file is there, and no other.
func (r *Run) VerifyManifest() error {
	root, listed, present, err := r.openSeal()
	if err != nil {
		return err
	}
	defer root.Close()
	bad := &VerifyError{Run: r.path}
	digest, err := fileDigest(context.Background(), root, manifestName)
	if want, ok := listed[manifestName]; ok && (err != nil || digest != want) {
		bad.Changed = []string{manifestName}
	}
	for _, name := range present {
		if _, ok := listed[name]; !ok {
			bad.Unlisted = append(bad.Unlisted, name)
		}
		delete(listed, name)
	}
	bad.Missing = slices.Sorted(maps.Keys(listed))
	if len(bad.Changed)+len(bad.Missing)+len(bad.Unlisted) > 0 {
		return bad
	}
	return nil
}
