package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"headroom/runs"
)

// ProcFiles reads copies of further files of /proc and of control groups.
var ProcFiles = &Importer{
	Name: "proc-files",
	Doc: `Copies of /proc/meminfo, vmstat, diskstats, net/dev, pressure/*, of cpu.stat

Each copy stands behind a line with its stamp, as "date +%s.%N; cat /proc/meminfo"
in a loop writes it (https://docs.kernel.org/filesystems/proc.html); which file it is
is told by its content, which pressure by the name of the file that it is in. A
snapshot of several files at once has "@@@ sample N realtime=SECONDS" before each
sample and "@@ /proc/PATH" before each file; copies of stat, loadavg and PID/stat in
it are read as by proc-stat, loadavg and proc-pid-stat.

A copy without a stamp needs a given start. Counters are since boot and keep their
resets; times of disks wrap after 49 days of busy time. schedstat and softnet_stat
are recognised and refused.`,
	Gives: []string{"points: memory.*, io.*_total, swap.*_count, disk.*, net.*, pressure.*, cgroup.*"},
	Lacks: []string{"whose memory, I/O or traffic it is"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		if isSnapshotLine(line) {
			return true
		}
		if first := firstCopy(head); first != nil {
			line = first
		}
		return procFileKind(line) != ""
	},
	Read: readProcFiles,
}

// isSnapshotLine reports whether a line begins a sample of several files.
func isSnapshotLine(line []byte) bool {
	return bytes.HasPrefix(line, []byte("@@@ sample ")) || bytes.HasPrefix(line, []byte("@@ t="))
}

// procFileKind tells which file a copy is of, by its first line.
func procFileKind(line []byte) string {
	f := bytes.Fields(line[:min(len(line), 1024)])
	has := func(i int, text string) bool { return i < len(f) && string(f[i]) == text }
	numbers := func(from int) bool {
		for _, word := range f[min(from, len(f)):] {
			if !isWhole(word) {
				return false
			}
		}
		return len(f) > from
	}
	switch {
	case len(f) == 3 && has(0, "MemTotal:") && has(2, "kB"):
		return "meminfo"
	case len(f) == 2 && has(0, "nr_free_pages") && numbers(1):
		return "vmstat"
	case len(f) >= 14 && len(f) <= 20 && isWhole(f[0]) && isWhole(f[1]) && !isWhole(f[2]) && numbers(3):
		return "diskstats"
	case len(f) >= 3 && has(0, "Inter-|"):
		return "net/dev"
	case len(f) == 5 && (has(0, "some") || has(0, "full")) && bytes.HasPrefix(f[1], []byte("avg10=")):
		return "pressure"
	case len(f) == 2 && (has(0, "usage_usec") || has(0, "nr_periods")) && numbers(1):
		return "cpu.stat"
	case len(f) == 2 && has(0, "version") && len(f[1]) == 2 && numbers(1):
		return "schedstat"
	case len(f) >= 9 && len(line) >= 9*9-1 && len(bytes.Trim(bytes.Join(f, nil), "0123456789abcdef")) == 0 && len(f[0]) == 8 && len(f[1]) == 8:
		return "softnet_stat"
	}
	return ""
}

// procMetric is what a number becomes: value × factor / per.
type procMetric struct {
	name, unit  string
	kind        runs.Kind
	factor, per float64
}

func procGauge(name string) procMetric { return procMetric{name, "B", runs.Gauge, 1024, 1} }
func procCount(name string) procMetric { return procMetric{name, "1", runs.Counter, 1, 1} }
func procSeconds(name string, per float64) procMetric {
	return procMetric{name, "s", runs.Counter, 1, per}
}

// procNamed are the lines of a name and a number, by file.
var procNamed = map[string]map[string]procMetric{
	"meminfo": {
		"MemTotal": procGauge("memory.total"), "MemFree": procGauge("memory.free"), "MemAvailable": procGauge("memory.available"), "Buffers": procGauge("memory.buffers"), "Cached": procGauge("memory.cached"),
		"SwapTotal": procGauge("memory.swap_total"), "SwapFree": procGauge("memory.swap_free"), "Dirty": procGauge("memory.dirty"), "Writeback": procGauge("memory.writeback"),
		"AnonPages": procGauge("memory.anonymous"), "Active": procGauge("memory.active"), "Inactive": procGauge("memory.inactive"), "Committed_AS": procGauge("memory.committed"),
	},
	"vmstat": {
		"pgpgin": {"io.in_total", "B", runs.Counter, 1024, 1}, "pgpgout": {"io.out_total", "B", runs.Counter, 1024, 1}, "pswpin": procCount("swap.in_page_count"), "pswpout": procCount("swap.out_page_count"),
		"pgfault": procCount("memory.page_fault_count"), "pgmajfault": procCount("memory.major_fault_count"), "oom_kill": procCount("memory.oom_kills"),
	},
	"cpu.stat": {
		"usage_usec": procSeconds("cgroup.cpu_seconds", 1e6), "user_usec": procSeconds("cgroup.cpu_user_seconds", 1e6), "system_usec": procSeconds("cgroup.cpu_system_seconds", 1e6),
		"nr_periods": procCount("cgroup.periods"), "nr_throttled": procCount("cgroup.throttled"), "throttled_usec": procSeconds("cgroup.throttled_seconds", 1e6), "throttled_time": procSeconds("cgroup.throttled_seconds", 1e9),
	},
}

