package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/runs"
)

// Pidstat reads the text of pidstat.
var Pidstat = &Importer{
	Name: "pidstat",
	Doc: `pidstat: CPU, memory and I/O of processes

Recognised by a header with PID and Command, in blocks or, with -h, as one table
"# Time … Command" (man 1 pidstat); columns are found by name. The banner has the
date, no zone is written. With -h of some versions, and -H, times are seconds since
the epoch.

%CPU is of one core (unless -I divided it by the CPUs, which does not show): a
process on two cores has 2. Only processes that did something are listed, unless
-p ALL was given: one that is missing did nothing, or ended. Rows of threads (-t)
are left out. What could not be read is written -1, and is missing.`,
	Gives: []string{"points: process.cpu, process.cpu_user, process.cpu_system, process.cpu_guest, process.cpu_wait, process.rss, process.virtual, process.major_faults, process.read_bytes, process.write_bytes, process.context_switches, process.involuntary_switches, process.threads, process.files"},
	Lacks: []string{"the zone of its times", "processes that lived between two samples", "when a process began"},
	Sniff: func(head []byte) bool { return sysstatTool(head) == "pidstat" },
	Read:  readPidstat,
}

// pidstatMetrics are the columns of pidstat.
var pidstatMetrics = map[string]sysMetric{
	"%usr": sysShare("process.cpu_user"), "%system": sysShare("process.cpu_system"), "%guest": sysShare("process.cpu_guest"), "%wait": sysShare("process.cpu_wait"), "%CPU": sysShare("process.cpu"),
	"majflt/s": sysRate("process.major_faults"), "VSZ": sysKiB("process.virtual"), "RSS": sysKiB("process.rss"),
	"kB_rd/s": sysKiBRate("process.read_bytes"), "kB_wr/s": sysKiBRate("process.write_bytes"),
	"cswch/s": sysRate("process.context_switches"), "nvcswch/s": sysRate("process.involuntary_switches"), "threads": sysOne("process.threads"), "fd-nr": sysOne("process.files"),
}

// isPidstatHeader reports whether the words of a line are a header of pidstat.
func isPidstatHeader(f [][]byte) bool {
	if len(f) < 4 || string(f[len(f)-1]) != "Command" {
		return false
	}
	return slices.ContainsFunc(f, func(word []byte) bool { return string(word) == "PID" || string(word) == "TGID" })
}

// pidstatReader holds the table that is being read.
type pidstatReader struct {
	in    *Input
	sink  Sink
	clock dayClock

	columns []string // without the time
	last    int64    // the instant of the rows before
	every   int64    // µs between it and the one before
	threads int64
}

func readPidstat(in *Input, sink Sink) error {
	r := &pidstatReader{in: in, sink: sink}
	l := in.Lines()
	for l.Next() {
		if err := r.line(l); err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	if r.columns == nil {
		return errors.New("holds no header with PID and Command")
	}
	in.Note("CPU of processes is in cores, unless pidstat -I divided it by their number, which does not show")
	if r.threads > 0 {
		in.Note("rows of threads, left out: %d", r.threads)
	}
	return nil
}

func (r *pidstatReader) line(l *Lines) error {
	line := l.Bytes()
	f := bytes.Fields(line)
	if len(f) == 0 {
		return nil
	}
	if b, ok := parseSysstatBanner(line); ok {
		if !r.clock.known {
			r.in.sayGuessed(b.guessed)
		}
		r.clock = dayClock{date: b.date, known: true}
		return nil
	}
	day, words, isTime := timeOfDay(f)
	if isPidstatHeader(f) {
		switch {
		case string(f[0]) == "#" && len(f) > 1 && string(f[1]) == "Time":
			f = f[2:]
		case string(f[0]) == "#Time", string(f[0]) == "Time":
			f = f[1:]
		case isTime:
			r.clock.next(day)
			f = f[words:]
		default:
			return nil // over the averages
		}
		r.columns = textsOf(f)
		return nil
	}
	var ns int64
	var err error
	switch {
	case r.columns == nil:
		return r.in.BadAt(l, "a line before the header: %q", clip(string(line)))
	case isTime:
		ns, err = r.in.instant(&r.clock, r.clock.next(day))
	case len(f[0]) >= minEpochDigits && isWhole(f[0]):
		words = 1
		ns, err = r.in.Stamps().Bytes(f[0])
	default:
		return nil // averages, in whatever language
	}
	if err != nil {
		return r.in.unplaced(l, err)
	}
	if err = r.row(ns, f[words:]); err == nil && l.Cut() {
		err = errBadRow{errors.New("cut")}
	}
	if bad, ok := errors.AsType[errBadRow](err); ok {
		return r.in.BadAt(l, "%v", bad.error)
	}
	return err
}

// row reads a row without its time.
func (r *pidstatReader) row(ns int64, f [][]byte) error {
	n := len(r.columns)
	if len(f) < n {
		return errBadRow{fmt.Errorf("a row of %d columns under a header of %d", len(f), n)}
	}
	var pid, command string
	for i, c := range r.columns {
		switch c {
		case "PID", "TGID":
			pid = string(f[i])
		case "TID":
			if string(f[i]) != "-" {
				r.threads++
				return nil
			}
		case "Command":
			command = string(bytes.Join(f[i:], []byte(" ")))
		}
	}
	if _, err := strconv.ParseUint(pid, 10, 32); err != nil {
		return errBadRow{fmt.Errorf("%q is no process id", clip(pid))}
	}
	if ns > r.last {
		if r.last != 0 {
			r.every = (ns - r.last) / int64(time.Microsecond)
		}
		r.last = ns
	}
	p := runs.Point{Kind: runs.Gauge, Entity: shorten(strings.ToValidUTF8(command, "\uFFFD")+"["+pid+"]", 400), Resolution: r.every}
	p.Time, p.TimeNS = runs.SplitNanos(ns)
	points := make([]runs.Point, 0, n)
	for i, c := range r.columns {
		m, ok := pidstatMetrics[c]
		if !ok {
			continue
		}
		number, ok := sysNumber(f[i])
		if !ok {
			return errBadRow{fmt.Errorf("%q in column %s is no number", clip(string(f[i])), c)}
		}
		value, ok := m.value(number)
		if !ok || value < 0 {
			continue
		}
		p.Metric, p.Unit, p.Value = m.name, m.unit, value
		points = append(points, p)
	}
	for i := range points {
		if err := r.sink.Point(&points[i]); err != nil {
			return err
		}
	}
	return nil
}
