package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go/format"
)

// Limits of what is read, so that a hostile file costs an error and no memory.
// They lie far above what the writer makes.
const (
	maxFooter     = 64 << 20 // bytes of a footer
	maxFooterList = 1 << 17  // elements of all lists of a footer together
	maxGroupRows  = 1 << 20  // rows of a row group
	maxChunk      = 64 << 20 // bytes of a column chunk, and of a page once decompressed
	maxPageHeader = 64 << 10 // bytes of a page header
)

// File is one Parquet file, its footer read.
type File struct {
	file   io.ReaderAt
	size   int64
	name   string // path, for errors
	meta   format.FileMetaData
	column map[string]int // name → index among the columns
}

// Open opens a Parquet file inside the folder dir, and nothing outside it,
// wherever links lead. Errors name the file.
func Open(dir, name string) (*File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, size, err := OpenRegular(root, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	p, err := newFile(f, size, filepath.Join(dir, name))
	if err != nil {
		f.Close()
	}
	return p, err
}

func newFile(r io.ReaderAt, size int64, name string) (p *File, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("%s: footer: damaged: %v", name, r)
		}
	}()
	p = &File{file: r, size: size, name: name}
	if err := p.readFooter(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// OpenRegular opens a regular file below root and returns its size. Links out
// of root are refused by os.Root; what is not a regular file is refused before
// it is opened, since opening a pipe would wait for its writer.
func OpenRegular(root *os.Root, name string) (*os.File, int64, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s: not a regular file", name)
	}
	f, err := root.Open(name)
	return f, info.Size(), err
}

// Close closes the file; a nil File is closed already.
func (p *File) Close() error {
	if p == nil {
		return nil
	}
	return p.file.(io.Closer).Close()
}

// ColumnNames returns the names of the columns of a Parquet file inside dir, in
// order.
func ColumnNames(dir, name string) ([]string, error) {
	p, err := Open(dir, name)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	names := make([]string, len(p.column))
	for column, i := range p.column {
		names[i] = column
	}
	return names, nil
}

// Metadata returns a value of the file's key-value metadata, "" if there is none.
func (p *File) Metadata(key string) string {
	for _, kv := range p.meta.KeyValueMetadata {
		if kv.Key == key {
			return kv.Value
		}
	}
	return ""
}

// readFooter reads the metadata at the end of the file and checks what the
// reader relies on. Layout: … footer, its length as 4 bytes, "PAR1".
func (p *File) readFooter() error {
	const tail = 8
	var end [tail]byte
	if p.size < tail+4 {
		return fmt.Errorf("%d bytes are too few for a Parquet file", p.size)
	}
	if _, err := p.file.ReadAt(end[:], p.size-tail); err != nil {
		return err
	}
	if string(end[4:]) != "PAR1" {
		return errors.New("not a Parquet file, or cut: it does not end in PAR1")
	}
	length := int64(binary.LittleEndian.Uint32(end[:]))
	if length > maxFooter || length > p.size-tail-4 {
		return fmt.Errorf("footer of %d bytes in a file of %d", length, p.size)
	}
	footer := make([]byte, length)
	if _, err := p.file.ReadAt(footer, p.size-tail-length); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	if _, err := decodeThrift(footer, &p.meta); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	return p.checkFooter(p.size - tail - length)
}

// checkFooter checks the schema's shape and every offset. end is where the
// footer begins.
func (p *File) checkFooter(end int64) error {
	leaves := p.meta.Schema
	if len(leaves) == 0 {
		return errors.New("footer: no schema")
	}
	leaves = leaves[1:] // the first is the root
	p.column = make(map[string]int, len(leaves))
	for i, e := range leaves {
		if e.NumChildren.Valid && e.NumChildren.V != 0 || !e.Type.Valid {
			return fmt.Errorf("column %q is not a plain column", e.Name)
		}
		if _, twice := p.column[e.Name]; twice {
			return fmt.Errorf("column %q occurs twice", e.Name)
		}
		p.column[e.Name] = i
	}
	rows, room := p.meta.NumRows, end
	for i, g := range p.meta.RowGroups {
		rows -= g.NumRows
		if g.NumRows < 0 || g.NumRows > maxGroupRows {
			return fmt.Errorf("row group %d: %d rows, more than the %d a reader expects", i, g.NumRows, maxGroupRows)
		}
		if len(g.Columns) != len(leaves) {
			return fmt.Errorf("row group %d: %d columns, the schema has %d", i, len(g.Columns), len(leaves))
		}
		for j, c := range g.Columns {
			start, length := chunkExtent(&c.MetaData)
			if start < 4 || length < 0 || length > maxChunk || start > end-length {
				return fmt.Errorf("row group %d: column %s: %d bytes at %d lie outside the file or the limit", i, leaves[j].Name, length, start)
			}
			if room -= length; room < 0 {
				return errors.New("footer: the column chunks are larger than the file: they overlap")
			}
			if c.FilePath != "" {
				return fmt.Errorf("row group %d: column %s: names another file", i, leaves[j].Name)
			}
		}
	}
	if rows != 0 {
		return fmt.Errorf("footer: %d rows in all, but not in the row groups", p.meta.NumRows)
	}
	return nil
}

// chunkExtent returns where the pages of a column chunk lie in the file.
func chunkExtent(m *format.ColumnMetaData) (start, length int64) {
	start = m.DataPageOffset
	if d := m.DictionaryPageOffset; d > 0 && d < start {
		start = d
	}
	return start, m.TotalCompressedSize
}

// bounds returns the least and the greatest value of an Instant or Integer
// column in a row group, all of int64 if they are not known.
func (p *File) bounds(group int, column string) (least, greatest int64) {
	least, greatest = math.MinInt64, math.MaxInt64
	i, ok := p.column[column]
	if !ok {
		return least, greatest
	}
	s := &p.meta.RowGroups[group].Columns[i].MetaData.Statistics
	if len(s.MinValue) != 8 || len(s.MaxValue) != 8 {
		return least, greatest
	}
	return int64(binary.LittleEndian.Uint64(s.MinValue)), int64(binary.LittleEndian.Uint64(s.MaxValue))
}
