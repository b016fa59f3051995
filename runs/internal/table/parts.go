package table

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
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
	if w.parquet == nil {
		w.parquet = parquet.NewGenericWriter[any](f, options(w.table.schema(false), w.tool)...)
		w.columns = w.parquet.ColumnWriters()
	} else {
		w.parquet.Reset(f)
	}
	return nil
}

// create opens a new file for writing.
func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
}

func (w *Writer[R]) closePart() error {
	if w.file == nil {
		return nil
	}
	err := w.parquet.Close()
	if err == nil && w.durable {
		err = w.file.Sync()
	}
	if e := w.file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(w.file.Name(), filepath.Join(w.dir, stagedName(w.parts-1)))
	}
	w.file = nil
	w.groups, w.inGroup, w.written = 0, 0, 0
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
		w.err = w.flushBatch()
	}
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
