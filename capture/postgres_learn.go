package capture

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/ingest"
	"headroom/runs"
)

// learn asks what the server has and what this role may see, and measures its
// clock.
func (p *postgres) learn(ctx context.Context) error {
	have, err := p.ask(ctx, `select c.relname, a.attname from pg_catalog.pg_attribute a
		join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		where a.attnum > 0 and not a.attisdropped and c.relkind in ('v', 'r')
		and (n.nspname = 'pg_catalog' and c.relname in ('`+strings.Join(viewNames(), "', '")+`')
			or c.relname in ('pg_stat_statements', 'pg_stat_statements_info') and pg_catalog.pg_table_is_visible(c.oid))
		order by 1, a.attnum`)
	if err != nil {
		return err
	}
	columns := map[string][]string{}
	for i := range have.rows {
		columns[have.text(i, 0)] = append(columns[have.text(i, 0)], have.text(i, 1))
	}
	var lacks []statView
	p.views, lacks = viewsOf(columns)
	for _, v := range lacks {
		p.c.absentOnce(v.relation, runs.NotMeasurable, "this server has no "+v.relation+v.hint)
	}
	p.heavy = cadenced{}
	p.activity = activityQuery(columns["pg_stat_activity"])
	if err := p.rights(ctx); err != nil {
		return err
	}
	if err := p.learnServer(ctx); err != nil {
		return err
	}
	p.measureClock(ctx)
	p.learnZone(ctx)
	if p.local() {
		p.adoptServer(ctx)
	}
	return nil
}

// viewsOf returns the views that a server has, by the columns that its catalogue
// lists, and those that it lacks.
func viewsOf(columns map[string][]string) (have, lack []statView) {
	for _, v := range statViews {
		if len(columns[v.relation]) == 0 {
			lack = append(lack, v)
			continue
		}
		have = append(have, v)
	}
	return have, lack
}

// activityQuery is the query for the sessions; its columns are in all versions
// from 10 on but for query_id, which is not kept.
func activityQuery(columns []string) string {
	if !slices.Contains(columns, "backend_type") {
		return ""
	}
	return `select pid, backend_type, state, wait_event_type, wait_event, datname, usename, application_name, left(query, 300), %s
		from pg_catalog.pg_stat_activity
		where pid <> pg_catalog.pg_backend_pid() and (state is distinct from 'idle' or backend_type <> 'client backend')`
}

// rights records what the role may not see. To a role without
// pg_read_all_stats the sessions of others look as if they did not wait, so
// that they are not recorded at all.
func (p *postgres) rights(ctx context.Context) error {
	r, err := p.ask(ctx, "select current_user, pg_catalog.pg_has_role(current_user, 'pg_read_all_stats', 'usage')")
	if err != nil {
		return err
	}
	if r.text(0, 1) != "t" {
		p.activity = ""
		p.c.absentOnce("wait samples", runs.NotMeasurable,
			fmt.Sprintf("role %s may not see the sessions of others: grant it pg_monitor", r.text(0, 0)))
	}
	return nil
}

// clockLooks is how often the server's clock is asked; the quickest answer is
// believed.
const clockLooks = 5

// measureClock measures how far the server's clock is from the agent's: its
// stamp against the middle between question and answer.
func (p *postgres) measureClock(ctx context.Context) {
	best := time.Duration(-1)
	for range clockLooks {
		began, from := p.c.opt.Clock.Elapsed(), p.c.opt.Clock.Now()
		r, err := p.ask(ctx, "select (extract(epoch from pg_catalog.clock_timestamp()) * 1000000)::int8")
		took := p.c.opt.Clock.Elapsed() - began
		if err != nil {
			return
		}
		us, err := strconv.ParseInt(r.text(0, 0), 10, 64)
		if err == nil && (best < 0 || took < best) {
			best = took
			p.mu.Lock()
			p.offset, p.unsure = from.Add(took/2).Sub(time.UnixMicro(us)), took/2
			p.mu.Unlock()
		}
	}
}

