package ingest

import (
	"slices"

	"headroom/runs"
)

// cadence passes points on and gives them the resolution of their source: the
// median distance between its first instants. A source that is read at
// instants covers no more than that around each of them, whatever gap follows.
//
// Points are held back until the cadence is known; finish releases the rest.
type cadence struct {
	sink  Sink
	held  []runs.Point
	steps []int64 // µs between distinct instants, while points are held
	last  int64
	any   bool

	known      bool
	resolution int64
}

// A cadence is settled after cadenceSteps distances, or once cadenceHeld points
// wait for it.
const (
	cadenceSteps = 15
	cadenceHeld  = 1 << 16
)

// point passes p on; p may be reused after the call.
func (c *cadence) point(p *runs.Point) error {
	if c.known {
		p.Resolution = c.resolution
		return c.sink.Point(p)
	}
	if c.any && p.Time > c.last {
		c.steps = append(c.steps, p.Time-c.last)
	}
	c.last, c.any = p.Time, true
	c.held = append(c.held, *p)
	if len(c.steps) >= cadenceSteps || len(c.held) >= cadenceHeld {
		return c.finish()
	}
	return nil
}

// finish settles the cadence and releases the points that wait for it.
func (c *cadence) finish() error {
	if c.known {
		return nil
	}
	c.known = true
	if len(c.steps) > 0 {
		slices.Sort(c.steps)
		c.resolution = c.steps[len(c.steps)/2]
	}
	for i := range c.held {
		c.held[i].Resolution = c.resolution
		if err := c.sink.Point(&c.held[i]); err != nil {
			return err
		}
	}
	c.held, c.steps = nil, nil
	return nil
}

// micros floors an instant in nanoseconds to the microsecond.
func micros(ns int64) int64 {
	us, _ := runs.SplitNanos(ns)
	return us
}
