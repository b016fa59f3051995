package table

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// Seal gives the staged parts the constant run column and their final names, and
// returns how many parts there are then. Small parts, as a recording flushes
// them, are joined, row group by row group, up to the most that a part may hold.
//
// It may be stopped at any instant and be begun again by a writer that was
// resumed: a sealed part keeps a name that says which staged ones it replaces
// until the last of those is gone.
func (w *Writer[R]) Seal(run string) (parts int, err error) {
	for part := w.sealed; w.taken < w.parts; part++ {
		if err := w.sealPart(part, run); err != nil {
			return part, fmt.Errorf("%s: part %d: %w", w.table.Name, part, err)
		}
		w.sealed++
	}
	return w.sealed, nil
}

// sealPart makes one final part of the next staged ones. Column chunks are
// copied as they are, without decoding (docs/adr/0002-run-column.md says why
// there is a second pass at all).
func (w *Writer[R]) sealPart(part int, run string) (err error) {
	f, err := create(filepath.Join(w.dir, sealingName(part)))
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
	next, groups := w.taken, 0
	for next < w.parts {
		n, fits, err := w.copyStaged(out, schema, next, run, w.limits.partGroups-groups)
		if err != nil {
			return err
		}
		if !fits {
			break
		}
		next, groups = next+1, groups+n
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
	sealed := filepath.Join(w.dir, sealedName(part, w.taken, next))
	if err := os.Rename(f.Name(), sealed); err != nil {
		return err
	}
	if err := w.replace(sealed, part, w.taken, next); err != nil {
		return err
	}
	w.taken = next
	return nil
}

// copyStaged adds the row groups of a staged part to out, with the run column,
// unless there are more than room. A part that has none yet takes any.
func (w *Writer[R]) copyStaged(out *parquet.GenericWriter[any], schema *parquet.Schema, part int, run string, room int) (groups int, fits bool, err error) {
	staged, err := os.Open(filepath.Join(w.dir, stagedName(part)))
	if err != nil {
		return 0, false, err
	}
	defer staged.Close()
	info, err := staged.Stat()
	if err != nil {
		return 0, false, err
	}
	in, err := parquet.OpenFile(staged, info.Size(), parquet.SkipBloomFilters(true))
	if err != nil {
		return 0, false, err
	}
	if n := len(in.RowGroups()); n > room && room < w.limits.partGroups {
		return 0, false, nil
	}
	for _, g := range in.RowGroups() {
		chunks, err := w.chunks(g, run)
		if err != nil {
			return 0, false, err
		}
		if _, err := out.WriteRowGroup(widened{g.(*parquet.FileRowGroup), schema, chunks}); err != nil {
			return 0, false, err
		}
	}
	return len(in.RowGroups()), true, nil
}

// chunks returns the column chunks of a staged row group with the run column in
// front and, behind, the columns that the table has gained since (see Extend).
func (w *Writer[R]) chunks(g parquet.RowGroup, run string) ([]parquet.ColumnChunk, error) {
	first, err := constantColumn(RunColumn, Text.node(false), run, g.NumRows(), w.tool)
	if err != nil {
		return nil, err
	}
	chunks := append([]parquet.ColumnChunk{first}, g.ColumnChunks()...)
	for _, f := range w.table.Fields[len(chunks)-1:] {
		null, err := constantColumn(f.Name, f.Type.node(true), "", g.NumRows(), w.tool)
		if err != nil {
			return nil, err
		}
		chunks = append(chunks, null)
	}
	return chunks, nil
}

// replace removes the staged parts from first to end that the file sealed was
// made of, and gives it its final name.
func (w *Writer[R]) replace(sealed string, part, first, end int) error {
	for i := first; i < end; i++ {
		if err := os.Remove(filepath.Join(w.dir, stagedName(i))); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return os.Rename(sealed, filepath.Join(w.dir, PartName(part)))
}

// sealingName is the name of a part while Seal writes it; sealedName, once it is
// whole and the staged parts first to end, end not included, are to be removed.
func sealingName(part int) string { return fmt.Sprintf("part-%05d.sealing", part) }
func sealedName(part, first, end int) string {
	return fmt.Sprintf("part-%05d.sealed-%d-%d", part, first, end)
}

// Resume prepares the writer to seal what one that died left in its folder: the
// first parts staged parts, which hold rows rows. What was staged later, or not
// to its end, is removed.
func (w *Writer[R]) Resume(parts int, rows int64) error {
	w.parts, w.rows = parts, rows
	entries, err := os.ReadDir(w.dir)
	if os.IsNotExist(err) && parts == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries { // sorted by name: final parts, then what follows them
		if err := w.resumeFile(e.Name()); err != nil {
			return fmt.Errorf("%s: %s: %w", w.table.Name, e.Name(), err)
		}
	}
	for i := w.taken; i < parts; i++ {
		if _, err := os.Stat(filepath.Join(w.dir, stagedName(i))); err != nil {
			if i > w.taken {
				return fmt.Errorf("%s: %w", w.table.Name, err)
			}
			w.taken = i + 1 // it is in a final part
		}
	}
	if w.taken > 0 && w.sealed == 0 {
		return fmt.Errorf("%s: %s is gone", w.table.Name, stagedName(0))
	}
	if parts == 0 {
		return os.Remove(w.dir) // a table without rows has no folder
	}
	return nil
}

// resumeFile brings one file of a table's folder to a state that Seal can go on
// from.
func (w *Writer[R]) resumeFile(name string) error {
	path := filepath.Join(w.dir, name)
	var part, first, end int
	if n, _ := fmt.Sscanf(name, "part-%05d.sealed-%d-%d", &part, &first, &end); n == 3 {
		if err := w.replace(path, part, first, end); err != nil {
			return err
		}
		w.sealed, w.taken = part+1, end
		return nil
	}
	fmt.Sscanf(name, "part-%05d", &part)
	switch name {
	case PartName(part):
		w.sealed = max(w.sealed, part+1)
		return nil
	case stagedName(part):
		if part < w.parts {
			return nil
		}
	}
	return os.Remove(path)
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

// constantColumn returns the column chunk of a text that is the same in each of
// n rows, or of nulls if the node is optional.
func constantColumn(name string, node parquet.Node, value string, n int64, tool string) (parquet.ColumnChunk, error) {
	g := orderedGroup{Group: parquet.Group{}}
	g.add(name, node)
	var buf bytes.Buffer
	w := parquet.NewGenericWriter[any](&buf, options(parquet.NewSchema(name, g), tool)...)
	values := make([]parquet.Value, min(n, batchRows))
	if !node.Optional() {
		for i := range values {
			values[i] = parquet.ByteArrayValue([]byte(value)).Level(0, 0, 0)
		}
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
