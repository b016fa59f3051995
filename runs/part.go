package runs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Limits of what is read, so that a hostile file costs an error and no memory.
// They lie far above what the writer makes.
const (
	maxFooter     = 64 << 20  // bytes of a footer
	maxFooterList = 1 << 17   // elements of all lists of a footer together
	maxGroupRows  = 1 << 20   // rows of a row group
	maxChunk      = 256 << 20 // bytes of a column chunk, and of a page once decompressed
	maxPageHeader = 64 << 10  // bytes of a page header
)

// part is one Parquet file of a table, its footer read.
type part struct {
	file   *os.File
	size   int64
	name   string // path inside the run, for errors
	meta   format.FileMetaData
	column map[string]int // leaf name → index among the columns
}

// openPart opens a part of a table. It returns an error that names the part.
func (r *Run) openPart(table string, i int) (*part, error) {
	name := path.Join(table, partName(i))
	root, err := os.OpenRoot(r.path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, size, err := openRegular(root, name)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.path, err)
	}
	p := &part{file: f, size: size, name: name}
	if err := p.readFooter(); err != nil {
		f.Close()
		return nil, fmt.Errorf("run %s: %s: %w", r.path, name, err)
	}
	return p, nil
}

// readFooter reads the metadata at the end of the file and checks what the
// reader relies on. Layout: … footer, its length as 4 bytes, "PAR1".
func (p *part) readFooter() error {
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
	return p.checkFooter()
}

// checkFooter checks the schema's shape and every offset.
func (p *part) checkFooter() error {
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
	for i, g := range p.meta.RowGroups {
		if g.NumRows < 0 || g.NumRows > maxGroupRows {
			return fmt.Errorf("row group %d: %d rows, more than the %d a reader expects", i, g.NumRows, maxGroupRows)
		}
		if len(g.Columns) != len(leaves) {
			return fmt.Errorf("row group %d: %d columns, the schema has %d", i, len(g.Columns), len(leaves))
		}
		for j, c := range g.Columns {
			start, length := chunkExtent(&c.MetaData)
			if start < 4 || length < 0 || length > maxChunk || start > p.size-length {
				return fmt.Errorf("row group %d: column %s: %d bytes at %d lie outside the file or the limit", i, leaves[j].Name, length, start)
			}
			if c.FilePath != "" {
				return fmt.Errorf("row group %d: column %s: names another file", i, leaves[j].Name)
			}
		}
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

// bounds returns the least and the greatest value of an int64 column in a row
// group, all of int64 if they are not known.
func (p *part) bounds(group, column int) (lo, hi int64) {
	s := &p.meta.RowGroups[group].Columns[column].MetaData.Statistics
	if len(s.MinValue) != 8 || len(s.MaxValue) != 8 {
		return math.MinInt64, math.MaxInt64
	}
	return int64(binary.LittleEndian.Uint64(s.MinValue)), int64(binary.LittleEndian.Uint64(s.MaxValue))
}

// decodeThrift decodes the Thrift structure in the compact protocol with which
// data begins, and returns its length. It first checks that no list in it
// claims more elements than there can be: the decoder allocates what a list
// claims.
func decodeThrift(data []byte, v any) (int, error) {
	var protocol thrift.CompactProtocol
	w := thriftWalk{r: protocol.NewReaderFromBytes(data), left: min(len(data), maxFooterList)}
	if err := w.value(thrift.STRUCT, 0); err != nil {
		return 0, err
	}
	return w.r.BytesRead(), thrift.NewDecoder(protocol.NewReaderFromBytes(data)).Decode(v)
}

// thriftWalk reads through a Thrift structure without keeping anything.
type thriftWalk struct {
	r    thrift.Reader
	left int // list elements that may still come
}

func (w *thriftWalk) value(t thrift.Type, depth int) (err error) {
	if depth > 16 {
		return errors.New("nested too deeply")
	}
	switch t {
	case thrift.STRUCT:
		return w.structure(depth)
	case thrift.LIST, thrift.SET:
		var l thrift.List
		if l, err = w.r.ReadList(); err != nil {
			return err
		}
		if w.left -= int(l.Size); w.left < 0 || l.Size < 0 {
			return errors.New("a list claims more elements than fit")
		}
		for range l.Size {
			if err := w.element(l.Type, depth+1); err != nil {
				return err
			}
		}
		return nil
	case thrift.TRUE, thrift.FALSE:
		return nil // a field's boolean is its type
	case thrift.I8:
		_, err = w.r.ReadInt8()
	case thrift.I16:
		_, err = w.r.ReadInt16()
	case thrift.I32:
		_, err = w.r.ReadInt32()
	case thrift.I64:
		_, err = w.r.ReadInt64()
	case thrift.DOUBLE:
		_, err = w.r.ReadFloat64()
	case thrift.BINARY:
		_, err = w.r.ReadBytes()
	default:
		return fmt.Errorf("unexpected type %v", t)
	}
	return err
}

// element is value for a member of a list, where a boolean has a byte.
func (w *thriftWalk) element(t thrift.Type, depth int) error {
	if t == thrift.TRUE || t == thrift.FALSE {
		_, err := w.r.ReadBool()
		return err
	}
	return w.value(t, depth)
}

func (w *thriftWalk) structure(depth int) error {
	for {
		f, err := w.r.ReadField()
		if err != nil {
			return err
		}
		if f.Type == thrift.STOP {
			return nil
		}
		if err := w.value(f.Type, depth+1); err != nil {
			return err
		}
	}
}
