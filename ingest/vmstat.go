package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"headroom/runs"
)

// Vmstat reads the CPU and memory table of vmstat.
var Vmstat = &Importer{
	Name: "vmstat",
	Doc: `vmstat: CPU, memory, swap and block I/O of a Linux host

Recognised by the header line that begins with "r b swpd"; columns are found by
the names in it, so that -a, -w, -t, -n and every procps version do. Where the
names are translated, their place decides. Repeated headers are skipped. A stamp
in front of every line (ts, or a shell loop) is taken off and dates the rows
that have none of their own.

A row's time is the end of its interval. The first row is an average since boot
and is left out, and that is said; the output does not show whether vmstat -y,
which prints no such row, was used. With -t the zone is in the header: UTC and
GMT are known, of any other abbreviation the zone must be given. The header
names the zone of the row below it; where the clock is put back later, the order
of the rows tells which of two equal local times they mean. Without -t and
without stamps a start and an interval must be given.

Shares are whole percents at the source: on 80 CPUs one percent is 0.8 of a
core. -S changes the unit of the memory and swap columns and leaves no trace;
KiB are assumed, and columns that cannot be KiB are left out.`,
	Gives: []string{
		"points: cpu.*, procs.running, procs.blocked, memory.*, swap.in, swap.out, io.in, io.out, system.interrupts, system.context_switches",
	},
	Lacks: []string{"load average", "CPU per process", "stalls shorter than the interval", "the unit of the memory columns"},
	Sniff: func(head []byte) bool {
		_, _, ok := findVmstatHeader(head)
		return ok || vmstatMode(head) != ""
	},
	Read: readVmstat,
}

