package runs

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// fuzzed are the files of the run that FuzzOpen replaces.
var fuzzed = []string{
	"run.json", "SHA256SUMS", "samples/part-00000.parquet", "points/part-00000.parquet",
	"activity/part-00000.parquet", "markers/part-00000.parquet", "histograms/part-00000.parquet",
}

// FuzzOpen replaces one file of a run by anything: opening, scanning and
// verifying it end, without a panic, in an error or in rows; and where the bytes
// have changed, Open or Verify says so.
func FuzzOpen(f *testing.F) {
	const whole = "testdata/compat/v1"
	for i, name := range fuzzed {
		data, err := os.ReadFile(filepath.Join(whole, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), data)
		f.Add(uint8(i), data[:len(data)/2])
		changed := slices.Clone(data)
		changed[len(changed)*2/3] ^= 4
		f.Add(uint8(i), changed)
	}
	dir := f.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "run"), os.DirFS(whole)); err != nil {
		f.Fatal(err)
	}
	r, err := Open(filepath.Join(dir, "run"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		path := filepath.Join(r.Path(), fuzzed[int(which)%len(fuzzed)])
		was, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := os.WriteFile(path, was, 0o666); err != nil {
				t.Fatal(err)
			}
		}()
		again, err := Open(r.Path())
		if err != nil {
			return
		}
		readAll(again, Range{})
		err = again.Verify(context.Background())
		if again.Digest() == r.Digest() && (err == nil) != slices.Equal(data, was) {
			t.Errorf("%s: %d bytes: Verify says %v", path, len(data), err)
		}
	})
}
