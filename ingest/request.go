package ingest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"headroom/runs"
)

// Role says what a file is to a run, where its content cannot.
type Role string

// The roles of a file.
const (
	Evidence     Role = ""            // of the run itself
	Before       Role = "before"      // counts or a snapshot taken before the load
	After        Role = "after"       // and after it
	ExitFile     Role = "exit-status" // the load generator's exit status
	stdinPath         = "-"
	stdinName         = "standard input" // in messages, and in the manifest
	runFileOfRun      = "run.json"
)

// File names one foreign file of a run, or a folder of such files.
type File struct {
	Path string // "-" is Request.Stdin; a folder stands for the files in it, one level deep
	Role Role
	As   string // the name of its format; "": by content

	found  bool           // in a folder, and not named by the caller
	offset time.Duration  // of its clock
	zone   *time.Location // of its stamps without one; nil: Options.Zone
}

// Request says what becomes one run. Only Files is required.
type Request struct {
	Files     []File
	KeepOrder bool      // read files as given, instead of in the order of their names
	Stdin     io.Reader // of the path "-"
	// Pipe opens a named pipe, which can be read once and whose writer may never
	// come: it waits for one as long as it sees fit. nil: pipes are refused.
	Pipe    func(path string) (io.ReadCloser, error)
	Options Options
	Maps    []*Mapping // each for the files that it names, or for those that nothing else claims
	Limits  Limits
	Clocks  []Clock // of single files

	Labels      map[string]string
	Steps       []runs.Step // labelled intervals; one with neither start nor end is the whole run
	Window      *runs.Window
	Warmup      time.Duration     // cut from the start of the window, or of the load if there is no window
	Claims      map[string]string // name → decimal number, or the name of one of the generator's counters
	Reconcile   map[string]string // column of the counts → claim that it must equal
	ExitStatus  *int
	System      runs.System
	Host        runs.Host
	Model       runs.LoadModel // "": as the files say
	Rate        float64        // offered, requests per second; 0: as the files say
	Concurrency int            // 0: as the files say
	Command     string         // of the load generator, masked by the caller
	Targets     []string       // replicas that were to serve
	Probes      []string       // scenarios that are probes
	Jobs        []string       // scenarios that are jobs of a queue
	Own         []string       // names of processes that are the system under test or the generator

	// Part says that other files of the same run are read elsewhere: a claim that
	// these do not hold is no fault of theirs.
	Part bool

	// Show writes a path as the caller's user typed it, for errors; nil: they name
	// files by their base names.
	Show func(path string) string

	Progress func(Progress) // called now and then while files are read; nil: not
}

// Progress tells how far the reading of a file is.
type Progress struct {
	File string // base name
	Read int64  // bytes read, as given
	Size int64  // of the file in bytes; 0 if not known
}

// expand replaces folders by their files and puts the files in reading order:
// by name, unless the given order is to be kept.
func (r *Request) expand() ([]File, error) {
	var files []File
	for _, f := range r.Files {
		info, err := os.Stat(f.Path)
		if f.Path == stdinPath || err != nil || !info.IsDir() { // what is not there is told when it is opened
			files = append(files, f)
			continue
		}
		inside, err := folder(f)
		if err != nil {
			return nil, r.located(f.Path, err)
		}
		files = append(files, inside...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w: there is no file to read", ErrUsage)
	}
	if err := r.setClocks(files); err != nil {
		return nil, err
	}
	if !r.KeepOrder {
		slices.SortStableFunc(files, func(a, b File) int {
			return cmp.Or(strings.Compare(filepath.Base(a.Path), filepath.Base(b.Path)), strings.Compare(a.Path, b.Path))
		})
	}
	return files, nil
}

// folder lists the regular files in a folder, without hidden ones.
func folder(f File) ([]File, error) {
	entries, err := os.ReadDir(f.Path)
	if err != nil {
		return nil, &FileError{filepath.Base(f.Path), readError(pathless(err))}
	}
	var files []File
	for _, e := range entries {
		path := filepath.Join(f.Path, e.Name())
		if e.Name() == runFileOfRun {
			return nil, &FileError{filepath.Base(f.Path), fmt.Errorf("%w: the folder is a run already (it holds %s)", ErrUsage, runFileOfRun)}
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		files = append(files, File{Path: path, Role: f.Role, As: f.As, found: true})
	}
	if len(files) == 0 {
		return nil, &FileError{filepath.Base(f.Path), fmt.Errorf("%w: there is no file in the folder", ErrEmpty)}
	}
	return files, nil
}

// located is an error about a file, told by its path as it was typed.
type located struct {
	base, shown string
	error
}

func (e *located) Unwrap() error { return e.error }

func (e *located) Error() string {
	if rest, ok := strings.CutPrefix(e.error.Error(), e.base+":"); ok {
		return e.shown + ":" + rest
	}
	return e.error.Error()
}

// located adds to an error about a file where the file is.
func (r *Request) located(path string, err error) error {
	if err == nil || r.Show == nil || path == stdinPath {
		return err
	}
	return &located{filepath.Base(path), r.Show(path), err}
}

// pathless takes the path out of an error of package os, which names the file
// in full; the caller names it by its base.
func pathless(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
