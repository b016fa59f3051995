package ingest

import (
	"fmt"
	"time"
)

// civil reads "YYYY-MM-DD?HH:MM:SS[.frac][zone]" where ? is T or a blank.
func (s *Stamps) civil(b []byte) (int64, error) {
	secs, ok := s.midnight(b)
	clock, okClock := clockSeconds(b)
	if !ok || !okClock {
		return 0, fmt.Errorf("stamp %q is not a date and time", clip(string(b)))
	}
	secs += clock
	rest := b[19:]
	var ns int64
	if len(rest) > 1 && (rest[0] == '.' || rest[0] == ',') {
		n := 1
		for unit := int64(1e8); n < len(rest) && isDigit(rest[n]); n++ {
			ns += int64(rest[n]-'0') * unit
			unit /= 10
		}
		s.fraction(n - 1)
		rest = rest[n:]
	}
	offset, err := s.offset(b, rest, secs)
	if err != nil {
		return 0, err
	}
	return s.checked(secs-offset, ns, b)
}

// midnight returns the seconds from the epoch to the start of the date, as if
// it were in UTC.
func (s *Stamps) midnight(b []byte) (int64, bool) {
	if b[10] != 'T' && b[10] != ' ' && b[10] != 't' {
		return 0, false
	}
	if [10]byte(b[:10]) == s.day {
		return s.daySecs, true
	}
	if b[4] != '-' || b[7] != '-' {
		return 0, false
	}
	y1, ok1 := twoDigits(b[0:])
	y2, ok2 := twoDigits(b[2:])
	month, ok3 := twoDigits(b[5:])
	day, ok4 := twoDigits(b[8:])
	if !ok1 || !ok2 || !ok3 || !ok4 || month < 1 || month > 12 || day < 1 {
		return 0, false
	}
	t := time.Date(y1*100+y2, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day {
		return 0, false
	}
	s.day, s.daySecs = [10]byte(b[:10]), t.Unix()
	return s.daySecs, true
}

// clockSeconds reads "HH:MM:SS" at b[11:19]. A leap second counts as the next one.
func clockSeconds(b []byte) (int64, bool) {
	h, ok1 := twoDigits(b[11:])
	m, ok2 := twoDigits(b[14:])
	sec, ok3 := twoDigits(b[17:])
	ok := ok1 && ok2 && ok3 && b[13] == ':' && b[16] == ':' && h < 24 && m < 60 && sec <= 60
	return int64(h*3600 + m*60 + sec), ok
}

// offset returns how far local time is ahead of UTC at the local second secs,
// from the zone that is written or else from the one that was given.
func (s *Stamps) offset(b, zone []byte, secs int64) (int64, error) {
	for len(zone) > 0 && zone[0] == ' ' {
		zone = zone[1:]
	}
	switch {
	case len(zone) == 0:
		if s.zone == nil {
			return 0, noZone(b, "")
		}
	case zone[0] == '+' || zone[0] == '-':
		n, ok := writtenOffset(zone)
		if !ok {
			return 0, fmt.Errorf("stamp %q has an offset that cannot be read", clip(string(b)))
		}
		s.say("explicit offset")
		return n, nil
	case isUTC(zone):
		s.say("UTC, written")
		return 0, nil
	case !isAbbreviation(zone):
		return 0, fmt.Errorf("stamp %q ends in what is no zone", clip(string(b)))
	case s.zone == nil:
		return 0, noZone(b, string(zone))
	}
	s.say(s.given())
	return s.local(secs, b, zone), nil
}

// local returns the given zone's offset at a local time. Of a time that occurs
// twice it takes the one that the abbreviation beside it names (EDT, then EST),
// else the one that the order of the stamps tells; where that tells nothing, the
// first, and undecided then refuses the file. A time that never occurs is read with
// the offset before the gap. What it chose is noted.
func (s *Stamps) local(secs int64, stamp, abbreviation []byte) int64 {
	const day = 24 * 3600
	_, before := s.zoneAt(secs - day)
	_, after := s.zoneAt(secs + day)
	if before == after {
		s.fold.out(secs-before, s.latest)
		return before
	}
	firstName, first := s.zoneAt(secs - before)
	secondName, second := s.zoneAt(secs - after)
	switch {
	case second != after:
		if first != before {
			s.gaps++
		}
		s.fold.out(secs-before, s.latest)
		return before
	case first != before || firstName != secondName && secondName == string(abbreviation):
		s.fold.out(secs-after, s.latest)
		return after
	case firstName == string(abbreviation):
		s.fold.anchored = true
		return before
	}
	s.fold.zones = [2]string{offsetText(before), offsetText(after)}
	if s.fold.in(string(stamp), secs-before, s.latest) {
		return after
	}
	return before
}

// backwards is by how many seconds stamps go back at most where several clients
// write a file; clocks are put back by half an hour at least.
const backwards = 20 * 60

// zoneAt returns the given zone's abbreviation and offset at an instant.
func (s *Stamps) zoneAt(unix int64) (string, int64) {
	name, offset := time.Unix(unix, 0).In(s.zone).Zone()
	return name, int64(offset)
}

// writtenOffset reads "+HH", "+HHMM", "+HH:MM" or "+HH:MM:SS" in seconds.
func writtenOffset(b []byte) (int64, bool) {
	sign := int64(1)
	if b[0] == '-' {
		sign = -1
	}
	var n int64
	unit := int64(3600)
	for b = b[1:]; len(b) > 0; unit /= 60 {
		if unit == 0 {
			return 0, false
		}
		if b[0] == ':' && unit < 3600 {
			b = b[1:]
		}
		v, ok := twoDigits(b)
		if !ok || v >= 60 || (unit == 3600 && v > 18) {
			return 0, false
		}
		n += int64(v) * unit
		b = b[2:]
	}
	return sign * n, unit < 3600
}

func isUTC(zone []byte) bool {
	switch string(zone) {
	case "Z", "z", "UTC", "GMT":
		return true
	}
	return false
}

func isAbbreviation(zone []byte) bool {
	for _, c := range zone {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return len(zone) >= 2 && len(zone) <= 6
}

func twoDigits(b []byte) (int, bool) {
	if len(b) < 2 || !isDigit(b[0]) || !isDigit(b[1]) {
		return 0, false
	}
	return int(b[0]-'0')*10 + int(b[1]-'0'), true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// fractionDigits counts the digits after the last point or comma of a stamp
// whose layout is its own.
func fractionDigits(text string) int {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == '.' || text[i] == ',' {
			n := 0
			for i++; i < len(text) && isDigit(text[i]); i++ {
				n++
			}
			return n
		}
	}
	return 0
}
