package ingest

import (
	"bytes"
	"errors"
	"io"

	"headroom/runs"
)

// PostgresLog reads PostgreSQL's stderr log with any log_line_prefix.
var PostgresLog = &Importer{
	Name: "postgres-log",
	Doc: `PostgreSQL log (stderr), with any log_line_prefix

The prefix is told from the first lines: one of those in use (the defaults, the
ones of Amazon RDS, Azure, Cloud SQL, Debian and pgBadger's), or by its shape:
a stamp, a pid, user@database, key=value. A stamp that an exporter put before
each record (CloudWatch) is taken off; the server's own time counts.

Lines without the prefix belong to the record before them, whether they begin
with a tab or not, and whatever they look like. DETAIL, HINT, CONTEXT and
STATEMENT belong to the record before them with the same pid. What becomes of the
records is as for postgres-csvlog. A prefix with %n has no zone problem; others
name a zone, of which only UTC and GMT are known.`,
	Gives: []string{"markers: postgres.*", "manifest: settings.server_version"},
	Lacks: []string{"SQLSTATE, unless the prefix has it", "whether what is absent was not logged or did not happen"},
	Sniff: func(head []byte) bool {
		if sniffCSVLog(head) || bytes.HasPrefix(head, []byte("{")) || sniffSyslog(head) || sniffExported(head) {
			return false
		}
		_, ok := learnPGForm(head)
		return ok
	},
	Read: readPostgresLog,
}

