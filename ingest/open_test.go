package ingest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
)

func gzipped(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.Bytes()
}

func zstandard(t *testing.T, text string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(text), nil)
}

func utf16Bytes(text string, big bool) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestOpen(t *testing.T) {
	const text = "one\ntwo é \U0001F600\n"
	for _, c := range []struct {
		name   string
		data   []byte
		want   string
		layers string
	}{
		{"plain", []byte(text), text, ""},
		{"BOM", []byte("\ufeff" + text), text, ""},
		{"gzip", gzipped(text), text, "gzip"},
		{"gzip, members one after another", join(gzipped("one\n"), gzipped("two\n")), "one\ntwo\n", "gzip"},
		{"gzip, padded with zeros", join(gzipped(text), make([]byte, 512)), text, "gzip"},
		{"zstd", zstandard(t, text), text, "zstd"},
		{"zstd, frames one after another", join(zstandard(t, "one\n"), zstandard(t, "two\n")), "one\ntwo\n", "zstd"},
		{"gzip in zstd", zstandard(t, string(gzipped(text))), text, "zstd gzip"},
		{"UTF-16LE", utf16Bytes(text, false), text, "UTF-16LE"},
		{"UTF-16BE", utf16Bytes(text, true), text, "UTF-16BE"},
		{"UTF-16 in gzip", gzipped(string(utf16Bytes(text, false))), text, "gzip UTF-16LE"},
		{"UTF-16, half a pair", append(utf16Bytes("a", false), 0x3d, 0xd8, 'b', 0), "a\uFFFDb", "UTF-16LE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			content, err := NewContent("dir/file.gz", bytes.NewReader(c.data), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			defer content.Close()
			got, err := io.ReadAll(content)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want || strings.Join(content.Layers, " ") != c.layers || content.Name != "file.gz" {
				t.Errorf("got %q, layers %q, name %q", got, content.Layers, content.Name)
			}
			sum := sha256.Sum256(c.data)
			digest, size, err := content.Sum()
			if err != nil || digest != hex.EncodeToString(sum[:]) || size != int64(len(c.data)) {
				t.Errorf("digest %s of %d bytes, %v", digest, size, err)
			}
		})
	}
}

// TestOpenCut reads compressed files that end early: what they hold until then
// is given, and then io.ErrUnexpectedEOF.
func TestOpenCut(t *testing.T) {
	text := strings.Repeat("a line of some length, number 12345\n", 20000)
	for name, whole := range map[string][]byte{"gzip": gzipped(text), "zstd": zstandard(t, text+strings.Repeat("x", 1<<20)+text)} {
		content, err := NewContent("f", bytes.NewReader(whole[:len(whole)-20]), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(content)
		if !errors.Is(err, io.ErrUnexpectedEOF) || !content.Cut() {
			t.Errorf("%s: got %v", name, err)
		}
		if len(got) == 0 || !strings.HasPrefix(text, string(got[:min(len(got), 1000)])) {
			t.Errorf("%s: %d bytes were kept", name, len(got))
		}
		content.Close()
	}
}

func TestOpenRefuses(t *testing.T) {
	damaged := gzipped(strings.Repeat("some text ", 1000))
	damaged[len(damaged)-5] ^= 0xff // the checksum
	for _, c := range []struct {
		name string
		data []byte
		lim  Limits
		want error
		says string
	}{
		{"nothing", nil, Limits{}, ErrEmpty, "holds nothing"},
		{"blanks", []byte(" \n\r\n"), Limits{}, ErrEmpty, "holds nothing"},
		{"gzip of nothing", gzipped(""), Limits{}, ErrEmpty, "a gzip file with nothing in it"},
		{"gzip cut to its header", gzipped("text")[:10], Limits{}, ErrEmpty, "a gzip file with nothing in it"},
		{"gzip cut inside its header", gzipped("text")[:5], Limits{}, ErrEmpty, "a gzip file with nothing in it"},
		{"zstd cut inside its header", zstandard(t, "text")[:5], Limits{}, ErrEmpty, "a zstd file with nothing in it"},
		{"only a mark", []byte("\ufeff"), Limits{}, ErrEmpty, "holds nothing"},
		{"damaged", damaged, Limits{}, ErrUnreadable, "damaged gzip"},
		{"too large", gzipped(strings.Repeat("x", 100_000)), Limits{Unpacked: 1000}, ErrTooLarge, "more than 1000 bytes"},
		{"too many layers", gzipped(string(gzipped(string(gzipped(string(gzipped("x"))))))), Limits{}, ErrTooLarge, "compressed more than 3 times"},
	} {
		content, err := NewContent("f", bytes.NewReader(c.data), c.lim)
		if err == nil {
			_, err = io.ReadAll(content)
		}
		if !errors.Is(err, c.want) || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %v (%s)", c.name, err, c.want, c.says)
		}
	}
}

func TestOpenRatio(t *testing.T) {
	// zstd packs a run of one byte far beyond what deflate can.
	w, err := zstd.NewWriter(nil, zstd.WithWindowSize(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	var bomb bytes.Buffer
	w.Reset(&bomb)
	for range (ratioFree >> 20) + 64 {
		w.Write(make([]byte, 1<<20))
	}
	w.Close()
	content, err := NewContent("bomb.zst", &bomb, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	if n, err := io.Copy(io.Discard, content); !errors.Is(err, ErrTooLarge) || n > ratioFree+(1<<20) {
		t.Errorf("%d bytes came out, then %v", n, err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte("plain"))
	f.Add(gzipped("text"))
	f.Add(utf16Bytes("text", false))
	f.Fuzz(func(t *testing.T, data []byte) {
		content, err := NewContent("f", bytes.NewReader(data), Limits{Unpacked: 1 << 20})
		if err != nil {
			return
		}
		defer content.Close()
		n, err := io.Copy(io.Discard, content)
		if n > 3<<20 {
			t.Fatalf("%d bytes came out (%v)", n, err)
		}
	})
}
