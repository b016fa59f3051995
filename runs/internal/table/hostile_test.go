package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Whatever byte of a file is changed, a reader gets an error or the same rows:
// never a panic, never other rows. (Statistics only choose row groups; a whole
// scan does not use them.)
func TestDamageIsNeverSilent(t *testing.T) {
	want := someRows(20)
	p := write(t, want, usual)
	whole, err := os.ReadFile(filepath.Join(p.Dir, p.Names[0]))
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	noticed := 0
	for at := range whole {
		for _, bit := range []byte{1, 0x80} {
			damaged := bytes.Clone(whole)
			damaged[at] ^= bit
			got, err := readBytes(d, damaged)
			if err != nil {
				noticed++
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("byte %d changed by %#x: other rows and no error", at, bit)
			}
		}
		if _, err := readBytes(d, whole[:at]); err == nil {
			t.Errorf("a file cut at %d of %d bytes was read", at, len(whole))
		}
	}
	if noticed < len(whole)/2 {
		t.Errorf("%d of %d changes were noticed", noticed, 2*len(whole))
	}
}

// readBytes reads the rows of a file in memory.
func readBytes(d *Decoder, file []byte) (got []row, err error) {
	p, err := newFile(bytes.NewReader(file), int64(len(file)), "x.parquet")
	if err != nil {
		return nil, err
	}
	s := scanner[row]{table: rows, columns: make([]Column, len(rows.Fields)), filter: -1, row: new(row), fn: func(r *row) error {
		got = append(got, *r)
		return nil
	}}
	for i, g := range p.meta.RowGroups {
		if err := s.group(&Group{Rows: int(g.NumRows), d: d, file: p, index: i}); err != nil {
			return nil, err
		}
	}
	return got, nil
}

// forged is a file that is made by hand: one row group, one column.
type forged struct {
	column format.SchemaElement
	rows   int64
	codec  format.CompressionCodec
	pages  [][]byte // header and body
	change func(*format.FileMetaData)
}

var compact thrift.CompactProtocol

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := thrift.Marshal(&compact, v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (f forged) parts(t *testing.T) Parts {
	t.Helper()
	file := []byte("PAR1")
	for _, p := range f.pages {
		file = append(file, p...)
	}
	meta := format.FileMetaData{
		Version: 2, NumRows: f.rows,
		Schema: []format.SchemaElement{{Name: "rows", NumChildren: null(int32(1))}, f.column},
		RowGroups: []format.RowGroup{{NumRows: f.rows, Columns: []format.ColumnChunk{{MetaData: format.ColumnMetaData{
			Type: f.column.Type.V, PathInSchema: []string{f.column.Name}, Codec: f.codec, Encoding: []format.Encoding{},
			NumValues: f.rows, TotalCompressedSize: int64(len(file) - 4), DataPageOffset: 4,
		}}}}},
	}
	if f.change != nil {
		f.change(&meta)
	}
	return parts(t, append(file, footer(marshal(t, &meta))...))
}

func footer(data []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(bytes.Clone(data), uint32(len(data))), "PAR1"...)
}

// parts writes a file and returns it as the only part of a table.
func parts(t *testing.T, file []byte) Parts {
	t.Helper()
	p := Parts{Dir: t.TempDir(), Names: []string{"x.parquet"}}
	if err := os.WriteFile(filepath.Join(p.Dir, p.Names[0]), file, 0o666); err != nil {
		t.Fatal(err)
	}
	return p
}

func null[T any](v T) thrift.Null[T] { return thrift.Null[T]{V: v, Valid: true} }

func dataPage(t *testing.T, values int32, enc format.Encoding, levels int32, body []byte) []byte {
	h := format.PageHeader{Type: format.DataPageV2, UncompressedPageSize: int32(len(body)), CompressedPageSize: int32(len(body))}
	h.DataPageHeaderV2 = null(format.DataPageHeaderV2{NumValues: values, NumRows: values, Encoding: enc, DefinitionLevelsByteLength: levels})
	return append(marshal(t, &h), body...)
}

func dictionaryPage(t *testing.T, values int32, body []byte) []byte {
	h := format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: int32(len(body)), CompressedPageSize: int32(len(body))}
	h.DictionaryPageHeader = null(format.DictionaryPageHeader{NumValues: values, Encoding: format.Plain})
	return append(marshal(t, &h), body...)
}

func element(name string, typ format.Type, repetition format.FieldRepetitionType) format.SchemaElement {
	return format.SchemaElement{Name: name, Type: null(typ), RepetitionType: null(repetition)}
}

