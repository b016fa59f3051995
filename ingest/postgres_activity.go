package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"headroom/runs"
)

// PostgresActivity reads samples of pg_stat_activity.
var PostgresActivity = &Importer{
	Name: "postgres-activity",
	Doc: `Samples of pg_stat_activity

CSV with a header, one row a session and sampling instant, as "select
clock_timestamp() as sampled_at, pid, backend_type, state, wait_event_type,
wait_event, query from pg_stat_activity" gives it; or JSON lines, one a sampling
instant: {"ts": …, "activity": [{"pid": …}]}
(https://www.postgresql.org/docs/current/monitoring-stats.html). Columns are
found by name; wait_event and one of pid and state are needed. A column backends
(or sessions, count) says how many sessions a row stands for.

A session without a wait event was running or idle, as its state says. What a
role without pg_read_all_stats sees (<insufficient privilege>) looks like
sessions that do not wait; how many rows are so is said.`,
	Gives: []string{"activity"},
	Lacks: []string{"what happened between two samples"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		if bytes.HasPrefix(line, []byte("{")) {
			return isActivityJSON(head)
		}
		names := strings.Split(string(line[:min(len(line), 4096)]), ",")
		_, ok := parseActivityHeader(names)
		return ok && !strings.ContainsAny(names[0], " \t:") // a log shows statements that list these columns
	},
	Read: func(in *Input, sink Sink) error {
		sample, err := readSample(in)
		if err != nil {
			return err
		}
		if bytes.HasPrefix(bytes.TrimSpace(sample), []byte("{")) {
			return readActivityJSON(in, sink)
		}
		return readActivityCSV(in, sink)
	},
}

// hiddenQuery is what pg_stat_activity shows of others to a role without rights;
// state and waits are then NULL.
const hiddenQuery = "<insufficient privilege>"

// activityMost is how many sessions one row can stand for.
const activityMost = 10_000

// activityHeader says in which column each field is; -1: in none.
type activityHeader struct {
	at, pid, backend, state, waitType, wait int
	database, user, application, query      int
	blockedBy, sessions, columns            int
}

// parseActivityHeader finds the columns by their names.
func parseActivityHeader(names []string) (h activityHeader, ok bool) {
	for i, name := range names {
		names[i] = strings.ToLower(strings.Trim(name, "\" \r"))
	}
	find := func(any ...string) int {
		return slices.IndexFunc(names, func(name string) bool { return slices.Contains(any, name) })
	}
	h = activityHeader{
		at: find(stampNames...), pid: find("pid"), backend: find("backend_type"), state: find("state"),
		waitType: find("wait_event_type"), wait: find("wait_event"),
		database: find("datname", "database"), user: find("usename", "user"),
		application: find("application_name", "application"), query: find("query"),
		blockedBy: find("blocked_by", "blocking_pids", "pg_blocking_pids", "blockers"),
		sessions:  find("backends", "sessions", "count"), columns: len(names),
	}
	return h, h.wait >= 0 && (h.pid >= 0 || h.state >= 0)
}

func readActivityCSV(in *Input, sink Sink) error {
	r := in.csvRecords(isDate)
	r.lazy = true // queries hold quotes
	a := &activityReader{in: in, sink: sink}
	headed := false
	for r.next() {
		if r.err != nil {
			if err := r.bad(in, "%v", r.err); err != nil {
				return err
			}
			continue
		}
		if !headed {
			if err := a.setHeader(r.fields); err != nil {
				return &FileError{in.Name, err}
			}
			headed = true
			continue
		}
		if err := a.row(r); err != nil {
			return err
		}
	}
	if err := r.l.Finish(); err != nil {
		return err
	}
	a.finish()
	return nil
}

var errNoSampleTime = errors.New("no column says when a row was sampled")

// activityReader holds what carries over from row to row.
type activityReader struct {
	in     *Input
	sink   Sink
	header activityHeader
	names  []string // of the columns
	hidden int64    // rows that the sampler's role could not see
}

func (a *activityReader) setHeader(fields []string) error {
	h, ok := parseActivityHeader(slices.Clone(fields))
	if !ok {
		return errors.New("the header lacks wait_event, or both pid and state")
	}
	a.header, a.names = h, slices.Clone(fields)
	return nil
}

// findStamp looks for the column that says when a row was sampled where its name
// does not tell: the first that holds a date and is not the view's own.
func (a *activityReader) findStamp(f []string) bool {
	own := []string{"backend_start", "xact_start", "query_start", "state_change"}
	for i, v := range f {
		if isDate([]byte(v)) && !slices.Contains(own, strings.ToLower(a.names[i])) {
			a.header.at = i
			return true
		}
	}
	return false
}

// row reads one record: a session, or as many as its count says.
func (a *activityReader) row(r *csvRecords) error {
	h, f := &a.header, r.fields
	if len(f) != h.columns {
		return r.bad(a.in, "a row of %d columns under a header of %d", len(f), h.columns)
	}
	if h.at < 0 && !a.findStamp(f) {
		return &FileError{a.in.Name, fmt.Errorf("line %d: %w: add clock_timestamp() as sampled_at to the query", r.line, errNoSampleTime)}
	}
	ns, err := a.in.Stamps().Parse(f[h.at])
	if errors.Is(err, ErrZone) {
		return &FileError{a.in.Name, fmt.Errorf("line %d: %w", r.line, err)}
	}
	if err != nil {
		return r.bad(a.in, "%v", err)
	}
	row := h.session(f)
	row.Time = micros(ns)
	if h.pid >= 0 && f[h.pid] != "" {
		if row.PID, err = strconv.ParseInt(f[h.pid], 10, 64); err != nil {
			return r.bad(a.in, "%q is no process id", clip(f[h.pid]))
		}
	}
	n := int64(1)
	if h.sessions >= 0 {
		if n, err = strconv.ParseInt(f[h.sessions], 10, 64); err != nil || n < 0 || n > activityMost {
			return r.bad(a.in, "%q is no number of sessions (0 to %d)", clip(f[h.sessions]), activityMost)
		}
	}
	for range n {
		if err := a.put(&row); err != nil {
			return err
		}
	}
	return nil
}

// session reads the text columns of a row.
func (h *activityHeader) session(f []string) runs.Activity {
	text := func(i int) string {
		if i < 0 {
			return ""
		}
		return shorten(f[i], pgTextMax)
	}
	return runs.Activity{
		PID: runs.Missing, BackendType: text(h.backend), State: text(h.state),
		WaitType: text(h.waitType), Wait: text(h.wait), Database: text(h.database), User: text(h.user),
		Application: text(h.application), Query: text(h.query), BlockedBy: strings.Trim(text(h.blockedBy), "{}"),
	}
}

func (a *activityReader) put(row *runs.Activity) error {
	if row.Query == hiddenQuery {
		a.hidden++
	}
	return a.sink.Activity(row)
}

func (a *activityReader) finish() {
	if a.hidden > 0 {
		a.in.Note("rows that the sampling role could not see (%s): %d; their states and waits are not known; grant it pg_monitor", hiddenQuery, a.hidden)
	}
}