// procDisk are the columns of diskstats behind the device; sectors have 512 bytes.
var procDisk = []procMetric{
	procCount("disk.read_count"), {}, {"disk.read_bytes_total", "B", runs.Counter, 512, 1}, procSeconds("disk.read_seconds", 1e3),
	procCount("disk.write_count"), {}, {"disk.write_bytes_total", "B", runs.Counter, 512, 1}, procSeconds("disk.write_seconds", 1e3),
	{"disk.in_flight", "1", runs.Gauge, 1, 1}, procSeconds("disk.busy_seconds", 1e3), procSeconds("disk.queue_seconds", 1e3),
}

// procNet are the columns of net/dev behind the interface.
var procNet = []procMetric{
	{"net.receive_bytes_total", "B", runs.Counter, 1, 1}, procCount("net.receive_packet_count"), procCount("net.receive_error_count"), procCount("net.receive_drop_count"), {}, {}, {}, {},
	{"net.transmit_bytes_total", "B", runs.Counter, 1, 1}, procCount("net.transmit_packet_count"), procCount("net.transmit_error_count"), procCount("net.transmit_drop_count"),
}

// procFilesReader reads copies, one after the other.
type procFilesReader struct {
	in       *Input
	out      *cadence
	ns       int64
	kind     string // of the copy
	resource string // of a copy of pressure
	others   map[string]*otherCopies
}

// otherCopies is the text of a file that another importer reads.
type otherCopies struct {
	bytes.Buffer
	at int64 // the sample of the last line, ns
}

// procOthersMax is how much text of files that other importers read is held, in
// bytes, of a snapshot of several files.
const procOthersMax = 64 << 20

func readProcFiles(in *Input, sink Sink) error {
	head, err := readSample(in)
	if err != nil {
		return err
	}
	r := &procFilesReader{in: in, out: &cadence{sink: sink}, others: map[string]*otherCopies{}}
	if line, _ := firstLine(head); isSnapshotLine(line) {
		err = r.snapshots(sink)
	} else {
		err = r.copies()
	}
	if err != nil {
		return err
	}
	return r.out.finish()
}

// copies reads dated copies of one file.
func (r *procFilesReader) copies() error {
	d := &datedCopies{in: r.in, l: r.in.Lines()}
	copies := int64(0)
	for {
		ok, err := d.next()
		if err != nil || !ok {
			return err
		}
		if d.copy != copies {
			copies, r.ns, r.kind, r.resource = d.copy, d.ns, procFileKind(d.line), pressureOf(r.in.Name)
		}
		if err := r.line(d.line, d.l); err != nil {
			return err
		}
	}
}

