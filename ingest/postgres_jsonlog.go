package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"headroom/runs"
)

// PostgresJSONLog reads PostgreSQL's jsonlog.
var PostgresJSONLog = &Importer{
	Name: "postgres-jsonlog",
	Doc: `PostgreSQL jsonlog (from version 15), and CloudNativePG's records

One object a line (https://www.postgresql.org/docs/current/runtime-config-logging.html);
what was NULL is not there. Severities are English whatever lc_messages is, the
messages are not. Lines of CloudNativePG hold the same in the member record, all
of it as text; its own lines (another logger) are skipped and counted. Lines can
be in any order.

What becomes of the records is as for postgres-csvlog. An abbreviated zone other
than UTC and GMT must be given.`,
	Gives: PostgresCSVLog.Gives,
	Lacks: PostgresCSVLog.Lacks,
	Sniff: func(head []byte) bool {
		for n := 0; n < 20 && len(head) > 0; n++ {
			line, whole := firstLine(head)
			var j pgJSON
			if whole && bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &j) == nil && (j.isRecord() || j.Record != nil && j.Logger == "postgres") {
				return true
			}
			_, head, _ = bytes.Cut(head[bytes.Index(head, line)+len(line):], []byte("\n"))
		}
		return false
	},
	Read: readJSONLog,
}

// pgJSON is a line of jsonlog, or one of CloudNativePG.
type pgJSON struct {
	Timestamp   string `json:"timestamp"`
	User        string `json:"user"`
	Database    string `json:"dbname"`
	PID         *int64 `json:"pid"`
	Host        string `json:"remote_host"`
	SessionID   string `json:"session_id"`
	Severity    string `json:"error_severity"`
	State       string `json:"state_code"`
	Message     string `json:"message"`
	Detail      string `json:"detail"`
	Hint        string `json:"hint"`
	Internal    string `json:"internal_query"`
	Context     string `json:"context"`
	Statement   string `json:"statement"`
	Function    string `json:"func_name"`
	Application string `json:"application_name"`
	Backend     string `json:"backend_type"`
	QueryID     int64  `json:"query_id"`

	Logger string    `json:"logger"`
	Record *cnpgJSON `json:"record"`
}

// cnpgJSON is a record of csvlog as CloudNativePG writes it, by the names of its
// columns.
type cnpgJSON struct {
	Timestamp   string `json:"log_time"`
	User        string `json:"user_name"`
	Database    string `json:"database_name"`
	PID         string `json:"process_id"`
	Host        string `json:"connection_from"`
	Severity    string `json:"error_severity"`
	State       string `json:"sql_state_code"`
	Message     string `json:"message"`
	Detail      string `json:"detail"`
	Hint        string `json:"hint"`
	Internal    string `json:"internal_query"`
	Context     string `json:"context"`
	Statement   string `json:"query"`
	Application string `json:"application_name"`
	Backend     string `json:"backend_type"`
	QueryID     string `json:"query_id"`
}

// isRecord reports whether a line is one of jsonlog.
func (j *pgJSON) isRecord() bool {
	w, ok := pgWords[j.Severity]
	return ok && !w.label && isDate([]byte(j.Timestamp)) && (j.SessionID != "" || j.PID != nil)
}

func readJSONLog(in *Input, sink Sink) error {
	log := &pgLog{in: in, sink: sink}
	l := in.Lines()
	var other int64
	for l.Next() {
		line := l.Bytes()
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var j pgJSON
		err := json.Unmarshal(line, &j)
		if err == nil && j.Record == nil && !j.isRecord() {
			if j.Logger != "" && j.Logger != "postgres" {
				other++ // CloudNativePG's own
				continue
			}
			err = fmt.Errorf("no timestamp, error_severity and pid: %q", clip(string(line)))
		}
		var rec pgRecord
		if err == nil {
			err = log.jsonRecord(&rec, &j)
		}
		if err != nil {
			err = log.unreadable(err, in.BadAt(l, "%v", err))
		} else {
			err = log.put(&rec)
		}
		if err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	if other > 0 {
		in.Note("lines of another logger than postgres, skipped: %d", other)
	}
	return log.finish()
}

// jsonRecord reads the fields of a record.
func (g *pgLog) jsonRecord(rec *pgRecord, j *pgJSON) (err error) {
	rec.pid = runs.Missing
	if j.PID != nil {
		rec.pid = *j.PID
	}
	if j.QueryID != 0 {
		rec.queryID = strconv.FormatInt(j.QueryID, 10)
	}
	if r := j.Record; r != nil {
		*j = pgJSON{
			Timestamp: r.Timestamp, User: r.User, Database: r.Database, Host: clientHost(r.Host), Severity: r.Severity, State: r.State,
			Message: r.Message, Detail: r.Detail, Hint: r.Hint, Internal: r.Internal, Context: r.Context, Statement: r.Statement,
			Application: r.Application, Backend: r.Backend,
		}
		rec.queryID = r.QueryID
		if n, err := strconv.ParseInt(r.PID, 10, 64); err == nil {
			rec.pid = n
		}
	}
	if rec.ns, err = g.in.Stamps().Parse(j.Timestamp); err != nil {
		return err
	}
	rec.severity = j.Severity
	if w, ok := pgWords[j.Severity]; ok {
		g.word(w, j.Severity)
		rec.severity = w.english
	}
	rec.state, rec.user, rec.database = j.State, j.User, j.Database
	rec.application, rec.client, rec.backend = j.Application, j.Host, j.Backend
	rec.message = j.Message
	for _, f := range []pgField{
		{"DETAIL", j.Detail}, {"HINT", j.Hint}, {"QUERY", j.Internal}, {"CONTEXT", j.Context}, {"LOCATION", j.Function}, {"STATEMENT", j.Statement},
	} {
		if f.text != "" {
			rec.fields = append(rec.fields, f)
		}
	}
	return nil
}
