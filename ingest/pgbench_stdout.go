package ingest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"headroom/internal/pattern"
	"headroom/runs"
)

// PgbenchOutput reads what pgbench prints when it is done.
var PgbenchOutput = &Importer{
	Name: "pgbench-stdout",
	Doc: `pgbench's own report (its standard output)

Recognised by the lines "pgbench (VERSION)" or "transaction type:". Gives the
number of clients, what pgbench says of its transactions, failures, latency,
schedule lag and rate, for the whole and for each script, and tells what the
columns of the logs beside it are. "transactions actually processed" counts
successes only. Reports of several runs in one file are kept apart. Where the
average latency "includes failures" it is clients times time over transactions,
not measured.`,
	Gives: []string{"manifest: summaries, load (clients, model)"},
	Lacks: []string{"single transactions, and when they were", "percentiles", "the offered rate"},
	Sniff: func(head []byte) bool {
		for range 10 * sniffLines {
			line, rest, whole := bytes.Cut(head, []byte("\n"))
			if pgbenchBanner.Match(line) || bytes.HasPrefix(line, []byte("transaction type: ")) {
				return true
			}
			if !whole {
				break
			}
			head = rest
		}
		return false
	},
	Read: readPgbenchOutput,
}

var pgbenchBanner = pattern.New(`^pgbench \((\d[\w.]*)`)

// pgbenchRun is the report of one run.
type pgbenchRun struct {
	version string
	clients int
	lag     bool
	all     pgbenchPartOf
	scripts []pgbenchPartOf
}

// pgbenchPartOf is what is said of a run or of one of its scripts.
type pgbenchPartOf struct {
	values   map[string]float64
	derived  bool   // the average latency includes failures
	fileName string // of a script
}

// pgbenchFacts are the lines that hold numbers. Each group of the expression is
// put under the name in its place; and its power of ten turns it into SI units. The same
// lines are used for scripts, indented and with a dash.
var pgbenchFacts = []struct {
	line  *pattern.Pattern
	names []string
	power int
}{
	{pattern.New(`^number of transactions actually processed: (\d+)`), []string{"requests"}, 0},
	{pattern.New(`^(\d+) transactions \(`), []string{"requests"}, 0},
	{pattern.New(`^number of failed transactions: (\d+)`), []string{"failed"}, 0},
	{pattern.New(`^number of serialization failures: (\d+)`), []string{"failed.serialization"}, 0},
	{pattern.New(`^number of deadlock failures: (\d+)`), []string{"failed.deadlock"}, 0},
	{pattern.New(`^number of transactions skipped: (\d+)`), []string{"skipped"}, 0},
	{pattern.New(`^number of transactions retried: (\d+)`), []string{"retried"}, 0},
	{pattern.New(`^total number of retries: (\d+)`), []string{"retries"}, 0},
	{pattern.New(`^number of transactions above the [\d.]+ ms latency limit: (\d+)`), []string{"above_limit"}, 0},
	{pattern.New(`^latency average[ =:]+([\d.]+) ms`), []string{"latency.mean"}, -3},
	{pattern.New(`^latency stddev[ =:]+([\d.]+) ms`), []string{"latency.stddev"}, -3},
	{pattern.New(`^rate limit schedule lag: avg ([\d.]+) \(max ([\d.]+)\) ms`), []string{"wait.mean", "wait.max"}, -3},
	{pattern.New(`^initial connection time = ([\d.]+) ms`), []string{"connect"}, -3},
	{pattern.New(`^tps = ([\d.]+) \(including connections establishing`), []string{"throughput.requests.with_connecting"}, 0},
	{pattern.New(`^tps = ([\d.]+) \(`), []string{"throughput.requests"}, 0},
	{pattern.New(`^duration: (\d+) s`), []string{"duration"}, 0},
}

var (
	pgbenchClients = pattern.New(`^number of clients: (\d+)`)
	pgbenchScript  = pattern.New(`^SQL script (\d+): (.+)`)
)

