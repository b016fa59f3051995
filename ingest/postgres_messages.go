package ingest

import (
	"strings"

	"headroom/runs"
)

// pgPlain is the kind of a record whose message says nothing that is known.
const pgPlain = "postgres.log"

// pgMessage is one kind of message. Messages are told by how they begin, which
// is compared before anything is parsed: logs reach hundreds of megabytes.
//
// The texts are those of the server's own format strings, versions 9.4 to 18,
// in English (lc_messages=C).
type pgMessage struct {
	begins string
	kind   string
	// parse fills in attributes and returns the kind, which may be a finer one,
	// and how long the thing lasted in ns. ok is false if the message is not of
	// this kind after all. Nil: the kind alone is told.
	parse func(r *pgRecord, a *attrs) (kind string, ns int64, ok bool)
}

// pgMessages are tried in order, the frequent ones first.
var pgMessages = []pgMessage{
	{"duration: ", "", pgDuration},
	{"connection received: ", "postgres.connection.received", nil},
	{"connection authenticated: ", "postgres.connection.authenticated", nil},
	{"connection authorized: ", "postgres.connection.authorized", nil},
	{"replication connection authorized: ", "postgres.connection.authorized", nil},
	{"disconnection: ", "", pgDisconnection},
	{"process ", "", pgLockWait},
	{"temporary file: ", "", pgTempFile},
	{"automatic ", "", pgAutovacuum},
	{"checkpoint starting:", "", pgCheckpointStart},
	{"checkpoint complete:", "", pgCheckpointComplete},
	{"restartpoint starting:", "", pgCheckpointStart},
	{"restartpoint complete:", "", pgCheckpointComplete},
	{"checkpoints are occurring too frequently", "", pgCheckpointFrequent},
	{"deadlock detected", "postgres.deadlock", nil},
	{"canceling autovacuum task", "postgres.autovacuum.cancelled", nil},
	{"canceling statement due to ", "", pgCancelled},
	{"sorry, too many clients already", "postgres.connection.refused", nil},
	{"remaining connection slots are reserved", "postgres.connection.refused", nil},
	{"too many connections for ", "postgres.connection.refused", nil},
	{"terminating connection", "postgres.connection.terminated", nil},
	{"the database system is ", "postgres.connection.refused", nil}, // starting up, in recovery mode, shutting down
	{"parameter \"", "", pgParameter},
	{"received SIGHUP, reloading", "postgres.reload", nil},
	{"received ", "", pgShutdownRequest},
	{"starting PostgreSQL ", "", pgStarting},
	{"database system is ready to accept", "postgres.ready", nil},
	{"database system is shut down", "postgres.shutdown", nil},
	{"database system was not properly shut down", "postgres.recovery", nil},
	{"database system was interrupted", "postgres.recovery", nil},
	{"all server processes terminated; reinitializing", "postgres.crash.reinitialize", nil},
	{"terminating any other active server processes", "postgres.crash.terminating", nil},
	{"redo starts at ", "postgres.recovery.redo", nil},
	{"redo done at ", "", pgRedoDone},
}

// classify tells the kind of the record and how long the thing lasted, and fills
// in what its message says.
func (r *pgRecord) classify(a *attrs) (kind string, ns int64) {
	for i := range pgMessages {
		m := &pgMessages[i]
		if !strings.HasPrefix(r.message, m.begins) {
			continue
		}
		if m.parse == nil {
			return m.kind, runs.Missing
		}
		if kind, ns, ok := m.parse(r, a); ok {
			return kind, ns
		}
		*a = (*a)[:0]
	}
	if strings.Contains(r.message, ") was terminated by signal ") && r.crash(a) {
		return "postgres.crash", runs.Missing
	}
	return r.classifyState()
}

// classifyState tells the kind by the SQLSTATE, which no language changes
// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
func (r *pgRecord) classifyState() (kind string, ns int64) {
	switch r.state {
	case "40P01":
		return "postgres.deadlock", runs.Missing
	case "53300", "57P03":
		return "postgres.connection.refused", runs.Missing
	case "57014":
		return "postgres.statement.cancelled", runs.Missing
	case "57P01", "57P05":
		return "postgres.connection.terminated", runs.Missing
	}
	return pgPlain, runs.Missing
}

// pgDuration reads "duration: X ms", with or without what was done. Parse and
// bind are steps of the extended protocol, not statements that ran; a plan is
// what auto_explain adds to a statement that has its own line.
func pgDuration(r *pgRecord, a *attrs) (string, int64, bool) {
	ns, rest, ok := cutMillis(strings.TrimPrefix(r.message, "duration: "))
	if !ok {
		return "", 0, false
	}
	a.number("duration", seconds(ns))
	rest = strings.TrimLeft(rest, " ")
	word, name, _ := strings.Cut(rest, " ")
	word = strings.TrimSuffix(word, ":")
	name, _, named := strings.Cut(name, ": ")
	if named && !strings.Contains(name, "\n") && (word == "parse" || word == "bind" || word == "execute") {
		a.text("statement", shorten(name, 200))
	}
	switch word {
	case "parse", "bind", "plan":
		return "postgres.statement." + word, ns, true
	case "":
		return "postgres.statement", ns, true
	}
	a.text("step", shorten(word, 40))
	return "postgres.statement", ns, true
}

