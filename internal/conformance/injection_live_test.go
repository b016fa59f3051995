package conformance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/capture"
	"headroom/detect"
	"headroom/internal/pgtest"
	"headroom/runs"
)

// The live injection: how long the load runs, and when what is done to it.
const (
	liveRate    = 120 // transactions a second, on a schedule
	liveClients = 8
	liveLength  = 22 * time.Second
	stopLength  = 250 * time.Millisecond
	pauseLength = 400 * time.Millisecond
	lockLength  = 1200 * time.Millisecond
)

// TestInjectionLive puts pgbench's load on a PostgreSQL, records it with
// capture, and stops the server, holds a lock, forces a checkpoint and stops the
// generator meanwhile. Each must be found where it was done, and be told apart,
// from what was recorded alone. What the machine does besides is nobody's truth:
// nothing is said of the rest of the run.
func TestInjectionLive(t *testing.T) {
	t.Parallel()
	bin := pgtest.Installed(t)
	bench := filepath.Join(bin.Dir, "pgbench")
	if _, err := os.Stat(bench); err != nil {
		t.Skipf("no pgbench beside the PostgreSQL server in %s", bin.Dir)
	}
	server := pgtest.Start(t, bin, "deadlock_timeout = 200ms\nlog_lock_waits = on")
	live := &liveSystem{t: t, server: server, psql: filepath.Join(bin.Dir, "psql")}
	live.sql("create table events (at timestamptz default now(), client int)")
	dir := t.TempDir()
	script, pid := filepath.Join(dir, "insert.sql"), filepath.Join(dir, "pid")
	noError(t, "script", os.WriteFile(script, []byte("insert into events (client) values (:client_id);\n"), 0o644))

	done := make(chan []injection)
	go func() { done <- live.inject(pid) }()
	run := live.record(dir, "sh", "-c", fmt.Sprintf("echo $$ > %s; exec %s -n -h 127.0.0.1 -p %d -U postgres -f %s -c %d -R %d -T %d --log --log-prefix=%s postgres",
		pid, bench, server.Port, script, liveClients, liveRate, int(liveLength.Seconds()), filepath.Join(dir, "bench")))
	injected := <-done
	if t.Failed() {
		return
	}
	m, err := analyze.Measure(t.Context(), run, analyze.Protocol{})
	noError(t, "measure", err)
	judgeLive(t, m.Result, injected)
}

// liveSystem is the server under load.
type liveSystem struct {
	t      *testing.T
	server *pgtest.Server
	psql   string
}

// sql runs statements as the server's owner and returns what they print.
func (l *liveSystem) sql(text string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, l.psql, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", l.server.DSN("postgres"), "-c", text).CombinedOutput()
	if err != nil {
		l.t.Errorf("psql: %v: %s", err, out)
	}
	return string(out)
}

func (l *liveSystem) record(dir string, command ...string) *runs.Run {
	start := time.Now()
	res, err := capture.Run(l.t.Context(), capture.Options{
		Out: filepath.Join(dir, "run"), Tool: "headroom test", Command: command, Env: []string{"PATH=/usr/bin:/bin"},
		Clock:    capture.Clock{Now: time.Now, Elapsed: func() time.Duration { return time.Since(start) }},
		Postgres: capture.Postgres{DSN: l.server.DSN("postgres")}, Logs: []string{l.server.Log()},
		Samples: []capture.SampleSource{{Format: "pgbench-log", Path: filepath.Join(dir, "bench")}},
		Tell: func(e capture.Event) {
			if e.Kind == capture.Warning {
				l.t.Logf("capture: %s", e.Text)
			}
		},
	})
	noError(l.t, "capture", err)
	if res.Status != 0 {
		l.t.Errorf("pgbench ended with status %d", res.Status)
	}
	return res.Run
}

// inject does what is done to the system, one thing after the other, from when
// the load has begun, and says when each was.
func (l *liveSystem) inject(pidFile string) []injection {
	generator := waitForPID(pidFile)
	if generator == 0 {
		l.t.Error("the load did not begin within 20 s")
		return nil
	}
	begin := time.Now()
	at := func(second float64) { time.Sleep(time.Until(begin.Add(time.Duration(second * 1e9)))) }
	var out []injection
	timed := func(kind string, do func()) {
		from := time.Now()
		do()
		out = append(out, injection{kind, from, time.Now()})
	}
	for _, second := range []float64{3, 5.3, 7.9} {
		at(second)
		timed("server_stop", func() { hold(family(l.server.PID(l.t)), stopLength) })
	}
	at(10.5)
	printed := l.sql(fmt.Sprintf("begin; lock table events in access exclusive mode; select extract(epoch from clock_timestamp()); select pg_sleep(%g); select extract(epoch from clock_timestamp()); commit", lockLength.Seconds()))
	out = append(out, lockHeld(l.t, printed))
	at(14)
	timed("checkpoint", func() { l.sql("checkpoint") })
	for _, second := range []float64{16.5, 18.7} {
		at(second)
		timed("generator_stop", func() { hold([]int{generator}, pauseLength) })
	}
	return out
}

