package runs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
		if strings.HasPrefix(name, recordingName+"/") { // is removed before the run has its final name
			continue
		}
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
