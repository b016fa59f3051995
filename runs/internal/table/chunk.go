package table

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"headroom/runs/internal/table/encode"
)

// chunk is a column chunk: its pages, what the footer says of them and their
// place in the page index. The offsets are those of a file in which it begins
// at offset at.
type chunk struct {
	at      int64
	pages   []byte
	meta    format.ColumnMetaData
	index   []byte // the column index, encoded
	offsets format.OffsetIndex
}

// encoder makes column chunks, of one data page each: a row group is as large as
// a page should be. Its memory is used again; a chunk is valid until the next.
type encoder struct {
	chunk chunk

	levels []byte // of the rows: 1 where there is a value
	ints   []int64
	codes  []int32
	plain  []byte // a page before it is compressed
	packed []byte
}

// compressor compresses pages. It has no checksum of its own: pages have one.
// An empty page becomes a frame too, since not every reader takes none.
var compressor, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true))

var compactProtocol thrift.CompactProtocol

// encode returns the column chunk of a column with at least one row, which
// begins at offset at of its file.
func (e *encoder) encode(name string, v *values, at int64) (*chunk, error) {
	c := &e.chunk
	*c = chunk{at: at, pages: c.pages[:0]}
	c.meta = format.ColumnMetaData{
		Type: v.typ.physical(), PathInSchema: []string{name}, Codec: format.Zstd, DataPageOffset: at,
	}
	var err error
	switch v.typ {
	case Instant, Integer:
		err = e.integers(v)
	case Real:
		err = e.realNumbers(v)
	default:
		err = e.dictionaryAndCodes(v)
	}
	return c, err
}

func (e *encoder) integers(v *values) error {
	e.chunk.meta.Encoding = []format.Encoding{format.RLE, format.DeltaBinaryPacked}
	if v.same > 0 {
		if v.optional && v.first == Missing {
			e.plain = encode.AppendSame(e.plain[:0], 0, 0)
			return e.dataPage(v, format.DeltaBinaryPacked, v.same, 0, nil, nil)
		}
		e.plain = encode.AppendSame(e.plain[:0], v.first, v.same)
		return e.dataPage(v, format.DeltaBinaryPacked, v.same, v.same, int64Bytes(v.first), int64Bytes(v.first))
	}
	present := v.ints
	if v.optional {
		present = e.present(v.ints)
	}
	least, greatest := present[0], present[0] // two values differ, so that one is there
	for _, n := range present {
		least, greatest = min(least, n), max(greatest, n)
	}
	e.plain = encode.AppendDelta(e.plain[:0], present)
	return e.dataPage(v, format.DeltaBinaryPacked, len(v.ints), len(present), int64Bytes(least), int64Bytes(greatest))
}

func int64Bytes(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }

// present returns the numbers that are not Missing, and sets the levels.
func (e *encoder) present(all []int64) []int64 {
	if !slices.Contains(all, Missing) {
		e.levels = e.levels[:0]
		return all
	}
	e.levels, e.ints = slices.Grow(e.levels[:0], len(all))[:len(all)], e.ints[:0]
	for i, n := range all {
		e.levels[i] = 0
		if n != Missing {
			e.levels[i] = 1
			e.ints = append(e.ints, n)
		}
	}
	return e.ints
}

func (e *encoder) realNumbers(v *values) error {
	least, greatest := v.reals[0], v.reals[0]
	for _, x := range v.reals {
		least, greatest = min(least, x), max(greatest, x)
	}
	bits := func(x float64) []byte { return int64Bytes(int64(math.Float64bits(x))) }
	e.plain = encode.AppendReals(e.plain[:0], v.reals)
	e.chunk.meta.Encoding = []format.Encoding{format.Plain}
	return e.dataPage(v, format.Plain, len(v.reals), len(v.reals), bits(least), bits(greatest))
}

func (e *encoder) dictionaryAndCodes(v *values) error {
	if err := e.dictionaryPage(&v.texts); err != nil {
		return err
	}
	e.chunk.meta.Encoding = []format.Encoding{format.Plain, format.RLE, format.RLEDictionary}
	width := encode.Width(v.texts.Len())
	e.plain = append(e.plain[:0], byte(width))
	if v.same > 0 && v.code == noCode {
		return e.dataPage(v, format.RLEDictionary, v.same, 0, nil, nil)
	}
	lo, hi := v.texts.Bounds()
	// Not nil where it is "": a bound that is there.
	least, greatest := append([]byte{}, lo...), append([]byte{}, hi...)
	if v.same > 0 {
		e.plain = encode.AppendRun(e.plain, v.code, v.same, width)
		return e.dataPage(v, format.RLEDictionary, v.same, v.same, least, greatest)
	}
	present := v.codes
	if v.optional {
		present = e.presentCodes(v.codes)
	}
	e.plain = encode.AppendRuns(e.plain, present, width)
	return e.dataPage(v, format.RLEDictionary, len(v.codes), len(present), least, greatest)
}

// presentCodes is present for the codes of texts.
func (e *encoder) presentCodes(all []int32) []int32 {
	if !slices.Contains(all, noCode) {
		e.levels = e.levels[:0]
		return all
	}
	e.levels, e.codes = slices.Grow(e.levels[:0], len(all))[:len(all)], e.codes[:0]
	for i, code := range all {
		e.levels[i] = 0
		if code != noCode {
			e.levels[i] = 1
			e.codes = append(e.codes, code)
		}
	}
	return e.codes
}

