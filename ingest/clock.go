package ingest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"headroom/runs"
)

// Clock says of one file what it does not say of its own clock.
type Clock struct {
	// File is the path of a file as it was given, or the base name of one.
	File string
	// Offset is added to every stamp of the file, so that it stands on the clock of
	// the load generator. It is recorded in the manifest.
	Offset time.Duration
	// Zone is of stamps without a zone, instead of Options.Zone; nil: that one.
	Zone *time.Location
}

// maxOffset is the largest clock offset that is applied; a larger one is a zone
// or a mistake.
const maxOffset = 366 * 24 * time.Hour

// setClocks gives the files the clocks that the request names.
func (r *Request) setClocks(files []File) error {
	for _, c := range r.Clocks {
		used := false
		for i := range files {
			f := &files[i]
			if f.Path != c.File && filepath.Base(f.Path) != c.File {
				continue
			}
			used = true
			f.offset += c.Offset
			if c.Zone != nil {
				f.zone = c.Zone
			}
			if f.offset.Abs() > maxOffset {
				return &FileError{filepath.Base(f.Path), fmt.Errorf("%w: a clock offset of %v is more than a year", ErrUsage, f.offset)}
			}
		}
		if !used {
			return fmt.Errorf("%w: a clock is given for %q, and no file has that path or name", ErrUsage, clip(c.File))
		}
	}
	return nil
}

// shift passes rows on with an offset on their times. It changes copies, since
// importers use their rows again.
type shift struct {
	Sink
	by int64 // ns
}

// micros returns an instant in µs, shifted and floored.
func (s *shift) micros(us int64) int64 { return micros(us*1000 + s.by) }

func (s *shift) Sample(row *runs.Sample) error {
	q := *row
	q.Start, q.StartNS = runs.SplitNanos(row.StartNanos() + s.by)
	if row.StartNS == runs.Missing {
		q.StartNS = runs.Missing
	}
	return s.Sink.Sample(&q)
}

func (s *shift) Point(row *runs.Point) error {
	q := *row
	q.Time, q.TimeNS = runs.SplitNanos(row.Nanos() + s.by)
	return s.Sink.Point(&q)
}

func (s *shift) Activity(row *runs.Activity) error {
	q := *row
	q.Time = s.micros(row.Time)
	return s.Sink.Activity(&q)
}

func (s *shift) Marker(row *runs.Marker) error {
	q := *row
	q.Time = s.micros(row.Time)
	return s.Sink.Marker(&q)
}

func (s *shift) Histogram(row *runs.Histogram) error {
	q := *row
	q.Start = s.micros(row.Start)
	return s.Sink.Histogram(&q)
}

func (s *shift) Snapshot(row *runs.Snapshot) error {
	q := *row
	if row.Time != runs.Missing {
		q.Time = s.micros(row.Time)
	}
	return s.Sink.Snapshot(&q)
}

// shiftCounts puts an offset on the stamp of counts.
func (s *source) shiftCounts() {
	c := s.meta.Counts
	if c == nil || c.At == "" || s.file.offset == 0 {
		return
	}
	if at, err := time.Parse(time.RFC3339Nano, c.At); err == nil {
		c.At = stampText(at.Add(s.file.offset).UnixMicro())
	}
}

// zoneFlag is where the zone of stamps without one is given. How a file's zone is
// known begins with it where that zone was used.
const zoneFlag = "--timezone"

// tellZones says on the files that a zone was given for which it decided nothing:
// their stamps say themselves when they were, and what is written was kept. A zone
// that is given for all files is meant for those that need one, so that of it is
// told only if none did.
func (g *ingestion) tellZones() {
	needed := slices.ContainsFunc(g.sources, func(s *source) bool { return s.file.zone == nil && s.usedZone() })
	for _, s := range g.sources {
		zone := s.file.zone
		if zone == nil && !needed && s.rec.Zone != "" {
			zone = g.req.Options.Zone
		}
		switch {
		case zone == nil || s.usedZone():
		case s.rec.Zone == "":
			s.rec.Notes = append(s.rec.Notes, fmt.Sprintf("%s %s decided nothing: the file has no stamp that takes a zone", zoneFlag, zone))
		default:
			s.rec.Notes = append(s.rec.Notes, fmt.Sprintf("%s %s decided nothing: the file's stamps say themselves when they were (%s), and that was kept", zoneFlag, zone, s.rec.Zone))
		}
	}
}

// usedZone reports whether stamps of the file were read in the zone that was given.
func (s *source) usedZone() bool { return strings.Contains(s.rec.Zone, zoneFlag) }
