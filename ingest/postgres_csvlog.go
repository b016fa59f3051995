package ingest

import (
	"bytes"
	"strconv"
	"strings"

	"headroom/runs"
)

// PostgresCSVLog reads PostgreSQL's csvlog.
var PostgresCSVLog = &Importer{
	Name: "postgres-csvlog",
	Doc: `PostgreSQL csvlog

CSV without a header: 23 columns until version 12, 24 in 13, 26 from 14
(https://www.postgresql.org/docs/current/runtime-config-logging.html); the width
may change within a file, when a server was upgraded. A field may span lines.
Stamps name their zone row by row: UTC and GMT are known, of any other
abbreviation the zone must be given. Severities are translated by lc_messages;
they are kept in English. Messages in another language are kept and not told
apart, which is said.

Checkpoints, automatic vacuum and analyze, lock waits, temporary files,
statement durations, connections, crashes and settings that changed become
markers with attributes; every other record is a marker postgres.log. Defaults
of the server log few of these, so that their absence proves nothing.`,
	Gives: []string{"markers: postgres.*", "manifest: settings.server_version"},
	Lacks: []string{"whether what is absent was not logged or did not happen"},
	Sniff: sniffCSVLog,
	Read:  readCSVLog,
}

// Columns of csvlog.
const (
	csvTime        = 0
	csvUser        = 1
	csvDatabase    = 2
	csvPID         = 3
	csvClient      = 4
	csvSeverity    = 11
	csvState       = 12
	csvMessage     = 13
	csvDetail      = 14
	csvHint        = 15
	csvInternal    = 16
	csvContext     = 18
	csvStatement   = 19
	csvLocation    = 21
	csvApplication = 22
	csvColumns12   = 23 // until version 12
	csvBackend     = 23
	csvColumns13   = 24
	csvQueryID     = 25
	csvColumns14   = 26 // from version 14
)

// csvFields are the fields that follow the message, with the labels that the
// other log forms give them.
var csvFields = []struct {
	column int
	label  string
}{
	{csvDetail, "DETAIL"}, {csvHint, "HINT"}, {csvInternal, "QUERY"},
	{csvContext, "CONTEXT"}, {csvLocation, "LOCATION"}, {csvStatement, "STATEMENT"},
}

// sniffCSVLog looks at the first line that can begin a record: its first column
// is a stamp and its twelfth a severity.
func sniffCSVLog(head []byte) bool {
	for n := 0; n < 50 && len(head) > 0; n++ {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if beginsCSVLog(line) {
			f := strings.SplitN(string(head[:min(len(head), 4096)]), ",", csvState+2)
			if len(f) <= csvState {
				return false
			}
			w, ok := pgWords[strings.Trim(f[csvSeverity], `"`)]
			return ok && !w.label && len(strings.Trim(f[csvState], `"`)) == 5
		}
		head = rest
	}
	return false
}

// beginsCSVLog reports whether a line can be the first of a record: it begins
// with a stamp, quoted by some that rewrite the file, and a comma.
func beginsCSVLog(line []byte) bool {
	line = bytes.TrimPrefix(line, []byte(`"`))
	if !isDate(line) {
		return false
	}
	comma := bytes.IndexByte(line, ',')
	return comma >= 0 && comma <= 40
}

func readCSVLog(in *Input, sink Sink) error {
	r := in.csvRecords(beginsCSVLog)
	log := &pgLog{in: in, sink: sink}
	for r.next() {
		if r.err != nil {
			if err := r.bad(in, "%v", r.err); err != nil {
				return err
			}
			continue
		}
		var rec pgRecord
		err := log.csvRecord(&rec, r)
		if err != nil {
			err = log.unreadable(err, r.bad(in, "%v", err))
		} else {
			err = log.put(&rec)
		}
		if err != nil {
			return err
		}
	}
	if err := r.l.Finish(); err != nil {
		return err
	}
	return log.finish()
}

// csvRecord reads the fields of a record.
func (g *pgLog) csvRecord(rec *pgRecord, r *csvRecords) (err error) {
	f := r.fields
	switch len(f) {
	case csvColumns14:
		rec.queryID = f[csvQueryID]
		rec.backend = f[csvBackend]
	case csvColumns13:
		rec.backend = f[csvBackend]
	case csvColumns12:
	default:
		return errColumns(len(f))
	}
	if rec.ns, err = g.in.Stamps().Parse(f[csvTime]); err != nil {
		return err
	}
	rec.pid = runs.Missing
	if n, err := strconv.ParseInt(f[csvPID], 10, 64); err == nil {
		rec.pid = n
	}
	rec.severity = f[csvSeverity]
	if w, ok := pgWords[f[csvSeverity]]; ok {
		g.word(w, f[csvSeverity])
		rec.severity = w.english
	}
	rec.state = f[csvState]
	rec.user, rec.database = f[csvUser], f[csvDatabase]
	rec.application, rec.client = f[csvApplication], clientHost(f[csvClient])
	rec.message = f[csvMessage]
	for _, x := range csvFields {
		if f[x.column] != "" {
			rec.fields = append(rec.fields, pgField{x.label, f[x.column]})
		}
	}
	return nil
}

type errColumns int

func (n errColumns) Error() string {
	return "a record of " + strconv.Itoa(int(n)) + " columns; csvlog has 23 (until version 12), 24 (13) or 26 (from 14)"
}
