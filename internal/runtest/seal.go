package runtest

import (
	"path/filepath"

	"headroom/runs"
)

// TB is what a test gives to have a run made: package testing's TB, which the
// program must not hold.
type TB interface {
	Helper()
	TempDir() string
	Fatal(args ...any)
}

// Seal makes a sealed run of that id of what fill writes, in a folder that goes with the
// test.
func Seal(t TB, id string, fill func(w *runs.Writer)) *runs.Run {
	t.Helper()
	w, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.CreateOptions{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	fill(w)
	run, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return run
}
