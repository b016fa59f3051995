package ingest

import (
	"bytes"
	"fmt"
	"strconv"

	"headroom/runs"
)

// ProcPidStat reads logs of dated copies of /proc/PID/stat.
var ProcPidStat = &Importer{
	Name: "proc-pid-stat",
	Doc: `CPU time of processes: dated copies of /proc/PID/stat

Each copy, of one line a process, stands behind a line with its stamp, as
"date +%s.%N; cat /proc/[0-9]*/stat" in a loop writes it
(https://docs.kernel.org/filesystems/proc.html). A process is told by its name,
its pid and its start time, so that a pid that is used again is another process.
The name, of up to 15 bytes, may hold blanks and parentheses: it ends at the last
one. Times are totals in clock ticks, 100 a second unless another number is
given; resident memory is in pages of 4,096 bytes, which is assumed.

A process that is missing from a copy has ended, or was not asked for.`,
	Gives: []string{"points: process.cpu_seconds, process.children_cpu_seconds, process.threads, process.rss"},
	Lacks: []string{"the command line", "CPU of processes that lived between two copies, but for children that were waited for"},
	Sniff: func(head []byte) bool {
		if line := firstCopy(head); line != nil {
			return isPidStat(line)
		}
		line, _ := firstLine(head)
		return isPidStat(line)
	},
	Read: readProcPidStat,
}

func readProcPidStat(in *Input, sink Sink) error {
	d := &datedCopies{in: in, l: in.Lines()}
	out := &cadence{sink: sink}
	ticks := in.clockTicks()
	in.Note("resident memory in pages of %d bytes: the file does not say", pageSize)
	for {
		ok, err := d.next()
		if err != nil {
			return err
		}
		if !ok {
			return out.finish()
		}
		p, err := parsePidStat(d.line)
		if err != nil {
			err = in.BadAt(d.l, "%v", err)
		} else {
			err = p.points(d.ns, ticks, out)
		}
		if err != nil {
			return err
		}
	}
}

// pageSize is the size of a page of memory on x86-64 and on most arm64 kernels.
const pageSize = 4096

// pidStat is one line of /proc/PID/stat.
type pidStat struct {
	entity        string // name[pid]@start
	cpu, children uint64 // user and system, ticks
	threads       float64
	residentPages float64
}

func (p *pidStat) points(ns int64, ticks float64, out *cadence) error {
	time, rest := runs.SplitNanos(ns)
	for _, m := range []struct {
		name, unit string
		kind       runs.Kind
		value      float64
	}{
		{"process.cpu_seconds", "s", runs.Counter, float64(p.cpu) / ticks},
		{"process.children_cpu_seconds", "s", runs.Counter, float64(p.children) / ticks},
		{"process.threads", "1", runs.Gauge, p.threads},
		{"process.rss", "B", runs.Gauge, p.residentPages * pageSize},
	} {
		point := runs.Point{Time: time, TimeNS: rest, Entity: p.entity, Metric: m.name, Kind: m.kind, Value: m.value, Unit: m.unit}
		if err := out.point(&point); err != nil {
			return err
		}
	}
	return nil
}

// Places of the fields of /proc/PID/stat after the name, from 0 (the state).
const (
	pidStatUser     = 11 // utime; stime, cutime and cstime follow
	pidStatThreads  = 17
	pidStatStart    = 19 // ticks since boot
	pidStatResident = 21 // pages
	pidStatFields   = 22 // that are needed
)

// parsePidStat reads a line of /proc/PID/stat. Fields were added at the end over
// the years; those that are read stand in every kernel.
func parsePidStat(line []byte) (p pidStat, err error) {
	open, end := bytes.IndexByte(line, '('), bytes.LastIndexByte(line, ')')
	if open < 0 || end < open {
		return p, fmt.Errorf("%q is no line of /proc/PID/stat: no name in parentheses", clip(string(line)))
	}
	pid, err := strconv.ParseUint(string(bytes.TrimSpace(line[:open])), 10, 32)
	if err != nil {
		return p, fmt.Errorf("%q is no process id", clip(string(line[:open])))
	}
	f := bytes.Fields(line[end+1:])
	if len(f) < pidStatFields {
		return p, fmt.Errorf("%d fields after the name, of the %d that are needed", len(f), pidStatFields)
	}
	var n [pidStatFields]uint64
	for _, i := range []int{pidStatUser, pidStatUser + 1, pidStatThreads, pidStatStart, pidStatResident} {
		if n[i], err = strconv.ParseUint(string(f[i]), 10, 64); err != nil {
			return p, fmt.Errorf("field %d, %q, is no whole number", i+3, clip(string(f[i])))
		}
	}
	// Children's times are signed in the kernel's format, and never negative.
	for _, i := range []int{pidStatUser + 2, pidStatUser + 3} {
		c, err := strconv.ParseInt(string(f[i]), 10, 64)
		if err != nil {
			return p, fmt.Errorf("field %d, %q, is no whole number", i+3, clip(string(f[i])))
		}
		n[i] = uint64(max(c, 0))
	}
	p.entity = fmt.Sprintf("%s[%d]@%d", line[open+1:end], pid, n[pidStatStart])
	p.cpu = n[pidStatUser] + n[pidStatUser+1]
	p.children = n[pidStatUser+2] + n[pidStatUser+3]
	p.threads, p.residentPages = float64(n[pidStatThreads]), float64(n[pidStatResident])
	return p, nil
}

func isPidStat(line []byte) bool {
	_, err := parsePidStat(line)
	return err == nil
}
