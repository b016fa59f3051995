package runs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"headroom/runs/internal/table"
)

// sums is the content of a SHA256SUMS file: path in the run → digest, hex.
type sums map[string]string

// maxSums bounds the size of a SHA256SUMS file, in bytes.
const maxSums = 16 << 20

// writeSums writes SHA256SUMS over every file of the run in dir but itself,
// derived/ and notes.jsonl, in the form that `sha256sum -c` reads.
func writeSums(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	names, err := sealedFiles(root)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, name := range names {
		digest, err := fileDigest(context.Background(), root, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", digest, name)
	}
	return writeFile(path.Join(dir, sumsName), []byte(b.String()))
}

// sealedFiles lists every file in root that the seal covers, sorted, with
// slashes. Anything that is neither a folder nor a regular file counts as a
// file, so that a verification names it.
func sealedFiles(root *os.Root) ([]string, error) {
	var names []string
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name == derivedName:
			return fs.SkipDir
		case d.IsDir() || name == sumsName || name == notesName:
			return nil
		}
		names = append(names, name)
		return nil
	})
	slices.Sort(names)
	return names, err
}

func fileDigest(ctx context.Context, root *os.Root, name string) (string, error) {
	f, _, err := table.OpenRegular(root, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, contextReader{ctx, f}); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// contextReader is a reader that ends with the context's error.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// parseSums reads a SHA256SUMS file. No line may name a file outside the run.
func parseSums(data []byte) (sums, error) {
	s := sums{}
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		digest, name, ok := strings.Cut(line, "  ")
		if _, err := hex.DecodeString(digest); !ok || err != nil || len(digest) != 2*sha256.Size {
			return nil, fmt.Errorf("%s:%d: want a SHA-256 in hex, two spaces and a path", sumsName, i+1)
		}
		if !fs.ValidPath(name) || name == "." || strings.Contains(name, `\`) {
			return nil, fmt.Errorf("%s:%d: %q is not a path inside the run", sumsName, i+1, name)
		}
		if _, twice := s[name]; twice {
			return nil, fmt.Errorf("%s:%d: %q is listed twice", sumsName, i+1, name)
		}
		s[name] = digest
	}
	return s, nil
}

// VerifyError says in which files a run differs from its seal. Paths are
// inside the run, sorted.
type VerifyError struct {
	Run      string   // path of the run
	Changed  []string // the content has another digest, or is no regular file, or cannot be read
	Missing  []string // listed in SHA256SUMS, and not there
	Unlisted []string // there, and not listed
}

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
	return fmt.Sprintf("run %s: not as it was sealed: %s", e.Run, strings.Join(parts, "; "))
}

// Verify recomputes every digest in SHA256SUMS and names each file that
// differs, is missing or is not listed, in a *VerifyError.
func (r *Run) Verify(ctx context.Context) error {
	root, err := os.OpenRoot(r.path)
	if err != nil {
		return fmt.Errorf("run %s: %w", r.path, err)
	}
	defer root.Close()
	data, err := readBounded(root, sumsName, maxSums)
	if err != nil {
		return fmt.Errorf("run %s: %w", r.path, err)
	}
	listed, err := parseSums(data)
	if err != nil {
		return fmt.Errorf("run %s: %w", r.path, err)
	}
	present, err := sealedFiles(root)
	if err != nil {
		return fmt.Errorf("run %s: %w", r.path, err)
	}
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

// readBounded reads a regular file of the run of at most max bytes.
func readBounded(root *os.Root, name string, max int64) ([]byte, error) {
	f, _, err := table.OpenRegular(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if int64(len(data)) > max {
		return nil, fmt.Errorf("%s: larger than %d bytes, the most that is read", name, max)
	}
	return data, nil
}

// isAbsent reports whether err says that a file does not exist.
func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
