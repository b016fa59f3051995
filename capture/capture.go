package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"headroom/runs"
)

// Result is what became of a recording.
type Result struct {
	Run    *runs.Run // nil if there is none
	Status int       // exit status of the command; 128 and the signal's number if one ended it
	Weight Weight
}

// capture is one recording.
type capture struct {
	opt Options
	rec *recorder

	child       *child
	interrupted bool // the command was ended by us
	host        *host
	pg          *postgres // nil: no server
	logs        []*follower
	streams     []*stream
	files       []SampleSource
	stale       map[string]fileMark // of these, those that were there before the load
	pipes       string              // folder of the pipes that were made

	connections atomic.Int64
	written     atomic.Int64
	waiting     atomic.Int64
	group       atomic.Int64 // process group of the command, while it may run

	began    time.Duration // when the command started
	telling  sync.Mutex
	mu       sync.Mutex
	said     map[string]bool
	steps    []runs.Step
	step     string
	weight   weighing
	looks    []hostLook // the last two
	clock    clockLook
	adoption chan adoption
}

// Run records one run of the command: it returns when the command has ended, or
// was ended because ctx was done, and the run is sealed. The run is there, and
// says what it lacks, whatever failed of what was to be recorded; an error means
// that there is no run, or only the recording of one (see runs.Recover).
func Run(ctx context.Context, opt Options) (*Result, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	c := &capture{opt: opt, said: map[string]bool{}, stale: map[string]fileMark{}, adoption: make(chan adoption, 8)}
	if err := c.prepare(ctx); err != nil {
		c.discard()
		return nil, err
	}
	res, err := c.record(ctx)
	if c.pipes != "" {
		os.RemoveAll(c.pipes)
	}
	return res, err
}

// prepare makes everything ready before the command starts, so that an option
// that is wrong costs nothing.
func (c *capture) prepare(ctx context.Context) (err error) {
	if c.host, err = newHost(c); err != nil {
		return fmt.Errorf("the host cannot be observed: %w", err)
	}
	if c.opt.Postgres.DSN != "" {
		if c.pg, err = newPostgres(c); err != nil {
			return err
		}
	}
	for _, s := range c.opt.Samples {
		if _, _, err := s.format(); err != nil {
			return err
		}
	}
	if c.pipes, err = os.MkdirTemp("", "headroom-capture-"); err != nil {
		return err
	}
	words, err := c.openStreams()
	if err != nil {
		return err
	}
	c.opt.Command = words
	w, err := runs.Record(c.opt.Out, runs.CreateOptions{ID: c.id(), Tool: c.opt.Tool})
	if err != nil {
		return err
	}
	c.rec = newRecorder(w)
	c.rec.manifest(func(m *runs.Manifest) { m.Own = nil })
	return nil
}

// discard removes what was prepared in vain.
func (c *capture) discard() {
	if c.pipes != "" {
		os.RemoveAll(c.pipes)
	}
	if c.rec != nil {
		c.rec.w.Abort()
	}
}

// id names the run: when it began, and what tells it from any other that began
// in the same second.
func (c *capture) id() string {
	if c.opt.ID != "" {
		return c.opt.ID
	}
	now := c.opt.Clock.Now().UTC()
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d\n%d", c.line(c.opt.Proc, "sys/kernel/hostname"),
		c.line(c.opt.Proc, "sys/kernel/random/boot_id"), os.Getpid(), now.UnixNano()))
	return now.Format("20060102T150405Z") + hex.EncodeToString(sum[:4])
}

// record is the recording: before, during and after the load.
func (c *capture) record(ctx context.Context) (*Result, error) {
	var facts runs.Manifest
	c.facts(ctx, &facts)
	c.rec.manifest(func(m *runs.Manifest) {
		facts.NotCollected = m.NotCollected
		facts.Sources = []runs.Source{}
		*m = facts
	})
	collectors, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var running sync.WaitGroup
	begin := func(col collector) {
		running.Add(1)
		go func() {
			defer running.Done()
			c.supervise(collectors, col)
		}()
	}
	c.host.groups.agent = os.Getpid()
	c.host.groups.add(groupAgent, nil)
	c.host.groups.add(groupGenerator, nil)
	c.host.groups.cmdline = c.host.commandLine
	begin(collector{sourceHost, c.host.run})
	if err := c.beforeLoad(ctx); err != nil {
		stop()
		running.Wait()
		c.rec.w.Abort()
		return nil, err
	}
	if c.pg != nil {
		begin(collector{sourcePostgres, c.pg.run})
	}
	c.followLogs(begin)
	if path, err := runs.RecordingMarks(c.opt.Out); err == nil {
		m := &marks{c: c, path: path}
		begin(collector{"marks", m.run})
	}
	begin(collector{"flush", c.flushing})
	if err := c.flush(); err != nil {
		stop()
		running.Wait()
		return nil, c.brokenOff(err)
	}
	if err := c.startLoad(ctx); err != nil {
		stop()
		running.Wait()
		c.rec.w.Abort()
		return nil, fmt.Errorf("%w: the command does not start: %w", ErrUsage, err)
	}
	begin(collector{"status", c.reporting})
	return c.finish(ctx, func() { stop(); running.Wait() })
}

