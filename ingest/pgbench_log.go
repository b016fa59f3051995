package ingest

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"headroom/internal/pattern"
	"headroom/runs"
)

// PgbenchLog reads per-transaction logs of pgbench --log
// (https://www.postgresql.org/docs/current/pgbench.html, "Per-Transaction Logging").
var PgbenchLog = &Importer{
	Name: "pgbench-log",
	Doc: `pgbench per-transaction log (pgbench --log)

Recognised by lines of six to eight fields: client, transaction, time in µs or a
word (skipped, failed, serialization, deadlock), script, and the completion as
epoch seconds and microseconds, which are not padded. Files of one process,
pgbench_log.PID and pgbench_log.PID.THREAD, are one generator. With --rate the
time counts from when the transaction was due: start = end - time, wait =
schedule lag, service = time - lag. Seven fields are ambiguous, for --rate adds
the lag and --max-tries the retries: which it is is told by the options, else by
pgbench's own output if that is given too, else by content; it is always said. A
last line without a newline is left out, for it may be cut inside a number.`,
	Gives: []string{"samples: start, wait, service, op (script-N), status, outcome, worker (client), tags (retries)"},
	Lacks: []string{"the time of failed and skipped transactions", "--sampling-rate: what part of the transactions was logged", "names of scripts"},
	Load:  true,
	Part:  pgbenchPart,
	Sniff: func(head []byte) bool { return sniffRows(head, isPgbenchRow) },
	Read:  readPgbenchLog,
}

var pgbenchName = pattern.New(`^(.+?\.\d+)(?:\.\d{1,4})?(?:\.(?:gz|zst))?$`)

// pgbenchPart returns prefix.PID of a file called prefix.PID or prefix.PID.THREAD.
func pgbenchPart(base string, _ []byte) string {
	m := pgbenchName.FindStringSubmatch(base)
	if m == nil {
		return ""
	}
	return m[1]
}

// sniffRows reports whether the first whole line of head is a row, and so are
// half of the first few.
func sniffRows(head []byte, isRow func(fields [][]byte) bool) bool {
	seen, rows := 0, 0
	for seen < sniffLines {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		if fields := bytes.Fields(line); len(fields) > 0 && (whole || seen == 0) {
			seen++
			if isRow(fields) {
				rows++
			}
			if rows == 0 {
				return false
			}
		}
		if !whole {
			break
		}
		head = rest
	}
	return rows > 0 && 2*rows >= seen
}

func isPgbenchRow(fields [][]byte) bool {
	if len(fields) < 6 || len(fields) > 8 {
		return false
	}
	for i, f := range fields {
		if i != 2 && !isDigits(f) {
			return false
		}
	}
	end, ok := scaled(fields[4], 0)
	return ok && epochUnit(end) == time.Second && len(fields[5]) <= 6 && (isDigits(fields[2]) || isPgbenchWord(fields[2]))
}

func isDigits(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) {
			return false
		}
	}
	return len(b) > 0 && len(b) <= 19
}

// pgbenchWords are what stands in the place of the time of a transaction that
// has none.
var pgbenchWords = map[string]runs.Outcome{
	"skipped": runs.Skipped, "failed": runs.Failed, "serialization": runs.Failed, "deadlock": runs.Failed, "other": runs.Failed,
}

func isPgbenchWord(b []byte) bool { _, ok := pgbenchWords[string(b)]; return ok }

// pgbenchRow is one line of a log.
type pgbenchRow struct {
	client, script string
	word           string // "" if the transaction has a time
	time           int64  // µs
	end            int64  // ns since the Unix epoch
	more           [2]int64
	moreN          int // how many of more the line has
}

func parsePgbenchRow(line []byte) (r pgbenchRow, reason string) {
	fields := bytes.Fields(line)
	if len(fields) < 6 || len(fields) > 8 {
		return r, fmt.Sprintf("%d fields where a transaction has 6 to 8", len(fields))
	}
	var n [8]int64
	for i, f := range fields {
		v, ok := scaled(f, 0)
		switch {
		case i == 2 && isPgbenchWord(f):
			r.word = string(f)
		case !ok || !isDigits(f):
			return r, fmt.Sprintf("field %d is %q and no whole number", i+1, clip(string(f)))
		}
		n[i] = v
	}
	if n[2] > maxDuration/1000 || n[6] > maxDuration/1000 {
		return r, fmt.Sprintf("a time of %d µs, or a lag of %d, is none that can be", n[2], n[6])
	}
	if epochUnit(n[4]) != time.Second || n[5] >= 1e6 {
		return r, fmt.Sprintf("%s %s is no time in seconds and microseconds", fields[4], fields[5])
	}
	r.client, r.script = string(fields[0]), string(fields[3])
	r.time, r.end = n[2], n[4]*1e9+n[5]*1e3
	r.moreN = copy(r.more[:], n[6:len(fields)])
	return r, ""
}

