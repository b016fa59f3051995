package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/runs"
)

// Dstat reads the CSV of dstat and dool.
var Dstat = &Importer{
	Name: "dstat",
	Doc: `dstat and dool: the CSV of --output

Recognised by its first line, "Dstat 0.7.2 CSV output" or "dool 1.3.4 CSV output";
a header of groups and one of columns follow (man 1 dstat), in which columns are found
by name. Numbers are plain bytes and floats. Times are seconds of the epoch
(--epoch), or day, month and clock without year and zone (--time): the year is the
one of the file's own date, the zone must be given.

The first row is an average since boot and is left out. A file of a header alone,
as a broken dstat 0.7.4 leaves it, holds no samples. What dstat shows on the screen
is rounded to a few digits, with colours among them, and is refused.`,
	Gives: []string{"points: cpu.*, load.*, procs.*, memory.*, swap.*, disk.read_bytes, disk.write_bytes, net.*, system.*"},
	Lacks: []string{"the zone of its times", "names of what other plug-ins show"},
	Sniff: func(head []byte) bool { return isDstatCSV(head) || isDstatScreen(head) },
	Read:  readDstat,
}

func isDstatCSV(head []byte) bool {
	line, _ := firstLine(head)
	return (bytes.HasPrefix(line, []byte(`"Dstat `)) || bytes.HasPrefix(line, []byte(`"dool `))) && bytes.Contains(line, []byte("CSV output"))
}

// isDstatScreen reports whether head is what dstat or dool show: groups of columns
// between dashes or lines, "usr sys idl wai" below.
func isDstatScreen(head []byte) bool {
	for n := 0; n < 6 && len(head) > 0; n++ {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		head = rest
		if f := bytes.Fields(plainText(line)); len(f) >= 4 && bytes.Contains(bytes.Join(f, []byte(" ")), []byte("usr sys idl wai")) {
			return true
		}
	}
	return false
}

// plainText takes the escape sequences and lines of a terminal out of a line.
func plainText(line []byte) []byte {
	var plain []byte
	for i := 0; i < len(line); i++ {
		if line[i] == 0x1b && i+1 < len(line) && line[i+1] == '[' {
			for i += 2; i < len(line) && (line[i] < '@' || line[i] > '~'); i++ {
			}
			continue
		}
		plain = append(plain, line[i])
	}
	plain = bytes.ReplaceAll(plain, []byte("\u2502"), []byte(" "))
	return bytes.ReplaceAll(plain, []byte("|"), []byte(" "))
}

// dstatMetrics are the columns by group and name; of groups that begin with a
// device, the device is the entity. Shares are percents.
var dstatMetrics = map[string]map[string]sysMetric{
	"cpu usage": {"usr": sysShare("cpu.user"), "sys": sysShare("cpu.system"), "idl": sysShare("cpu.idle"), "wai": sysShare("cpu.iowait"), "stl": sysShare("cpu.steal"),
		"hiq": sysShare("cpu.irq"), "siq": sysShare("cpu.softirq")},
	"memory usage": {"used": dstatBytes("memory.used"), "free": dstatBytes("memory.free"), "cach": dstatBytes("memory.cached"), "buff": dstatBytes("memory.buffers"), "avai": dstatBytes("memory.available")},
	"swap":         {"used": dstatBytes("memory.swap_used"), "free": dstatBytes("memory.swap_free")},
	"dsk":          {"read": dstatRate("disk.read_bytes"), "writ": dstatRate("disk.write_bytes")},
	"io":           {"read": sysRate("disk.reads"), "writ": sysRate("disk.writes")},
	"net":          {"recv": dstatRate("net.receive_bytes"), "send": dstatRate("net.transmit_bytes")},
	"paging":       {"in": dstatRate("swap.in"), "out": dstatRate("swap.out")},
	"system":       {"int": sysRate("system.interrupts"), "csw": sysRate("system.context_switches")},
	"procs":        {"run": sysOne("procs.running"), "blk": sysOne("procs.blocked"), "new": sysRate("system.forks")},
	"load avg":     {"1m": sysOne("load.1m"), "5m": sysOne("load.5m"), "15m": sysOne("load.15m")},
}