// finish waits for the end of the load, and takes what is taken then. stop ends
// the collectors and waits until they have ended.
func (c *capture) finish(ctx context.Context, stop func()) (*Result, error) {
	c.child.wait(ctx, c.rec.failed, c.opt.Again, func(text string) { c.tell(Note, "%s", text) })
	c.group.Store(0)
	c.host.lookNow()
	c.interrupted = ctx.Err() != nil
	ended := c.opt.Clock.Now()
	c.beginStep(ended, nil)
	c.tell(Note, "%s after %s", c.child.statusText(), (c.opt.Clock.Elapsed() - c.began).Round(time.Millisecond))
	rest, end := c.patience(ctx)
	defer end()
	pieces := c.endStreams(rest)
	if c.pg != nil {
		sleep(rest, settleTime)
	}
	stop()
	if err := c.flush(); err != nil { // the counts can take minutes
		return c.failedResult(), c.brokenOff(err)
	}
	c.afterLoad(rest)
	return c.seal(pieces)
}

// followLogs begins with every log that can be followed.
func (c *capture) followLogs(begin func(collector)) {
	for _, path := range c.opt.Logs {
		f := newFollower(c, path)
		if err := f.start(); err != nil {
			c.absent("log "+f.name, runs.NotMeasurable, err.Error())
			c.tell(Warning, "log %s: %v", f.name, err)
			continue
		}
		c.logs = append(c.logs, f)
		begin(collector{f.name, f.run})
	}
}

// settleTime is how long the server's counters need after the last transaction:
// a session reports what it did at most once a second.
const settleTime = 1500 * time.Millisecond

// startLoad starts the command, and what reads its samples.
func (c *capture) startLoad(ctx context.Context) error {
	at := c.opt.Clock.Now()
	child, err := startChild(&c.opt, c.opt.Command)
	if err != nil {
		return err
	}
	c.child, c.began = child, c.opt.Clock.Elapsed()
	c.group.Store(int64(child.cmd.Process.Pid))
	c.host.lookNow()
	if len(c.opt.Step) > 0 {
		c.beginStep(at, c.opt.Step)
	}
	for _, st := range c.streams {
		go c.readStream(context.WithoutCancel(ctx), st)
	}
	return nil
}

// seal writes what is known at the end and seals the run.
func (c *capture) seal(pieces []*piece) (*Result, error) {
	if c.rec.err != nil {
		return c.failedResult(), c.brokenOff(c.rec.err)
	}
	res := &Result{Status: c.child.status, Weight: c.weight.Weight}
	c.rec.manifest(func(m *runs.Manifest) {
		c.fold(m, pieces)
		if c.interrupted {
			m.Notes = append(m.Notes, "the recording was interrupted, and the command with it")
		}
	})
	c.rec.mu.Lock()
	defer c.rec.mu.Unlock()
	run, err := c.rec.w.Commit()
	if err != nil {
		return c.failedResult(), c.brokenOff(err)
	}
	res.Run, res.Weight.Total = run, cpuUsed()
	return res, nil
}

func (c *capture) failedResult() *Result {
	return &Result{Status: c.child.status, Weight: c.weight.Weight}
}

// brokenOff seals what was recorded until nothing more could be written, and
// returns an error that says what there is.
func (c *capture) brokenOff(err error) error {
	c.rec.w.Leave()
	run, failed := runs.Recover(c.opt.Out)
	if failed != nil {
		return fmt.Errorf("the recording broke off: %w; what it holds is sealed with headroom runs recover once there is room (%w)", err, failed)
	}
	return &PartialError{Run: run, Err: err}
}

// PartialError says that a recording broke off and that what it had until then
// is a run.
type PartialError struct {
	Run *runs.Run
	Err error
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("the recording broke off: %v; what it had until then is sealed as partial", e.Err)
}

// Unwrap returns the cause.
func (e *PartialError) Unwrap() error { return e.Err }

// flushing makes what is recorded certain, again and again.
func (c *capture) flushing(ctx context.Context, ready func()) error {
	ready()
	for sleep(ctx, c.opt.Flush) {
		if err := c.flush(); err != nil {
			c.tell(Warning, "%v", err)
			<-ctx.Done() // the command is being ended; there is nothing to try again
			return nil
		}
		c.rec.mu.Lock()
		n, err := c.rec.w.Written()
		c.rec.mu.Unlock()
		if err == nil {
			c.written.Store(n)
		}
	}
	return nil
}

// tell says something, one goroutine at a time.
func (c *capture) tell(kind EventKind, format string, args ...any) {
	c.telling.Lock()
	defer c.telling.Unlock()
	c.opt.Tell(Event{Kind: kind, Text: strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; ")})
}

// first reports whether a key is met for the first time.
func (c *capture) first(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.said[key]
	c.said[key] = true
	return !before
}

// once says something the first time it happens.
func (c *capture) once(kind EventKind, key, format string, args ...any) {
	if c.first(key) {
		c.tell(kind, format, args...)
	}
}

// absent records that something was not recorded.
func (c *capture) absent(what string, why runs.Why, note string) {
	c.rec.manifest(func(m *runs.Manifest) {
		m.NotCollected = append(m.NotCollected, runs.Absence{What: what, Why: why, Note: note})
	})
}

func (c *capture) absentOnce(what string, why runs.Why, note string) {
	if c.first("absent " + what) {
		c.absent(what, why, note)
	}
}
