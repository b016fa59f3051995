package capture

import (
	"context"
	"errors"
	"fmt"
	"time"

	"headroom/runs"
)

// collector is one thing that records.
type collector struct {
	name string // of its source: "host", "postgres", the base name of a log
	// run records until ctx is done, and returns nil then. It calls ready when it
	// works, at first and again each time; an error says why it cannot go on.
	run func(ctx context.Context, ready func()) error
}

// The back-off between two starts of a collector that fails.
const (
	backOffLeast = 500 * time.Millisecond
	backOffMost  = 15 * time.Second
)

// goneError says since when a collector that failed has recorded nothing: that it
// failed can show long after.
type goneError struct {
	since time.Time
	err   error
}

func (e *goneError) Error() string { return e.err.Error() }

func (e *goneError) Unwrap() error { return e.err }

// supervise runs a collector until ctx is done. One that fails is started again,
// later each time; the time it was gone is recorded.
func (c *capture) supervise(ctx context.Context, col collector) {
	wait := backOffLeast
	var gone time.Time // since when it does not record; zero: it does
	var why error
	for {
		err := runGuarded(ctx, col, func() {
			if !gone.IsZero() {
				c.gap(col.name, gone, why)
			}
			gone, wait = time.Time{}, backOffLeast
		})
		if ctx.Err() != nil {
			break
		}
		if gone.IsZero() {
			gone = c.opt.Clock.Now()
			var e *goneError
			if errors.As(err, &e) {
				gone = e.since
			}
		}
		if why = err; why == nil {
			why = fmt.Errorf("it ended by itself")
		}
		c.once(Warning, col.name+": "+why.Error(), "%s: %v; it is tried again until the end", col.name, why)
		if !sleep(ctx, wait) {
			break
		}
		wait = min(2*wait, backOffMost)
	}
	if !gone.IsZero() {
		c.absent(col.name, runs.CollectorDied, fmt.Sprintf("from %s to the end: %v", stamp(gone), why))
	}
}

// runGuarded turns a panic of a collector into an error.
func runGuarded(ctx context.Context, col collector, ready func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	return col.run(ctx, ready)
}

// gap records that a collector did not record from then until now.
func (c *capture) gap(name string, from time.Time, why error) {
	now := c.opt.Clock.Now()
	c.rec.Marker(&runs.Marker{
		Time: now.UnixMicro(), Source: sourceAgent, Kind: "capture.gap", PID: runs.Missing, Duration: int64(now.Sub(from)),
		Message: fmt.Sprintf("%s was not recorded: %v", name, why),
	})
	c.absent(name, runs.CollectorDied, fmt.Sprintf("from %s to %s: %v", stamp(from), stamp(now), why))
	c.tell(Note, "%s is recorded again, after %s", name, now.Sub(from).Round(time.Millisecond))
}

// sleep waits, and reports whether ctx is still alive.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// tick waits until the next multiple of d on the monotonic clock. What only looks
// whether something has come does so at one instant with all others: an idle
// process that is woken costs more than the look.
func (c *capture) tick(ctx context.Context, d time.Duration) bool {
	return sleep(ctx, d-c.opt.Clock.Elapsed()%d)
}

// cadence paces a collector. The steps are jittered by up to a tenth either way
// (by a fixed sequence), so that they do not beat with a rhythm of what is
// measured; what is late is not made up for.
type cadence struct {
	every time.Duration
	next  time.Duration // on the monotonic clock
	phase float64
}

// goldenStep spreads a sequence evenly over 0 to 1 (its low-discrepancy step).
const goldenStep = 0.618033988749895

// wait waits for the next step and reports whether ctx is still alive.
func (p *cadence) wait(ctx context.Context, elapsed func() time.Duration) bool {
	return sleep(ctx, p.left(elapsed))
}

// left takes the next step and returns how long it is until then.
func (p *cadence) left(elapsed func() time.Duration) time.Duration {
	p.phase += goldenStep
	p.phase -= float64(int(p.phase))
	p.next += time.Duration(float64(p.every) * (0.9 + 0.2*p.phase))
	now := elapsed()
	if p.next < now {
		p.next = now
	}
	return p.next - now
}

// stamp writes an instant as manifests do.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }
