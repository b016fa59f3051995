package capture

import (
	"context"
	"errors"
	"strings"

	"headroom/runs"
)

// beforeLoad asks the server for everything that is compared with what it says
// after the load. A server that is not there is tried again; an error says that
// what it is asked can never be right, or that the load is not wanted any more.
func (c *capture) beforeLoad(ctx context.Context) (err error) {
	if c.pg == nil {
		return nil
	}
	defer func() {
		if err == nil && ctx.Err() != nil {
			err = errors.New("interrupted before the command was started: there is no run")
		}
		if err != nil {
			c.pg.close()
		}
	}()
	if err := c.pg.connect(ctx); err != nil {
		c.once(Warning, sourcePostgres+": "+err.Error(), "postgres: %v; it is tried again until the end", err)
		c.noPostgres(ctx, "before", err)
		return nil
	}
	c.pg.describe(ctx, "before")
	if err := c.pg.lookViews(ctx, "before"); err != nil {
		c.noPostgres(ctx, "before", c.pg.plain(err))
		return nil
	}
	counts, err := c.pg.counts(ctx, "before")
	c.rec.manifest(func(m *runs.Manifest) { m.Before = counts })
	return err
}

// noPostgres records that the server did not answer at one end of the load, and
// that the counts are missing with it.
func (c *capture) noPostgres(ctx context.Context, role string, err error) {
	err = why(ctx, err)
	c.absent("postgres "+role+" the load", runs.CollectorDied, err.Error())
	names := make([]string, 0, len(c.opt.Postgres.Counts))
	for _, count := range c.opt.Postgres.Counts {
		c.absent("count "+count.Name+" "+role, runs.CollectorDied, err.Error())
		names = append(names, count.Name)
	}
	if len(names) > 0 {
		c.tell(Warning, "postgres: nothing was counted %s the load (%s): %v", role, strings.Join(names, ", "), err)
	} else if role == "after" {
		c.tell(Warning, "postgres: nothing is known of it after the load: %v", err)
	}
}

// afterLoad does the same when the load is over. The collector has ended, and
// with it nobody else uses the connection.
func (c *capture) afterLoad(ctx context.Context) {
	if c.pg == nil {
		return
	}
	defer c.pg.close()
	if c.pg.conn == nil || c.pg.conn.IsClosed() {
		if err := c.pg.connect(ctx); err != nil {
			c.noPostgres(ctx, "after", err)
			return
		}
	}
	if err := c.pg.lookViews(ctx, "after"); err != nil {
		c.noPostgres(ctx, "after", c.pg.plain(err))
		return
	}
	counts, _ := c.pg.counts(ctx, "after")
	c.pg.describe(ctx, "after")
	c.rec.manifest(func(m *runs.Manifest) { m.After = counts })
}

// patience returns a context for what is left to do when the load is over. It
// outlives ctx, since what was recorded is worth being counted and sealed, and is
// done when the user asks once more. end gives it back.
func (c *capture) patience(ctx context.Context) (rest context.Context, end func()) {
	rest, cancel := context.WithCancel(context.WithoutCancel(ctx))
	over := make(chan struct{})
	asked := ctx.Done()
	if ctx.Err() != nil {
		asked = nil // that was answered by ending the command
	}
	go func() {
		for {
			select {
			case <-over:
				return
			case <-asked:
				asked = nil
				c.tell(Note, "the load is over: samples are read and counts taken, then the run is sealed; once more leaves out what is not done yet")
			case <-c.opt.Again:
				if rest.Err() == nil {
					c.tell(Warning, "interrupted again: what is left to read and to count is left out, and the run is sealed")
				}
				cancel()
			}
		}
	}()
	return rest, func() { close(over); cancel() }
}

// errLeftOut says why something was not done any more.
var errLeftOut = errors.New("it was asked to end at once")

// why returns what to record of an error: that it was asked for, if it was.
func why(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errLeftOut
	}
	return err
}
