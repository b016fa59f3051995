package ingest

import "errors"

// What can be wrong with a file, or with files taken together. The errors that
// Ingest returns wrap one of these; the command turns them into its exit status.
var (
	// ErrEmpty: the file holds nothing, or nothing was left of it.
	ErrEmpty = errors.New("empty")
	// ErrUnknown: no importer recognises the content.
	ErrUnknown = errors.New("not a format that is known")
	// ErrAmbiguous: more than one importer claims the content.
	ErrAmbiguous = errors.New("could be more than one format")
	// ErrUnreadable: the file is absent, cannot be read, or is damaged.
	ErrUnreadable = errors.New("cannot be read")
	// ErrTooLarge: a bound on sizes was reached (see Limits).
	ErrTooLarge = errors.New("too large")
	// ErrDuplicate: the same content was given twice.
	ErrDuplicate = errors.New("given twice")
	// ErrOverlap: two load files of different generators overlap in time.
	ErrOverlap = errors.New("overlap in time")
	// ErrTools: load files of different tools would be one scenario.
	ErrTools = errors.New("of another tool")
	// ErrHole: two load files that follow one another leave a hole in time.
	ErrHole = errors.New("far apart in time")
	// ErrZone: a stamp names no zone, and none was given.
	ErrZone = errors.New("the zone of its stamps is not known")
	// ErrNoTimeAxis: the rows of the file carry no time, and none was given.
	ErrNoTimeAxis = errors.New("no time axis of its own: give a start and an interval (--start, --interval)")
	// ErrMapping: the mapping does not fit the file.
	ErrMapping = errors.New("does not fit its mapping")
	// ErrUsage: what was asked for contradicts itself or the files.
	ErrUsage = errors.New("bad usage")
)

// FileError is an error about one file. File is a base name.
type FileError struct {
	File string
	Err  error
}

func (e *FileError) Error() string { return e.File + ": " + plainly(e.Err.Error()) }

func (e *FileError) Unwrap() error { return e.Err }
