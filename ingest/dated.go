package ingest

import (
	"bytes"
	"fmt"
	"time"
)

// datedCopies reads a log of dated copies of something: a line with a stamp and
// nothing else, as date writes it, then the lines of the copy, and so on.
type datedCopies struct {
	in *Input
	l  *Lines

	ns   int64 // instant of the copy being read, since the epoch
	copy int64 // its number, from 1; 0 before the first stamp
	line []byte
}

// next reads the next line that is no stamp. ok is false at the end.
func (d *datedCopies) next() (ok bool, err error) {
	for d.l.Next() {
		line := bytes.TrimRight(d.l.Bytes(), " \t")
		switch {
		case len(line) == 0:
			continue
		case isStampLine(line):
			ns, err := d.stamp(line)
			if err != nil {
				if err := d.in.unplaced(d.l, err); err != nil {
					return false, err
				}
				continue
			}
			d.ns = ns
			d.copy++
			continue
		case d.copy == 0 && !d.in.Opt.Start.IsZero():
			d.ns, d.copy = d.in.Opt.Start.UnixNano(), 1
			d.in.Note("a copy without a stamp, placed at the given start")
			d.in.Meta.Zone = "start as given"
		case d.copy == 0:
			return false, &FileError{d.in.Name, fmt.Errorf("line %d: a copy without a stamp before it; write one with date +%%s.%%N", d.l.Number())}
		}
		d.line = line
		return true, nil
	}
	return false, d.l.Finish()
}

// stamp reads a stamp line.
func (d *datedCopies) stamp(line []byte) (int64, error) {
	if plain, ok := plainDate(line); ok {
		line = plain
	}
	return d.in.Stamps().Bytes(line)
}

// isStampLine reports whether a line is a stamp and nothing else.
func isStampLine(line []byte) bool {
	if _, ok := plainDate(line); ok {
		return true
	}
	stamp, rest, ok := leadingStamp(line)
	return ok && len(rest) == 0 && len(stamp) > 0
}

// plainDate turns what date prints in the C locale without a format, "Mon Sep 14
// 10:06:12 UTC 2026", into the usual order.
func plainDate(line []byte) ([]byte, bool) {
	f := bytes.Fields(line[:min(len(line), 64)])
	if len(f) != 6 || len(f[5]) != 4 || len(f[0]) != 3 {
		return nil, false
	}
	zone := f[4]
	t, err := time.Parse("Mon Jan 2 15:04:05 2006", string(bytes.Join([][]byte{f[0], f[1], f[2], f[3], f[5]}, []byte(" "))))
	if err != nil {
		return nil, false
	}
	return append(append(t.AppendFormat(nil, "2006-01-02 15:04:05"), ' '), zone...), true
}

// firstCopy returns the first line after the first stamp in head, nil if head
// does not begin with a stamp line.
func firstCopy(head []byte) []byte {
	line, whole := firstLine(head)
	if !whole || !isStampLine(bytes.TrimRight(line, " \t")) {
		return nil
	}
	at := bytes.Index(head, line) + len(line)
	line, _ = firstLine(head[at:])
	return bytes.TrimRight(line, " \t")
}
