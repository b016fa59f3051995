package ingest

import (
	"fmt"
	"time"
)

// dayClock places times of day: a banner, or whoever reads the file, has the date of
// the first; a time that goes back by more than clocks are put back is past midnight.
type dayClock struct {
	date  time.Time
	known bool

	first   time.Duration // time of day of the first header
	started bool
	last    time.Duration // since the midnight of the date
}

// putBack is by how much clocks are put back at most, at the end of summer time (an
// hour nearly everywhere, half of one or two in places) or to set them right. What
// goes back by so much has not passed midnight: a day less that much would lie between
// two rows. Which of two equal local times is meant, [Stamps] tells by their order.
const putBack = 2 * time.Hour

// startsOver reports whether a header at that time of day begins a table over the
// time of the one before, as the tables of a file do, and goes back if it does.
func (c *dayClock) startsOver(day time.Duration) bool {
	if !c.started || day != c.first || c.last == day {
		return false
	}
	c.last = day
	return true
}

// header takes the time of day of a header, in a table that continues in time.
func (c *dayClock) header(day time.Duration) time.Duration {
	const whole = 24 * time.Hour
	if !c.started {
		c.started, c.first, c.last = true, day, day
		return day
	}
	at := c.last - c.last%whole + day // of the three days around, the nearest
	for _, other := range []time.Duration{at - whole, at + whole} {
		if other >= 0 && (other-c.last).Abs() < (at-c.last).Abs() {
			at = other
		}
	}
	c.last = at
	return at
}

// next takes the time of day of what follows in time: a row, or the first of all.
func (c *dayClock) next(day time.Duration) time.Duration {
	const whole = 24 * time.Hour
	if !c.started {
		return c.header(day)
	}
	at := c.last - c.last%whole + day
	if at < c.last-putBack {
		at += whole
	}
	c.last = at
	return at
}

// instant returns an instant, ns, of a time since the banner's midnight, in the
// zone that was given.
func (in *Input) instant(c *dayClock, since time.Duration) (int64, error) {
	if !c.known {
		return 0, fmt.Errorf("%w; the banner with the date is missing", ErrNoTimeAxis)
	}
	return in.Stamps().Bytes(c.date.Add(since).AppendFormat(nil, "2006-01-02 15:04:05"))
}
