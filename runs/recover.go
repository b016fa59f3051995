package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"headroom/runs/internal/table"
)

// ErrNothingRecorded: there is no recording to seal.
var ErrNothingRecorded = errors.New("there is no recording to seal")

// Recover seals the run that a writer of Record left behind when it died: what
// the last flush made certain. The run is Partial and says what is lost, unless
// its writer died after everything was flushed. path is that of the run, or of
// the hidden folder beside it. It may be stopped at any instant and called again.
//
// ErrRecording is returned while the writer lives, ErrNothingRecorded where no
// recording was left.
func Recover(path string) (*Run, error) {
	path = recordedPath(filepath.Clean(path))
	tmp, err := temporary(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(tmp); errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("run %s: %w (no folder %s)", path, ErrNothingRecorded, filepath.Base(tmp))
	} else if err != nil {
		return nil, fmt.Errorf("run %s: %w", path, err)
	}
	if err := checkAbsent(path); err != nil {
		return nil, err
	}
	run, err := recoverIn(path, tmp)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", path, err)
	}
	return run, nil
}

// Unsealed reports whether a recording of the run at path is there that nobody has
// sealed: its writer lives still, or Recover can make the run.
func Unsealed(path string) bool {
	tmp, err := temporary(filepath.Clean(path))
	if err != nil {
		return false
	}
	info, err := os.Stat(filepath.Join(tmp, recordingName))
	return err == nil && info.IsDir()
}

// recordedPath returns the path of the run that is recorded in a hidden folder,
// if path is such a one, else path.
func recordedPath(path string) string {
	name, ok := strings.CutSuffix(filepath.Base(path), ".headroom-writing")
	if ok && len(name) > 1 && name[0] == '.' {
		return filepath.Join(filepath.Dir(path), name[1:])
	}
	return path
}

func recoverIn(path, tmp string) (*Run, error) {
	dir := filepath.Join(tmp, recordingName)
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return finishRename(path, tmp)
	}
	held, err := lock(filepath.Join(dir, lockName))
	if err != nil {
		return nil, err
	}
	s, err := readState(tmp)
	if err != nil {
		held.Close()
		return nil, err
	}
	w := writerIn(path, tmp, CreateOptions{ID: s.ID, Tool: s.Tool})
	w.recording, w.flushedAt = held, s.Flushed.At
	if err := w.resume(s); err != nil {
		w.close()
		return nil, err
	}
	return w.Commit()
}

// finishRename ends a Commit that had only its last step to do: the seal is
// there, and what the recording needed is gone.
func finishRename(path, tmp string) (*Run, error) {
	if _, err := os.Stat(filepath.Join(tmp, sumsName)); err != nil {
		return nil, fmt.Errorf("%w: %s was not left by a recording; remove it", ErrNothingRecorded, tmp)
	}
	if err := os.Rename(tmp, path); err != nil {
		return nil, err
	}
	return Open(path)
}

// readState reads what the last flush made certain.
func readState(tmp string) (*state, error) {
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := recordingName + "/" + stateName
	data, err := readBounded(root, name, maxManifest)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: its writer ended before the first flush; remove %s", ErrNothingRecorded, tmp)
	} else if err != nil {
		return nil, err
	}
	s := &state{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !idPattern.MatchString(s.ID) {
		return nil, fmt.Errorf("%s: id %q is not a run id", name, s.ID)
	}
	for t, n := range s.Tables {
		if n.Parts < 0 || n.Parts > maxParts || n.Rows < 0 {
			return nil, fmt.Errorf("%s: table %s of %d rows in %d parts", name, t, n.Rows, n.Parts)
		}
	}
	return s, nil
}

// resume brings the writer to where the last flush was, and the folder too.
func (w *Writer) resume(s *state) error {
	w.manifest = s.Manifest
	w.span = span{s.Span.Samples, s.Span.First, s.Span.Last, s.Span.Others, s.Span.OtherFirst}
	if !s.Flushed.Complete {
		w.manifest.State = Partial
		w.manifest.Notes = append(w.manifest.Notes, lossText(s.Flushed.At))
		w.manifest.NotCollected = append(w.manifest.NotCollected, Absence{
			What: "everything after " + formatInstant(s.Flushed.At), Why: CollectorDied, Note: "the recording ended without being sealed",
		})
	}
	for _, name := range []string{manifestName, sumsName, recordingName + "/" + reserveName} {
		if err := os.Remove(filepath.Join(w.tmp, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := w.resumeViews(s.Views); err != nil {
		return err
	}
	for name, t := range w.tables() {
		if err := t.Resume(s.Tables[name].Parts, s.Tables[name].Rows); err != nil {
			return err
		}
	}
	return nil
}

// resumeViews makes the writers of the snapshots tables that were flushed, and
// removes the folders of others.
func (w *Writer) resumeViews(views map[string][]string) error {
	for view, columns := range views {
		if !viewPattern.MatchString(view) {
			return fmt.Errorf("%s: view %q", stateName, view)
		}
		declared := &table.Table[snapshotRow]{Name: snapshotsName + "/" + view, Fields: snapshotFields()}
		t := &snapshotTable{
			writer: table.NewWriter(declared, filepath.Join(w.tmp, snapshotsName, view), w.opt.Tool),
			place:  map[string]int{},
		}
		if err := t.extend(columns); err != nil {
			return err
		}
		w.snapshots[view] = t
	}
	entries, err := os.ReadDir(filepath.Join(w.tmp, snapshotsName))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	left := slices.DeleteFunc(entries, func(e os.DirEntry) bool { return views[e.Name()] != nil })
	for _, e := range left {
		if err := os.RemoveAll(filepath.Join(w.tmp, snapshotsName, e.Name())); err != nil {
			return err
		}
	}
	if len(left) == len(entries) && len(views) == 0 {
		return os.Remove(filepath.Join(w.tmp, snapshotsName))
	}
	return nil
}
