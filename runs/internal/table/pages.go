package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

// pageReader decodes the pages of one column chunk.
type pageReader struct {
	d        *Decoder
	c        *Column
	typ      Type
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
			err = p.dictionary(&h, body)
		case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
			err = p.data(&h, body)
		default:
			err = fmt.Errorf("page of type %v", h.Type)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decompress returns the content of a compressed page, which has a known size.
func (p *pageReader) decompress(body []byte, size int) (_ []byte, err error) {
	switch p.codec {
	case format.Uncompressed:
	case format.Zstd:
		p.d.plain, err = p.d.zstd.DecodeAll(body, p.d.plain[:0])
		body = p.d.plain
	default:
		err = fmt.Errorf("compressed with %v, want ZSTD", p.codec)
	}
	if err == nil && len(body) != size {
		err = fmt.Errorf("holds %d bytes, its header says %d", len(body), size)
	}
	return body, err
}

// Texts of small dictionaries are shared with those of other row groups, so
// that one that is kept does not keep the memory of a page alive. These bound
// the number of texts of such a dictionary, and the bytes that are remembered.
const (
	internTexts = 1 << 12
	internBytes = 8 << 20
)

// dictionary reads a dictionary page: texts as a length of 4 bytes and bytes.
func (p *pageReader) dictionary(page *format.PageHeader, body []byte) error {
	h := &page.DictionaryPageHeader.V
	if h.Encoding != format.Plain {
		return fmt.Errorf("dictionary encoded as %v, want PLAIN", h.Encoding)
	}
	data, err := p.decompress(body, int(page.UncompressedPageSize))
	if err != nil {
		return fmt.Errorf("dictionary: %w", err)
	}
	n := int(h.NumValues)
	if n < 0 || n > len(data)/4 {
		return fmt.Errorf("dictionary of %d texts in %d bytes", n, len(data))
	}
	shared := ""
	if n > internTexts || len(data) > internBytes {
		shared = string(data)
	}
	at := 0
	for ; n > 0; n-- {
		if len(data)-at < 4 || uint64(binary.LittleEndian.Uint32(data[at:])) > uint64(len(data)-at-4) {
			return errors.New("dictionary is cut")
		}
		start := at + 4
		at = start + int(binary.LittleEndian.Uint32(data[at:]))
		if shared != "" {
			p.c.Dict = append(p.c.Dict, shared[start:at])
		} else {
			p.c.Dict = append(p.c.Dict, p.d.intern(data[start:at]))
		}
	}
	if at != len(data) {
		return fmt.Errorf("dictionary has %d bytes too many", len(data)-at)
	}
	return nil
}

func (d *Decoder) intern(b []byte) string {
	if s, ok := d.interns[string(b)]; ok {
		return s
	}
	if d.interned += len(b); d.interned > internBytes {
		clear(d.interns)
		d.interned = len(b)
	}
	s := string(b)
	d.interns[s] = s
	return s
}

// data reads a data page (version 2): levels, then the values that are not null.
func (p *pageReader) data(page *format.PageHeader, body []byte) error {
	h := &page.DataPageHeaderV2.V
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
	if values != rows-int(h.NumNulls) {
		return fmt.Errorf("page of %d rows with %d values and %d nulls", rows, values, h.NumNulls)
	}
	body = body[n:]
	if !h.IsCompressed.Valid || h.IsCompressed.V {
		var err error
		if body, err = p.decompress(body, int(page.UncompressedPageSize)-n); err != nil {
			return err
		}
	}
	switch p.typ {
	case Instant, Integer:
		return p.integers(h.Encoding, body, rows, values)
	case Real:
		return p.realNumbers(h.Encoding, body, rows, values)
	default:
		return p.texts(h.Encoding, body, rows, values)
	}
}

// levelEncoding is the encoding of the levels of an optional column.
var levelEncoding = &rle.Encoding{BitWidth: 1}

// decodeLevels reads the definition levels of a page and returns how many of
// its rows hold a value.
func (d *Decoder) decodeLevels(data []byte, rows int) (values int, err error) {
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
		if len(data) != 8*values {
			return fmt.Errorf("%d bytes for %d values", len(data), values)
		}
		d.ints = d.ints[:0]
		for i := range values {
			d.ints = append(d.ints, int64(binary.LittleEndian.Uint64(data[8*i:])))
		}
	default:
		return fmt.Errorf("encoded as %v, want DELTA_BINARY_PACKED", enc)
	}
	p.c.Ints = spread(p.c.Ints, d.ints[:values], d.levels, rows, Missing)
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
		p.c.Reals = append(p.c.Reals, x)
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
		if code++; code <= 0 || int(code) >= len(p.c.Dict) {
			return fmt.Errorf("dictionary index %d of %d", code-1, len(p.c.Dict)-1)
		}
		codes[i] = code
	}
	p.c.Codes = spread(p.c.Codes, codes, d.levels, rows, 0)
	return nil
}

// spread appends values to dst, and null where a level is 0. There are as many
// values as levels that are 1.
func spread[T any](dst, values []T, levels []byte, rows int, null T) []T {
	if len(values) == rows {
		return append(dst, values...)
	}
	if len(values) == 0 { // most columns hold nothing
		return fill(dst, null, rows)
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

// fill appends a value n times, by copying what is there already.
func fill[T any](dst []T, v T, n int) []T {
	first := len(dst)
	dst = slices.Grow(dst, n)[:first+n]
	filled := dst[first:]
	if n > 0 {
		filled[0] = v
	}
	for done := 1; done < n; done *= 2 {
		copy(filled[done:], filled[:done])
	}
	return dst
}
