package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/internal/pattern"
	"headroom/runs"
)

// Top reads the output of top -b.
var Top = &Importer{
	Name: "top",
	Doc: `top -b: frames of the whole host and of processes

Recognised by its first line, "top - 15:28:48 up …" (man 1 top); columns of the
tables are found by name. A frame has a time of day and no date: the date is that of
a given start, a time that goes back is past midnight, and the zone must be given.

The first frame's CPU shares are averages since boot, and its %CPU of processes since
each began: both are left out; load average, tasks and memory are not. %CPU of
processes is of one core. Sizes of processes are KiB, or have a suffix (1.2g).`,
	Gives: []string{"points: load.*, procs.total, procs.running, cpu.*, memory.total, memory.free, memory.used, process.cpu, process.rss"},
	Lacks: []string{"date and zone", "processes below those that it lists"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		return topFirst.Match(line)
	},
	Read: readTop,
}

var (
	topFirst = pattern.New(`^top - (\d\d:\d\d:\d\d) up .*load averages?: (\d+[.,]\d+),? +(\d+[.,]\d+),? +(\d+[.,]\d+)`)
	topShare = pattern.New(`(\d+[.,]\d+) ?(us|sy|ni|id|wa|hi|si|st)\b`)
	topTasks = pattern.New(`^(?:Tasks|Threads): +(\d+) total, +(\d+) running`)
	topMem   = pattern.New(`^([KMG]iB|KiB|Mem) ?Mem ?: +(\d+[.,]?\d*) total, +(\d+[.,]?\d*) free, +(\d+[.,]?\d*) used`)
)

// topReader holds the frame that is being read.
type topReader struct {
	in   *Input
	sink Sink

	frame   int64
	ns      int64
	every   int64 // µs since the frame before; 0 in the first
	clock   dayClock
	columns []string
}

