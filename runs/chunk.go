package runs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

// column holds the values of one column in one row group.
type column struct {
	ints  []int64   // of an instant or integer; Missing where null
	reals []float64 // of a real
	codes []int32   // of a text: indexes of dict, 0 (always "") where null
	dict  []string
}

// decoder decodes column chunks, one after the other, into reused memory. The
// pages' layout is read here, so that every size is checked before memory is
// taken; the encodings are parquet-go's.
type decoder struct {
	zstd    *zstd.Decoder
	chunk   []byte // as it is in the file
	plain   []byte // of one page, decompressed
	levels  []byte // 1 where there is a value, 0 where there is null
	ints    []int64
	codes   []int32
	interns map[string]string
}

func newDecoder() (*decoder, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxChunk))
	if err != nil {
		return nil, err
	}
	return &decoder{zstd: z, interns: map[string]string{}}, nil
}

func (d *decoder) close() { d.zstd.Close() }

// errAbsent is returned by decode for a column that the file does not have.
var errAbsent = errors.New("no such column")

// decode reads the values of a column in a row group into c. Whatever is wrong
// with the file gives an error that names the place, a panic of a decoder
// included.
func (d *decoder) decode(p *part, group int, name string, typ fieldType, c *column) (err error) {
	index, ok := p.column[name]
	if !ok {
		return errAbsent
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("damaged: %v", r)
		}
		if err != nil {
			err = fmt.Errorf("%s: row group %d: column %s: %w", p.name, group, name, err)
		}
	}()
	optional, err := checkType(&p.meta.Schema[index+1], typ)
	if err != nil {
		return err
	}
	g := &p.meta.RowGroups[group]
	m := &g.Columns[index].MetaData
	start, length := chunkExtent(m)
	d.chunk = resize(d.chunk, int(length))
	if _, err := p.file.ReadAt(d.chunk, start); err != nil {
		return err
	}
	*c = column{ints: c.ints[:0], reals: c.reals[:0], codes: c.codes[:0], dict: append(c.dict[:0], "")}
	pages := pageReader{d: d, c: c, typ: typ, codec: m.Codec, optional: optional, left: int(g.NumRows)}
	return pages.read(d.chunk)
}

// checkType compares a column of a file with what the table declares, and
// reports whether it may hold nulls.
func checkType(e *format.SchemaElement, typ fieldType) (optional bool, err error) {
	want := map[fieldType]format.Type{
		instant: format.Int64, integer: format.Int64, real: format.Double, text: format.ByteArray, document: format.ByteArray,
	}[typ]
	if e.Type.V != want {
		return false, fmt.Errorf("has type %v, want %v", e.Type.V, want)
	}
	if e.RepetitionType.V == format.Repeated {
		return false, errors.New("is repeated")
	}
	if typ == instant {
		ts, ok := e.LogicalType.Value.(*format.TimestampType)
		if !ok || !ts.IsAdjustedToUTC {
			return false, errors.New("is not a timestamp in UTC")
		}
		if _, ok := ts.Unit.Value.(*format.MicroSeconds); !ok {
			return false, errors.New("is not in microseconds")
		}
	}
	return e.RepetitionType.V == format.Optional, nil
}

// pageReader decodes the pages of one column chunk.
type pageReader struct {
	d        *decoder
	c        *column
	typ      fieldType
	codec    format.CompressionCodec
	optional bool
	left     int // rows still to come
}

