package table

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// sealPart adds the constant run column to a staged part and puts the result
// under its final name. Column chunks are copied as they are, without decoding
// (docs/adr/0002-run-column.md says why there is a second pass at all).
func (w *Writer[R]) sealPart(part int, run string) (err error) {
	staged, err := os.Open(filepath.Join(w.dir, stagedName(part)))
	if err != nil {
		return err
	}
	defer staged.Close()
	info, err := staged.Stat()
	if err != nil {
		return err
	}
	in, err := parquet.OpenFile(staged, info.Size(), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	f, err := create(filepath.Join(w.dir, PartName(part)))
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	schema := w.table.schema(true)
	out := parquet.NewGenericWriter[any](f, options(schema, w.tool)...)
	for _, g := range in.RowGroups() {
		column, err := constantColumn(run, g.NumRows(), w.tool)
		if err != nil {
			return err
		}
		chunks := append([]parquet.ColumnChunk{column}, g.ColumnChunks()...)
		if _, err := out.WriteRowGroup(widened{g.(*parquet.FileRowGroup), schema, chunks}); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(w.Metadata)) {
		out.SetKeyValueMetadata(key, w.Metadata[key])
	}
	if err := out.Close(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Remove(staged.Name())
}

// widened is a row group of a file with a column added. It embeds the file's
// row group because parquet-go copies column chunks without decoding them only
// for row groups of its own types: the ones whose rows are their columns and
// nothing else, which holds here as well.
type widened struct {
	*parquet.FileRowGroup
	schema *parquet.Schema
	chunks []parquet.ColumnChunk
}

func (w widened) Schema() *parquet.Schema             { return w.schema }
func (w widened) ColumnChunks() []parquet.ColumnChunk { return w.chunks }

// constantColumn returns the column chunk of a text column that holds value in
// each of n rows.
func constantColumn(value string, n int64, tool string) (parquet.ColumnChunk, error) {
	g := orderedGroup{Group: parquet.Group{}}
	g.add(RunColumn, Text.node(false))
	var buf bytes.Buffer
	w := parquet.NewGenericWriter[any](&buf, options(parquet.NewSchema(RunColumn, g), tool)...)
	values := make([]parquet.Value, min(n, batchRows))
	for i := range values {
		values[i] = parquet.ByteArrayValue([]byte(value)).Level(0, 0, 0)
	}
	for c := w.ColumnWriters()[0]; n > 0; n -= int64(len(values)) {
		values = values[:min(n, int64(len(values)))]
		if _, err := c.WriteRowValues(values); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		return nil, err
	}
	return f.RowGroups()[0].ColumnChunks()[0], nil
}