// pgbenchReader turns rows into samples.
type pgbenchReader struct {
	in      *Input
	sink    Sink
	columns pgbenchColumns
	width   int               // extra fields of the first row
	shared  intern            // clients and scripts as the log writes them
	clients numbered          // those of them
	scripts numbered          // that are small numbers
	ops     map[string]string // by script
	first   [10]string        // of the scripts 0 to 9
	retries map[int64]string  // tags, by the number of them
	held    []pgbenchRow      // the first rows, until the columns are known
	blank   runs.Sample       // what a sample is before the row's part
	next    runs.Sample       // made anew for every row

	late int64 // rows whose lag exceeds their time
}

// pgbenchHeld is how many rows are looked at to tell what the columns are.
const pgbenchHeld = 2000

func readPgbenchLog(in *Input, sink Sink) error {
	p := &pgbenchReader{in: in, sink: sink, width: -1, shared: intern{}, ops: map[string]string{}, retries: map[int64]string{}, blank: in.NewSample()}
	var row pgbenchRow
	lines := in.Lines()
	for lines.Next() {
		if lines.Cut() {
			if err := in.BadAt(lines, "cut"); err != nil {
				return err
			}
			break
		}
		reason := ""
		if !p.quick(lines.Bytes(), &row) {
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			row, reason = parsePgbenchRow(lines.Bytes())
			row.client = p.shared.word(row.client)
		}
		if reason == "" && p.width >= 0 && row.moreN != p.width {
			reason = fmt.Sprintf("%d fields where the rows before have %d", 6+row.moreN, 6+p.width)
		}
		var err error
		if reason != "" {
			err = in.Bad(lines.Number(), "%s", reason)
		} else {
			p.width = row.moreN
			err = p.row(&row)
		}
		if err != nil {
			return err
		}
	}
	if err := lines.Finish(); err != nil {
		return err
	}
	if err := p.settle(); err != nil {
		return err
	}
	p.describe()
	return nil
}

// row takes a row, now or once the columns are known.
func (p *pgbenchReader) row(r *pgbenchRow) error {
	if p.columns.known {
		return p.sample(r)
	}
	p.held = append(p.held, *r)
	if len(p.held) < pgbenchHeld {
		return nil
	}
	return p.settle()
}

// settle decides what the columns are and releases the rows held for that.
func (p *pgbenchReader) settle() error {
	if p.columns.known {
		return nil
	}
	p.columns = tellPgbenchColumns(p.in, p.width, p.held)
	for i := range p.held {
		if err := p.sample(&p.held[i]); err != nil {
			return err
		}
	}
	p.held = nil
	return nil
}

func (p *pgbenchReader) sample(r *pgbenchRow) error {
	s := &p.next
	*s = p.blank
	s.Worker, s.Op = r.client, p.op(r.script)
	if p.columns.retries >= 0 {
		s.Tags = p.tags(r.more[p.columns.retries])
	}
	start := r.end
	if r.word != "" {
		s.Outcome, s.Status = pgbenchWords[r.word], r.word
	} else {
		s.Outcome, s.Service = runs.OK, r.time*1000
		start -= s.Service
		if p.columns.lag >= 0 {
			s.Wait = r.more[p.columns.lag] * 1000
			if s.Service -= s.Wait; s.Service < 0 {
				p.late++
			}
		}
	}
	s.Start, s.StartNS = runs.SplitNanos(start)
	return p.sink.Sample(s)
}

// op returns what the transactions of a script are called, made once.
func (p *pgbenchReader) op(script string) string {
	one := len(script) == 1 && isDigit(script[0])
	if one && p.first[script[0]-'0'] != "" {
		return p.first[script[0]-'0']
	}
	op, ok := p.ops[script]
	if !ok {
		op = "script-" + script
		if len(p.ops) < maxWords {
			p.ops[script] = op
		}
	}
	if one {
		p.first[script[0]-'0'] = op
	}
	return op
}

// tags returns the labels of a transaction with so many retries, made once.
func (p *pgbenchReader) tags(retries int64) string {
	tags, ok := p.retries[retries]
	if !ok {
		tags = `{"retries":"` + strconv.FormatInt(retries, 10) + `"}`
		if len(p.retries) < maxWords {
			p.retries[retries] = tags
		}
	}
	return tags
}

// maxWords bounds the words that are kept for being used again.
const maxWords = 1 << 16

// describe says what the file tells as a whole.
func (p *pgbenchReader) describe() {
	m := &p.in.Meta
	m.Tool, m.LatencyUnit = "pgbench", "µs"
	m.Zone, m.Resolution = "Unix epoch, by format", 1
	m.Model, m.Basis, m.DropsKnown = runs.ClosedLoop, basisRequest, true
	if p.columns.lag >= 0 {
		m.Model, m.Basis = runs.OpenLoop, basisResponse
	}
	if p.late > 0 {
		p.in.Note("%d transactions have a schedule lag longer than their time: kept as measured, and part of no percentile", p.late)
	}
}
