package table

import (
	"fmt"
	"os"
	"path/filepath"
)

func (w *Writer[R]) openPart() error {
	if w.parts == 0 {
		if err := os.MkdirAll(w.dir, 0o777); err != nil {
			return err
		}
	}
	f, err := create(filepath.Join(w.dir, openName(w.parts)))
	if err != nil {
		return err
	}
	w.parts++
	w.file = f
	w.out, err = newOutput(f)
	return err
}

// closeGroup writes the rows that are held as a row group.
func (w *Writer[R]) closeGroup() error {
	if w.inGroup == 0 {
		return nil
	}
	for i, v := range w.columns {
		c, err := w.encoder.encode(w.table.Fields[i].Name, v, w.out.offset)
		if err == nil {
			err = w.out.chunk(c)
		}
		if err != nil {
			return w.fail(err)
		}
		v.reset()
	}
	w.out.endGroup(w.inGroup)
	w.inGroup, w.inText = 0, 0
	w.groups++
	return nil
}

func (w *Writer[R]) closePart() error {
	if w.file == nil {
		return nil
	}
	err := w.closeGroup()
	if err == nil {
		err = w.out.close(w.table.schema(false), w.tool, nil)
	}
	if err == nil && w.durable {
		err = w.file.Sync()
	}
	if e := w.file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(w.file.Name(), filepath.Join(w.dir, stagedName(w.parts-1)))
	}
	w.file, w.out, w.groups = nil, nil, 0
	if err != nil {
		return w.fail(err)
	}
	return nil
}

// Flush ends the part that is being written, if there is one, so that every row
// appended so far is in a staged part and on disk, whatever happens then. It
// returns how many staged parts there are; more rows may follow.
func (w *Writer[R]) Flush() (parts int, err error) {
	w.durable = true
	err = w.Close()
	return w.parts, err
}

// Close writes what is left. The parts are then whole, under the names of staged
// ones, and without the run column: Seal follows, or more rows.
func (w *Writer[R]) Close() error {
	if w.err == nil {
		w.err = w.closePart()
	}
	return w.err
}

// Abort closes the file of a writer that will not be used again.
func (w *Writer[R]) Abort() {
	if w.file != nil {
		w.file.Close()
		w.file = nil
	}
}

// PartName returns the file name of a part; stagedName, before Seal has given it
// the run column; openName, while it is written.
func PartName(part int) string   { return fmt.Sprintf("part-%05d.parquet", part) }
func stagedName(part int) string { return fmt.Sprintf("part-%05d.staged", part) }
func openName(part int) string   { return fmt.Sprintf("part-%05d.open", part) }
