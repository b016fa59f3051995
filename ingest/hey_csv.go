package ingest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"headroom/runs"
)

// HeyCSV reads the CSV of hey -o csv.
var HeyCSV = &Importer{
	Name: "hey-csv",
	Doc: `hey results as CSV (hey -o csv)

Recognised by its header, which begins "response-time,DNS+dialup". Each row is
one answered request: seconds to 0.1 ms, and when it was sent as an offset from
the start of the run, which must be given (--start). Rows stand in the order in
which requests ended. A request that got no answer (refused, timed out) has no
row at all, and hey keeps no more than 1,000,000 rows: neither can be seen here,
so a file without failures proves none.`,
	Gives: []string{"samples: start (with --start), service, phases, status, outcome"},
	Lacks: []string{"when the run began", "requests that got no answer", "requests after the first million", "what was asked of whom"},
	Load:  true,
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return strings.HasPrefix(string(line), heyHeader)
	},
	Read: readHeyCSV,
}

const heyHeader = "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset"

// heyRows is how many results hey keeps at most.
const heyRows = 1_000_000

// The columns of a row.
const (
	heyTotal = iota
	heyConnect
	heyDNS
	heyWrite
	heyDelay
	heyReadTime
	heyCode
	heyOffset
	heyColumns
)

func readHeyCSV(in *Input, sink Sink) error {
	if in.Opt.Start.IsZero() {
		return fmt.Errorf("its rows are offsets from the start of the run, which it does not hold: %w", ErrNoTimeAxis)
	}
	in.Meta.Zone, in.Meta.Resolution = "start as given", 100
	rows := in.csvRecords(func(line []byte) bool { return len(line) > 0 && isDigit(line[0]) })
	words, n := intern{}, 0
	for rows.next() {
		if rows.err == nil && rows.fields[0] == "response-time" {
			continue
		}
		reason := ""
		s := in.NewSample()
		if rows.err != nil {
			reason = "not a CSV record: " + rows.err.Error()
		} else if reason = parseHeyRow(rows.fields, in.Opt.Start.UnixNano(), &s); reason == "" && rows.l.Cut() {
			reason = "the last line has no end"
		}
		if reason != "" {
			if err := rows.bad(in, "%s", reason); err != nil {
				return err
			}
			continue
		}
		s.Status = words.word(rows.fields[heyCode])
		s.Outcome = httpOutcome(s.Status, in.Opt.Rejected)
		n++
		if err := sink.Sample(&s); err != nil {
			return err
		}
	}
	if n >= heyRows {
		in.Note("hey keeps the first %d results: requests after them are not known", heyRows)
	}
	in.Meta.FailuresHidden = true
	in.Note("placed from the given start; requests that got no answer have no row")
	m := &in.Meta
	m.Tool, m.LatencyUnit, m.Model, m.Basis = "hey", "s", runs.ClosedLoop, basisRequest
	m.ModelAs = "hey's workers"
	return rows.l.Finish()
}

// parseHeyRow reads the times of a row. It returns the reason if it cannot be used.
func parseHeyRow(fields []string, start int64, s *runs.Sample) (reason string) {
	if len(fields) != heyColumns {
		return fmt.Sprintf("%d fields where a row has %d", len(fields), heyColumns)
	}
	var ns [heyColumns]int64
	for i, f := range fields {
		v, ok := scaled([]byte(f), 9)
		if i == heyCode {
			ok = isDigits([]byte(f)) && len(f) <= 3
		}
		if !ok || i != heyCode && (v > maxDuration || v < -maxDuration) {
			return fmt.Sprintf("field %d is %q and no number that can be", i+1, clip(f))
		}
		ns[i] = v
	}
	if start > math.MaxInt64-2*maxDuration {
		return "the start that was given is none that can be"
	}
	s.Start, s.StartNS = runs.SplitNanos(start + ns[heyOffset])
	s.Service, s.Connecting, s.Sending = ns[heyTotal], ns[heyConnect], ns[heyWrite]
	s.Waiting, s.Receiving = ns[heyDelay], ns[heyReadTime]
	return ""
}

// httpOutcome says how a request with an HTTP status ended.
func httpOutcome(status string, rejected []string) runs.Outcome {
	switch {
	case slices.Contains(rejected, status):
		return runs.Rejected
	case len(status) == 3 && (status[0] == '2' || status[0] == '3'):
		return runs.OK
	}
	return runs.Failed
}
