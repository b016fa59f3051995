package capture

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"headroom/runs"
)

// statusEvery is how often the state of the recording is told.
const statusEvery = time.Second

// reporting tells how the recording stands.
func (c *capture) reporting(ctx context.Context, ready func()) error {
	ready()
	last := c.opt.Clock.Elapsed()
	for c.tick(ctx, statusEvery) {
		now := c.opt.Clock.Elapsed()
		s := c.status(now)
		c.rec.takeRecent(s, len(c.streams) > 0 && !s.Over, now-last)
		last = now
		c.telling.Lock()
		c.opt.Tell(Event{Kind: Progress, Status: s})
		c.telling.Unlock()
	}
	return nil
}

func (c *capture) status(now time.Duration) *Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &Status{Elapsed: now - c.began, Step: c.step, Written: c.written.Load(), AtEnd: len(c.files) > 0, Over: c.child.ended()}
	if c.weight.Seconds > 0 {
		s.AgentCPU = &c.weight.CPU
	}
	if c.pg != nil && c.connections.Load() > 0 {
		n := int(c.waiting.Load())
		s.Waiting = &n
	}
	if n := len(c.looks); n == 2 {
		a, b := c.looks[0], c.looks[1]
		s.Load = &b.load
		if elapsed := (b.at - a.at).Seconds(); elapsed > 0 {
			foreign := max(0, (b.busy-a.busy-(b.group-a.group))/elapsed)
			s.Foreign = &foreign
		}
	}
	return s
}

// seen keeps the last two looks at the host.
func (c *capture) seen(l hostLook) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.looks) == 2 {
		c.looks = c.looks[1:]
	}
	c.looks = append(c.looks, l)
}

// clockLook is a look at both clocks.
type clockLook struct {
	wall time.Time
	mono time.Duration
	set  bool
}

// clockStepLeast is the least difference between the two clocks, over one look,
// that is taken as a step of the wall clock.
const clockStepLeast = 100 * time.Millisecond

// clockStep records that the wall clock was set while the run was recorded.
func (c *capture) clockStep(wall time.Time, mono time.Duration) {
	wall = wall.Round(0) // the wall clock alone
	was := c.clock
	c.clock = clockLook{wall, mono, true}
	if !was.set {
		return
	}
	step := wall.Sub(was.wall) - (mono - was.mono)
	if step.Abs() < clockStepLeast {
		return
	}
	text := fmt.Sprintf("the host's clock was stepped by %s", step.Round(time.Millisecond))
	c.rec.Marker(&runs.Marker{
		Time: wall.UnixMicro(), Source: sourceAgent, Kind: "capture.clock_step", Message: text, Duration: runs.Missing, PID: runs.Missing,
		Attrs: `{"step":` + strconv.FormatFloat(step.Seconds(), 'f', 6, 64) + `}`,
	})
	c.rec.manifest(func(m *runs.Manifest) { m.Notes = append(m.Notes, text+" at "+stamp(wall)) })
	c.tell(Warning, "%s", text)
}

// adoption asks for the processes of a server to be a group.
type adoption struct {
	group string
	pid   int
}

// adopt makes the server that has a backend of this process id a group, if it is
// a process of this host: its postmaster, and so all of its children.
func (c *capture) adopt(group string, backend int) {
	p, err := c.host.proc.Proc(backend)
	if err != nil {
		return
	}
	s, err := p.Stat()
	if err != nil || s.PPID <= 1 || !strings.HasPrefix(c.host.commandLine(backend), "postgres") {
		return // another process of that number: the server is in a namespace of its own
	}
	select {
	case c.adoption <- adoption{group, s.PPID}:
	default:
	}
}

// takeAdoptions adds the groups that were asked for since the last look.
func (h *host) takeAdoptions() {
	for {
		select {
		case a := <-h.c.adoption:
			h.groups.add(a.group, pidRule(a.pid))
			h.groups.foreign = nil // everything is looked at again
		default:
			return
		}
	}
}
