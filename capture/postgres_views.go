package capture

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"

	"headroom/ingest"
	"headroom/runs"
)

// statView is one statistics view and how it is asked for.
type statView struct {
	name     string // of its snapshots: that of the view
	relation string // whose presence in the catalogue says that the server has it
	sql      string // $at is where the stamp goes
	heavy    bool   // its cost grows with the schema
	seldom   bool   // it has many rows, or hardly changes: only at every sixth look
	hint     string // how to get it, if it is not there
}

// statViews are the views that are recorded, whatever columns they have.
var statViews = []statView{
	{name: "pg_stat_database", relation: "pg_stat_database", sql: "select $at, d.* from pg_catalog.pg_stat_database d where datname = pg_catalog.current_database()"},
	{name: "pg_stat_bgwriter", relation: "pg_stat_bgwriter", sql: "select $at, v.* from pg_catalog.pg_stat_bgwriter v"},
	{name: "pg_stat_checkpointer", relation: "pg_stat_checkpointer", sql: "select $at, v.* from pg_catalog.pg_stat_checkpointer v", hint: " (17 and later; pg_stat_bgwriter has its columns before)"},
	{name: "pg_stat_wal", relation: "pg_stat_wal", sql: "select $at, v.* from pg_catalog.pg_stat_wal v", hint: " (14 and later)"},
	{name: "pg_stat_io", relation: "pg_stat_io", sql: "select $at, v.* from pg_catalog.pg_stat_io v", hint: " (16 and later)"},
	{name: "pg_stat_slru", relation: "pg_stat_slru", seldom: true, sql: "select $at, v.* from pg_catalog.pg_stat_slru v", hint: " (13 and later)"},
	{name: "pg_stat_archiver", relation: "pg_stat_archiver", seldom: true, sql: "select $at, v.* from pg_catalog.pg_stat_archiver v"},
	{name: "pg_stat_replication", relation: "pg_stat_replication", sql: `select $at, application_name, state, sync_state, sent_lsn, write_lsn, flush_lsn, replay_lsn,
		write_lag, flush_lag, replay_lag from pg_catalog.pg_stat_replication`},
	{name: "pg_stat_progress_vacuum", relation: "pg_stat_progress_vacuum", sql: "select $at, v.* from pg_catalog.pg_stat_progress_vacuum v"},
	{name: "pg_locks", relation: "pg_locks", sql: `select $at, locktype, mode, granted, count(*) as count from pg_catalog.pg_locks
		where pid <> pg_catalog.pg_backend_pid() group by 2, 3, 4`},
	{name: "pg_stat_user_tables", relation: "pg_stat_user_tables", heavy: true, sql: `select $at, v.*, pg_catalog.pg_relation_size(relid) as main_bytes,
		pg_catalog.pg_indexes_size(relid) as index_bytes from pg_catalog.pg_stat_user_tables v`},
	{name: "pg_stat_user_indexes", relation: "pg_stat_user_indexes", heavy: true, sql: `select $at, v.*, pg_catalog.pg_relation_size(indexrelid) as bytes
		from pg_catalog.pg_stat_user_indexes v`},
	{name: "pg_stat_statements", relation: "pg_stat_statements", heavy: true, seldom: true, hint: ": create extension pg_stat_statements in this database, and load it with the server",
		sql: "select $at, v.* from pg_stat_statements v where dbid = (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()) order by calls desc limit 200"},
	{name: "pg_stat_statements_info", relation: "pg_stat_statements_info", sql: "select $at, v.* from pg_stat_statements_info v", hint: " (with the extension, 14 and later)"},
}

// viewNames are the views of the catalogue that are asked for.
func viewNames() []string {
	names := []string{"pg_stat_activity"}
	for _, v := range statViews {
		names = append(names, v.relation)
	}
	return names
}

// cadenced is the pace of heavy views: they are asked for less often where they
// take long, so that they take heavyShare of the time at most.
type cadenced struct {
	next  time.Duration
	every time.Duration // as last chosen
}

const (
	heavyShare = 0.02
	seldomness = 6
)

// lookViews records the statistics views. role is "before" or "after" at the
// ends of the load, when all of them are taken. An error means that the
// connection is lost.
func (p *postgres) lookViews(ctx context.Context, role string) error {
	elapsed := p.c.opt.Clock.Elapsed
	heavy := role != "" || elapsed() >= p.heavy.next
	began := elapsed()
	for _, v := range p.views {
		if v.heavy && !heavy || v.seldom && role == "" && p.looks%seldomness != 0 {
			continue
		}
		if err := p.lookView(ctx, v, role); err != nil && p.lost(ctx, v.name, err) {
			return err
		}
	}
	if err := p.lookServer(ctx, role); err != nil && p.lost(ctx, "pg_server", err) {
		return err
	}
	p.looks++
	took := elapsed() - began
	p.c.rec.Point(&runs.Point{
		Time: p.c.opt.Clock.Now().UnixMicro(), Source: sourceAgent, Metric: "capture.views_seconds", Kind: runs.Gauge,
		Value: took.Seconds(), Unit: "s", Resolution: p.c.opt.Postgres.Views.Microseconds(),
	})
	if heavy && role == "" {
		every := max(p.c.opt.Postgres.Views, time.Duration(float64(took)/heavyShare).Round(time.Second))
		if every > 2*max(p.heavy.every, p.c.opt.Postgres.Views) {
			p.c.tell(Note, "postgres: tables, indexes and statements are read every %s: reading them takes %s", every, took.Round(time.Millisecond))
		}
		p.heavy = cadenced{next: elapsed() + every, every: every}
		p.mu.Lock()
		p.pace = every
		p.mu.Unlock()
	}
	return nil
}

