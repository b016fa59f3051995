package table

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// flushed writes n rows and stages a part after every each of them.
func flushed(t *testing.T, dir string, all []row, each int) *Writer[row] {
	t.Helper()
	w := NewWriter(rows, dir, "test 1")
	for i := range all {
		if err := w.Append(&all[i]); err != nil {
			t.Fatal(err)
		}
		if (i+1)%each == 0 {
			if parts, err := w.Flush(); err != nil || parts != (i+1)/each {
				t.Fatalf("flush after %d rows: %d parts, %v", i+1, parts, err)
			}
		}
	}
	return w
}

// names lists the files of a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// Small parts are joined up to the most that a part may hold, in order.
func TestSealJoinsSmallParts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rows")
	w := flushed(t, dir, someRows(700), 10) // 70 parts of one row group
	parts, err := w.Seal("run-1")
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); parts != 2 || !slices.Equal(got, []string{PartName(0), PartName(1)}) {
		t.Fatalf("%d parts: %v", parts, got)
	}
	checkRows(t, dir, parts, someRows(700))
}

// A writer that dies while it seals is followed by another, wherever it stopped.
func TestResumeWhileSealing(t *testing.T) {
	all := someRows(700)
	for _, stop := range []func(dir string){
		func(string) {},
		func(dir string) { write1(t, dir, openName(70)) },
		func(dir string) { write1(t, dir, stagedName(70)) },
		func(dir string) { write1(t, dir, sealingName(0)) },
		func(dir string) { // sealed, and some of what it replaces removed
			w := flushed(t, filepath.Join(t.TempDir(), "rows"), all[:640], 10)
			if _, err := w.Seal("run-1"); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(w.dir, PartName(0)), filepath.Join(dir, sealedName(0, 0, 64))); err != nil {
				t.Fatal(err)
			}
			for i := range 30 {
				os.Remove(filepath.Join(dir, stagedName(i)))
			}
		},
		func(dir string) { // all of it removed and renamed
			w := flushed(t, filepath.Join(t.TempDir(), "rows"), all[:640], 10)
			if _, err := w.Seal("run-1"); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(w.dir, PartName(0)), filepath.Join(dir, PartName(0))); err != nil {
				t.Fatal(err)
			}
			for i := range 64 {
				os.Remove(filepath.Join(dir, stagedName(i)))
			}
		},
	} {
		dir := filepath.Join(t.TempDir(), "rows")
		flushed(t, dir, all, 10).Abort()
		stop(dir)
		w := NewWriter(rows, dir, "test 1")
		if err := w.Resume(70, 700); err != nil {
			t.Fatal(err)
		}
		parts, err := w.Seal("run-1")
		if err != nil {
			t.Fatal(err)
		}
		if got := names(t, dir); parts != 2 || !slices.Equal(got, []string{PartName(0), PartName(1)}) {
			t.Fatalf("%d parts: %v", parts, got)
		}
		checkRows(t, dir, parts, all)
	}
}

// A staged part that is not there is an error, not a shorter table.
func TestResumeMissingPart(t *testing.T) {
	for _, gone := range []int{0, 3} {
		dir := filepath.Join(t.TempDir(), "rows")
		flushed(t, dir, someRows(100), 10).Abort()
		if err := os.Remove(filepath.Join(dir, stagedName(gone))); err != nil {
			t.Fatal(err)
		}
		if err := NewWriter(rows, dir, "test 1").Resume(10, 100); err == nil {
			t.Errorf("part %d is gone and Resume said nothing", gone)
		}
	}
}

func write1(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("cut"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// checkRows compares what the parts hold with what was written.
func checkRows(t *testing.T, dir string, parts int, want []row) {
	t.Helper()
	p := Parts{Dir: dir, Instant: "at", Rows: int64(len(want))}
	for i := range parts {
		p.Names = append(p.Names, PartName(i))
	}
	if got, err := read(p, Range{}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d rows are not the %d that were written; %v", len(got), len(want), err)
	}
}

// Columns that a table gains later are null in the parts before.
func TestSealExtended(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rows")
	short := &Table[row]{Name: rows.Name, Fields: rows.Fields[:4]}
	w := NewWriter(short, dir, "test 1")
	all := someRows(20)
	for i := range all {
		if i == 10 {
			extra := []Field[row]{
				{Name: "word", Type: Text, Optional: true, Text: rows.Fields[4].Text},
				{Name: "note", Type: Document, Optional: true, Text: rows.Fields[5].Text},
			}
			if err := w.Extend(extra); err != nil {
				t.Fatal(err)
			}
		}
		if i < 10 {
			all[i].Word, all[i].Note = "", ""
		}
		if err := w.Append(&all[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	parts, err := w.Seal("run-1")
	if err != nil || parts != 1 {
		t.Fatalf("%d parts, %v", parts, err)
	}
	checkRows(t, dir, parts, all)
}
