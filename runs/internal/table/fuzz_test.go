package table

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzFile reads anything as a Parquet file: it ends, without a panic, in an
// error or in rows.
func FuzzFile(f *testing.F) {
	p := write(f, someRows(20), usual)
	data, err := os.ReadFile(filepath.Join(p.Dir, p.Names[0]))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	d, err := NewDecoder()
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(d.Close)
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := readBytes(d, data)
		if err != nil {
			return
		}
		p, err := newFile(bytes.NewReader(data), int64(len(data)), "x.parquet")
		if err != nil || int64(len(got)) != p.meta.NumRows {
			t.Errorf("%d rows read, %v", len(got), err)
		}
	})
}