func readTop(in *Input, sink Sink) error {
	r := &topReader{in: in, sink: sink}
	l := in.Lines()
	for l.Next() {
		line := l.Bytes()
		if l.Cut() && len(bytes.TrimSpace(line)) > 0 {
			if err := in.BadAt(l, "cut"); err != nil {
				return err
			}
			break
		}
		if err := r.line(l, line); err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	if r.frame == 0 {
		return errors.New("holds no frame that begins with \"top - \"")
	}
	in.Note("CPU of the first frame left out: averages since boot, and since each process began")
	return nil
}

func (r *topReader) line(l *Lines, line []byte) error {
	line = line[:min(len(line), 4096)]
	switch m := topFirst.FindSubmatch(line); {
	case m != nil:
		if err := r.begin(m[1]); err != nil {
			return r.in.unplaced(l, err)
		}
		for i, name := range []string{"load.1m", "load.5m", "load.15m"} {
			if err := r.point("", sysOne(name), m[i+2]); err != nil {
				return err
			}
		}
		return nil
	case r.frame == 0:
		return r.in.BadAt(l, "a line before the first frame: %q", clip(string(line)))
	case bytes.HasPrefix(line, []byte("%Cpu")) || bytes.HasPrefix(line, []byte("Cpu(s)")):
		return r.shares(line)
	case topTasks.Match(line):
		m := topTasks.FindSubmatch(line)
		if err := r.point("", sysOne("procs.total"), m[1]); err != nil {
			return err
		}
		return r.point("", sysOne("procs.running"), m[2])
	case topMem.Match(line):
		m := topMem.FindSubmatch(line)
		unit := map[byte]float64{'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}[m[1][0]]
		for i, name := range []string{"memory.total", "memory.free", "memory.used"} {
			if err := r.point("", sysMetric{name, "B", 0, unit}, m[i+2]); err != nil {
				return err
			}
		}
		return nil
	}
	f := bytes.Fields(line)
	if len(f) >= 6 && slices.ContainsFunc(f, func(word []byte) bool { return string(word) == "PID" }) && string(f[len(f)-1]) == "COMMAND" {
		r.columns = textsOf(f)
		return nil
	}
	if len(f) == 0 || r.columns == nil {
		return nil
	}
	return r.process(f, l)
}

// begin begins a frame at a time of day.
func (r *topReader) begin(text []byte) error {
	day, _, ok := timeOfDay([][]byte{text})
	if !ok {
		return fmt.Errorf("%q is no time of day", text)
	}
	r.columns = nil
	if r.frame == 0 {
		if r.in.Opt.Start.IsZero() {
			return fmt.Errorf("%w; frames have no date", ErrNoTimeAxis)
		}
		start := r.in.Opt.Start
		if r.in.Opt.Zone != nil {
			start = start.In(r.in.Opt.Zone)
		}
		r.clock = dayClock{date: time.Date(start.Year(), start.Month(), start.Day(), 0, 0, 0, 0, time.UTC), known: true}
		r.in.Note("frames have no date: that of the given start, %s, was taken", r.clock.date.Format(time.DateOnly))
	}
	ns, err := r.in.instant(&r.clock, r.clock.next(day))
	if err != nil {
		return err
	}
	if r.frame > 0 {
		r.every = max(ns-r.ns, 0) / int64(time.Microsecond)
	}
	r.frame++
	r.ns = ns
	return nil
}

// point writes a number of the frame.
func (r *topReader) point(entity string, m sysMetric, text []byte) error {
	number, ok := sysNumber(text)
	if !ok {
		return nil
	}
	v, ok := m.value(number)
	if !ok || v < 0 {
		return nil
	}
	p := runs.Point{Entity: entity, Metric: m.name, Kind: runs.Gauge, Value: v, Unit: m.unit, Resolution: r.every}
	p.Time, p.TimeNS = runs.SplitNanos(r.ns)
	return r.sink.Point(&p)
}

// shares reads the line of CPU shares, of all CPUs or of one.
func (r *topReader) shares(line []byte) error {
	if r.frame == 1 {
		return nil
	}
	t := &sysTable{kind: sysCPU, columns: []string{"CPU"}}
	numbers := [][]byte{nil}
	names := map[string]string{"us": "usr", "ni": "nice", "sy": "sys", "hi": "irq", "si": "soft", "id": "idle", "wa": "iowait", "st": "steal"}
	for _, m := range topShare.FindAllSubmatch(line, -1) {
		number, ok := sysNumber(m[1])
		if !ok {
			continue
		}
		t.columns, numbers = append(t.columns, names[string(m[2])]), append(numbers, number)
	}
	label, _, _ := strings.Cut(string(line), ":")
	entity := strings.TrimSpace(strings.TrimPrefix(label, "%Cpu"))
	if _, err := strconv.Atoi(entity); err == nil {
		entity = "cpu" + entity
	} else {
		entity = ""
	}
	p := runs.Point{Entity: entity, Kind: runs.Gauge, Resolution: r.every}
	p.Time, p.TimeNS = runs.SplitNanos(r.ns)
	return (&sysSink{sink: r.sink}).shares(t, &p, numbers)
}

// process reads a row of the table of processes; its command can hold blanks.
func (r *topReader) process(f [][]byte, l *Lines) error {
	if len(f) < len(r.columns) {
		return r.in.BadAt(l, "a row of %d columns under a header of %d", len(f), len(r.columns))
	}
	pid, cpu, rss := slices.Index(r.columns, "PID"), slices.Index(r.columns, "%CPU"), slices.Index(r.columns, "RES")
	if !isWhole(f[pid]) {
		return r.in.BadAt(l, "%q is no process id", clip(string(f[pid])))
	}
	entity := shorten(strings.ToValidUTF8(string(bytes.Join(f[len(r.columns)-1:], []byte(" "))), "\uFFFD")+"["+string(f[pid])+"]", 400)
	if rss >= 0 {
		unit, text := float64(1<<10), f[rss]
		if i := strings.IndexByte("mgt", text[len(text)-1]); i >= 0 {
			unit, text = []float64{1 << 20, 1 << 30, 1 << 40}[i], text[:len(text)-1]
		}
		if err := r.point(entity, sysMetric{"process.rss", "B", 0, unit}, text); err != nil {
			return err
		}
	}
	if cpu < 0 || r.frame == 1 {
		return nil
	}
	return r.point(entity, sysShare("process.cpu"), f[cpu])
}
