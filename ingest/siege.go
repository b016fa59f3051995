package ingest

import (
	"bytes"
	"slices"
	"strings"

	"headroom/internal/pattern"
	"headroom/runs"
)

// SiegeOutput reads what siege prints (https://www.joedog.org/siege-manual/).
var SiegeOutput = &Importer{
	Name: "siege-output",
	Doc: `siege output (siege, siege -v, siege --json-output)

Recognised by its lines of requests, "HTTP/1.1 200  0.36 secs: 3372 bytes ==> GET /"
or, with csv on, "4,HTTP/1.1,200,0.36,3372,/,0,DATE", or by its report, as text or
JSON ("Transaction rate:", "transaction_rate"). Colours are taken off. Lines with
a date become samples: the date is that of the answer, in whole seconds of local
time, whose zone must be given. Lines without one are counted, and their
percentiles kept in the manifest. Times have two decimals.`,
	Gives: []string{"samples: start, service, status, op (URL), of lines with a date", "manifest: summaries, load"},
	Lacks: []string{"single requests and when they were, of lines without a date", "times finer than 10 ms", "the zone of its dates"},
	Load:  true,
	Sniff: func(head []byte) bool {
		for n := range 10 * sniffLines {
			line, rest, whole := bytes.Cut(head, []byte("\n"))
			plain := ansi.ReplaceAll(line, nil)
			if siegeCSV.Match(plain) || siegeVerbose.Match(plain) || siegeBanner.Match(plain) || n == 0 && siegeFirst.Match(plain) {
				return true
			}
			if !whole {
				break
			}
			head = rest
		}
		return hasMembers(head, "transactions", "availability", "transaction_rate")
	},
	Read: readSiege,
}

var (
	siegeCSV     = pattern.New(`^\s*(\d+),(HTTP/[\d.]+),(\d{3}),\s*(\d+\.\d+),\s*(\d+),(.*),\d+,(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$`)
	siegeVerbose = pattern.New(`^HTTP/[\d.]+\s+(\d{3})\s+(\d+\.\d+) secs:\s+\d+ bytes ==> `)
	siegeBanner  = pattern.New(`^(\*\* SIEGE \d|Transaction rate:\s|\s*"transaction_rate":)`)
	siegeFirst   = pattern.New(`^\{?\s*"transactions":\s+\d`)
	siegeVersion = pattern.New(`^\*\* SIEGE (\S+)`)
	siegeUsers   = pattern.New(`^\*\* Preparing (\d+) concurrent users`)
	siegeFact    = pattern.New(`^[\s{]*"?([A-Za-z][A-Za-z _]*)"?:\s+([\d.]+)`)
)

// siegeFacts are the lines of the report, in the spelling of its JSON.
var siegeFacts = map[string]string{
	"transactions": "requests", "elapsed_time": "duration", "response_time": "latency.mean", "transaction_rate": "throughput.requests",
	"concurrency": "concurrency", "failed_transactions": "failed", "longest_transaction": "latency.max", "shortest_transaction": "latency.min",
	"successful_transactions": "successful",
}

// siegeReader gathers an output.
type siegeReader struct {
	in       *Input
	sink     Sink
	report   figures
	counted  []int64 // ns, of lines without a date
	more     int     // of those, beyond siegeCounted
	statuses figures
	failed   float64
}

// siegeCounted bounds how many undated lines take part in percentiles.
const siegeCounted = 1 << 20

func readSiege(in *Input, sink Sink) error {
	s := siegeReader{in: in, sink: sink, report: figures{}, statuses: figures{}}
	in.Meta.Tool, in.Meta.LatencyUnit = "siege", "s"
	in.Meta.Model, in.Meta.Basis = runs.ClosedLoop, basisRequest
	in.Meta.ModelAs = "siege's users"
	lines := in.Lines()
	for lines.Next() {
		if err := s.line(lines); err != nil {
			return err
		}
	}
	if len(s.report) > 0 {
		in.summary("", "of siege's own samples, to 10 ms", s.report)
	}
	s.describe()
	return lines.Finish()
}

