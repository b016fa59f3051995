package ingest

import (
	"bytes"
	"errors"
	"fmt"
)

// rowClock gives the rows of a file without stamps their instants: the first is
// at Options.Start, and each is Options.Interval after the one before.
type rowClock struct {
	in  *Input
	row int64
}

// next returns the instant of the next row in nanoseconds.
func (c *rowClock) next() (int64, error) {
	opt := &c.in.Opt
	if opt.Start.IsZero() || opt.Interval <= 0 && c.row > 0 {
		return 0, ErrNoTimeAxis // one row alone needs no interval
	}
	if c.row == 0 {
		c.in.Meta.Zone = "start and interval as given"
		if opt.Interval > 0 {
			c.in.Note("no time axis of its own: rows placed from the given start, %v apart", opt.Interval)
		} else {
			c.in.Note("no time axis of its own: placed at the given start")
		}
	}
	ns := opt.Start.UnixNano() + c.row*int64(opt.Interval)
	c.row++
	return ns, nil
}

// unplaced deals with a row whose time could not be told. If the file says too
// little of its times, no row can be placed and the import ends; else the row is bad.
func (in *Input) unplaced(l *Lines, err error) error {
	if errors.Is(err, ErrNoTimeAxis) || errors.Is(err, ErrZone) {
		return &FileError{in.Name, fmt.Errorf("line %d: %w", l.Number(), err)}
	}
	return in.BadAt(l, "%v", err)
}

// leadingStamp returns the stamp that a line begins with, if it begins with one,
// and what follows it and its blank or tab. Date and time may be parted by a
// blank; a zone belongs to the stamp only when it touches it or is UTC or GMT.
// It does not read the stamp.
func leadingStamp(line []byte) (stamp, rest []byte, ok bool) {
	n := stampLength(line)
	if n == 0 {
		return nil, line, false
	}
	for _, utc := range []string{" UTC", " GMT"} {
		if bytes.HasPrefix(line[n:], []byte(utc)) && (len(line) == n+len(utc) || isBlank(line[n+len(utc)])) {
			n += len(utc)
			break
		}
	}
	if n == len(line) {
		return line, nil, true
	}
	if !isBlank(line[n]) {
		return nil, line, false
	}
	return line[:n], line[n+1:], true
}

// stampLength returns the length of the date and time, with a zone that touches
// it, or of the epoch number that line begins with; 0 if there is none.
func stampLength(line []byte) int {
	if isDate(line) {
		n := 19
		for n < len(line) && !isBlank(line[n]) {
			n++
		}
		return n
	}
	n := 0
	for n < len(line) && isDigit(line[n]) {
		n++
	}
	if n < minEpochDigits {
		return 0
	}
	if n < len(line) && line[n] == '.' {
		for n++; n < len(line) && isDigit(line[n]); n++ {
		}
	}
	return n
}

// minEpochDigits is the length of an epoch number in seconds since September
// 2001; what is shorter is some other number.
const minEpochDigits = 10

// isDate reports whether b begins with "YYYY-MM-DD?HH:MM:SS", ? a blank or T.
func isDate(b []byte) bool {
	const form = "dddd-dd-dd?dd:dd:dd"
	if len(b) < len(form) {
		return false
	}
	for i, c := range []byte(form) {
		switch {
		case c == 'd' && !isDigit(b[i]), c == '?' && b[i] != ' ' && b[i] != 'T', c != 'd' && c != '?' && b[i] != c:
			return false
		}
	}
	return true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