func readPostgresLog(in *Input, sink Sink) error {
	sample, err := readSample(in)
	if err != nil {
		return err
	}
	form, ok := learnPGForm(sample)
	if !ok {
		return errors.New("no line with a stamp, a severity and a colon, as PostgreSQL logs them, among its first 200")
	}
	in.Note("%s", form.describe())
	l := in.Lines()
	r := &pgReader{in: in, l: l, form: form, log: &pgLog{in: in, sink: sink}, open: map[int64]*pgOpen{}}
	for l.Next() {
		if err := r.line(l.Bytes()); err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	in.Meta.Cut = in.Meta.Cut || l.Cut()
	return r.finish()
}

// readSample reads the first lines of the input and puts them back.
func readSample(in *Input) ([]byte, error) {
	sample, err := io.ReadAll(io.LimitReader(in.R, HeadSize))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	rest := in.R
	if err != nil {
		rest = &failing{err}
	}
	in.R = io.MultiReader(bytes.NewReader(sample), rest)
	return sample, nil
}

// failing is a reader that has ended with an error.
type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// pgReader puts the records of a log together. Records stay open for further
// fields, which can come after lines of other sessions, and are written in the
// order in which they began.
type pgReader struct {
	in   *Input
	l    *Lines
	form pgForm
	next pgPrefix // that a reload has announced
	log  *pgLog

	queue []*pgOpen         // open records, in order
	open  map[int64]*pgOpen // by pid, the last of each
	last  *pgOpen           // the record that the line before belongs to
	spare []*pgOpen         // that were written, to be used again

	orphans int64 // lines whose record is not there
	changes int   // of the prefix
}

// pgChangesMax is how many changes of the prefix are noted.
const pgChangesMax = 8

// pgOpen is a record that may still grow.
type pgOpen struct {
	pgRecord
	text   []byte // of the message, then of the last field, as it grows
	size   int    // of all its text, bytes
	closed bool   // a later record of its session has begun
}

// settle stores the text that has grown where it belongs.
func (o *pgOpen) settle() {
	if n := len(o.fields); n > 0 {
		o.fields[n-1].text = string(o.text)
	} else {
		o.message = string(o.text)
	}
	o.text = o.text[:0]
}

// grow adds to the record's text, if there is room.
func (o *pgOpen) grow(text ...[]byte) {
	for _, t := range text {
		o.size += len(t)
	}
	if o.size > pgTextMax {
		return
	}
	for _, t := range text {
		o.text = append(o.text, t...)
	}
}

// pgOpenMax is how many records are kept open. A further field is written right
// after its record; only lines of other sessions can come between.
const pgOpenMax = 256

// pgTextMax is how much text of one record is kept, in bytes. Only statements
// and their parameters are longer.
const pgTextMax = 64 << 10

// line reads one line of the log.
func (r *pgReader) line(line []byte) error {
	rest, record := r.form.open(line)
	var p pgLine
	if !record || !r.form.match(rest, &p) && !r.changed(rest, &p) {
		if r.form.envelope == pgEvents && !bytes.HasPrefix(rest, []byte("\t")) {
			rest = line // what looks like an envelope is the message's own text
		}
		r.continued(rest)
		return nil
	}
	if p.word.label {
		r.addField(&p)
		return nil
	}
	if bytes.HasPrefix(p.text, prefixChanged) {
		r.announced(p.text)
	}
	return r.begin(&p)
}

// prefixChanged begins the message that a reload changes the prefix.
var prefixChanged = []byte("parameter \"log_line_prefix\" changed to \"")

// changed reads a line whose prefix is not the log's. If a reload has announced
// another, which the announcement itself can bear, that is the log's from here on.
func (r *pgReader) changed(line []byte, p *pgLine) bool {
	r.announced(line)
	if r.next.parts == nil || !r.next.match(line, p) || p.stamp == nil {
		return false
	}
	if r.changes++; r.changes <= pgChangesMax {
		r.in.Note("line %d: log_line_prefix changed to %q", r.l.Number(), clip(r.next.format))
	}
	r.form.prefix, r.next = r.next, pgPrefix{}
	return true
}

// announced notes the prefix that a line says will come.
func (r *pgReader) announced(line []byte) {
	if _, format, ok := bytes.Cut(line, prefixChanged); ok {
		r.next = compilePGPrefix(string(bytes.TrimSuffix(format, []byte{'"'})))
	}
}

// continued adds a line without a prefix to the record before it. PostgreSQL
// begins it with a tab, which some collectors strip.
func (r *pgReader) continued(line []byte) {
	if r.last == nil {
		r.orphans++
		return
	}
	r.last.grow([]byte{'\n'}, bytes.TrimPrefix(line, []byte("\t")))
}

// addField adds a DETAIL, HINT, CONTEXT or STATEMENT to its record.
func (r *pgReader) addField(p *pgLine) {
	r.log.word(p.word, string(p.written))
	o := r.last
	if p.pid != runs.Missing {
		o = r.open[p.pid]
	}
	r.last = o
	if o == nil {
		r.orphans++
		return
	}
	o.settle()
	o.fields = append(o.fields, pgField{label: p.word.english})
	o.grow(p.text)
}

// begin begins a record.
func (r *pgReader) begin(p *pgLine) error {
	ns, err := r.in.Stamps().Bytes(p.stamp)
	if err != nil {
		r.last = nil
		return r.log.unreadable(err, r.in.Bad(r.l.Number(), "%v", err))
	}
	r.log.word(p.word, string(p.written))
	o := r.fresh()
	o.pgRecord = pgRecord{
		fields: o.fields, ns: ns, pid: p.pid, severity: p.word.english, state: string(p.state),
		user: nameOrNone(string(p.user)), database: nameOrNone(string(p.database)),
		application: nameOrNone(string(p.application)), client: clientHost(string(p.client)),
		backend: string(p.backend), queryID: string(p.queryID),
	}
	o.grow(p.text[:min(len(p.text), pgTextMax)])
	if p.pid != runs.Missing {
		if before := r.open[p.pid]; before != nil {
			before.closed = true
		}
		r.open[p.pid] = o
	} else if r.last != nil {
		r.last.closed = true
	}
	r.last = o
	r.queue = append(r.queue, o)
	return r.flush(pgOpenMax)
}

// flush writes the records at the head of the queue that are closed, and more
// until no more than most are left.
func (r *pgReader) flush(most int) error {
	for len(r.queue) > 0 && (r.queue[0].closed || len(r.queue) > most) {
		o := r.queue[0]
		r.queue[0] = nil
		r.queue = r.queue[1:]
		if r.open[o.pid] == o {
			delete(r.open, o.pid)
		}
		if r.last == o {
			r.last = nil
		}
		o.settle()
		if err := r.log.put(&o.pgRecord); err != nil {
			return err
		}
		r.spare = append(r.spare, o)
	}
	return nil
}

// fresh returns an empty record, with the memory of one that was written.
func (r *pgReader) fresh() *pgOpen {
	n := len(r.spare) - 1
	if n < 0 {
		return &pgOpen{}
	}
	o := r.spare[n]
	r.spare = r.spare[:n]
	clear(o.fields)
	*o = pgOpen{pgRecord: pgRecord{fields: o.fields[:0]}, text: o.text[:0]}
	return o
}

// finish writes what is open and notes what was left out.
func (r *pgReader) finish() error {
	if err := r.flush(0); err != nil {
		return err
	}
	if r.orphans > 0 {
		r.in.Note("lines that belong to no record that could be read, and were left out: %d", r.orphans)
	}
	return r.log.finish()
}