func (e *encoder) dictionaryPage(texts *encode.Dictionary) error {
	e.plain = texts.Append(e.plain[:0])
	// Only a data page can say that it is not compressed.
	e.packed = compressor.EncodeAll(e.plain, e.packed[:0])
	h := format.PageHeader{
		Type: format.DictionaryPage, UncompressedPageSize: int32(len(e.plain)), CompressedPageSize: int32(len(e.packed)),
		CRC: int32(crc32.ChecksumIEEE(e.packed)),
		DictionaryPageHeader: thrift.Null[format.DictionaryPageHeader]{
			V: format.DictionaryPageHeader{NumValues: int32(texts.Len()), Encoding: format.Plain}, Valid: true,
		},
	}
	m := &e.chunk.meta
	m.DictionaryPageOffset = m.DataPageOffset
	if err := e.page(&h, nil, e.packed); err != nil {
		return err
	}
	m.DataPageOffset += int64(len(e.chunk.pages))
	return nil
}

// dataPage adds the data page with e.plain for its values, and what is said of
// it. rows counts nulls, present does not.
func (e *encoder) dataPage(v *values, enc format.Encoding, rows, present int, least, greatest []byte) error {
	var levels []byte
	if v.optional {
		levels = e.appendLevels(rows, present)
	}
	body, compressed := e.plain, false
	if e.packed = compressor.EncodeAll(e.plain, e.packed[:0]); pays(len(e.packed), len(e.plain)) {
		body, compressed = e.packed, true
	}
	crc := crc32.Update(crc32.ChecksumIEEE(levels), crc32.IEEETable, body)
	h := format.PageHeader{
		Type: format.DataPageV2, CRC: int32(crc),
		UncompressedPageSize: int32(len(levels) + len(e.plain)), CompressedPageSize: int32(len(levels) + len(body)),
		DataPageHeaderV2: thrift.Null[format.DataPageHeaderV2]{Valid: true, V: format.DataPageHeaderV2{
			NumValues: int32(rows), NumNulls: int32(rows - present), NumRows: int32(rows), Encoding: enc,
			DefinitionLevelsByteLength: int32(len(levels)), IsCompressed: thrift.New(compressed),
		}},
	}
	before := len(e.chunk.pages)
	if err := e.page(&h, levels, body); err != nil {
		return err
	}
	c := &e.chunk
	c.meta.NumValues = int64(rows)
	c.meta.TotalCompressedSize = int64(len(c.pages))
	c.meta.Statistics = format.Statistics{NullCount: int64(rows - present), MinValue: least, MaxValue: greatest}
	c.offsets = format.OffsetIndex{PageLocations: []format.PageLocation{
		{Offset: c.meta.DataPageOffset, CompressedPageSize: int32(len(c.pages) - before)},
	}}
	return c.setIndex(v.typ, present == 0)
}

// pays reports whether a compressed page is smaller by enough to be worth the
// reader's time.
func pays(packed, plain int) bool { return packed < plain-plain/16 }

// appendLevels encodes the definition levels of a page.
func (e *encoder) appendLevels(rows, present int) []byte {
	switch {
	case present == rows:
		return append(binary.AppendUvarint(nil, uint64(rows)<<1), 1)
	case present == 0:
		return append(binary.AppendUvarint(nil, uint64(rows)<<1), 0)
	}
	return encode.AppendRuns(nil, e.levels, 1)
}

// page adds a page to the chunk.
func (e *encoder) page(h *format.PageHeader, levels, body []byte) error {
	c := &e.chunk
	header, err := thrift.Marshal(&compactProtocol, h)
	if err != nil {
		return err
	}
	c.pages = append(append(append(c.pages, header...), levels...), body...)
	c.meta.TotalUncompressedSize += int64(len(header)) + int64(h.UncompressedPageSize)
	enc := h.DataPageHeaderV2.V.Encoding
	if h.Type == format.DictionaryPage {
		enc = h.DictionaryPageHeader.V.Encoding
	}
	c.meta.EncodingStats = append(c.meta.EncodingStats, format.PageEncodingStats{PageType: h.Type, Encoding: enc, Count: 1})
	return nil
}

// setIndex makes the column index from the chunk's statistics: it has one page.
func (c *chunk) setIndex(typ Type, null bool) (err error) {
	s := &c.meta.Statistics
	least, greatest := append([]byte{}, s.MinValue...), append([]byte{}, s.MaxValue...)
	if typ == Text || typ == Document {
		least, greatest = shortLeast(least), shortGreatest(greatest)
	}
	c.index, err = thrift.Marshal(&compactProtocol, &format.ColumnIndex{
		NullPages: []bool{null}, MinValues: [][]byte{least}, MaxValues: [][]byte{greatest},
		BoundaryOrder: format.Ascending, NullCounts: []int64{s.NullCount},
	})
	return err
}

// indexText is the most bytes of a text in the page index.
const indexText = 16

// shortLeast returns a short text that is not greater than b.
func shortLeast(b []byte) []byte { return b[:min(len(b), indexText)] }

// shortGreatest returns a short text that is not less than b, if there is one.
func shortGreatest(b []byte) []byte {
	if len(b) <= indexText {
		return b
	}
	short := bytes.Clone(b[:indexText])
	for i := len(short) - 1; i >= 0; i-- {
		if short[i]++; short[i] != 0 {
			return short[:i+1]
		}
	}
	return b
}

// moveTo changes the offsets to those of a file in which the chunk begins at
// offset at.
func (c *chunk) moveTo(at int64) {
	by := at - c.at
	c.at = at
	c.meta.DataPageOffset += by
	if c.meta.DictionaryPageOffset > 0 {
		c.meta.DictionaryPageOffset += by
	}
	for i := range c.offsets.PageLocations {
		c.offsets.PageLocations[i].Offset += by
	}
}