func (s *siegeReader) line(l *Lines) error {
	line := ansi.ReplaceAll(l.Bytes(), nil)
	if m := siegeCSV.FindSubmatch(line); m != nil {
		return s.request(l, m)
	}
	if m := siegeVerbose.FindSubmatch(line); m != nil {
		s.count(m)
		return nil
	}
	if m := siegeVersion.FindSubmatch(line); m != nil {
		s.in.Meta.Version = cutTag(string(m[1]))
	}
	if m := siegeUsers.FindSubmatch(line); m != nil {
		s.in.Meta.Concurrency = atMostInt(string(m[1]))
	}
	if m := siegeFact.FindSubmatch(line); m != nil {
		name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(string(m[1]))), " ", "_")
		if key := siegeFacts[name]; key != "" {
			s.report.put(key, jsonNumber(m[2]).scaled(0))
		}
	}
	return nil
}

// request makes a sample of a line with a date.
func (s *siegeReader) request(l *Lines, m [][]byte) error {
	end, err := s.in.Stamps().Bytes(m[7])
	if err != nil {
		return s.in.unplaced(l, err)
	}
	ns, ok := spanSeconds(m[4])
	if !ok {
		return s.in.BadAt(l, "%q is no number of seconds", clip(string(m[4])))
	}
	row := s.in.NewSample()
	row.Start, row.StartNS = runs.SplitNanos(end - ns)
	row.Service, row.Status, row.Worker, row.Op = ns, string(m[3]), cutTag(string(m[1])), cutTag(string(m[6]))
	row.Outcome = s.in.httpOutcome(row.Status)
	return s.sink.Sample(&row)
}

// count takes a line without a date.
func (s *siegeReader) count(m [][]byte) {
	status := string(m[1])
	s.statuses["status."+status]++
	s.statuses["requests"]++
	if s.in.httpOutcome(status) != runs.OK {
		s.failed++
	}
	if ns, ok := spanSeconds(m[2]); ok && len(s.counted) < siegeCounted {
		s.counted = append(s.counted, ns)
	} else {
		s.more++
	}
}

// describe says what the lines without a date add up to.
func (s *siegeReader) describe() {
	if s.statuses["requests"] == 0 {
		return
	}
	s.in.Note("%.0f lines of requests have no date: they are counted, and are no samples", s.statuses["requests"])
	s.statuses.put("failed", s.failed)
	if slices.Sort(s.counted); s.more == 0 {
		for _, p := range []struct {
			name     string
			permille int
		}{{"p50", 500}, {"p90", 900}, {"p95", 950}, {"p99", 990}, {"max", 1000}} {
			n := len(s.counted)
			s.statuses.put("latency."+p.name, float64(s.counted[max((n*p.permille+999)/1000, 1)-1])/1e9)
		}
	} else {
		s.in.Note("too many lines for percentiles")
	}
	s.in.summary("lines", "counted here from its lines, nearest rank", s.statuses)
}

// SiegeLog reads siege's history of runs.
var SiegeLog = &Importer{
	Name: "siege-log",
	Doc: `siege's log of runs (siege -l, ~/siege.log)

Recognised by its header, "Date & Time,  Trans,  Elap Time". One line a run, in
local time; each becomes a summary under its date. The zone is not needed, for no
row is placed in time.`,
	Gives: []string{"manifest: summaries"},
	Lacks: []string{"single requests, and when they were", "percentiles"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return siegeLogHeader.Match(line)
	},
	Read: readSiegeLog,
}

var siegeLogHeader = pattern.New(`^\s*Date & Time,\s+Trans,\s+Elap Time,`)

// siegeLogColumns are the columns after the date.
var siegeLogColumns = []string{"requests", "duration", "", "latency.mean", "throughput.requests", "", "concurrency", "successful", "failed"}

func readSiegeLog(in *Input, _ Sink) error {
	in.Meta.Tool, in.Meta.LatencyUnit = "siege", "s"
	lines := in.Lines()
	for lines.Next() {
		line := string(lines.Bytes())
		if strings.HasPrefix(line, "****") || siegeLogHeader.MatchString(line) || strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Split(line, ",")
		if len(fields) != len(siegeLogColumns)+1 {
			if err := in.BadAt(lines, "%d fields where there are %d", len(fields), len(siegeLogColumns)+1); err != nil {
				return err
			}
			continue
		}
		v := figures{}
		for i, f := range fields[1:] {
			if name := siegeLogColumns[i]; name != "" {
				v.put(name, jsonNumber(strings.TrimSpace(f)).scaled(0))
			}
		}
		if len(in.Meta.Summaries) < maxMetrics {
			in.summary(cutTag(strings.TrimSpace(fields[0])), "of siege's own samples, to 10 ms", v)
		}
	}
	return lines.Finish()
}
