package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
)

// Env is all that commands may touch of the process around them. What it does
// not hold (files) is reached through the rooms, by paths that Path resolved.
type Env struct {
	Stdio
	// Dir is where relative paths start; "" is the folder of the process.
	Dir string
	// Now is the clock. Progress, temporary names and the stamps of recordings
	// and notes depend on it, never what is said of a recorded run.
	Now func() time.Time
	// Getenv looks up an environment variable.
	Getenv func(string) string
	// LimitMemory asks the runtime to stay within so many bytes; nil is no limit.
	LimitMemory func(bytes int64)
	// SpareCPU asks the runtime to take more memory for less work of its garbage
	// collector; nil leaves it as it is.
	SpareCPU func()
	// Outlive makes the process survive a further interrupt, by which it else ends
	// at once, and readers of its streams that go away. What it returns tells of
	// each further interrupt; the caller answers for it. nil: there are none.
	Outlive func() <-chan struct{}
	// Width returns the columns of the terminal behind w, 0 if w is none.
	Width func(w io.Writer) int

	annotated map[string]int // annotations so far, by level
}

// Stdio are the three streams of a process.
type Stdio struct {
	In  io.Reader
	Out io.Writer // data
	Err io.Writer // talk
}

// Path resolves a path given by the user.
func (e *Env) Path(p string) string {
	if e.Dir == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(e.Dir, p)
}

// Shown turns a path that Path resolved back to what the user typed.
func (e *Env) Shown(p string) string {
	if rel, ok := strings.CutPrefix(p, e.Dir+string(filepath.Separator)); ok && e.Dir != "" {
		return rel
	}
	return p
}

// Output says how a command answers. Every command has these two flags.
type Output struct {
	JSON  bool
	Quiet bool
}

// sayText prints a paragraph of talk: one line, unless a terminal is narrower.
func (e *Env) sayText(indent, text string) {
	text = plain(text)
	if width := e.Width(e.Err); width > 0 {
		writeText(e.Err, width, indent, text)
		return
	}
	fmt.Fprintln(e.Err, indent+text)
}

func (e *Env) limitMemory(bytes int64) {
	if e.LimitMemory != nil {
		e.LimitMemory(bytes)
	}
}