// snapshots reads samples of several files.
func (r *procFilesReader) snapshots(sink Sink) error {
	l := r.in.Lines()
	path, fresh, placed := "", false, false
	for l.Next() {
		line := bytes.TrimRight(l.Bytes(), " \t")
		if stamp, ok := snapshotStamp(line); ok {
			ns, err := r.in.Stamps().Bytes(stamp)
			if err != nil {
				return &FileError{r.in.Name, fmt.Errorf("line %d: %w", l.Number(), err)}
			}
			r.ns, path, fresh, placed = ns, "", true, true
			continue
		}
		if name, ok := bytes.CutPrefix(line, []byte("@@ ")); ok {
			path, fresh = string(name), true
			continue
		}
		if len(line) == 0 || !placed {
			continue
		}
		if fresh {
			r.kind, r.resource, fresh = procFileKind(line), pressureOf(path), false
		}
		if other := otherProcFile(path); other != "" {
			if err := r.keep(other, line); err != nil {
				return err
			}
			continue
		}
		if r.kind == "" {
			continue // of a file that is not read
		}
		if err := r.line(line, l); err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	for _, im := range []*Importer{ProcStat, ProcPidStat, Loadavg} {
		if text := r.others[im.Name]; text != nil {
			in := NewInput(r.in.Name, &text.Buffer, r.in.Opt)
			if err := im.Read(in, sink); err != nil {
				return err
			}
			r.in.Meta.Notes = append(r.in.Meta.Notes, in.Meta.Notes...)
		}
	}
	return nil
}

// snapshotStamp returns the stamp of the line that begins a sample.
func snapshotStamp(line []byte) ([]byte, bool) {
	f := bytes.Fields(line[:min(len(line), 256)])
	if !isSnapshotLine(line) || len(f) < 3 {
		return nil, false
	}
	for _, word := range f {
		if stamp, ok := bytes.CutPrefix(word, []byte("realtime=")); ok {
			return stamp, true
		}
	}
	return f[2], string(f[0]) == "@@"
}

// otherProcFile names the importer of a file that another one reads.
func otherProcFile(path string) string {
	switch path {
	case "/proc/stat":
		return "proc-stat"
	case "/proc/loadavg":
		return "loadavg"
	case "/proc/[pid]/stat":
		return "proc-pid-stat"
	}
	return ""
}

// keep holds a line for its importer, behind the sample's stamp.
func (r *procFilesReader) keep(name string, line []byte) error {
	text := r.others[name]
	if text == nil {
		text = &otherCopies{}
		r.others[name] = text
	}
	if text.Len() > procOthersMax {
		return &FileError{r.in.Name, fmt.Errorf("%w: more than %d bytes of %s in one snapshot file", ErrTooLarge, procOthersMax, name)}
	}
	stamp := strconv.AppendInt(nil, r.ns/1e9, 10)
	stamp = fmt.Appendf(stamp, ".%09d", r.ns%1e9)
	if name == "loadavg" {
		fmt.Fprintf(text, "%s %s\n", stamp, line)
		return nil
	}
	if text.at != r.ns {
		text.at = r.ns
		text.Write(append(stamp, '\n'))
	}
	text.Write(line)
	text.WriteByte('\n')
	return nil
}

// pressureOf tells by a name whether a pressure is of cpu, io, memory or irq.
func pressureOf(name string) string {
	for _, resource := range []string{"memory", "cpu", "irq", "io"} {
		if strings.Contains(strings.ToLower(name), resource) {
			return resource
		}
	}
	return ""
}

var errProcRefused = errors.New("recognised, and not read")

// line reads a line of a copy.
func (r *procFilesReader) line(line []byte, l *Lines) error {
	if l.Cut() && r.kind != "pressure" {
		return r.in.BadAt(l, "cut")
	}
	f := bytes.Fields(line)
	switch r.kind {
	case "schedstat", "softnet_stat":
		return fmt.Errorf("a copy of %s: %w", r.kind, errProcRefused)
	case "pressure":
		return r.pressure(f, l)
	case "diskstats":
		if len(f) < 14 {
			return r.in.BadAt(l, "a line of %d columns; diskstats has 14 to 20", len(f))
		}
		return r.row(string(f[2]), f[3:], procDisk, l)
	case "net/dev":
		name, rest, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			return nil // its two lines of headers
		}
		return r.row(strings.TrimSpace(string(name)), bytes.Fields(rest), procNet, l)
	case "":
		return r.in.BadAt(l, "no line of a file of /proc that is known: %q", clip(string(line)))
	}
	if len(f) < 2 {
		return r.in.BadAt(l, "%q is no name with a number", clip(string(line)))
	}
	m, ok := procNamed[r.kind][strings.TrimSuffix(string(f[0]), ":")]
	if !ok {
		return nil
	}
	return r.row("", f[1:2], []procMetric{m}, l)
}

// row writes the numbers of a row.
func (r *procFilesReader) row(entity string, numbers [][]byte, metrics []procMetric, l *Lines) error {
	p := runs.Point{Entity: shorten(strings.ToValidUTF8(entity, "\uFFFD"), 100)}
	p.Time, p.TimeNS = runs.SplitNanos(r.ns)
	for i, m := range metrics {
		if i >= len(numbers) {
			break
		}
		n, err := strconv.ParseUint(string(numbers[i]), 10, 64)
		if err != nil {
			return r.in.BadAt(l, "%q is no whole number", clip(string(numbers[i])))
		}
		if m.name == "" {
			continue
		}
		p.Metric, p.Unit, p.Kind, p.Value = m.name, m.unit, m.kind, float64(n)*m.factor/m.per
		if err := r.out.point(&p); err != nil {
			return err
		}
	}
	return nil
}

// pressure reads "some avg10=0.18 avg60=0.34 avg300=0.10 total=159886802".
func (r *procFilesReader) pressure(f [][]byte, l *Lines) error {
	if r.resource == "" {
		return errors.New("a copy of /proc/pressure, of which neither the content nor the file's name says whether it is cpu, io, memory or irq: name it so")
	}
	if len(f) != 5 || string(f[0]) != "some" && string(f[0]) != "full" {
		return r.in.BadAt(l, "no line of /proc/pressure")
	}
	p := runs.Point{}
	p.Time, p.TimeNS = runs.SplitNanos(r.ns)
	base := "pressure." + r.resource + "." + string(f[0])
	for i, m := range []sysMetric{sysShare(base + "_10s"), sysShare(base + "_60s"), sysShare(base + "_300s"), {base + "_seconds", "s", -6, 1}} {
		_, text, ok := bytes.Cut(f[i+1], []byte("="))
		number, isNumber := sysNumber(text)
		v, fits := m.value(number)
		if !ok || !isNumber || !fits {
			return r.in.BadAt(l, "%q is no number of /proc/pressure", clip(string(f[i+1])))
		}
		p.Metric, p.Unit, p.Kind, p.Value = m.name, m.unit, runs.Gauge, v
		if m.unit == "s" {
			p.Kind = runs.Counter
		}
		if err := r.out.point(&p); err != nil {
			return err
		}
	}
	return nil
}
