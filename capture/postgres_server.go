package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/ingest"
	"headroom/runs"
)

// serverFigure is a number that a server has beside its statistics views: a
// column of the snapshots table pg_server.
type serverFigure struct {
	name     string
	sql      string
	function string    // that gives it, of pg_catalog; "": none is needed
	kind     runs.Kind // of its points
	unit     string
	position bool   // it is cheap and moves all the time: every second
	primary  bool   // a standby does not have it
	what     string // it is called where it is not recorded
}

// serverFigures are those that are recorded. Of two of one name the first that
// the server has is taken. The next transaction's id is read from a snapshot:
// pg_current_xact_id would use one up at every look.
var serverFigures = []serverFigure{
	{name: "wal_insert_bytes", function: "pg_current_wal_insert_lsn", kind: runs.Counter, unit: "B", position: true, primary: true, what: "WAL position",
		sql: "pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_insert_lsn(), '0/0')"},
	{name: "xid", function: "pg_current_snapshot", kind: runs.Counter, unit: "1", position: true, what: "transaction ids",
		sql: "pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())"},
	{name: "xid", function: "txid_current_snapshot", kind: runs.Counter, unit: "1", position: true, what: "transaction ids",
		sql: "pg_catalog.txid_snapshot_xmax(pg_catalog.txid_current_snapshot())"},
	{name: "xid_age", sql: "(select max(pg_catalog.age(datfrozenxid)) from pg_catalog.pg_database)"},
	{name: "multixact_age", sql: "(select max(pg_catalog.mxid_age(datminmxid)) from pg_catalog.pg_database)"},
	{name: "wal_files", function: "pg_ls_waldir", sql: "waldir.files", what: "WAL files"},
	{name: "wal_files_bytes", function: "pg_ls_waldir", sql: "waldir.bytes", what: "WAL files"},
}

// waldir counts the segments of the WAL; other files lie beside them.
const waldir = ` from (select count(*) as files, coalesce(sum(size), 0) as bytes from pg_catalog.pg_ls_waldir() where name ~ '^[0-9A-F]{24}$') waldir`

// serverHas is what the catalogue says of the functions behind the figures.
type serverHas struct {
	functions map[string]bool // name → whether this role may call it
	standby   bool
}

// positionEvery is how often the figures that move all the time are looked at.
const positionEvery = time.Second

// learnServer asks which of the figures this server has for this role.
func (p *postgres) learnServer(ctx context.Context) error {
	var names []string
	for _, f := range serverFigures {
		names = append(names, f.function)
	}
	r, err := p.ask(ctx, `select proname, pg_catalog.bool_and(pg_catalog.has_function_privilege(oid, 'execute')), pg_catalog.pg_is_in_recovery()
		from pg_catalog.pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname in ('`+strings.Join(names, "', '")+`') group by 1`)
	if err != nil {
		return err
	}
	has := serverHas{functions: map[string]bool{}}
	for i := range r.rows {
		has.functions[r.text(i, 0)] = r.text(i, 1) == "t"
		has.standby = r.text(i, 2) == "t"
	}
	var lacks map[string]string
	p.figures, lacks = figuresOf(has)
	for what, why := range lacks {
		p.c.absentOnce(what, runs.NotMeasurable, why)
	}
	return nil
}

// figuresOf returns the figures of a server, and what it does not have with the
// reason.
func figuresOf(has serverHas) (figures []serverFigure, lacks map[string]string) {
	lacks = map[string]string{}
	for _, f := range serverFigures {
		may, there := has.functions[f.function]
		switch {
		case slices.ContainsFunc(figures, func(g serverFigure) bool { return g.name == f.name }):
		case f.primary && has.standby:
			lacks[f.what] = "the server is a standby, which writes no WAL of its own"
		case f.function != "" && !there:
			lacks[f.what] = "this server has no function " + f.function
		case f.function != "" && !may:
			lacks[f.what] = "the role may not call " + f.function + ": grant it pg_monitor"
		default:
			figures = append(figures, f)
			delete(lacks, f.what)
		}
	}
	return figures, lacks
}

// serverQuery asks for some figures; "" if there is none.
func serverQuery(figures []serverFigure) string {
	var columns []string
	from := ""
	for _, f := range figures {
		columns = append(columns, f.sql+" as "+f.name)
		if f.function == "pg_ls_waldir" {
			from = waldir
		}
	}
	if len(columns) == 0 {
		return ""
	}
	return "select " + strings.Join(columns, ", ") + from
}

// figuresThat returns the figures that are positions, or those that are not.
func (p *postgres) figuresThat(position bool) []serverFigure {
	return slices.DeleteFunc(slices.Clone(p.figures), func(f serverFigure) bool { return f.position != position })
}

// lookPosition records the figures that move all the time.
func (p *postgres) lookPosition(ctx context.Context) error {
	figures := p.figuresThat(true)
	query := serverQuery(figures)
	if query == "" {
		return nil
	}
	now := p.c.opt.Clock.Now()
	r, err := p.ask(ctx, query)
	if err != nil || len(r.rows) != 1 {
		return err
	}
	for i, f := range figures {
		v, err := strconv.ParseFloat(r.text(0, i), 64)
		if err != nil {
			continue // NULL
		}
		p.c.rec.Point(&runs.Point{
			Time: now.UnixMicro(), Source: sourcePostgres, Metric: "postgres.server." + f.name, Kind: f.kind,
			Value: v, Unit: f.unit, Resolution: positionEvery.Microseconds(),
		})
	}
	return nil
}

// lookServer records the other figures; at the ends of the load all of them, as
// a row of pg_server.
func (p *postgres) lookServer(ctx context.Context, role string) error {
	figures := p.figures
	if role == "" {
		figures = p.figuresThat(false)
	}
	query := serverQuery(figures)
	if query == "" {
		return nil
	}
	line := map[string]any{"sampled_at": stamp(p.c.opt.Clock.Now())}
	r, err := p.ask(ctx, query)
	if err != nil || len(r.rows) != 1 {
		return err
	}
	for i, name := range r.columns {
		if r.rows[0][i] != nil {
			line[name] = r.text(0, i)
		}
	}
	text, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("pg_server: %w", err)
	}
	in := ingest.NewInput(sourcePostgres, bytes.NewReader(text), ingest.Options{})
	return ingest.PostgresStatsJSON.Read(in, &viewSink{p, role})
}