// lookView records one view: its rows whole, and its numbers as points, by the
// importer of such files.
func (p *postgres) lookView(ctx context.Context, v statView, role string) error {
	now := p.c.opt.Clock.Now().UTC()
	at := "'" + now.Format("2006-01-02T15:04:05.000000Z") + "'::text as sampled_at"
	r, err := p.ask(ctx, strings.Replace(v.sql, "$at", at, 1))
	if err != nil || len(r.rows) == 0 {
		return err
	}
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	w.Write(r.columns)
	record := make([]string, len(r.columns))
	query := -1
	for i, name := range r.columns {
		if name == "query" {
			query = i
		}
	}
	for i := range r.rows {
		for j := range record {
			record[j] = r.text(i, j)
		}
		if query >= 0 {
			record[query] = p.normalised(record[query])
		}
		w.Write(record)
	}
	w.Flush()
	in := ingest.NewInput(sourcePostgres, &text, ingest.Options{})
	if err := ingest.PostgresStats.Read(in, &viewSink{p, role}); err != nil {
		p.c.once(Warning, "read "+v.name, "postgres: %s: %v", v.name, err)
	}
	return nil
}

// viewSink takes what the importer makes of a view.
type viewSink struct {
	p    *postgres
	role string
}

func (s *viewSink) Point(r *runs.Point) error {
	r.Source, r.Resolution = sourcePostgres, s.p.c.opt.Postgres.Views.Microseconds()
	return s.p.c.rec.Point(r)
}

// Snapshot keeps the whole rows of both ends of the load. In between the numbers
// are points, and the rows would say nothing more.
func (s *viewSink) Snapshot(r *runs.Snapshot) error {
	if s.role == "" {
		return nil
	}
	r.Source, r.Role = sourcePostgres, s.role
	s.p.refer(r)
	return s.p.c.rec.Snapshot(r)
}

func (s *viewSink) Sample(*runs.Sample) error       { return nil }
func (s *viewSink) Activity(*runs.Activity) error   { return nil }
func (s *viewSink) Marker(*runs.Marker) error       { return nil }
func (s *viewSink) Histogram(*runs.Histogram) error { return nil }
func (s *viewSink) Benchmark(*runs.Benchmark) error { return nil }

// refer keeps what the manifest says of the rows of a view.
func (p *postgres) refer(s *runs.Snapshot) {
	key := s.View + " " + s.Role
	f := p.refs[key]
	if f == nil {
		f = &runs.SnapshotRef{View: s.View, Source: s.Source, Role: s.Role, First: stamp(time.UnixMicro(s.Time))}
		p.refs[key] = f
	}
	f.Rows++
	if last := stamp(time.UnixMicro(s.Time)); last != f.Last {
		f.Instants++
		f.Last = last
	}
}

// lookActivity records every session that is not idle, and every background
// process. Who blocks whom is asked for at every fifth look only: the server
// takes locks of its own to answer.
func (p *postgres) lookActivity(ctx context.Context) error {
	if p.activity == "" {
		return nil
	}
	blockers := "null"
	if p.blockers--; p.blockers <= 0 {
		p.blockers = 5
		blockers = "case when wait_event_type = 'Lock' then pg_catalog.array_to_string(pg_catalog.pg_blocking_pids(pid), ',') end"
	}
	began, now := p.c.opt.Clock.Elapsed(), p.c.opt.Clock.Now()
	r, err := p.ask(ctx, fmt.Sprintf(p.activity, blockers))
	if err != nil {
		return err
	}
	at := now.Add((p.c.opt.Clock.Elapsed() - began) / 2).UnixMicro()
	waiting := 0
	for i := range r.rows {
		pid, err := strconv.ParseInt(r.text(i, 0), 10, 64)
		if err != nil {
			pid = runs.Missing
		}
		a := runs.Activity{
			Time: at, Source: sourcePostgres, PID: pid, BackendType: r.text(i, 1), State: r.text(i, 2), WaitType: r.text(i, 3), Wait: r.text(i, 4),
			Database: r.text(i, 5), User: r.text(i, 6), Application: maskText(r.text(i, 7)), Query: p.normalised(r.text(i, 8)), BlockedBy: r.text(i, 9),
		}
		if a.BackendType == "client backend" && a.WaitType != "" && a.WaitType != "Client" {
			waiting++
		}
		p.c.rec.Activity(&a)
	}
	p.c.waiting.Store(int64(waiting))
	return nil
}

// queriesKept bounds the statements whose normalised form is remembered.
const queriesKept = 2000

// normalised returns a statement without its literals, which can be secrets and
// make every text another.
func (p *postgres) normalised(q string) string {
	if q == "" {
		return ""
	}
	if known, ok := p.queries[q]; ok {
		return known
	}
	if len(p.queries) >= queriesKept {
		clear(p.queries)
	}
	short := normaliseSQL(maskText(q))
	p.queries[strings.Clone(q)] = short
	return short
}