// learnZone asks in which zone the server stamps its log. A zone of a name that is
// not known here stays unknown.
func (p *postgres) learnZone(ctx context.Context) {
	r, err := p.ask(ctx, "select pg_catalog.current_setting('log_timezone')")
	if err != nil || len(r.rows) == 0 {
		return
	}
	zone, err := ingest.ParseZone(r.text(0, 0))
	if err != nil {
		return
	}
	p.mu.Lock()
	p.zone = zone
	p.mu.Unlock()
}

// logZone is the zone in which the server stamps its log; nil if it is not known.
func (p *postgres) logZone() *time.Location {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.zone
}

// adoptServer makes the processes of a server on this host a group.
func (p *postgres) adoptServer(ctx context.Context) {
	r, err := p.ask(ctx, "select pg_catalog.pg_backend_pid()")
	if err != nil {
		return
	}
	if pid, err := strconv.Atoi(r.text(0, 0)); err == nil {
		p.c.adopt(groupPostgres, pid)
	}
}

// describe records the settings, versions and extensions of the server; at the
// end, what became of them.
func (p *postgres) describe(ctx context.Context, role string) {
	r, err := p.ask(ctx, `select name, setting, coalesce(unit, '') from pg_catalog.pg_settings
		where source <> 'default' or name in ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers',
		'max_wal_size', 'min_wal_size', 'checkpoint_timeout', 'wal_compression', 'wal_buffers', 'max_connections', 'work_mem',
		'autovacuum', 'autovacuum_naptime', 'autovacuum_vacuum_cost_limit', 'autovacuum_vacuum_cost_delay', 'track_io_timing',
		'log_checkpoints', 'log_autovacuum_min_duration', 'log_lock_waits', 'deadlock_timeout', 'data_checksums') order by name`)
	if err != nil {
		p.c.absentOnce("settings "+role+" the load", runs.CollectorDied, p.plain(err).Error())
		return
	}
	settings := map[string]string{}
	for i := range r.rows {
		name, value := r.text(i, 0), r.text(i, 1)
		if secretName.MatchString(name) || strings.Contains(name, "conninfo") || strings.HasSuffix(name, "_command") || name == "application_name" {
			continue // they can hold passwords, or are the agent's own
		}
		if unit := r.text(i, 2); unit != "" {
			value += " " + unit
		}
		settings[name] = value
	}
	if r, err := p.ask(ctx, "select extname, extversion from pg_catalog.pg_extension order by 1"); err == nil {
		for i := range r.rows {
			settings["extension "+r.text(i, 0)] = r.text(i, 1)
		}
	}
	if role == "before" {
		p.describeDisk(ctx)
	}
	p.c.rec.manifest(func(m *runs.Manifest) {
		if role == "after" && m.Settings != nil {
			for _, name := range changedNames(m.Settings, settings) {
				m.Notes = append(m.Notes, fmt.Sprintf("setting %s changed during the run, from %q to %q", name, m.Settings[name], settings[name]))
			}
			return
		}
		m.Settings = settings
	})
}

// databaseDisk is the fact of the environment that says on what a database lies.
const databaseDisk = "filesystem of the database"

// describeDisk records the filesystem of the server's data, where it is this
// host's and the server tells where it is. The path itself is not kept.
func (p *postgres) describeDisk(ctx context.Context) {
	if !p.local() {
		p.c.absentOnce(databaseDisk, runs.NotMeasurable, "the server is on another host")
		return
	}
	r, err := p.ask(ctx, "select setting from pg_catalog.pg_settings where name = 'data_directory'")
	kind := ""
	if err == nil && len(r.rows) == 1 {
		kind = filesystemOf(p.c.opt.Proc, r.text(0, 0))
	}
	if kind == "" {
		p.c.absentOnce(databaseDisk, runs.NotMeasurable, "the server does not say where its data is: grant the role pg_monitor")
		return
	}
	p.c.rec.manifest(func(m *runs.Manifest) {
		if m.Environment == nil {
			m.Environment = map[string]string{}
		}
		m.Environment[databaseDisk] = kind
	})
}

// changedNames returns the names whose values differ, sorted.
func changedNames(a, b map[string]string) []string {
	var out []string
	for name, v := range a {
		if b[name] != v {
			out = append(out, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