func (p *pageReader) read(chunk []byte) error {
	for p.left > 0 {
		var h format.PageHeader
		n, err := decodeThrift(chunk[:min(len(chunk), maxPageHeader)], &h)
		if err != nil {
			return fmt.Errorf("page header: %w", err)
		}
		chunk = chunk[n:]
		if h.CompressedPageSize < 0 || int(h.CompressedPageSize) > len(chunk) || h.UncompressedPageSize < 0 || h.UncompressedPageSize > maxChunk {
			return fmt.Errorf("page of %d bytes, %d decompressed, with %d left in the column chunk", h.CompressedPageSize, h.UncompressedPageSize, len(chunk))
		}
		body := chunk[:h.CompressedPageSize]
		chunk = chunk[h.CompressedPageSize:]
		if h.CRC != 0 && crc32.ChecksumIEEE(body) != uint32(h.CRC) {
			return errors.New("page does not match its checksum")
		}
		switch {
		case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
			err = p.dictionary(&h.DictionaryPageHeader.V, body)
		case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
			err = p.data(&h.DataPageHeaderV2.V, body)
		default:
			err = fmt.Errorf("page of type %v", h.Type)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decompress returns the content of a compressed page.
func (p *pageReader) decompress(body []byte) (_ []byte, err error) {
	switch p.codec {
	case format.Uncompressed:
		return body, nil
	case format.Zstd:
		p.d.plain, err = p.d.zstd.DecodeAll(body, p.d.plain[:0])
		return p.d.plain, err
	}
	return nil, fmt.Errorf("compressed with %v, want ZSTD", p.codec)
}

// internLimit is the size of dictionaries whose strings are shared with those
// of other row groups, so that they do not keep the memory of a page alive;
// internMax bounds how many strings are remembered.
const (
	internLimit = 1 << 12
	internMax   = 1 << 16
)

// dictionary reads a dictionary page: texts as a length of 4 bytes and bytes.
func (p *pageReader) dictionary(h *format.DictionaryPageHeader, body []byte) error {
	if h.Encoding != format.Plain && h.Encoding != format.PlainDictionary {
		return fmt.Errorf("dictionary encoded as %v, want PLAIN", h.Encoding)
	}
	data, err := p.decompress(body)
	if err != nil {
		return fmt.Errorf("dictionary: %w", err)
	}
	n := int(h.NumValues)
	if n < 0 || n > len(data)/4 {
		return fmt.Errorf("dictionary of %d texts in %d bytes", n, len(data))
	}
	shared := ""
	if n > internLimit {
		shared = string(data)
	}
	if len(p.d.interns) > internMax {
		clear(p.d.interns)
	}
	for at := 0; n > 0; n-- {
		if len(data)-at < 4 || uint64(binary.LittleEndian.Uint32(data[at:])) > uint64(len(data)-at-4) {
			return errors.New("dictionary is cut")
		}
		start := at + 4
		at = start + int(binary.LittleEndian.Uint32(data[at:]))
		if shared != "" {
			p.c.dict = append(p.c.dict, shared[start:at])
		} else {
			p.c.dict = append(p.c.dict, p.d.intern(data[start:at]))
		}
	}
	return nil
}

func (d *decoder) intern(b []byte) string {
	if s, ok := d.interns[string(b)]; ok {
		return s
	}
	s := string(b)
	d.interns[s] = s
	return s
}

// data reads a data page (version 2): levels, then the values that are not null.
func (p *pageReader) data(h *format.DataPageHeaderV2, body []byte) error {
	rows := int(h.NumValues)
	if rows < 0 || rows > p.left || h.NumRows != h.NumValues || h.RepetitionLevelsByteLength != 0 {
		return fmt.Errorf("page of %d values in %d rows, %d rows left", h.NumValues, h.NumRows, p.left)
	}
	p.left -= rows
	n := int(h.DefinitionLevelsByteLength)
	if n < 0 || n > len(body) || n > 0 && !p.optional {
		return fmt.Errorf("definition levels of %d bytes in a page of %d", n, len(body))
	}
	values := rows
	if p.optional {
		var err error
		if values, err = p.d.decodeLevels(body[:n], rows); err != nil {
			return err
		}
	}
	body = body[n:]
	if !h.IsCompressed.Valid || h.IsCompressed.V {
		var err error
		if body, err = p.decompress(body); err != nil {
			return err
		}
	}
	switch p.typ {
	case instant, integer:
		return p.integers(h.Encoding, body, rows, values)
	case real:
		return p.realNumbers(h.Encoding, body, rows, values)
	default:
		return p.texts(h.Encoding, body, rows, values)
	}
}

// levelEncoding is the encoding of the levels of an optional column.
var levelEncoding = &rle.Encoding{BitWidth: 1}

// decodeLevels reads the definition levels of a page and returns how many of
// its rows hold a value.
func (d *decoder) decodeLevels(data []byte, rows int) (values int, err error) {
	if err := checkRuns(data, 1, rows); err != nil {
		return 0, fmt.Errorf("definition levels: %w", err)
	}
	if d.levels, err = levelEncoding.DecodeLevels(d.levels[:0], data); err != nil {
		return 0, fmt.Errorf("definition levels: %w", err)
	}
	d.levels = d.levels[:rows]
	for _, l := range d.levels {
		values += int(l)
	}
	return values, nil
}

func (p *pageReader) integers(enc format.Encoding, data []byte, rows, values int) (err error) {
	d := p.d
	switch enc {
	case format.DeltaBinaryPacked:
		if values == 0 {
			d.ints = d.ints[:0]
			break
		}
		if err := checkDelta(data, values); err != nil {
			return err
		}
		if d.ints, err = parquet.DeltaBinaryPacked.DecodeInt64(d.ints[:0], data); err != nil {
			return err
		}
	case format.Plain:
		if len(data) < 8*values {
			return fmt.Errorf("%d bytes for %d values", len(data), values)
		}
		d.ints = d.ints[:0]
		for i := range values {
			d.ints = append(d.ints, int64(binary.LittleEndian.Uint64(data[8*i:])))
		}
	default:
		return fmt.Errorf("encoded as %v, want DELTA_BINARY_PACKED", enc)
	}
	p.c.ints = spread(p.c.ints, d.ints[:values], d.levels, rows, Missing)
	return nil
}

func (p *pageReader) realNumbers(enc format.Encoding, data []byte, rows, values int) error {
	if enc != format.Plain {
		return fmt.Errorf("encoded as %v, want PLAIN", enc)
	}
	if values != rows || len(data) != 8*values {
		return fmt.Errorf("%d bytes for %d values in %d rows", len(data), values, rows)
	}
	for i := range values {
		x := math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("holds %v, which no point may", x)
		}
		p.c.reals = append(p.c.reals, x)
	}
	return nil
}

func (p *pageReader) texts(enc format.Encoding, data []byte, rows, values int) (err error) {
	d := p.d
	if enc != format.RLEDictionary {
		return fmt.Errorf("encoded as %v, want RLE_DICTIONARY", enc)
	}
	if values == 0 {
		d.codes = d.codes[:0]
	} else {
		if len(data) == 0 {
			return errors.New("no dictionary indexes")
		}
		if err := checkRuns(data[1:], int(data[0]), values); err != nil {
			return err
		}
		if d.codes, err = parquet.RLEDictionary.DecodeInt32(d.codes[:0], data); err != nil {
			return err
		}
	}
	codes := d.codes[:values]
	for i, code := range codes {
		if code++; code <= 0 || int(code) >= len(p.c.dict) {
			return fmt.Errorf("dictionary index %d of %d", code-1, len(p.c.dict)-1)
		}
		codes[i] = code
	}
	p.c.codes = spread(p.c.codes, codes, d.levels, rows, 0)
	return nil
}

// spread appends values to dst, and null where a level is 0. There are as many
// values as levels that are 1.
func spread[T any](dst, values []T, levels []byte, rows int, null T) []T {
	if len(values) == rows {
		return append(dst, values...)
	}
	for _, l := range levels[:rows] {
		if l == 0 {
			dst = append(dst, null)
			continue
		}
		dst = append(dst, values[0])
		values = values[1:]
	}
	return dst
}

// checkRuns checks that RLE/bit-packed runs hold the values a page claims and
// no more than the padding of the last one, before they are decoded.
func checkRuns(data []byte, bits, values int) error {
	if bits > 32 {
		return fmt.Errorf("runs of %d bits a value", bits)
	}
	total := 0
	for len(data) > 0 {
		u, n := binary.Uvarint(data)
		if n <= 0 || u > math.MaxInt32 {
			return errors.New("run of a length that cannot be")
		}
		data = data[n:]
		count, size := int(u>>1), (bits+7)/8
		if u&1 == 1 {
			count, size = 8*count, count*bits
		}
		if total += count; size > len(data) || total > values+7 {
			return fmt.Errorf("runs hold more than the page's %d values, or are cut", values)
		}
		data = data[size:]
	}
	if total < values {
		return fmt.Errorf("runs hold %d of %d values", total, values)
	}
	return nil
}

// checkDelta checks that a delta-packed page holds as many values as its header
// claims: the third of the numbers it begins with.
func checkDelta(data []byte, values int) error {
	var total uint64
	for range 3 {
		u, n := binary.Uvarint(data)
		if n <= 0 {
			return errors.New("delta header is cut")
		}
		total, data = u, data[n:]
	}
	if total != uint64(values) {
		return fmt.Errorf("delta page of %d values, its header says %d", total, values)
	}
	return nil
}

// resize returns a slice of n elements, with the memory of b if that is enough.
func resize(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
