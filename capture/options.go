package capture

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"headroom/internal/pattern"
	"headroom/runs"
)

// Options says what to record and how.
type Options struct {
	Out  string // folder of the run to make; it must not exist
	ID   string // "": from the start, and what tells this recording from others
	Tool string // name and version of the recorder, for the files

	Command []string // the load: program and arguments; not empty
	Dir     string   // where the command runs; "" is the current folder
	Env     []string // its environment, as os.Environ gives it
	Stdin   io.Reader
	Output  io.Writer // what the command prints, both streams, goes here too; nil: nowhere

	Labels    map[string]string
	Step      map[string]string // labels of the first step; nil: none begins by itself
	System    runs.System
	SystemDir string // folder whose git commit is the system's; "": not looked for
	Price     float64
	Currency  string
	Claims    map[string]string // see ingest.Request
	Reconcile map[string]string
	Events    int64 // units of load a sample carries; 0: 1

	Processes []ProcessGroup
	Postgres  Postgres
	Logs      []string // files to follow
	Zone      *time.Location
	Samples   []SampleSource

	Every time.Duration // between two looks at the host; 0: 1 s
	Flush time.Duration // between two flushes; 0: 4 s
	Proc  string        // where proc is mounted; "": /proc
	Sys   string        // and sysfs; "": /sys

	Clock Clock
	Again <-chan struct{} // tells that the user asks again for the end, after ctx was done; nil: never
	Tell  func(Event)     // called from several goroutines, one at a time; nil: nobody is told
}

// Clock is the time, passed in so that a test can step it.
type Clock struct {
	Now     func() time.Time     // wall clock
	Elapsed func() time.Duration // monotonic, since whenever
}

// Event is something to say while a run is recorded.
type Event struct {
	Kind   EventKind
	Text   string  // of a note or a warning, one line
	Status *Status // of a Progress
}

// EventKind tells events apart.
type EventKind string

// The kinds of events.
const (
	Note     EventKind = "note"     // worth a line
	Warning  EventKind = "warning"  // something is not recorded, or not as it should be
	Progress EventKind = "progress" // once a second
)

// Status is how the recording stands. Numbers that are not known are nil.
type Status struct {
	Elapsed  time.Duration // since the command started
	Step     string        // labels of the current step, "" outside of any
	Samples  int64
	Rate     *float64 // samples per second that came through pipes since the last look; nil: none comes through a pipe
	P99      *float64 // s, of these
	AtEnd    bool     // samples lie in files, which are read when the load is over
	Over     bool     // the load is over: what is left is read, counted and sealed
	Dropped  int64
	Load     *float64 // load average, 1 min
	Foreign  *float64 // CPUs' worth
	Waiting  *int     // client sessions that waited when last looked at
	Written  int64    // bytes on disk
	AgentCPU *float64 // CPUs' worth, of this process, since the start
}

// ProcessGroup names processes whose CPU time is counted together, with that of
// all their descendants.
type ProcessGroup struct {
	Name  string
	Match string // a process name; "pid:N"; or "cmd:REGEXP" on the command line
}

// SampleSource says where the load generator's samples come from.
type SampleSource struct {
	Format string // an importer's name, or the beginning of one: "k6"
	Path   string // a file; a prefix of files; or a pipe, which is read while the load runs
}

// PipePath is the Path of a SampleSource for which a pipe is made: its path
// replaces PipeWord in the words of the command.
const (
	PipePath = "fifo"
	PipeWord = "{samples}"
)

// Postgres says how to observe a PostgreSQL server.
type Postgres struct {
	DSN      string        // connection string or URL; "": no server. Never stored
	Activity time.Duration // between two looks at the sessions; 0: 200 ms
	Views    time.Duration // between two looks at the statistics; 0: 5 s
	Counts   []Count       // taken before and after the load
	Getenv   func(string) string
}

// Count is a number taken from the system before and after the load.
type Count struct {
	Name string
	SQL  string // gives one number
}

// Names that are taken: groups that the agent adds itself.
const (
	groupGenerator = "generator"
	groupAgent     = "headroom"
	groupPostgres  = "postgres"
)

var namePattern = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

// ErrUsage is wrapped by errors that are about the options.
var ErrUsage = errors.New("wrong use of capture")

// complete checks the options and fills in what was left out.
func (o *Options) complete() error {
	if len(o.Command) == 0 {
		return fmt.Errorf("%w: there is no command to run", ErrUsage)
	}
	for _, g := range o.Processes {
		if !namePattern.MatchString(g.Name) || g.Name == groupGenerator || g.Name == groupAgent {
			return fmt.Errorf("%w: process group %q: want a name of letters, digits, \".\", \"_\" and \"-\" other than %s and %s, which are groups of their own without being asked for", ErrUsage, g.Name, groupGenerator, groupAgent)
		}
		if _, err := g.matcher(); err != nil {
			return fmt.Errorf("%w: process group %s: %w", ErrUsage, g.Name, err)
		}
	}
	for _, c := range o.Postgres.Counts {
		if !namePattern.MatchString(c.Name) || strings.TrimSpace(c.SQL) == "" {
			return fmt.Errorf("%w: count %q: want NAME=SQL", ErrUsage, c.Name)
		}
	}
	if err := o.oneTool(); err != nil {
		return err
	}
	if len(o.Postgres.Counts) > 0 && o.Postgres.DSN == "" {
		return fmt.Errorf("%w: counts are taken from PostgreSQL: say which server", ErrUsage)
	}
	for _, column := range slices.Sorted(maps.Keys(o.Reconcile)) {
		if !slices.ContainsFunc(o.Postgres.Counts, func(c Count) bool { return c.Name == column }) {
			return fmt.Errorf("%w: reconcile %s=%s: there is no count %s (count it before and after the load with --count %s=SQL)", ErrUsage, column, o.Reconcile[column], column, column)
		}
	}
	for _, d := range []struct {
		v     *time.Duration
		usual time.Duration
	}{{&o.Every, time.Second}, {&o.Flush, 4 * time.Second}, {&o.Postgres.Activity, 200 * time.Millisecond}, {&o.Postgres.Views, 5 * time.Second}} {
		if *d.v <= 0 {
			*d.v = d.usual
		}
	}
	if o.Proc == "" {
		o.Proc = "/proc"
	}
	if o.Sys == "" {
		o.Sys = "/sys"
	}
	if o.Tell == nil {
		o.Tell = func(Event) {}
	}
	if o.Postgres.Getenv == nil {
		o.Postgres.Getenv = func(string) string { return "" }
	}
	return nil
}

// oneTool refuses samples of several load generators: they would be one scenario,
// and a percentile over both is nobody's.
func (o *Options) oneTool() error {
	first, named := "", map[string]bool{}
	for _, s := range o.Samples {
		if path := place(s.Path); s.Path != PipePath {
			if named[path] {
				return fmt.Errorf("%w: the samples %s are named twice", ErrUsage, s.Path)
			}
			named[path] = true
		}
		tool, _, _ := strings.Cut(s.Format, "-")
		if first != "" && tool != first {
			return fmt.Errorf("%w: samples of %s and of %s cannot be one run: record one of them here and the other in a capture of its own beside it", ErrUsage, first, tool)
		}
		first = tool
	}
	return nil
}

// place is a path as it is told from others, whatever links lead to it. The file need
// not be there yet.
func place(path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	if real, err := filepath.EvalSymlinks(full); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		return filepath.Join(dir, filepath.Base(full))
	}
	return full
}