// lockHeld reads the two instants that the statement printed while it held the
// lock.
func lockHeld(t *testing.T, printed string) injection {
	var stamps []time.Time
	for line := range strings.Lines(printed) {
		if v, err := strconv.ParseFloat(strings.TrimSpace(line), 64); err == nil {
			stamps = append(stamps, time.UnixMicro(int64(v*1e6)))
		}
	}
	if len(stamps) != 2 {
		t.Errorf("the lock printed %q, want two instants", printed)
		return injection{}
	}
	return injection{"table_lock", stamps[0], stamps[1]}
}

func waitForPID(path string) int {
	for range 400 {
		if b, err := os.ReadFile(path); err == nil {
			if pid, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
				return pid
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return 0
}

// family is a process and its children.
func family(parent int) []int {
	out := []int{parent}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil { // it has ended
			continue
		}
		// pid (name) state ppid …, and a name may hold anything.
		fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
				out = append(out, pid)
			}
		}
	}
	return out
}

// hold stops processes for so long.
func hold(pids []int, length time.Duration) {
	for _, pid := range pids {
		syscall.Kill(pid, syscall.SIGSTOP)
	}
	time.Sleep(length)
	for _, pid := range pids {
		syscall.Kill(pid, syscall.SIGCONT)
	}
}

// judgeLive checks what is said of each injection, with half a second to spare
// on both sides.
func judgeLive(t *testing.T, r analyze.Result, injected []injection) {
	const edge = 500 * time.Millisecond
	at := func(i injection, detector string) []detect.Finding {
		return slices.DeleteFunc(slices.Clone(r.Findings), func(f detect.Finding) bool {
			start, end := times(f)
			return f.Detector != detector || !start.Before(i.end.Add(edge)) || !end.After(i.start.Add(-edge))
		})
	}
	put := func(fs []detect.Finding, cause string) bool {
		return slices.ContainsFunc(fs, func(f detect.Finding) bool { return f.Attribution != nil && f.Attribution.Cause == cause })
	}
	answered, mistaken := 0, 0
	for _, i := range injected {
		place := fmt.Sprintf("%s of %v at %s", i.kind, i.end.Sub(i.start).Round(time.Millisecond), i.start.UTC().Format(time.RFC3339Nano))
		freezes, pauses, convoys := at(i, "freeze"), at(i, "generator-stall"), at(i, "lock-convoy")
		for _, f := range freezes {
			t.Logf("%s: %s: %v", place, f.Message, *f.Attribution)
		}
		before := t.Failed()
		switch i.kind {
		case "server_stop":
			if len(freezes) == 0 || put(freezes, "lock") || put(freezes, "checkpoint") {
				t.Errorf("%s: %d freezes: want one, put down to no lock and no checkpoint", place, len(freezes))
			}
			if len(pauses) > 0 || put(freezes, "generator") {
				mistaken++
			}
		case "table_lock":
			if !put(freezes, "lock") || len(convoys) == 0 {
				t.Errorf("%s: %d freezes and %d convoys: want a freeze put down to the lock", place, len(freezes), len(convoys))
			}
		case "checkpoint":
			for _, f := range freezes {
				if a := f.Attribution; a.Cause == "checkpoint" && a.Status != detect.Candidate {
					t.Errorf("%s: it is blamed: %v", place, a)
				}
			}
		case "generator_stop":
			// The machine may slow the system around the stop as well. But a freeze of
			// which the recorded pause is half and more is the generator's, and no freeze
			// here is anybody else's.
			if len(pauses) == 0 || slices.ContainsFunc(freezes, func(f detect.Finding) bool { return blamed(f, "generator") }) {
				t.Errorf("%s: %d pauses of the generator, want one, and the freeze put down to nothing else: %v", place, len(pauses), freezes)
			}
			for _, f := range freezes {
				if paused(f, pauses) && (f.Attribution == nil || f.Attribution.Cause != "generator") {
					t.Errorf("%s: the generator paused for half of %q and more, and it is put down to %v", place, f.Message, f.Attribution)
				}
			}
		default:
			t.Errorf("%s: nobody looked for it", place)
		}
		if t.Failed() == before {
			answered++
		}
	}
	// A machine that has other things to do may stop the generator as well.
	if mistaken > 1 {
		t.Errorf("%d stops of the server are taken for the generator's", mistaken)
	}
	t.Logf("answered %d of %d ids", answered, len(injected))
}

// blamed reports whether a freeze is put down to a cause other than this one.
func blamed(f detect.Finding, but string) bool {
	a := f.Attribution
	return a != nil && a.Cause != "" && a.Cause != but && (a.Status == detect.Attributed || a.Status == detect.MostLikely)
}

// paused reports whether the pauses cover half of a freeze and more. They do not
// overlap: they are of one load.
func paused(f detect.Finding, pauses []detect.Finding) bool {
	start, end := times(f)
	covered := time.Duration(0)
	for _, p := range pauses {
		from, to := times(p)
		if from.Before(start) {
			from = start
		}
		if to.After(end) {
			to = end
		}
		covered += max(to.Sub(from), 0)
	}
	return 2*covered >= end.Sub(start)
}
