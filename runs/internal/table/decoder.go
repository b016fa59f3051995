package table

import (
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// Column holds the values of one column in one row group, in reused memory.
type Column struct {
	Ints  []int64   // of an Instant or Integer; Missing where null
	Reals []float64 // of a Real
	Codes []int32   // of a Text or Document: indexes of Dict, 0 where null
	Dict  []string  // the first is always ""; the strings stay valid
}

// reset empties the column and makes room for the rows of a type.
func (c *Column) reset(typ Type, rows int) {
	c.Ints, c.Reals, c.Codes, c.Dict = c.Ints[:0], c.Reals[:0], c.Codes[:0], append(c.Dict[:0], "")
	switch typ {
	case Instant, Integer:
		c.Ints = slices.Grow(c.Ints, rows)
	case Real:
		c.Reals = slices.Grow(c.Reals, rows)
	default:
		c.Codes = slices.Grow(c.Codes, rows)
	}
}

// null makes every row of the column null.
func (c *Column) null(typ Type, rows int) {
	c.reset(typ, rows)
	for range rows {
		switch typ {
		case Instant, Integer:
			c.Ints = append(c.Ints, Missing)
		default:
			c.Codes = append(c.Codes, 0)
		}
	}
}

// Decoder decodes column chunks, one after the other. The pages' layout is read
// here, so that every size is checked before memory is taken; the encodings are
// parquet-go's. A Decoder is used by one goroutine, and closed at the end.
type Decoder struct {
	zstd     *zstd.Decoder
	chunk    []byte // as it is in the file
	plain    []byte // of one page, decompressed
	levels   []byte // of one page: 1 where there is a value, 0 where there is null
	ints     []int64
	codes    []int32
	interns  map[string]string
	interned int // bytes of interns
}

// NewDecoder returns a decoder.
func NewDecoder() (*Decoder, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxChunk))
	if err != nil {
		return nil, err
	}
	return &Decoder{zstd: z, interns: map[string]string{}}, nil
}

// Close releases what the decoder holds.
func (d *Decoder) Close() { d.zstd.Close() }

// decode reads the values of a column in a row group into c. Whatever is wrong
// with the file gives an error that names the place, a panic of an encoding
// included.
func (d *Decoder) decode(p *File, group int, name string, typ Type, c *Column) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("damaged: %v", r)
		}
		if err != nil {
			err = fmt.Errorf("%s: row group %d: column %s: %w", p.name, group, name, err)
		}
	}()
	index, ok := p.column[name]
	if !ok {
		return errors.New("no such column")
	}
	optional, err := checkType(&p.meta.Schema[index+1], typ)
	if err != nil {
		return err
	}
	g := &p.meta.RowGroups[group]
	m := &g.Columns[index].MetaData
	start, length := chunkExtent(m)
	if int64(cap(d.chunk)) < length {
		d.chunk = make([]byte, length)
	}
	d.chunk = d.chunk[:length]
	if _, err := p.file.ReadAt(d.chunk, start); err != nil {
		return err
	}
	c.reset(typ, int(g.NumRows))
	pages := pageReader{d: d, c: c, typ: typ, codec: m.Codec, optional: optional, left: int(g.NumRows)}
	return pages.read(d.chunk)
}

// checkType compares a column of a file with what the table declares, and
// reports whether it may hold nulls.
func checkType(e *format.SchemaElement, typ Type) (optional bool, err error) {
	want := format.ByteArray
	switch typ {
	case Instant, Integer:
		want = format.Int64
	case Real:
		want = format.Double
	}
	if e.Type.V != want {
		return false, fmt.Errorf("has type %v, want %v", e.Type.V, want)
	}
	if typ == Instant {
		ts, ok := e.LogicalType.Value.(*format.TimestampType)
		if !ok || !ts.IsAdjustedToUTC {
			return false, errors.New("is not a timestamp in UTC")
		}
		if _, ok := ts.Unit.Value.(*format.MicroSeconds); !ok {
			return false, errors.New("is not in microseconds")
		}
	}
	switch e.RepetitionType.V {
	case format.Required:
		return false, nil
	case format.Optional:
		return true, nil
	}
	return false, errors.New("is repeated")
}
