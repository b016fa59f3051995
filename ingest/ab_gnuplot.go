package ingest

import (
	"bytes"
	"fmt"
	"time"

	"headroom/runs"
)

// AbGnuplot reads the file of ab -g.
var AbGnuplot = &Importer{
	Name: "ab-gnuplot",
	Doc: `ApacheBench requests (ab -g FILE)

Recognised by its header "starttime seconds ctime dtime ttime wait", parted by
tabs. Each row is one completed request in whole ms; when it was sent is known to
the second, from the column seconds (the text beside it is local time and is not
used). Rows are sorted by latency, not by time. ab does not mark failures here:
every row counts as ok, and only ab's own report says how many were not.`,
	Gives: []string{"samples: start, service, connecting, waiting"},
	Lacks: []string{"which requests failed", "status", "the order of requests within a second"},
	Load:  true,
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return bytes.Equal(bytes.TrimRight(line, " \t"), []byte(abHeader))
	},
	Read: readAbGnuplot,
}

const abHeader = "starttime\tseconds\tctime\tdtime\tttime\twait"

func readAbGnuplot(in *Input, sink Sink) error {
	lines := in.Lines()
	in.Opt.TimeUnit = time.Second // by format
	stamps := in.Stamps()
	for lines.Next() {
		line := lines.Bytes()
		if len(bytes.TrimSpace(line)) == 0 || startsHeader(line) {
			continue
		}
		s := in.NewSample()
		reason := parseAbRow(line, stamps, &s)
		if lines.Cut() && reason == "" {
			reason = "the last line has no end"
		}
		if reason != "" {
			if err := in.BadAt(lines, "%s", reason); err != nil {
				return err
			}
			continue
		}
		if err := sink.Sample(&s); err != nil {
			return err
		}
	}
	in.Meta.FailuresHidden = true
	in.Note("ab does not mark failed requests here: its own report counts them")
	m := &in.Meta
	m.Tool, m.LatencyUnit, m.Model, m.Basis = "ab", "ms", runs.ClosedLoop, basisRequest
	m.ModelAs = "ab's clients"
	m.Zone = "Unix epoch in seconds, by format"
	return lines.Finish()
}

func startsHeader(line []byte) bool { return bytes.HasPrefix(line, []byte("starttime\t")) }

// parseAbRow reads a row. It returns the reason if it cannot be used.
func parseAbRow(line []byte, stamps *Stamps, s *runs.Sample) (reason string) {
	fields := bytes.Split(line, []byte("\t"))
	if len(fields) != 6 {
		return fmt.Sprintf("%d fields where a row has 6", len(fields))
	}
	start, err := stamps.Epoch(fields[1])
	if err != nil {
		return err.Error()
	}
	var ms [4]int64
	for i, f := range fields[2:] {
		n, ok := scaled(f, 6)
		if !ok || n > maxDuration || n < -maxDuration {
			return fmt.Sprintf("field %d is %q and no number of ms", i+3, clip(string(f)))
		}
		ms[i] = n
	}
	s.Start, s.StartNS = runs.SplitNanos(start)
	s.Connecting, s.Service, s.Waiting = ms[0], ms[2], ms[3]
	s.Outcome = runs.OK
	return ""
}
