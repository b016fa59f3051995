package table

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// magic begins and ends a Parquet file.
const magic = "PAR1"

// output is a Parquet file that is being written: column chunks one after the
// other, then the page index, then the footer
// (https://parquet.apache.org/docs/file-format/).
type output struct {
	w      *bufio.Writer
	offset int64

	group  format.RowGroup   // being written
	groups []format.RowGroup // written
	index  []indexEntry      // of all column chunks, in order
}

// indexEntry is what the page index holds of a column chunk.
type indexEntry struct {
	column  []byte // the column index, encoded
	offsets format.OffsetIndex
}

// newOutput begins a file.
func newOutput(f io.Writer) (*output, error) {
	o := &output{w: bufio.NewWriterSize(f, 64<<10)}
	return o, o.write([]byte(magic))
}

func (o *output) write(b []byte) error {
	n, err := o.w.Write(b)
	o.offset += int64(n)
	return err
}

// chunk adds a column chunk to the row group.
func (o *output) chunk(c *chunk) error {
	c.moveTo(o.offset)
	o.group.Columns = append(o.group.Columns, format.ColumnChunk{MetaData: c.meta})
	o.index = append(o.index, indexEntry{c.index, c.offsets})
	return o.write(c.pages)
}

// endGroup ends the row group, which has so many rows.
func (o *output) endGroup(rows int64) {
	g := &o.group
	first := &g.Columns[0].MetaData
	g.NumRows, g.Ordinal = rows, int16(len(o.groups))
	g.FileOffset, _ = chunkExtent(first)
	for i := range g.Columns {
		m := &g.Columns[i].MetaData
		g.TotalByteSize += m.TotalUncompressedSize
		g.TotalCompressedSize += m.TotalCompressedSize
	}
	o.groups = append(o.groups, *g)
	o.group = format.RowGroup{}
}

// close writes the page index and the footer.
func (o *output) close(schema []format.SchemaElement, tool string, metadata map[string]string) error {
	if err := o.pageIndex(); err != nil {
		return err
	}
	meta := format.FileMetaData{Version: 2, Schema: schema, RowGroups: o.groups, CreatedBy: createdBy(tool)}
	if meta.RowGroups == nil {
		meta.RowGroups = []format.RowGroup{}
	}
	for i := range o.groups {
		meta.NumRows += o.groups[i].NumRows
	}
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		meta.KeyValueMetadata = append(meta.KeyValueMetadata, format.KeyValue{Key: key, Value: metadata[key]})
	}
	for range schema[1:] { // bounds are of the order that the type has
		meta.ColumnOrders = append(meta.ColumnOrders, format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
	}
	footer, err := thrift.Marshal(&compactProtocol, &meta)
	if err != nil {
		return err
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	if err := o.write(append(footer, magic...)); err != nil {
		return err
	}
	return o.w.Flush()
}

// pageIndex writes the column indexes of all chunks, then their offset indexes.
func (o *output) pageIndex() error {
	i := 0
	for g := range o.groups {
		for c := range o.groups[g].Columns {
			column := &o.groups[g].Columns[c]
			column.ColumnIndexOffset, column.ColumnIndexLength = o.offset, int32(len(o.index[i].column))
			if err := o.write(o.index[i].column); err != nil {
				return err
			}
			i++
		}
	}
	i = 0
	for g := range o.groups {
		for c := range o.groups[g].Columns {
			b, err := thrift.Marshal(&compactProtocol, &o.index[i].offsets)
			if err != nil {
				return err
			}
			column := &o.groups[g].Columns[c]
			column.OffsetIndexOffset, column.OffsetIndexLength = o.offset, int32(len(b))
			if err := o.write(b); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// createdBy names the writer in the form that readers take apart. The platform
// is left out: files do not depend on it.
func createdBy(tool string) string {
	name, version, _ := strings.Cut(tool, " ")
	version, _, _ = strings.Cut(version, " ")
	return fmt.Sprintf("%s version %s(build )", name, version)
}

// schema returns the Parquet schema of the table, with the run column or
// without it.
func (t *Table[R]) schema(withRun bool) []format.SchemaElement {
	elements := []format.SchemaElement{{Name: t.Name}}
	if withRun {
		elements = append(elements, Text.element(RunColumn, false))
	}
	for _, f := range t.Fields {
		elements = append(elements, f.Type.element(f.Name, f.Optional))
	}
	elements[0].NumChildren = thrift.New(int32(len(elements) - 1))
	return elements
}

// physical returns the Parquet type that stores the type.
func (t Type) physical() format.Type {
	switch t {
	case Instant, Integer:
		return format.Int64
	case Real:
		return format.Double
	}
	return format.ByteArray
}

// element returns the schema's element of a column of the type.
func (t Type) element(name string, optional bool) format.SchemaElement {
	e := format.SchemaElement{Name: name, Type: thrift.New(t.physical()), RepetitionType: thrift.New(format.Required)}
	if optional {
		e.RepetitionType = thrift.New(format.Optional)
	}
	switch t {
	case Instant:
		e.ConvertedType = thrift.New(deprecated.TimestampMicros)
		e.LogicalType.Value = &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: new(format.MicroSeconds)}}
	case Text, Document:
		e.ConvertedType = thrift.New(deprecated.UTF8)
		e.LogicalType.Value = new(format.StringType)
	}
	return e
}

// create opens a new file for writing.
func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
}