func dstatBytes(name string) sysMetric { return sysMetric{name, "B", 0, 1} }
func dstatRate(name string) sysMetric  { return sysMetric{name, "B/s", 0, 1} }

// dstatColumn is a column: what it becomes, and of what.
type dstatColumn struct {
	metric sysMetric
	entity string
	add    []int // columns to be added: interrupts, which system time holds elsewhere
}

// dstatReader holds what the preamble says.
type dstatReader struct {
	in   *Input
	sink Sink

	date    time.Time // when the file was begun, as written; zero if not said
	groups  []string
	columns []dstatColumn
	at      int  // the column of time
	epoch   bool // it is --epoch's
	headed  bool
	rows    int64
	last    int64
	unknown []string
}

func readDstat(in *Input, sink Sink) error {
	head, err := readSample(in)
	if err != nil {
		return err
	}
	if !isDstatCSV(head) {
		return fmt.Errorf("%w: this is what dstat shows on the screen, a few digits of each value; record with --output FILE, and give that", ErrUnreadable)
	}
	r := &dstatReader{in: in, sink: sink, at: -1}
	rec := in.csvRecords(func(line []byte) bool { return len(line) > 0 && (isDigit(line[0]) || line[0] == '"') })
	for rec.next() {
		if rec.err != nil {
			err = rec.bad(in, "%v", rec.err)
		} else {
			err = r.record(rec)
		}
		if err != nil {
			return err
		}
	}
	if err := rec.l.Finish(); err != nil {
		return err
	}
	if r.rows < 2 {
		return fmt.Errorf("%w: %d rows, of which the first is the average since boot: no samples", ErrEmpty, r.rows)
	}
	in.Note("first row left out: the average since boot")
	if len(r.unknown) > 0 {
		in.Note("columns that are not known were left out: %q", r.unknown)
	}
	return nil
}

// record reads a line of the preamble, a header or a row.
func (r *dstatReader) record(rec *csvRecords) error {
	f := rec.fields
	switch {
	case r.headed:
		return r.row(rec)
	case len(f) == 1, strings.HasSuffix(f[0], ":"):
		for i := 0; i+1 < len(f); i++ {
			if f[i] == "Date:" {
				r.setDate(f[i+1])
			}
		}
	case r.groups == nil:
		r.groups = slices.Clone(f)
		for i := 1; i < len(f); i++ {
			if f[i] == "" {
				r.groups[i] = r.groups[i-1] // a name stands over its first column
			}
		}
	default:
		r.header(f)
	}
	return nil
}

// setDate reads "30 Nov 2026 15:30:06 UTC".
func (r *dstatReader) setDate(text string) {
	f := strings.Fields(text)
	if len(f) < 4 {
		return
	}
	if t, err := time.Parse("2 Jan 2006 15:04:05", strings.Join(f[:4], " ")); err == nil {
		r.date = t
	}
}

// header takes the columns.
func (r *dstatReader) header(f []string) {
	r.headed = true
	for i, name := range f {
		group := ""
		if i < len(r.groups) {
			group = r.groups[i]
		}
		if _, after, ok := strings.Cut(name, ":"); ok {
			name = after // "total cpu usage:usr"
		}
		if name == "time" || name == "epoch" || name == "date/time" {
			r.at, r.epoch = i, name == "epoch"
			r.columns = append(r.columns, dstatColumn{})
			continue
		}
		c := dstatColumnOf(group, name)
		if c.metric.name == "" && len(r.unknown) < 40 {
			r.unknown = append(r.unknown, clip(group+":"+name))
		}
		r.columns = append(r.columns, c)
	}
	for i := range r.columns {
		if r.columns[i].metric.name != "cpu.system" {
			continue
		}
		for j, other := range r.columns {
			if other.entity == r.columns[i].entity && (other.metric.name == "cpu.irq" || other.metric.name == "cpu.softirq") {
				r.columns[i].add = append(r.columns[i].add, j)
			}
		}
	}
}

