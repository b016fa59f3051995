package ingest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// errMixedUnits is wrapped by the error for an epoch number in another unit than
// the ones before it: one of the two guesses is wrong, and which is not known.
var errMixedUnits = errors.New("the file mixes units of the Unix epoch")

// Stamps reads the stamps of one file and remembers how it read them: in which
// zone, in which unit and how finely. It is the only way time comes in.
//
// Accepted are RFC 3339 ("2026-03-02T11:00:00.1+01:00"), the same with a blank
// for the T and with or without a zone ("2026-03-02 11:00:00.1+01", "… UTC"),
// and bare epoch numbers. Nothing is guessed in silence: a stamp without a zone
// needs Options.Zone, so does an abbreviation other than UTC, GMT and Z (IST is
// India, Israel or Ireland), and the unit of epoch numbers is the one that puts
// the first of them between 2000 and 2100, holds for the whole file, and is
// said in Zone.
type Stamps struct {
	zone *time.Location
	from string        // where the zone was given; "": --timezone
	unit time.Duration // of epoch numbers; 0 until the first was seen

	unitGiven bool
	epoch     bool     // there was an epoch number
	digits    int      // of the second's fraction, the most seen
	how       []string // ways in which zones were known, in order of appearance
	fold      fold     // local times that occur twice
	gaps      int      // local times that never occur
	latest    int64    // seconds since the Unix epoch of the latest stamp read

	day     [10]byte // the last date, and
	daySecs int64    // its midnight, so that a date is computed once
}

// Stamps returns the reader of the input's stamps; there is one per input.
func (in *Input) Stamps() *Stamps {
	if in.stamps == nil {
		in.stamps = &Stamps{zone: in.Opt.Zone, unit: in.Opt.TimeUnit, unitGiven: in.Opt.TimeUnit != 0}
	}
	return in.stamps
}

// Parse reads a stamp of any accepted form, as nanoseconds since the Unix epoch.
func (s *Stamps) Parse(text string) (int64, error) { return s.Bytes([]byte(text)) }

// Bytes is Parse; it keeps nothing of b.
func (s *Stamps) Bytes(b []byte) (int64, error) {
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	if len(b) >= 19 && b[4] == '-' {
		return s.civil(b)
	}
	return s.Epoch(b)
}

// Layout reads a stamp by a layout of package time, for formats with a form of
// their own. A layout without a zone takes Options.Zone.
func (s *Stamps) Layout(layout, text string) (int64, error) {
	zoned := strings.Contains(layout, "Z07") || strings.Contains(layout, "-07")
	if !zoned && s.zone == nil {
		return 0, noZone([]byte(text), "")
	}
	t, err := time.Parse(layout, text)
	if err != nil {
		return 0, fmt.Errorf("stamp %q is not of the form %q", clip(text), layout)
	}
	secs := t.Unix()
	if zoned {
		s.say("explicit offset")
	} else {
		s.say(s.given())
		secs -= s.local(secs, []byte(text), nil)
	}
	s.fraction(fractionDigits(text))
	return s.checked(secs, int64(t.Nanosecond()), []byte(text))
}

// Epoch reads a bare number, whole or decimal, as an instant.
func (s *Stamps) Epoch(b []byte) (int64, error) {
	whole, frac, ok := splitDecimal(b)
	if !ok {
		return 0, fmt.Errorf("stamp %q is neither a date nor an epoch number", clip(string(b)))
	}
	unit := s.unit
	if unit == 0 {
		if unit = epochUnit(whole); unit == 0 {
			return 0, fmt.Errorf("stamp %q lies between 2000 and 2100 in no unit of the Unix epoch", clip(string(b)))
		}
		s.unit = unit
	}
	if !inUnit(whole, unit) {
		if epochUnit(whole) == 0 && !s.unitGiven {
			return 0, fmt.Errorf("stamp %q does not lie between 2000 and 2100 in %s, nor in another unit", clip(string(b)), unitName(unit))
		}
		if s.unitGiven {
			return 0, fmt.Errorf("stamp %q does not lie between 2000 and 2100 in %s, the unit that was given", clip(string(b)), unitName(unit))
		}
		return 0, fmt.Errorf("stamp %q is not in %s like the stamps before it: %w", clip(string(b)), unitName(unit), errMixedUnits)
	}
	places := unitPlaces(unit)
	ns := whole * int64(unit) // fits: it lies between 2000 and 2100
	if frac > 0 {
		if ns, ok = scaled(b, 9-places); !ok {
			return 0, fmt.Errorf("stamp %q is out of range", clip(string(b)))
		}
	}
	if !s.epoch { // the unit is the same from the first to the last
		how := ", by magnitude"
		if s.unitGiven {
			how = ", as given"
		}
		s.say("Unix epoch in " + unitName(unit) + how)
		s.epoch = true
	}
	s.fraction(places + frac)
	return ns, nil
}