// pgDisconnection reads "disconnection: session time: H:MM:SS.mmm user=… ".
func pgDisconnection(r *pgRecord, a *attrs) (string, int64, bool) {
	const kind = "postgres.connection.closed"
	_, text, ok := strings.Cut(r.message, "session time: ")
	if !ok {
		return kind, runs.Missing, true
	}
	clock, _, _ := strings.Cut(text, " ")
	part := strings.Split(clock, ":")
	if len(part) != 3 {
		return kind, runs.Missing, true
	}
	h, ok1 := scaled([]byte(part[0]), 0)
	m, ok2 := scaled([]byte(part[1]), 0)
	s, ok3 := scaled([]byte(part[2]), 9)
	if !ok1 || !ok2 || !ok3 || h < 0 || h > 1<<20 || m < 0 || m > 59 || s < 0 {
		return kind, runs.Missing, true
	}
	ns := (h*3600+m*60)*1e9 + s
	a.number("session", seconds(ns))
	return kind, ns, true
}

// pgLockWait reads the lines of log_lock_waits. "Still waiting" comes once, after
// deadlock_timeout; how long the wait was stands in the line that ends it.
func pgLockWait(r *pgRecord, a *attrs) (string, int64, bool) {
	pid, rest, ok := strings.Cut(strings.TrimPrefix(r.message, "process "), " ")
	n, isPID := scaled([]byte(pid), 0)
	if !ok || !isPID {
		return "", 0, false
	}
	for _, form := range []struct{ begins, kind string }{
		{"still waiting for ", "postgres.lock.wait"},
		{"acquired ", "postgres.lock.acquired"},
		{"detected deadlock while waiting for ", "postgres.lock.deadlock"},
		{"avoided deadlock for ", "postgres.lock.deadlock_avoided"},
		{"failed to acquire ", "postgres.lock.failed"},
	} {
		lock, ok := strings.CutPrefix(rest, form.begins)
		if !ok {
			continue
		}
		i := strings.LastIndex(lock, " after ")
		if i < 0 {
			return "", 0, false
		}
		ns, _, ok := cutMillis(lock[i+len(" after "):])
		if !ok {
			return "", 0, false
		}
		mode, object, _ := strings.Cut(strings.TrimSuffix(lock[:i], " by rearranging queue order"), " on ")
		a.number("waiter", float64(n))
		a.text("mode", mode)
		a.text("object", object)
		a.number("waited", seconds(ns))
		pgLockQueue(r.field("DETAIL"), a)
		return form.kind, ns, true
	}
	return "", 0, false
}

// pgLockQueue reads "Process holding the lock: 4301. Wait queue: 4242, 4243."
func pgLockQueue(detail string, a *attrs) {
	_, holders, ok := strings.Cut(detail, "holding the lock: ")
	if !ok {
		return
	}
	holders, rest, _ := strings.Cut(holders, ".")
	a.text("holders", shorten(holders, 1000))
	if _, queue, ok := strings.Cut(rest, "Wait queue: "); ok {
		queue, _, _ = strings.Cut(queue, ".")
		a.text("queue", shorten(queue, 1000))
	}
}

// pgTempFile reads "temporary file: path "…", size N"; it is logged when the
// file is deleted.
func pgTempFile(r *pgRecord, a *attrs) (string, int64, bool) {
	size, ok := numberAfter(r.message, ", size ")
	if !ok {
		return "", 0, false
	}
	a.number("size", size)
	if _, path, ok := strings.Cut(r.message, "path \""); ok {
		path, _, _ = strings.Cut(path, "\"")
		a.text("path", path)
	}
	return "postgres.tempfile", runs.Missing, true
}

func pgCancelled(r *pgRecord, a *attrs) (string, int64, bool) {
	a.text("reason", shorten(strings.TrimPrefix(r.message, "canceling statement due to "), 100))
	return "postgres.statement.cancelled", runs.Missing, true
}

// pgParameter reads `parameter "x" changed to "y"` and `… removed from …`.
func pgParameter(r *pgRecord, a *attrs) (string, int64, bool) {
	name, rest, ok := strings.Cut(strings.TrimPrefix(r.message, "parameter \""), "\" ")
	if !ok {
		return "", 0, false
	}
	switch {
	case strings.HasPrefix(rest, "changed to \""):
		value := strings.TrimPrefix(rest, "changed to \"")
		a.text("value", shorten(strings.TrimSuffix(value, "\""), 1000))
	case !strings.HasPrefix(rest, "removed from configuration file"):
		return "", 0, false
	}
	a.text("name", name)
	return "postgres.parameter", runs.Missing, true
}

func pgShutdownRequest(r *pgRecord, a *attrs) (string, int64, bool) {
	mode, ok := strings.CutSuffix(strings.TrimPrefix(r.message, "received "), " shutdown request")
	a.text("mode", mode)
	return "postgres.shutdown.request", runs.Missing, ok
}

func pgStarting(r *pgRecord, a *attrs) (string, int64, bool) {
	version, _, _ := strings.Cut(strings.TrimPrefix(r.message, "starting PostgreSQL "), " ")
	a.text("version", shorten(version, 100))
	return "postgres.start", runs.Missing, true
}

// crash reads "server process (PID n) was terminated by signal 9: Killed", which
// from 18 begins with the backend's type. It is followed by a restart of all, and
// the statistics begin anew.
func (r *pgRecord) crash(a *attrs) bool {
	victim, ok := numberAfter(r.message, "(PID ")
	signal, killed := numberAfter(r.message, "was terminated by signal ")
	if !ok || !killed {
		return false
	}
	process, _, _ := strings.Cut(r.message, " (PID ")
	a.text("process", shorten(process, 100))
	a.number("victim", victim)
	a.number("signal", signal)
	return true
}

func pgRedoDone(r *pgRecord, a *attrs) (string, int64, bool) {
	return "postgres.recovery.redo_done", systemUsage(r.message, a), true
}
