package ingest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"headroom/runs"
)

// pgRecord is one record of a PostgreSQL log, whatever form it was written in.
// Empty strings were not logged.
type pgRecord struct {
	ns       int64  // since the Unix epoch
	pid      int64  // runs.Missing if not logged
	severity string // in English
	state    string // SQLSTATE

	user, database, application string
	client                      string // host, without the port
	backend                     string // backend type
	queryID                     string // text, since a float cannot hold it

	message string    // all its lines
	fields  []pgField // what followed the message
}

// pgField is a further field of a record: DETAIL, HINT, CONTEXT, STATEMENT.
type pgField struct{ label, text string }

// field returns the text of the first field with a label.
func (r *pgRecord) field(label string) string {
	for _, f := range r.fields {
		if f.label == label {
			return f.text
		}
	}
	return ""
}

// pgDetailMax is the most bytes that a marker's Detail keeps.
const pgDetailMax = 64 << 10

// marker turns the record into a marker: of the kind that its message says, else
// "postgres.log".
// Its attributes are gathered in a, whatever that held.
func (r *pgRecord) marker(a *attrs) runs.Marker {
	m := runs.Marker{Time: micros(r.ns), Severity: r.severity, Duration: runs.Missing, PID: r.pid}
	*a = (*a)[:0]
	m.Kind, m.Duration = r.classify(a)
	a.text("application", r.application)
	a.text("backend_type", r.backend)
	a.text("client", r.client)
	a.text("database", r.database)
	a.text("user", r.user)
	if r.state != "00000" {
		a.text("sqlstate", r.state)
	}
	if r.queryID != "0" && r.queryID != "-1" {
		a.text("query_id", r.queryID)
	}
	m.Attrs = a.json()

	first, rest, more := strings.Cut(r.message, "\n")
	m.Message = shorten(first, runs.MaxMessage)
	var detail strings.Builder
	if more {
		detail.WriteString(rest)
	}
	for _, f := range r.fields {
		if detail.Len() > 0 {
			detail.WriteByte('\n')
		}
		detail.WriteString(f.label + ":  " + f.text)
	}
	m.Detail = shorten(detail.String(), pgDetailMax)
	return m
}

// shorten makes text valid UTF-8 of at most most bytes; what is cut is marked.
func shorten(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	const mark = "…"
	cut := most - len(mark)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + mark
}

// pgLog takes the records of one PostgreSQL log and writes their markers.
type pgLog struct {
	in   *Input
	sink Sink

	placed     int64    // records that became markers
	plain      int64    // of them, those whose message said nothing that is known
	translated []string // foreign words before the colon, in order of appearance
	foreign    int64    // messages that begin in a way that only translations do
	zone       error    // of the first stamp whose zone is not known

	row   runs.Marker // made anew for every record, and
	attrs attrs       // what it says
}

// unreadable takes the error of a record that cannot be read, and what reporting
// it as bad returned: nil, or the error that ends the import, of which a zone
// that is not known is the better reason.
func (g *pgLog) unreadable(err, ends error) error {
	if errors.Is(err, ErrZone) && g.zone == nil {
		g.zone = err
	}
	if ends != nil && g.zone != nil {
		return pgZoneError(g.zone)
	}
	return ends
}

// put writes a record.
func (g *pgLog) put(r *pgRecord) error {
	g.row = r.marker(&g.attrs)
	m := &g.row
	g.placed++
	if m.Kind == pgPlain {
		g.plain++
		if isForeignMessage(r.message) {
			g.foreign++
		}
	}
	if v, ok := strings.CutPrefix(r.message, "starting PostgreSQL "); ok {
		if g.in.Meta.Settings == nil {
			g.in.Meta.Settings = map[string]string{}
		}
		version, _, _ := strings.Cut(v, " ")
		g.in.Meta.Settings["server_version"] = shorten(version, 100)
	}
	return g.sink.Marker(m)
}

// word notes a severity or label as it was written.
func (g *pgLog) word(w pgWord, written string) {
	if w.translated && !slices.Contains(g.translated, written) && len(g.translated) < 8 {
		g.translated = append(g.translated, written)
	}
}

// finish notes what could not be told apart. It is an error if no record could
// be placed in time.
func (g *pgLog) finish() error {
	switch {
	case g.placed == 0 && g.zone != nil:
		return pgZoneError(g.zone)
	case len(g.translated) > 0:
		g.in.Note("the log is translated by lc_messages (%s): %d of %d records are kept as they are, their messages not told apart; record with lc_messages=C",
			strings.Join(g.translated, ", "), g.plain, g.placed)
	case g.foreign > 0:
		g.in.Note("the log is translated by lc_messages: %d of %d records are kept as they are, their messages not told apart; record with lc_messages=C",
			g.plain, g.placed)
	}
	return nil
}

// pgOpenings are how frequent messages begin in the catalogues of version 15:
// duration, connection received, checkpoint starting, where the severity LOG is
// the same word as in English.
var pgOpenings = []string{
	"Dauer: ", "Verbindung ", "Checkpoint ", "automatisches ",
	"duración: ", "conexión ", "empezando checkpoint", "checkpoint completado",
	"durée : ", "connexion ", "début du checkpoint", "checkpoint terminé",
	"durata: ", "connessione ", "inizio checkpoint", "checkpoint completato",
	"期間: ", "接続", "チェックポイント",
}

func isForeignMessage(message string) bool {
	return slices.ContainsFunc(pgOpenings, func(opening string) bool { return strings.HasPrefix(message, opening) })
}

// clientHost takes the port off the client's address as csvlog ("192.0.2.7:50112")
// and %r ("192.0.2.7(50112)") write it.
func clientHost(address string) string {
	if host, _, ok := strings.Cut(address, "("); ok {
		return host
	}
	if i := strings.LastIndexByte(address, ':'); i >= 0 && isWhole([]byte(address[i+1:])) {
		return address[:i]
	}
	return address
}

// nameOrNone drops what PostgreSQL writes for a name that is not known yet, in
// the language of the log.
func nameOrNone(name string) string {
	switch name {
	case "[unknown]", "[unbekannt]", "[desconocido]", "[inconnu]", "[sconosciuto]", "[不明]",
		"[უცნობი]", "[알수없음]", "[н/д]", "[okänd]", "[未知]":
		return ""
	}
	return name
}

// pgZoneError says that no record of a log could be placed in time.
func pgZoneError(err error) error {
	return fmt.Errorf("no record can be placed in time: %w", err)
}