// Zone says how the zone of the stamps read so far is known, for Meta.Zone.
func (s *Stamps) Zone() string { return strings.Join(s.how, "; ") }

// Resolution returns how finely the stamps read so far are written; 0 if none was.
func (s *Stamps) Resolution() time.Duration {
	if len(s.how) == 0 {
		return 0
	}
	r := time.Second
	for range min(s.digits, 9) {
		r /= 10
	}
	return r
}

// describe fills in what the stamps say of the file, where the importer has not.
func (s *Stamps) describe(m *Meta) {
	if m.Zone == "" {
		m.Zone = s.Zone()
	}
	if r := s.Resolution(); m.Resolution == 0 && r > 0 {
		m.Resolution = max(int64(r/time.Microsecond), 1)
	}
	say := func(n int, text string) {
		if n > 0 {
			m.Notes = append(m.Notes, fmt.Sprintf("%s in %s: %s", countOf(n, "stamp"), s.zone, text))
		}
	}
	const other = "; give how far the clock was ahead of UTC (--timezone +02:00) if that is wrong"
	say(s.fold.first+s.fold.pending, "the local time occurs twice, as the clock was put back, and was read as the first of the two, since it follows those before it"+other)
	say(s.fold.second, "the local time occurs twice, as the clock was put back, and was read as the second of the two, since later ones stand before it"+other)
	say(s.gaps, "the local time never occurs, as the clock was put forward, and was read as if it had not been"+other)
}

// startOver says that what follows is told from its beginning again, as the next table
// of a file is: the order of its stamps is its own.
func (s *Stamps) startOver() {
	s.latest = 0
	s.fold.first, s.fold.pending, s.fold.anchored = s.fold.first+s.fold.pending, 0, false
}

// undecided is an error if stamps may be of either of two instants.
func (s *Stamps) undecided() error { return s.fold.err(s.zone) }

// given says which zone was given for stamps without one, and where.
func (s *Stamps) given() string {
	return firstSet(s.from, zoneFlag) + " " + s.zone.String()
}

func (s *Stamps) say(how string) {
	if n := len(s.how); n > 0 && s.how[n-1] == how {
		return
	}
	if !slices.Contains(s.how, how) {
		s.how = append(s.how, how)
	}
}

func (s *Stamps) fraction(digits int) { s.digits = max(s.digits, digits) }

// The years that an instant may lie in; anything else is a misread stamp.
var (
	earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	latest   = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

func (s *Stamps) checked(sec, ns int64, b []byte) (int64, error) {
	if sec < earliest || sec >= latest {
		return 0, fmt.Errorf("stamp %q is not between 2000 and 2100", clip(string(b)))
	}
	s.latest = max(s.latest, sec)
	return sec*int64(time.Second) + ns, nil
}

// countOf writes how many of something there are: "1 stamp", "2 stamps".
func countOf(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}

// epochUnit returns the unit in which a whole number lies between 2000 and
// 2100, or 0. No number does so in two.
func epochUnit(whole int64) time.Duration {
	for _, unit := range [...]time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond} {
		if inUnit(whole, unit) {
			return unit
		}
	}
	return 0
}

// inUnit reports whether a whole number in the unit lies between 2000 and 2100.
func inUnit(whole int64, unit time.Duration) bool {
	per := int64(time.Second / unit)
	return whole >= earliest*per && whole/per < latest
}

func unitPlaces(unit time.Duration) int {
	switch unit {
	case time.Millisecond:
		return 3
	case time.Microsecond:
		return 6
	case time.Nanosecond:
		return 9
	}
	return 0
}

func unitName(unit time.Duration) string {
	switch unit {
	case time.Millisecond:
		return "milliseconds"
	case time.Microsecond:
		return "microseconds"
	case time.Nanosecond:
		return "nanoseconds"
	}
	return "seconds"
}

func noZone(b []byte, abbreviation string) error {
	if abbreviation != "" {
		return fmt.Errorf("stamp %q: %w: the abbreviation %s stands for more than one zone; give --timezone", clip(string(b)), ErrZone, clip(abbreviation))
	}
	return fmt.Errorf("stamp %q: %w: it names none; give --timezone", clip(string(b)), ErrZone)
}

// clip makes foreign text fit for an error or a note: short, valid and on one line.
func clip(text string) string {
	const most = 80
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}
