package table

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	out, err := newOutput(f)
	if err != nil {
		return err
	}
	next := w.taken
	for next < w.parts {
		fits, err := w.copyStaged(out, next, run)
		if err != nil {
			return err
		}
		if !fits {
			break
		}
		next++
	}
	if err := out.close(w.table.schema(true), w.tool, w.Metadata); err != nil {
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
// unless that would make too many. A part that has none yet takes any.
func (w *Writer[R]) copyStaged(out *output, part int, run string) (fits bool, err error) {
	in, err := Open(w.dir, stagedName(part))
	if err != nil {
		return false, err
	}
	defer in.Close()
	if n := len(out.groups); n > 0 && n+len(in.meta.RowGroups) > w.limits.partGroups {
		return false, nil
	}
	for g := range in.meta.RowGroups {
		if err := w.copyGroup(out, in, g, run); err != nil {
			return false, err
		}
	}
	return true, nil
}

// copyGroup adds a row group of a staged part to out: the run column, the
// columns it has, and as null those that the table has gained since (see Extend).
func (w *Writer[R]) copyGroup(out *output, in *File, group int, run string) error {
	rows := in.meta.RowGroups[group].NumRows
	v := newValues(Text, false, nil)
	v.repeatText(run, int(rows))
	if err := w.encodeTo(out, RunColumn, v); err != nil {
		return err
	}
	there := len(in.meta.RowGroups[group].Columns)
	for i := range there {
		if err := w.copied.read(in, group, i); err != nil {
			return err
		}
		if err := out.chunk(&w.copied); err != nil {
			return err
		}
	}
	for _, f := range w.table.Fields[there:] {
		v := newValues(f.Type, true, nil)
		v.repeatNull(int(rows))
		if err := w.encodeTo(out, f.Name, v); err != nil {
			return err
		}
	}
	out.endGroup(rows)
	return nil
}

func (w *Writer[R]) encodeTo(out *output, name string, v *values) error {
	c, err := w.encoder.encode(name, v, out.offset)
	if err != nil {
		return err
	}
	return out.chunk(c)
}

// read reads a column chunk of a file as it is, with what its footer and its page
// index say of it.
func (c *chunk) read(in *File, group, column int) error {
	from := &in.meta.RowGroups[group].Columns[column]
	start, length := chunkExtent(&from.MetaData)
	*c = chunk{at: start, meta: from.MetaData, pages: slices.Grow(c.pages[:0], int(length))[:length]}
	if _, err := in.file.ReadAt(c.pages, start); err != nil {
		return err
	}
	var offsets []byte
	var err error
	if c.index, err = in.section(from.ColumnIndexOffset, from.ColumnIndexLength); err == nil {
		offsets, err = in.section(from.OffsetIndexOffset, from.OffsetIndexLength)
	}
	if err == nil {
		_, err = decodeThrift(offsets, &c.offsets)
	}
	if err != nil {
		return fmt.Errorf("page index: %w", err)
	}
	return nil
}

// section reads a part of the file outside the column chunks.
func (p *File) section(at int64, length int32) ([]byte, error) {
	if length <= 0 || length > maxPageHeader || at < 0 {
		return nil, fmt.Errorf("%d bytes at %d", length, at)
	}
	b := make([]byte, length)
	_, err := p.file.ReadAt(b, at)
	return b, err
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
