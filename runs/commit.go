package runs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Names of the files of a run that are not tables.
const (
	manifestName = "run.json"
	sumsName     = "SHA256SUMS"
	derivedName  = "derived"
	notesName    = "notes.jsonl"
)

// Commit seals the run: tables, run.json, SHA256SUMS, then the rename. If it
// fails, nothing of the run is left, and nothing else has changed; of a run that
// is recorded live, what Recover can seal is left.
func (w *Writer) Commit() (*Run, error) {
	if w.tmp == "" {
		return nil, ErrClosed
	}
	if err := w.commit(); err != nil && w.recording != nil {
		w.close()
		return nil, fmt.Errorf("run %s: %w", w.path, err)
	} else if err != nil {
		return nil, fmt.Errorf("run %s: %w", w.path, errors.Join(err, w.Abort()))
	}
	w.close()
	return Open(w.path)
}

func (w *Writer) commit() error {
	m := &w.manifest
	if err := m.checkSources(); err != nil {
		return err
	}
	m.Schema = Version
	if m.Sources == nil {
		m.Sources = []Source{}
	}
	if m.State != Partial {
		m.State = Sealed
	}
	m.First, m.Last = "", ""
	if w.span.samples {
		m.First, m.Last = formatInstant(w.span.first), formatInstant(w.span.last)
	}
	m.ID = w.opt.ID
	if m.ID == "" {
		m.ID = w.span.id(m.Sources)
	}
	if w.recording != nil {
		if err := w.flush(flushed{At: w.flushedAt, Complete: m.State == Sealed}); err != nil {
			return err
		}
	}
	if err := w.sealTables(); err != nil {
		return err
	}
	if err := writeManifest(filepath.Join(w.tmp, manifestName), m); err != nil {
		return err
	}
	if err := writeSums(w.tmp); err != nil {
		return err
	}
	if err := syncFolders(w.tmp); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(w.tmp, recordingName)); err != nil {
		return err
	}
	if err := checkAbsent(w.path); err != nil {
		return err
	}
	if err := os.Rename(w.tmp, w.path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(w.path))
}

// tableWriter is what the writers of all tables have in common.
type tableWriter interface {
	Rows() int64
	Flush() (parts int, err error)
	Close() error
	Resume(parts int, rows int64) error
	Seal(run string) (parts int, err error)
	Abort()
}

// tables returns the writers of all tables by name.
func (w *Writer) tables() map[string]tableWriter {
	writers := map[string]tableWriter{
		activityTable.Name: w.activity, benchmarksTable.Name: w.benchmarks, histogramsTable.Name: w.histograms, markersTable.Name: w.markers,
		pointsTable.Name: w.points, samplesTable.Name: w.samples,
	}
	for view, t := range w.snapshots {
		writers[snapshotsName+"/"+view] = t.writer
	}
	return writers
}

// sealTables finishes the tables and lists those that have rows, by name.
func (w *Writer) sealTables() error {
	w.manifest.Tables = []TableDigest{}
	writers := w.tables()
	for _, name := range slices.Sorted(maps.Keys(writers)) {
		t := writers[name]
		if err := t.Close(); err != nil {
			return err
		}
		parts, err := t.Seal(w.manifest.ID)
		if err != nil {
			return err
		}
		if parts > 0 {
			w.manifest.Tables = append(w.manifest.Tables, TableDigest{Table: name, Rows: t.Rows(), Parts: parts})
		}
	}
	return nil
}

// id derives the run's id: the second of the first start (of the first row of
// any table where there are no samples; "undated-" where no row has a time, as of
// benchmarks), then the first 8 hex digits of the SHA-256 over the sources'
// digests, sorted and joined by newlines.
func (p *span) id(sources []Source) string {
	began := "undated-"
	switch {
	case p.samples:
		began = stamp(p.first)
	case p.others:
		began = stamp(p.otherFirst)
	}
	digests := make([]string, len(sources))
	for i, s := range sources {
		digests[i] = s.SHA256
	}
	slices.Sort(digests)
	sum := sha256.Sum256([]byte(strings.Join(digests, "\n")))
	return began + hex.EncodeToString(sum[:4])
}

func stamp(us int64) string { return time.UnixMicro(us).UTC().Format("20060102T150405Z") }

// formatInstant writes an instant of a manifest: RFC 3339, microseconds, UTC.
func formatInstant(us int64) string {
	return time.UnixMicro(us).UTC().Format("2006-01-02T15:04:05.000000Z")
}

// checkSources refuses a source that is not named by its base name only.
func (m *Manifest) checkSources() error {
	for _, s := range m.Sources {
		if err := checkBase(s.File); err != nil {
			return fmt.Errorf("source: %w", err)
		}
	}
	return nil
}

// checkBase returns an error unless name is a plain file name.
func checkBase(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00\n\r") {
		return fmt.Errorf("%q is not the base name of a file", name)
	}
	return nil
}

func writeManifest(path string, m *Manifest) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		return fmt.Errorf("%s: %w", manifestName, err)
	}
	return writeFile(path, buf.Bytes())
}

// writeFile writes a new file and makes sure that it is on disk.
func writeFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// syncFolders makes sure that the names in dir and its sub-folders are on disk.
func syncFolders(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := syncFolders(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return syncFolder(dir)
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
