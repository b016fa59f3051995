package ingest

import (
	"archive/tar"
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// container is a kind of file that holds other files, or a compression that is not
// read. What it begins with is no recording, and would be read as one.
type container struct {
	magic []byte
	what  string // "a zip archive"
	do    string // what the reader is to do instead
}

// unpackIt is what to do with an archive: its files may be of different kinds.
const unpackIt = "unpack it and give its files, or the folder they are in"

var containers = []container{
	{[]byte("PK\x03\x04"), "a zip archive", unpackIt},
	{[]byte("PK\x05\x06"), "a zip archive of no files", unpackIt},
	{[]byte("7z\xbc\xaf\x27\x1c"), "a 7z archive", unpackIt},
	{[]byte("Rar!\x1a\x07"), "a rar archive", unpackIt},
	{[]byte("\xfd7zXZ\x00"), "compressed by xz", "unpack it (xz -d) and give what comes out; gzip and zstd are read as they are"},
	{[]byte("BZh"), "compressed by bzip2", "unpack it (bzip2 -d) and give what comes out; gzip and zstd are read as they are"},
	{[]byte("\x04\x22\x4d\x18"), "compressed by lz4", "unpack it (lz4 -d) and give what comes out; gzip and zstd are read as they are"},
}

// bzip2Block is what the first block of a bzip2 stream begins with: the first bytes
// of the stream alone could be those of a text.
const bzip2Block = "1AY&SY"

// tarBlock is the size of the header that begins a tar archive, in bytes.
const tarBlock = 512

// container is an error if what was unpacked so far is an archive, or compressed
// in a way that is not read. Only tar needs more than a few bytes to be told; of
// what is still being written no more is waited for than head.
func (c *Content) container(body *bufio.Reader, head int) error {
	if head < tarBlock {
		head = body.Buffered()
	}
	block, _ := body.Peek(min(head, tarBlock)) // what cannot be read is told by who reads on
	for _, k := range containers {
		if !bytes.HasPrefix(block, k.magic) || string(k.magic) == "BZh" && !bytes.HasPrefix(block[min(4, len(block)):], []byte(bzip2Block)) {
			continue
		}
		return fmt.Errorf("%w: it is %s%s, and no recording; %s", ErrUnknown, k.what, c.within(), k.do)
	}
	if first, ok := tarHeader(block); ok {
		return fmt.Errorf("%w: it is a tar archive%s, which begins with %q, and no recording; %s", ErrUnknown, c.within(), clip(first), unpackIt)
	}
	return nil
}

// within says what the content was inside of.
func (c *Content) within() string {
	if len(c.Layers) == 0 {
		return ""
	}
	return " inside " + strings.Join(c.Layers, " inside ")
}

// tarHeader reports whether a block begins a tar archive, and names its first file.
// The block holds a sum of its own bytes, which no text gives by chance; forms older
// than POSIX have no other mark.
func tarHeader(block []byte) (first string, ok bool) {
	const at, end = 148, 156 // the sum, in octal
	if len(block) < tarBlock {
		return "", false
	}
	want, err := strconv.ParseInt(strings.Trim(string(block[at:end]), " \x00"), 8, 64)
	if err != nil {
		return "", false
	}
	sum := int64(0)
	for i, b := range block[:tarBlock] {
		if i >= at && i < end {
			b = ' '
		}
		sum += int64(b)
	}
	if sum != want {
		return "", false
	}
	if h, err := tar.NewReader(bytes.NewReader(block)).Next(); err == nil {
		return h.Name, true
	}
	name, _, _ := bytes.Cut(block[:100], []byte{0})
	return string(name), true
}
