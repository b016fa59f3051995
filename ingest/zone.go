package ingest

import (
	"fmt"
	"time"
)

// ParseZone reads the zone of stamps that name none: a name of the zone database,
// "Europe/Paris" or "UTC", or how far local time is ahead of UTC, "+02:00". "Local"
// is no name: what it means is another thing on every machine.
func ParseZone(text string) (*time.Location, error) {
	if len(text) > 1 && (text[0] == '+' || text[0] == '-') {
		if offset, ok := writtenOffset([]byte(text)); ok {
			return time.FixedZone(text, int(offset)), nil
		}
	}
	zone, err := time.LoadLocation(text)
	if err != nil || text == "" || text == time.Local.String() {
		return nil, fmt.Errorf("there is no time zone %q; want a name as Europe/Paris or UTC, or how far it is ahead of UTC as +02:00", clip(text))
	}
	return zone, nil
}

// fold is what is known of the local times that occur twice, as the clock was put
// back. Which of the two a stamp means is told by an abbreviation, or by the order
// of the stamps: one that follows an hour that is certain by less than backwards is
// of the first pass, and where stamps go back by more, the second pass has begun.
type fold struct {
	first     int    // stamps of the first pass, by the order
	second    int    // stamps of the second, by the order
	pending   int    // of the first pass so far: certain once the second begins
	undecided int    // nothing tells
	doubt     string // the first stamp that may be in doubt
	zones     [2]string
	anchored  bool // the stamps up to the latest follow one that is certain
}

// in counts a stamp of the hour that occurs twice and says whether it is of the
// second pass. at is its instant if it is of the first, latest that of the latest
// stamp before it, 0 if there is none.
func (f *fold) in(stamp string, at, latest int64) (second bool) {
	if latest > at+backwards {
		f.second++
		f.first += f.pending + f.undecided // those before were of the first pass
		f.pending, f.undecided, f.doubt, f.anchored = 0, 0, "", true
		return true
	}
	if f.doubt == "" {
		f.doubt = stamp
	}
	if f.anchored && at-latest <= backwards {
		f.pending++
	} else {
		f.anchored = false
		f.undecided++
	}
	return false
}

// out takes a stamp that occurs once. If it comes after a first pass and no second
// was seen, an hour is missing, and it may as well be the first.
func (f *fold) out(at, latest int64) {
	if f.pending > 0 && at > latest {
		f.undecided += f.pending
		f.pending = 0
	}
	f.anchored = true
}

// err says that stamps must be asked for; nil if none is in doubt.
func (f *fold) err(zone *time.Location) error {
	if f.undecided == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s in %s, the first %q, of the hour that occurs twice, as the clock was put back, and their order does not tell which of the two they are; give how far the clock was ahead of UTC (--timezone %s or --timezone %s)",
		ErrZone, countOf(f.undecided, "stamp"), zone, clip(f.doubt), f.zones[0], f.zones[1])
}

// offsetText writes an offset from UTC as ParseZone reads it.
func offsetText(seconds int64) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	return fmt.Sprintf("%c%02d:%02d", sign, seconds/3600, seconds/60%60)
}
