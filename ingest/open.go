package ingest

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Limits bound what a file may unpack to, so that a small hostile one cannot
// fill memory or disk. A zero field takes the default.
type Limits struct {
	// Unpacked is the most bytes that one file may unpack to; default 256 GiB.
	Unpacked int64
	// Ratio is the most bytes that one compressed byte may unpack to, once
	// ratioFree bytes have been unpacked; default 1100. Deflate cannot exceed
	// 1032, so only nested or crafted streams meet it.
	Ratio int64
}

const (
	defaultUnpacked = 256 << 30
	defaultRatio    = 1100
	ratioFree       = 256 << 20
	// maxLayers is how many times a file may be compressed over.
	maxLayers = 3
	// zstdWindow is the largest window that a zstd frame may ask for.
	zstdWindow = 128 << 20
)

// Content is an opened file: decompressed, UTF-8, without a byte-order mark. It
// is read once, from front to back, while the digest of the bytes as given is
// taken.
type Content struct {
	Name   string   // base name
	Head   []byte   // its first bytes, up to HeadSize
	Layers []string // what was peeled off, outermost first: "gzip", "zstd", "UTF-16LE", …
	Noise  bool     // bytes that are not gzip follow the last gzip member; set once read

	raw    *rawReader
	body   *bufio.Reader
	closes []func()
	err    error  // what ended the content, if it was not its end
	given  int64  // bytes that were read of the content so far, and
	sum    uint32 // their CRC-32C
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// NewContent begins to read a file called name from r.
func NewContent(name string, r io.Reader, lim Limits) (*Content, error) {
	return newContent(name, r, lim, HeadSize)
}

// newContent waits for so many bytes of the head, at most HeadSize. More than the
// first is needed only to tell by them what the file is: what is being written
// would be read late.
func newContent(name string, r io.Reader, lim Limits, head int) (*Content, error) {
	if lim.Unpacked == 0 {
		lim.Unpacked = defaultUnpacked
	}
	if lim.Ratio == 0 {
		lim.Ratio = defaultRatio
	}
	c := &Content{Name: filepath.Base(name), raw: &rawReader{r: r, sum: sha256.New()}}
	body, err := c.unpack(bufio.NewReaderSize(c.raw, 128<<10), lim)
	if err == nil {
		err = c.container(body, head)
	}
	if err == nil {
		body, err = c.decodeText(body)
	}
	if err != nil {
		c.Close()
		return nil, &FileError{c.Name, err}
	}
	c.body = body
	for blank := true; blank && err == nil && len(c.Head) < HeadSize; blank = len(bytes.TrimSpace(c.Head)) == 0 {
		c.Head, err = body.Peek(min(max(head, len(c.Head)+1, body.Buffered()), HeadSize))
	}
	c.Head = bytes.Clone(c.Head)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		c.Close()
		return nil, &FileError{c.Name, readError(err)}
	}
	if len(bytes.TrimSpace(c.Head)) == 0 && len(c.Head) < HeadSize {
		c.Close()
		return nil, &FileError{c.Name, c.emptyError()}
	}
	return c, nil
}

// unpack peels compression off, layer by layer.
func (c *Content) unpack(body *bufio.Reader, lim Limits) (*bufio.Reader, error) {
	for {
		magic, err := body.Peek(4)
		if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, readError(err)
		}
		var next io.Reader
		var name string
		switch {
		case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
			name = "gzip"
			next, err = gzip.NewReader(body)
		case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
			name = "zstd"
			next, err = c.zstd(body)
		default:
			return body, nil
		}
		c.Layers = append(c.Layers, name)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, c.emptyError()
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrUnreadable, name, err)
		}
		if len(c.Layers) > maxLayers {
			return nil, fmt.Errorf("%w: it is compressed more than %d times over", ErrTooLarge, maxLayers)
		}
		body = bufio.NewReaderSize(&unpacked{r: next, name: name, c: c, lim: lim}, 256<<10)
	}
}

func (c *Content) zstd(r io.Reader) (io.Reader, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	c.closes = append(c.closes, d.Close)
	return d, nil
}

// emptyError says what holds nothing.
func (c *Content) emptyError() error {
	if len(c.Layers) > 0 {
		return fmt.Errorf("%w: a %s file with nothing in it (%d bytes); was its writer stopped before the first record?", ErrEmpty, c.Layers[0], c.raw.n)
	}
	return fmt.Errorf("%w: the file holds nothing (%d bytes)", ErrEmpty, c.raw.n)
}

// Read implements io.Reader. A compressed file that was cut gives what it held
// and then io.ErrUnexpectedEOF.
func (c *Content) Read(p []byte) (int, error) {
	n, err := c.body.Read(p)
	c.given += int64(n)
	c.sum = crc32.Update(c.sum, castagnoli, p[:n])
	if err != nil && err != io.EOF {
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			err = readError(err)
		}
		c.err = err
	}
	return n, err
}

// Cut reports whether a compressed file ended before its end.
func (c *Content) Cut() bool { return errors.Is(c.err, io.ErrUnexpectedEOF) }

// Sum reads what is left of the file and returns the SHA-256 of its bytes as
// given, in hex, and their number.
func (c *Content) Sum() (digest string, size int64, err error) {
	if _, err := io.Copy(io.Discard, c.raw); err != nil {
		return "", 0, readError(err)
	}
	return hex.EncodeToString(c.raw.sum.Sum(nil)), c.raw.n, nil
}

// Consumed returns how many of the file's bytes, as given, were read so far.
func (c *Content) Consumed() int64 { return c.raw.n }

// Close releases what unpacking holds. It does not close the reader.
func (c *Content) Close() {
	for _, f := range c.closes {
		f()
	}
	c.closes = nil
}

func readError(err error) error {
	if errors.Is(err, ErrTooLarge) || errors.Is(err, ErrUnreadable) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnreadable, err)
}

// rawReader counts and digests the bytes as given.
type rawReader struct {
	r   io.Reader
	sum hash.Hash
	n   int64
}

func (r *rawReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.sum.Write(p[:n])
	r.n += int64(n)
	return n, err
}

// unpacked guards a decompressor: its size, its ratio and its errors.
type unpacked struct {
	r    io.Reader
	name string
	c    *Content
	lim  Limits
	n    int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	u.n += int64(n)
	switch {
	case u.n > u.lim.Unpacked:
		return 0, fmt.Errorf("%w: it unpacks to more than %d bytes", ErrTooLarge, u.lim.Unpacked)
	case u.n > ratioFree && u.n/u.lim.Ratio > u.c.raw.n:
		return 0, fmt.Errorf("%w: %d bytes of %s unpack to more than %d", ErrTooLarge, u.c.raw.n, u.name, u.n)
	case err == nil || err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return n, err
	case u.n > 0 && errors.Is(err, gzip.ErrHeader):
		// A whole member was read and what follows is padding or noise.
		u.c.Noise = true
		return n, io.EOF
	}
	return n, fmt.Errorf("%w: damaged %s: %w", ErrUnreadable, u.name, err)
}
