package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"headroom/ingest"
	"headroom/runs"
)

// keepRaw copies the files that a run was made from into its raw folder:
// compressed ones as they are, others as NAME.gz.
func keepRaw(w *runs.Writer, files []ingest.FileReport) error {
	for _, f := range files {
		if f.Path == "-" {
			return usagef("--keep-raw: standard input cannot be read twice; give a file")
		}
		if isPipe(f.Path) {
			return usagef("--keep-raw: %s is a pipe, which cannot be read twice; give a file", filepath.Base(f.Path))
		}
		if err := keepFile(w, f.Path); errors.Is(err, fs.ErrExist) {
			return usagef("--keep-raw: two files are called %s", filepath.Base(f.Path))
		} else if err != nil {
			return fmt.Errorf("keeping %s: %w", filepath.Base(f.Path), err)
		}
	}
	return nil
}

func keepFile(w *runs.Writer, path string) (err error) {
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	in := bufio.NewReader(from)
	name, packed := filepath.Base(path), isCompressed(in)
	if !packed {
		name += ".gz"
	}
	to, err := w.Raw(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if packed {
		_, err = io.Copy(to, in)
		return err
	}
	z := gzip.NewWriter(to) // without a name or time in its header: the same file gives the same bytes
	if _, err := io.Copy(z, in); err != nil {
		return err
	}
	return z.Close()
}

// isCompressed reports whether a file begins as gzip or zstd does.
func isCompressed(in *bufio.Reader) bool {
	head, _ := in.Peek(4)
	return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd})
}
