package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// aTar is an archive of one file.
func aTar(t *testing.T, format tar.Format, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Format: format}); err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

// v7 makes the header of an archive one of before POSIX, which has no mark.
func v7(archive []byte) []byte {
	b := bytes.Clone(archive)
	clear(b[257:512])
	sum := 8 * int(' ')
	for i, c := range b[:512] {
		if i < 148 || i >= 156 {
			sum += int(c)
		}
	}
	octal := []byte("000000\x00 ")
	for i := 5; i >= 0; i-- {
		octal[i], sum = byte('0'+sum%8), sum/8
	}
	copy(b[148:], octal)
	return b
}

// TestArchivesAreRefused: an archive is not read as the first of its files.
func TestArchivesAreRefused(t *testing.T) {
	rows := "timeStamp,elapsed,label,success\n" + strings.Repeat("1790000000000,12,home,true\n", 50)
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	f, _ := z.Create("a.jtl")
	io.WriteString(f, rows)
	z.Close()
	ustar, gnu := aTar(t, tar.FormatUSTAR, "a.jtl", rows), aTar(t, tar.FormatGNU, "a.jtl", rows)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"tar", ustar, `a tar archive, which begins with "a.jtl"`},
		{"tar of GNU", gnu, `a tar archive, which begins with "a.jtl"`},
		{"tar of before POSIX", v7(ustar), `a tar archive, which begins with "a.jtl"`},
		{"tar in gzip", gzipped(string(ustar)), `a tar archive inside gzip, which begins with "a.jtl"`},
		{"tar in zstd", zstandard(t, string(ustar)), `a tar archive inside zstd, which begins with "a.jtl"`},
		{"zip", zipped.Bytes(), "a zip archive, and no recording; unpack it and give its files"},
		{"zip of nothing", append([]byte("PK\x05\x06"), make([]byte, 18)...), "a zip archive of no files"},
		{"zip in gzip", gzipped(zipped.String()), "a zip archive inside gzip"},
		{"7z", []byte("7z\xbc\xaf\x27\x1c\x00\x04"), "a 7z archive"},
		{"xz", []byte("\xfd7zXZ\x00\x00\x04"), "compressed by xz, and no recording; unpack it (xz -d)"},
		{"bzip2", []byte("BZh91AY&SY\x12\x34"), "compressed by bzip2"},
		{"lz4", []byte("\x04\x22\x4d\x18\x64\x40"), "compressed by lz4"},
	} {
		_, err := NewContent("load", bytes.NewReader(c.data), Limits{})
		if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestNoArchive: what only looks like one by its first bytes is read.
func TestNoArchive(t *testing.T) {
	damaged := aTar(t, tar.FormatUSTAR, "a.jtl", "1\n")
	damaged[0]++ // its sum is another now
	for _, data := range []string{"BZh9,elapsed\n1,2\n", "PK,elapsed\n1,2\n", string(damaged), strings.Repeat("1 2 3\n", 200)} {
		c, err := NewContent("load", strings.NewReader(data), Limits{})
		if err != nil {
			t.Errorf("%.20q: %v", data, err)
			continue
		}
		c.Close()
	}
}