func readPgbenchOutput(in *Input, _ Sink) error {
	var found []*pgbenchRun
	lines := in.Lines()
	banner := ""
	for lines.Next() {
		line := string(lines.Bytes())
		if m := pgbenchBanner.FindStringSubmatch(line); m != nil {
			banner = m[1]
		}
		if strings.HasPrefix(line, "transaction type:") && len(found) < maxMetrics {
			found = append(found, &pgbenchRun{version: banner, all: pgbenchPartOf{values: map[string]float64{}}})
			banner = ""
		}
		if len(found) > 0 {
			found[len(found)-1].line(line)
		}
	}
	if err := lines.Finish(); err != nil {
		return err
	}
	in.Meta.Tool, in.Meta.LatencyUnit = "pgbench", "ms"
	if len(found) == 0 {
		in.Meta.Cut = true
		in.Note("there is no report in it (no line \"transaction type:\"): pgbench was stopped before it printed one")
		return nil
	}
	describePgbench(in, found)
	return nil
}

// line takes one line of a run's report.
func (r *pgbenchRun) line(line string) {
	if m := pgbenchScript.FindStringSubmatch(line); m != nil {
		r.scripts = append(r.scripts, pgbenchPartOf{values: map[string]float64{}, fileName: m[2]})
		return
	}
	if m := pgbenchClients.FindStringSubmatch(line); m != nil {
		r.clients, _ = strconv.Atoi(m[1])
	}
	part := &r.all
	if text, ok := strings.CutPrefix(line, " - "); ok && len(r.scripts) > 0 {
		line, part = text, &r.scripts[len(r.scripts)-1]
	}
	for _, fact := range pgbenchFacts {
		m := fact.line.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for i, name := range fact.names {
			if v, ok := shifted([]byte(m[i+1]), fact.power); ok {
				part.values[name] = v
			}
		}
		part.derived = part.derived || strings.Contains(line, "(including failures)")
		r.lag = r.lag || strings.HasPrefix(line, "rate limit schedule lag")
		return
	}
}

// describePgbench records what the reports say.
func describePgbench(in *Input, found []*pgbenchRun) {
	m := &in.Meta
	for i, r := range found {
		r.all.countFailed()
		for j := range r.scripts {
			r.scripts[j].countFailed()
		}
		of := ""
		if len(found) > 1 {
			of = fmt.Sprintf("run %d", i+1)
		}
		m.Summaries = append(m.Summaries, r.all.summary(in.Name, of))
		for j := range r.scripts {
			m.Summaries = append(m.Summaries, r.scripts[j].summary(in.Name, strings.TrimSpace(of+fmt.Sprintf(" script-%d", j))))
			in.Note("script-%d is %s", j, clip(r.scripts[j].fileName))
		}
		if n, ok := r.all.values["requests"]; !ok {
			in.Note("a report lacks the number of transactions: pgbench was stopped while it printed")
		} else if n == 0 {
			in.Note("no transaction was processed")
		}
	}
	if len(found) > 1 {
		in.Note("the file holds the reports of %d runs", len(found))
		return
	}
	r := found[0]
	m.Version, m.Concurrency, m.Model = r.version, r.clients, runs.ClosedLoop
	if n, ok := r.all.values["requests"]; ok {
		m.Printed = map[string]string{"transactions": strconv.FormatFloat(n, 'f', -1, 64)}
	}
	if r.lag {
		m.Model = runs.OpenLoop
	}
	// Retries came with version 15, the line with the version with 14.
	what := seventhRetries
	if major, _ := strconv.Atoi(strings.SplitN(r.version, ".", 2)[0]); r.lag || major < 15 {
		what = seventhLag
	}
	m.Hints = map[string]string{hintPgbenchSeventh: what}
}

// countFailed says how many lines its logs hold: those that it calls processed,
// and those that failed.
func (p *pgbenchPartOf) countFailed() {
	if failed := p.values["failed"]; failed > 0 {
		p.values["samples"] = p.values["requests"] + failed
	}
}

func (p *pgbenchPartOf) summary(file, of string) runs.Summary {
	method := "as measured"
	if p.derived {
		method = "latency.mean = clients * time / transactions, failures included"
	}
	return runs.Summary{Source: file, Of: of, Values: p.values, Method: method}
}
