package runs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// Note is what a human wrote of a run after it was sealed: a line of notes.jsonl,
// which only ever grows and is no part of the seal.
type Note struct {
	Kind NoteKind `json:"kind"`
	At   string   `json:"at"`   // when it was written, RFC 3339 in UTC
	Text string   `json:"text"` // the reason of a withdrawal, or what is to be known
}

// NoteKind says what a note is. A reader keeps kinds that it does not know.
type NoteKind string

// The kinds of notes.
const (
	Withdrawn  NoteKind = "withdrawn" // the run is not to be relied on
	Annotation NoteKind = "note"      // something to be known of it
)

// Bounds of notes, in bytes.
const (
	maxNotes = 1 << 20 // of the file
	maxNote  = 4096    // of a text
)

// ErrReason: the reason of a withdrawal is missing or too long.
var ErrReason = errors.New("a withdrawal needs a reason")

// Notes reads what was written of the run after it was sealed, in the order of
// writing; nothing if nobody wrote. A line that cannot be read is an error that
// names it, beside the notes that can: whether the run was withdrawn is not known
// then.
func (r *Run) Notes() ([]Note, error) {
	root, err := os.OpenRoot(r.path)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.path, err)
	}
	defer root.Close()
	data, err := readBounded(root, notesName, maxNotes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("run %s: %w", r.path, err)
	}
	notes, err := parseNotes(data)
	if err != nil {
		err = fmt.Errorf("run %s: %w", r.path, err)
	}
	return notes, err
}

// parseNotes reads the lines of a notes.jsonl; of those that are no notes it
// names the first.
func parseNotes(data []byte) (notes []Note, err error) {
	for i, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var n Note
		wrong := json.Unmarshal(line, &n)
		if wrong == nil && n.Kind == "" {
			wrong = errors.New(`no "kind"`)
		}
		if wrong == nil {
			notes = append(notes, n)
			continue
		}
		if err == nil {
			err = fmt.Errorf("%s:%d: not a note: %w", notesName, i+1, wrong)
		}
	}
	return notes, err
}

// Withdrawal returns the first note that withdraws the run, nil if none does. An
// error says that some notes cannot be read.
func (r *Run) Withdrawal() (*Note, error) {
	notes, err := r.Notes()
	for i := range notes {
		if notes[i].Kind == Withdrawn {
			return &notes[i], err
		}
	}
	return nil, err
}

// Words says when and why, on one line.
func (n *Note) Words() string { return n.At + ": " + n.Text }

// Withdraw appends to the run's notes that it is not to be relied on, and why.
// The run itself stays as it was sealed. The line is on disk when it returns; a
// process that is killed before leaves the notes as they were, or a cut line
// that Notes names. ErrReason is for a reason that is empty or longer than 4,096
// bytes.
func (r *Run) Withdraw(at time.Time, reason string) error {
	reason = strings.TrimSpace(reason)
	switch {
	case reason == "":
		return ErrReason
	case len(reason) > maxNote:
		return fmt.Errorf("%w of at most %d bytes: this one has %d", ErrReason, maxNote, len(reason))
	case !utf8.ValidString(reason):
		return fmt.Errorf("%w in UTF-8", ErrReason)
	}
	line, err := json.Marshal(Note{Kind: Withdrawn, At: at.UTC().Format(time.RFC3339), Text: reason})
	if err != nil {
		return err
	}
	if err := r.appendNote(line); err != nil {
		return fmt.Errorf("run %s: %s: %w", r.path, notesName, err)
	}
	return nil
}

// appendNote adds a line in one write. A line that was cut by a killed writer is
// ended first, so that the new one is a line of its own.
func (r *Run) appendNote(line []byte) error {
	root, err := os.OpenRoot(r.path)
	if err != nil {
		return err
	}
	defer root.Close()
	// A link could make some other file of the run grow.
	if info, err := root.Lstat(notesName); err == nil && !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	f, err := root.OpenFile(notesName, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if last := []byte{'\n'}; size > 0 {
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	if size+int64(len(line)) > maxNotes {
		return fmt.Errorf("is full: at most %d bytes are read", maxNotes)
	}
	if _, err := f.Write(line); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return syncFolder(r.path)
}
