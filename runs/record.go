package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// recordingName is the folder, inside that of a run being recorded, of what the
// recording needs and the run does not.
const recordingName = "recording"

// Files of the recording folder.
const (
	stateName   = "state.json"  // what the last flush made certain
	lockName    = "lock"        // held while the writer lives
	reserveName = "reserve"     // room on disk for the seal
	marksName   = "marks.jsonl" // see RecordingMarks
)

// reserveSize is how much of the disk a recording keeps free for sealing what it
// has, should the disk be full.
const reserveSize = 1 << 20

// ErrRecording: the run's writer is alive.
var ErrRecording = errors.New("the run is being recorded")

// Record begins a run whose rows are made while it is written. It is like
// Create, with an id that must be given, and keeps what Flush made certain
// whatever happens to the process, the machine or the disk: see Recover.
func Record(path string, opt CreateOptions) (*Writer, error) {
	if opt.ID == "" {
		return nil, fmt.Errorf("run %s: a recording needs an id", path)
	}
	w, err := Create(path, opt)
	if err != nil {
		return nil, err
	}
	if err := w.startRecording(); err != nil {
		return nil, fmt.Errorf("run %s: %w", path, errors.Join(err, w.Abort()))
	}
	return w, nil
}

func (w *Writer) startRecording() (err error) {
	dir := filepath.Join(w.tmp, recordingName)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	if w.recording, err = lock(filepath.Join(dir, lockName)); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, marksName), nil); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, reserveName), make([]byte, reserveSize))
}

// RecordingMarks returns the file, of lines, by which another process can tell
// the one that records the run at path something: it may append to the file and
// must not make it. Who records reads it; it is no part of the run.
func RecordingMarks(path string) (string, error) {
	tmp, err := temporary(filepath.Clean(path))
	return filepath.Join(tmp, recordingName, marksName), err
}

// state is what a flush made certain: the run as it can be sealed.
type state struct {
	ID       string              `json:"id"`
	Tool     string              `json:"tool"`
	Flushed  flushed             `json:"flushed"`
	Span     savedSpan           `json:"span"`
	Tables   map[string]staged   `json:"tables"`
	Views    map[string][]string `json:"views"` // columns of the snapshots tables
	Manifest Manifest            `json:"manifest"`
}

// flushed says which flush it was.
type flushed struct {
	At       int64 `json:"at"`       // µs since the Unix epoch
	Complete bool  `json:"complete"` // it was the last: nothing is missing
}

// staged is the part of a table that a flush made certain.
type staged struct {
	Parts int   `json:"parts"`
	Rows  int64 `json:"rows"`
}

// savedSpan is a span in JSON.
type savedSpan struct {
	Samples    bool  `json:"samples"`
	First      int64 `json:"first"`
	Last       int64 `json:"last"`
	Others     bool  `json:"others"`
	OtherFirst int64 `json:"other_first"`
}

// Flush makes every row and the manifest, as they are now, certain to be on
// disk. at is the time of it, in microseconds since the Unix epoch. After an
// error the writer takes no more rows: Leave it, and Recover the run.
func (w *Writer) Flush(at int64) error {
	switch {
	case w.tmp == "":
		return ErrClosed
	case w.recording == nil:
		return fmt.Errorf("run %s: is not recorded live; only such a run is flushed", w.path)
	}
	w.flushedAt = at
	if err := w.flush(flushed{At: at}); err != nil {
		return fmt.Errorf("run %s: recorded until %s: %w", w.path, formatInstant(at), err)
	}
	return nil
}

// flush stages the rows of all tables, then replaces the state, which is what
// makes them count.
func (w *Writer) flush(how flushed) error {
	s := state{
		ID: w.opt.ID, Tool: w.opt.Tool, Flushed: how, Manifest: w.manifest,
		Span:   savedSpan{w.span.samples, w.span.first, w.span.last, w.span.others, w.span.otherFirst},
		Tables: map[string]staged{}, Views: map[string][]string{},
	}
	for name, t := range w.tables() {
		parts, err := t.Flush()
		if err != nil {
			return err
		}
		if parts > 0 {
			s.Tables[name] = staged{parts, t.Rows()}
		}
		if parts > w.onDisk[name].Parts {
			if err := w.syncTable(name, w.onDisk[name].Parts == 0); err != nil {
				return err
			}
		}
	}
	for view, t := range w.snapshots {
		s.Views[view] = t.names
	}
	data, err := json.Marshal(&s)
	if err != nil {
		return err
	}
	w.onDisk = s.Tables
	return replaceFile(filepath.Join(w.tmp, recordingName, stateName), data)
}

// syncTable makes sure that the names of a table's staged parts are on disk, and
// the name of its folder if that is new.
func (w *Writer) syncTable(name string, isNew bool) error {
	dir := filepath.Join(w.tmp, filepath.FromSlash(name))
	if err := syncFolder(dir); err != nil || !isNew {
		return err
	}
	if err := syncFolder(filepath.Dir(dir)); err != nil {
		return err
	}
	return syncFolder(w.tmp)
}

// replaceFile writes a file in one step: after a crash it is the old or the new.
func replaceFile(path string, data []byte) error {
	next := path + ".next"
	if err := os.Remove(next); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := writeFile(next, data); err != nil {
		return err
	}
	if err := os.Rename(next, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// Leave ends the writing of a run that is recorded live, and leaves what was
// flushed for Recover.
func (w *Writer) Leave() { w.close() }

// Written returns how many bytes the run has on disk by now, but for what is not
// flushed.
func (w *Writer) Written() (int64, error) {
	var total int64
	err := filepath.WalkDir(w.tmp, func(_ string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == reserveName {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}

// lossText says what a recording lost.
func lossText(at int64) string {
	return "recovered: its writer ended before it was sealed; what came after " + formatInstant(at) + " is lost"
}