func readVmstat(in *Input, sink Sink) error {
	r := &vmstatReader{in: in, sink: sink, clock: rowClock{in: in}}
	l := in.Lines()
	for l.Next() {
		if err := r.line(l); err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	return r.finish()
}

// vmstatReader holds what carries over from line to line.
type vmstatReader struct {
	in    *Input
	sink  Sink
	clock rowClock

	header   vmstatHeader
	known    bool // a header was read
	prefixed bool // every line begins with a stamp
	memory   bool // the memory and swap columns are taken as KiB

	rows    int64 // with the first
	last    int64 // ns, of the row before
	firstCS float64
	leastCS float64 // of the rows after the first
}

// line reads one line: a group header, a column header or a row.
func (r *vmstatReader) line(l *Lines) error {
	line := l.Bytes()
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if !r.known {
		if mode := vmstatMode(line); mode != "" {
			return fmt.Errorf("vmstat %s, which is not the CPU table: record vmstat -t 1 instead", mode)
		}
	}
	stamp, rest, stamped := leadingStamp(line)
	if !stamped || !(r.prefixed || isVmstatHeader(rest) || isVmstatGroups(rest)) {
		stamp, rest = nil, line
	}
	switch {
	case isVmstatGroups(rest):
		return nil
	case isVmstatHeader(rest):
		r.prefixed = stamp != nil
		return r.setHeader(rest, l)
	case !r.known:
		return r.in.BadAt(l, "a line before the header that begins with \"r b swpd\": %q", clip(string(line)))
	case r.prefixed && stamp == nil:
		return r.in.BadAt(l, "no stamp in front, unlike the header: %q", clip(string(line)))
	}
	return r.row(stamp, rest, l)
}

// setHeader takes a column header; a repeated one must not change the columns.
func (r *vmstatReader) setHeader(line []byte, l *Lines) error {
	h := parseVmstatHeader(line)
	if !r.known {
		r.header, r.known = h, true
		if len(h.unknown) > 0 {
			r.in.Note("columns that are not known were left out: %q", h.unknown)
		}
		return nil
	}
	if !h.equal(&r.header) {
		return r.in.BadAt(l, "the header names other columns than the first one; one file holds one layout")
	}
	r.header.zone, r.header.told = h.zone, false
	return nil
}

// row reads a row of numbers. stamp is what stood in front of the line, or nil.
func (r *vmstatReader) row(stamp, line []byte, l *Lines) error {
	v, own, err := r.header.values(line)
	if err != nil {
		return r.in.BadAt(l, "%v", err)
	}
	if l.Cut() && own == nil && !v.complete() {
		return r.in.BadAt(l, "the shares do not add up to 100")
	}
	ns, err := r.instant(stamp, own)
	if err != nil {
		return r.in.unplaced(l, err)
	}
	r.header.told = r.in.Opt.Zone != nil && !isUTC(r.header.zone)
	r.rows++
	if r.rows == 1 {
		r.first(&v, ns)
		return nil
	}
	cs := v[vmCS].n
	if r.rows == 2 || cs < r.leastCS {
		r.leastCS = cs
	}
	err = r.points(&v, ns)
	r.last = ns
	return err
}

// instant returns the time of a row: of its own stamp, which is when vmstat
// took it, else of the stamp in front, which is when the line arrived.
func (r *vmstatReader) instant(stamp, own []byte) (int64, error) {
	if own != nil {
		ns, err := r.in.Stamps().Bytes(own)
		if err == nil || stamp == nil {
			return ns, err
		}
	}
	if stamp != nil {
		return r.in.Stamps().Bytes(stamp)
	}
	return r.clock.next()
}

// first takes the row that is an average since boot.
func (r *vmstatReader) first(v *vmstatValues, ns int64) {
	r.last = ns
	r.firstCS = v[vmCS].n
	const least = 64 << 10 // KiB; no Linux host that bears load has less
	sum, cols := 0.0, 0
	for _, c := range []vmstatColumn{vmFree, vmBuff, vmCache, vmInact, vmActive} {
		if v[c].ok {
			sum += v[c].n
			cols++
		}
	}
	r.memory = sum >= least
	switch {
	case cols == 0:
	case r.memory:
		r.in.Note("memory and swap are taken as KiB, vmstat's default: the output does not show whether -S was used")
	default:
		r.in.Note("free, buffers and cache add up to %.0f, too few to be KiB: -S was used, and the memory and swap columns were left out", sum)
	}
}

// finish says what was left out.
func (r *vmstatReader) finish() error {
	switch {
	case !r.known:
		return errors.New("holds no header line that begins with \"r b swpd\"")
	case r.rows == 0:
		return fmt.Errorf("%w: a header and no row", ErrEmpty)
	case r.rows == 1:
		return fmt.Errorf("%w: one row only, the average since boot; record vmstat -t 1", ErrEmpty)
	}
	// An idle host can have so few switches in any interval, and a busy one so
	// many since boot, that the row does not show what it is.
	const few = 3000
	if r.firstCS <= few && r.firstCS < r.leastCS/2 {
		r.in.Note("first row left out: the average since boot")
	} else {
		r.in.Note("first row left out: assumed to be the average since boot (vmstat -y prints none, and the output does not show whether it was used)")
	}
	r.in.Note("CPU shares are whole percents at the source")
	return nil
}

// points writes the row's points. Its resolution is its own interval, since
// vmstat reports what happened since the row before, however late it is. Two
// rows can bear one stamp, which has whole seconds; their interval is not known.
func (r *vmstatReader) points(v *vmstatValues, ns int64) error {
	p := runs.Point{Time: micros(ns), Kind: runs.Gauge, Resolution: max(ns-r.last, 0) / int64(time.Microsecond)}
	for c := range v {
		m := &vmstatMetrics[c]
		if !v[c].ok || m.name == "" || m.scaledByS && !r.memory {
			continue
		}
		p.Metric, p.Unit, p.Value = m.name, m.unit, v[c].n*m.factor/m.per
		if err := r.sink.Point(&p); err != nil {
			return err
		}
	}
	return nil
}