// dstatColumnOf tells a column by its group and name.
func dstatColumnOf(group, name string) dstatColumn {
	kind, device, _ := strings.Cut(group, "/")
	if device == "total" {
		device = ""
	}
	if cpu, ok := strings.CutSuffix(group, " cpu usage"); ok && cpu == "total" {
		kind = "cpu usage"
	} else if cpu, ok := strings.CutSuffix(group, " usage"); ok && strings.HasPrefix(cpu, "cpu") {
		kind, device = "cpu usage", cpu
	}
	return dstatColumn{metric: dstatMetrics[kind][name], entity: shorten(device, 100)}
}

// row reads a row. Some versions end it with a comma.
func (r *dstatReader) row(rec *csvRecords) error {
	f := rec.fields
	if len(f) == len(r.columns)+1 && f[len(f)-1] == "" {
		f = f[:len(f)-1]
	}
	if len(f) != len(r.columns) {
		return rec.bad(r.in, "a row of %d columns under a header of %d", len(f), len(r.columns))
	}
	if rec.l.Cut() {
		return rec.bad(r.in, "cut")
	}
	ns, err := r.instant(f)
	if errors.Is(err, ErrZone) || errors.Is(err, ErrNoTimeAxis) {
		return &FileError{r.in.Name, fmt.Errorf("line %d: %w", rec.line, err)}
	}
	if err != nil {
		return rec.bad(r.in, "%v", err)
	}
	r.rows++
	before := r.last
	r.last = ns
	if r.rows == 1 {
		return nil
	}
	p := runs.Point{Kind: runs.Gauge, Resolution: max(ns-before, 0) / int64(time.Microsecond)}
	p.Time, p.TimeNS = runs.SplitNanos(ns)
	for i, c := range r.columns {
		if c.metric.name == "" || f[i] == "" {
			continue
		}
		if _, ok := parseNumber(f[i]); !ok {
			continue // "missing", "-": the plug-in had none
		}
		v, ok := c.metric.value([]byte(f[i]))
		for _, j := range c.add {
			more, known := c.metric.value([]byte(f[j]))
			v, ok = v+more, ok && known
		}
		if !ok {
			continue
		}
		p.Metric, p.Unit, p.Entity, p.Value = c.metric.name, c.metric.unit, c.entity, v
		if err := r.sink.Point(&p); err != nil {
			return err
		}
	}
	return nil
}

// instant reads the time of a row: of the epoch, or day and month, of which the
// year is the file's, or the one after it.
func (r *dstatReader) instant(f []string) (int64, error) {
	if r.at < 0 {
		return 0, fmt.Errorf("%w; record with --time or --epoch", ErrNoTimeAxis)
	}
	if r.epoch {
		return r.in.Stamps().Parse(f[r.at])
	}
	for _, layout := range []string{"02-01 15:04:05", "Jan-02 15:04:05"} {
		t, err := time.Parse(layout, f[r.at])
		if err != nil {
			continue
		}
		if r.date.IsZero() {
			return 0, fmt.Errorf("%w; its date, and so the year, is missing", ErrNoTimeAxis)
		}
		year := r.date.Year()
		if r.date.Month()-t.Month() > 6 {
			year++ // begun in December
		}
		return r.in.Stamps().Bytes(fmt.Appendf(nil, "%04d-%02d-%02d %s", year, t.Month(), t.Day(), t.Format("15:04:05")))
	}
	return 0, fmt.Errorf("%q is no time of dstat", clip(f[r.at]))
}