var (
	number   = element("n", format.Int64, format.Required)
	optional = element("n", format.Int64, format.Optional)
	word     = element("word", format.ByteArray, format.Required)
	double   = element("x", format.Double, format.Required)
)

// scanForged reads a column of a forged file: that of its name, or n.
func scanForged(p Parts, name string) error {
	declared := rows.Field(name)
	if declared == nil {
		name, declared = "n", rows.Field("n")
	}
	return p.Groups(context.Background(), Range{}, func(g *Group) error { return g.Read(name, declared.Type, false, new(Column)) })
}

func TestForgedFiles(t *testing.T) {
	const many = 1 << 29
	uvarint := func(x ...uint64) (b []byte) {
		for _, u := range x {
			b = binary.AppendUvarint(b, u)
		}
		return b
	}
	a := append([]byte{1, 0, 0, 0}, 'a')
	one := func(p ...[]byte) [][]byte { return p }
	for name, c := range map[string]struct {
		file forged
		want string
	}{
		"the measure: a good file": {forged{column: number, rows: 1, pages: one(dataPage(t, 1, format.Plain, 0, make([]byte, 8)))}, ""},
		"a delta page that claims a billion values": {forged{column: number, rows: 3, pages: one(dataPage(t, 3, format.DeltaBinaryPacked, 0, uvarint(128, 4, many, 0)))},
			"delta page of 3 values, its header says 536870912"},
		"a cut delta header":          {forged{column: number, rows: 3, pages: one(dataPage(t, 3, format.DeltaBinaryPacked, 0, uvarint(128)))}, "delta header is cut"},
		"a run of a billion nulls":    {forged{column: optional, rows: 3, pages: one(dataPage(t, 3, format.Plain, 6, uvarint(many<<1, 0)))}, "runs hold more than the page's 3 values"},
		"runs that are too short":     {forged{column: optional, rows: 3, pages: one(dataPage(t, 3, format.Plain, 2, uvarint(1<<1, 0)))}, "runs hold 1 of 3 values"},
		"a run of a billion words":    {forged{column: word, rows: 3, pages: one(dictionaryPage(t, 1, a), dataPage(t, 3, format.RLEDictionary, 0, append([]byte{1}, uvarint(many<<1, 0)...)))}, "runs hold more than the page's 3 values"},
		"an index past the words":     {forged{column: word, rows: 3, pages: one(dictionaryPage(t, 1, a), dataPage(t, 3, format.RLEDictionary, 0, []byte{8, 3 << 1, 1}))}, "dictionary index 1 of 1"},
		"an index below the words":    {forged{column: word, rows: 3, pages: one(dictionaryPage(t, 1, a), dataPage(t, 3, format.RLEDictionary, 0, []byte{32, 3 << 1, 255, 255, 255, 255}))}, "dictionary index -1 of 1"},
		"indexes of 40 bits":          {forged{column: word, rows: 3, pages: one(dictionaryPage(t, 1, a), dataPage(t, 3, format.RLEDictionary, 0, []byte{40, 3 << 1, 0, 0, 0, 0, 0}))}, "runs of 40 bits a value"},
		"words without a dictionary":  {forged{column: word, rows: 3, pages: one(dataPage(t, 3, format.RLEDictionary, 0, []byte{1, 3 << 1, 0}))}, "dictionary index 0 of 0"},
		"a billion words in 5 bytes":  {forged{column: word, rows: 3, pages: one(dictionaryPage(t, many, a))}, "dictionary of 536870912 texts in 5 bytes"},
		"a word longer than its page": {forged{column: word, rows: 3, pages: one(dictionaryPage(t, 1, []byte{255, 255, 255, 255, 'a'}))}, "dictionary is cut"},
		"a page of more rows":         {forged{column: number, rows: 1, pages: one(dataPage(t, 2, format.Plain, 0, make([]byte, 16)))}, "page of 2 values in 2 rows, 1 rows left"},
		"a page of fewer bytes":       {forged{column: number, rows: 1, pages: one(dataPage(t, 1, format.Plain, 0, make([]byte, 7)))}, "7 bytes for 1 values"},
		"no page":                     {forged{column: number, rows: 1}, "page header"},
		"levels of a required column": {forged{column: number, rows: 1, pages: one(dataPage(t, 1, format.Plain, 1, make([]byte, 8)))}, "definition levels of 1 bytes"},
		"another encoding":            {forged{column: number, rows: 1, pages: one(dataPage(t, 1, format.ByteStreamSplit, 0, make([]byte, 8)))}, "encoded as BYTE_STREAM_SPLIT"},
		"another compression":         {forged{column: number, rows: 1, codec: format.Gzip, pages: one(dataPage(t, 1, format.Plain, 0, make([]byte, 8)))}, "compressed with GZIP, want ZSTD"},
		"not a number":                {forged{column: double, rows: 1, pages: one(dataPage(t, 1, format.Plain, 0, binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN()))))}, "holds NaN"},
		"a number that is a word":     {forged{column: element("n", format.ByteArray, format.Required), rows: 1}, "has type BYTE_ARRAY, want INT64"},
		"a repeated column":           {forged{column: element("n", format.Int64, format.Repeated), rows: 1}, "is repeated"},
		"an instant without a unit":   {forged{column: element("at", format.Int64, format.Required), rows: 1}, "is not a timestamp in UTC"},
		"a column that is not there":  {forged{column: element("m", format.Int64, format.Required), rows: 1}, "no such column"},
		"a row group of 2^40 rows":    {forged{column: number, rows: 1 << 40}, "1099511627776 rows, more than"},
		"other rows in all":           {forged{column: number, change: func(m *format.FileMetaData) { m.NumRows = 5 }}, "5 rows in all"},
		"a chunk past the end":        {forged{column: number, change: func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.DataPageOffset = 1 << 40 }}, "lie outside the file"},
		"a chunk of 2^62 bytes":       {forged{column: number, change: func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize = 1 << 62 }}, "lie outside the file"},
		"a chunk before the start":    {forged{column: number, change: func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.DataPageOffset = -9 }}, "lie outside the file"},
		"a chunk in another file":     {forged{column: number, change: func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].FilePath = "/etc/passwd" }}, "names another file"},
		"row groups that share a chunk": {forged{column: number, rows: 1, pages: one(dataPage(t, 1, format.Plain, 0, make([]byte, 8))), change: func(m *format.FileMetaData) {
			for range 40 {
				m.RowGroups = append(m.RowGroups, m.RowGroups[0])
			}
			m.NumRows = 41
		}}, "they overlap"},
		"fewer chunks than columns": {forged{column: number, change: func(m *format.FileMetaData) { m.RowGroups[0].Columns = nil }}, "0 columns, the schema has 1"},
		"a nested column":           {forged{column: number, change: func(m *format.FileMetaData) { m.Schema[1].NumChildren = null(int32(1)) }}, "is not a plain column"},
		"no schema":                 {forged{column: number, change: func(m *format.FileMetaData) { m.Schema = []format.SchemaElement{} }}, "no schema"},
		"a column twice":            {forged{column: number, change: func(m *format.FileMetaData) { m.Schema = append(m.Schema, m.Schema[1]) }}, "occurs twice"},
	} {
		err := scanForged(c.file.parts(t), c.file.column.Name)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestForgedFooters(t *testing.T) {
	list := func(n uint64) []byte { // a version, then a schema that claims n elements
		return binary.AppendUvarint([]byte{0x15, 2, 0x19, 0xFC}, n)
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":                  {nil, "0 bytes are too few"},
		"text":                   {[]byte("this is not a Parquet file"), "does not end in PAR1"},
		"a footer past the file": {append([]byte("PAR1"), 0, 1, 0, 0, 'P', 'A', 'R', '1'), "footer of 256 bytes in a file of 12"},
		"a list of two billion":  {append([]byte("PAR1"), footer(list(math.MaxInt32))...), "a list claims more elements than fit"},
		"a list past its limit":  {append([]byte("PAR1"), footer(append(list(maxFooterList+1), make([]byte, maxFooterList)...))...), "a list claims more elements than fit"},
		"deeply nested":          {append([]byte("PAR1"), footer(bytes.Repeat([]byte{0x1C}, 1000))...), "nested too deeply"},
		"no required field":      {append([]byte("PAR1"), footer([]byte{0})...), "footer:"},
	} {
		err := scanForged(parts(t, c.file), "n")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// A page that is small in the file and huge once decompressed.
func TestForgedCompression(t *testing.T) {
	var bomb bytes.Buffer
	z, err := zstd.NewWriter(&bomb)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range maxChunk/len(zeros) + 1 {
		if _, err := z.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	f := forged{column: number, rows: 1, codec: format.Zstd, pages: [][]byte{dataPage(t, 1, format.Plain, 0, bomb.Bytes())}}
	if err := scanForged(f.parts(t), "n"); err == nil || !strings.Contains(err.Error(), "exceeds configured limit") {
		t.Errorf("got %v", err)
	}
}

func TestOpenRefusesFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "x.parquet"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, "x.parquet"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}
