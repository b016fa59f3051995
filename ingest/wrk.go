package ingest

import (
	"bytes"

	"headroom/internal/pattern"
)

// Wrk reads what wrk prints.
var Wrk = &Importer{
	Name: "wrk",
	Doc: `wrk's own report (its standard output)

Recognised by "Running … test @ URL" and the line "N threads and M connections"
below it, without the marks of wrk2. Gives what wrk says: requests, errors, rate
and latency. Failed is what was answered with another status than 2xx or 3xx and
every socket error; a request that timed out is not among wrk's requests. Units
stand in each cell and are read there. wrk 4 changes its latencies after the
run to make up for coordinated omission, so they are not those of its requests.
Numbers that nothing was measured for (-nan, and 0.00us without a request) are
left out; where the time of the run cannot be, rate and latency are refused and
the counts kept. Reports of several runs in one file are kept apart; what a Lua
script prints below a rule of dashes is left alone.`,
	Gives: []string{"manifest: summaries, load (connections, model)"},
	Lacks: []string{"single requests, and when they were: it has no start", "the distribution of latency beyond four percentiles"},
	Sniff: func(head []byte) bool { return inHead(head, wrkRunning, " test @ ") && !isWrk2(head) },
	Read: func(in *Input, sink Sink) error {
		return readWrk(in, sink, "wrk", "percentiles of latencies corrected for coordinated omission")
	},
}

// wrkRunning is how a report begins. autocannon's begins alike, but says nothing
// of threads.
var wrkRunning = pattern.New(`(?m)^Running \S+ test @ [^\n]*\n\s+\d+ threads? and \d+ connections?\r?$`)

// isWrk2 reports whether a report is one of wrk2, which calls itself wrk 4.0.0.
func isWrk2(head []byte) bool {
	return bytes.Contains(head, []byte("Thread calibration: ")) || bytes.Contains(head, []byte("(HdrHistogram - "))
}
