package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Iostat reads the text of iostat.
var Iostat = &Importer{
	Name: "iostat",
	Doc: `iostat: CPU time and disks, report by report

Recognised by "avg-cpu:" or "Device" at the start of a line (man 1 iostat); columns
are found by name, of whatever version, with -x, -m and -k. Times come from -t, of
which an ISO stamp names its zone and others need one given, or from stamps that
another tool (ts) put before each line; without either a start and an interval must
be given. Numbers can have a decimal comma, dates the locale's order.

The first report is an average since boot and is left out, unless the empty line
that iostat -y prints in its stead follows the banner. A device that is not in a
report has no points there. Read and write sizes are the tool's; throughput over
requests of the same row is what they are. %util is the share of time with any
request in flight, and not saturation. Partitions, md and dm devices repeat the
requests of their disks.`,
	Gives: []string{"points: cpu.*, disk.*"},
	Lacks: []string{"the zone, unless it is asked to print one", "CPU per process"},
	Sniff: func(head []byte) bool { return sysstatTool(head) == "iostat" },
	Read:  readIostat,
}

// isIostatHeader reports whether a line is one of iostat's two headers.
func isIostatHeader(line []byte) bool {
	if bytes.HasPrefix(line, []byte("avg-cpu:")) {
		return true
	}
	f := bytes.Fields(line[:min(len(line), 1024)])
	if len(f) < 4 || string(f[0]) != "Device" && string(f[0]) != "Device:" {
		return false
	}
	return slices.ContainsFunc(f[1:], func(name []byte) bool { return sysDiskMetrics[string(name)].name != "" })
}

// iostatReader holds the report that is being read.
type iostatReader struct {
	in    *Input
	out   sysSink
	clock rowClock

	table   *sysTable // of the rows that follow
	cpu     bool      // the row of shares comes next
	report  int64     // from 1
	devices bool      // the report has its table of devices
	stamp   []byte    // of the report, by -t; nil if there is none
	line    []byte    // stamp in front of the line, nil if there is none
	ns      int64
	placed  bool

	sinceBoot bool // the first report is one
	blanks    int  // empty lines after the banner
	banner    bool // only empty lines were seen since the banner
	comma     bool
}

func readIostat(in *Input, sink Sink) error {
	r := &iostatReader{in: in, out: sysSink{sink: sink}, clock: rowClock{in: in}, sinceBoot: true}
	l := in.Lines()
	for l.Next() {
		if err := r.read(l); err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	switch {
	case r.report == 0:
		return errors.New("holds no report")
	case r.report == 1 && r.sinceBoot:
		return fmt.Errorf("%w: one report only, the average since boot; record iostat -xt 1", ErrEmpty)
	case r.sinceBoot:
		in.Note("first report left out: the average since boot")
	default:
		in.Note("first report kept: the banner is followed by the empty line of iostat -y")
	}
	r.out.finish(in)
	return nil
}

// read reads a line.
func (r *iostatReader) read(l *Lines) error {
	line := l.Bytes()
	r.line = nil
	if stamp, rest, ok := leadingStamp(line); ok && (len(rest) > 0 || bytes.HasSuffix(line, []byte("\t"))) {
		r.line, line = bytes.Clone(stamp), rest
	}
	if _, ok := parseSysstatBanner(line); ok {
		r.banner, r.blanks = true, 0
		return nil
	}
	if len(bytes.TrimSpace(line)) == 0 {
		r.blanks++
		r.table = nil
		return nil
	}
	if r.banner {
		r.sinceBoot = r.blanks < 2
		r.banner = false
	}
	if stamp, guessed, ok := iostatStamp(bytes.TrimSpace(line)); ok {
		if r.report == 0 {
			r.in.sayGuessed(guessed)
		}
		r.begin(stamp)
		return nil
	}
	f := bytes.Fields(line)
	switch {
	case bytes.HasPrefix(line, []byte("avg-cpu:")):
		if r.stamp == nil || r.cpu || r.devices {
			r.begin(nil)
		}
		r.table = newSysTable(append([]string{"CPU"}, textsOf(f[1:])...))
		r.cpu = true
		return nil
	case isIostatHeader(line):
		if r.devices || r.report == 0 {
			r.begin(nil)
		}
		r.devices = true
		r.table = newSysTable(textsOf(f))
		return nil
	case r.table == nil:
		return r.in.BadAt(l, "neither a header, a stamp nor a row of a table: %q", clip(string(line)))
	case r.table.kind == sysCPU:
		f = append([][]byte{[]byte("all")}, f...)
	}
	return r.row(f, l)
}

// begin begins a report. One without -t begins with its first table.
func (r *iostatReader) begin(stamp []byte) {
	r.report++
	r.stamp, r.cpu, r.devices, r.placed = stamp, false, false, false
	if stamp == nil {
		r.stamp = []byte{}
	}
}

// row reads a row of a table.
func (r *iostatReader) row(f [][]byte, l *Lines) error {
	v, err := r.table.values(f)
	if err == nil && l.Cut() {
		err = errors.New("cut")
	}
	if err != nil {
		return r.in.BadAt(l, "%v", err)
	}
	if !r.placed {
		if r.ns, err = r.instant(); err != nil {
			return r.in.unplaced(l, err)
		}
		r.placed = true
	}
	if r.report == 1 && r.sinceBoot {
		r.out.begin = r.ns
		return nil
	}
	if !r.comma && bytes.IndexByte(l.Bytes(), ',') >= 0 {
		r.comma = true
		r.in.Note("numbers are written with a decimal comma")
	}
	return r.out.row(r.table, r.ns, v)
}

// instant returns the time of the report: its own, or that in front of its line,
// which is when it arrived, or by the given start and interval.
func (r *iostatReader) instant() (int64, error) {
	switch {
	case len(r.stamp) > 0:
		return r.in.Stamps().Bytes(r.stamp)
	case r.line != nil:
		return r.in.Stamps().Bytes(r.line)
	}
	return r.clock.next()
}

// iostatStamp reads the line that -t puts before a report, in the form that Stamps
// takes: "2026-11-30T15:28:48+0000", "11/30/26 15:28:48", "02.03.2026 10:00:00",
// "11/30/2026 03:28:48 PM".
func iostatStamp(line []byte) (stamp []byte, guessed string, ok bool) {
	f := bytes.Fields(line)
	if len(f) == 1 && isDate(line) {
		return bytes.Clone(line), "", true
	}
	if len(f) < 2 || len(f) > 3 {
		return nil, "", false
	}
	date, guessed, ok := parseSysstatDate(strings.TrimSuffix(string(f[0]), ","))
	day, words, isTime := timeOfDay(f[1:])
	if !ok || !isTime || len(f) != 1+words {
		return nil, "", false
	}
	return date.Add(day).AppendFormat(nil, "2006-01-02 15:04:05"), guessed, true
}
