package ingest

import (
	"fmt"
	"time"

	"headroom/runs"
)

// An Importer reads one foreign format.
type Importer struct {
	// Name identifies the format for life and begins with the tool's name:
	// "k6-json". It is the word for --as and in manifests.
	Name string
	// Doc is the manual: its first line is the title; then how the format is
	// recognised, what it gives, what it lacks. `headroom formats` prints it.
	Doc string
	// Gives names the tables and fields it fills; Lacks what no file of this
	// format can answer. For `headroom formats`.
	Gives, Lacks []string
	// Load is true for formats whose samples are load (two such files that
	// overlap in time are an error unless they are parts of one generator).
	Load bool
	// Part returns the identity of the generator that wrote the file, so that
	// files of one generator (pgbench_log.PID.THREAD) may overlap. Nil: each
	// file is a generator of its own.
	Part func(base string, head []byte) string
	// Mapped names the generic format whose mapping says more of such a file
	// than the importer can guess, and is then used in its stead; "" is none.
	Mapped string
	// Sniff says whether a file that begins with head (decompressed, UTF-8, up
	// to HeadSize bytes) is of this format. No two importers may claim one file.
	Sniff func(head []byte) bool
	// Read parses the whole input into sink. It returns an error only when the
	// input cannot be used at all; a bad line goes to in.Bad and is skipped.
	Read func(in *Input, sink Sink) error
}

// HeadSize is how much of a file Sniff is shown, at most.
const HeadSize = 64 << 10

// Sink takes what an importer reads. *runs.Writer is the usual one behind it;
// a dry run counts instead.
type Sink interface {
	Sample(*runs.Sample) error
	Point(*runs.Point) error
	Activity(*runs.Activity) error
	Marker(*runs.Marker) error
	Histogram(*runs.Histogram) error
	Benchmark(*runs.Benchmark) error
	Snapshot(*runs.Snapshot) error
}

// Options says what a file itself cannot.
type Options struct {
	Zone     *time.Location // of stamps without a zone; nil: such stamps are refused
	TimeUnit time.Duration  // of bare epoch numbers; 0: by magnitude (1e9 s, 1e12 ms, 1e15 µs, 1e18 ns), and said so
	Map      *Mapping       // for the generic formats; nil otherwise
	Events   int64          // units of load a sample carries; 0: 1
	Scenario string         // of samples whose source names none; "": "default"
	Rejected []string       // statuses that are refusals by design ("429"): samples with them are rejected
	Seventh  string         // what the seventh column of a pgbench log is: "lag", "retries"; "": by companion or content
	Start    time.Time      // of a file that has no time axis of its own (zero: not given)
	Interval time.Duration  // between its rows (zero: not given)
	// ClockTicks is the CLK_TCK of the host that copies of /proc are from; 0: 100.
	ClockTicks int
}

// SyntaxError is a line that could not be read.
type SyntaxError struct {
	File string
	Line int64 // 1-based
	Msg  string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }
