package ingest

import (
	"bytes"
	"strconv"

	"headroom/runs"
)

// ProcStat reads logs of dated copies of /proc/stat.
var ProcStat = &Importer{
	Name: "proc-stat",
	Doc: `CPU time of a host: dated copies of /proc/stat

Each copy stands behind a line with its stamp, as "date +%s.%N; cat /proc/stat"
in a loop writes it (https://docs.kernel.org/filesystems/proc.html). Times are
totals since boot in clock ticks, 100 a second unless another number is given;
they become seconds. Guest time is part of user time, and guest_nice of nice: do
not add them. Idle and iowait can go backwards by a little.`,
	Gives: []string{
		"points: cpu.*_seconds of the host (entity cpu) and of each CPU (cpu0, …), host.cpus, host.boot_time, system.context_switch_count, system.fork_count, procs.running, procs.blocked",
	},
	Lacks: []string{"whose CPU time it is"},
	Sniff: func(head []byte) bool {
		return isCPULine(firstCopy(head)) || isCPULine(bytes.TrimRight(head[:min(len(head), 256)], "\r\n"))
	},
	Read: readProcStat,
}

// procStatTimes are the columns of a cpu line, in order.
var procStatTimes = [...]string{
	"cpu.user_seconds", "cpu.nice_seconds", "cpu.system_seconds", "cpu.idle_seconds", "cpu.iowait_seconds",
	"cpu.irq_seconds", "cpu.softirq_seconds", "cpu.steal_seconds", "cpu.guest_seconds", "cpu.guest_nice_seconds",
}

// procStatOther are the lines of one number.
var procStatOther = map[string]struct {
	metric, unit string
	kind         runs.Kind
}{
	"ctxt":          {"system.context_switch_count", "1", runs.Counter},
	"btime":         {"host.boot_time", "s", runs.Gauge},
	"processes":     {"system.fork_count", "1", runs.Counter},
	"procs_running": {"procs.running", "1", runs.Gauge},
	"procs_blocked": {"procs.blocked", "1", runs.Gauge},
}

func readProcStat(in *Input, sink Sink) error {
	d := &datedCopies{in: in, l: in.Lines()}
	r := &procStatReader{d: d, out: &cadence{sink: sink}, ticks: in.clockTicks()}
	for {
		ok, err := d.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := r.line(d.line); err != nil {
			return err
		}
	}
	if err := r.endCopy(); err != nil {
		return err
	}
	return r.out.finish()
}

type procStatReader struct {
	d     *datedCopies
	out   *cadence
	ticks float64

	copy int64 // the copy that cpus counts
	ns   int64 // its instant
	cpus int
}

// line reads a line of /proc/stat; intr, softirq and what is not known are skipped.
func (r *procStatReader) line(line []byte) error {
	if r.copy != r.d.copy {
		if err := r.endCopy(); err != nil {
			return err
		}
		r.copy, r.ns, r.cpus = r.d.copy, r.d.ns, 0
	}
	if r.d.l.Cut() {
		return r.d.in.BadAt(r.d.l, "cut")
	}
	if isCPULine(line) {
		return r.cpu(bytes.Fields(line))
	}
	name, value, _ := bytes.Cut(line, []byte(" "))
	m, ok := procStatOther[string(name)]
	if !ok {
		return nil
	}
	n, err := strconv.ParseUint(string(bytes.TrimSpace(value)), 10, 64)
	if err != nil {
		return r.d.in.BadAt(r.d.l, "%q is no whole number", clip(string(value)))
	}
	return r.point(&runs.Point{Metric: m.metric, Kind: m.kind, Value: float64(n), Unit: m.unit})
}

// cpu reads the times of the host or of one CPU.
func (r *procStatReader) cpu(f [][]byte) error {
	entity := string(f[0])
	if entity != "cpu" {
		r.cpus++
	}
	var ticks [len(procStatTimes)]uint64
	n := min(len(f)-1, len(ticks))
	for i := range n {
		var err error
		if ticks[i], err = strconv.ParseUint(string(f[i+1]), 10, 64); err != nil {
			return r.d.in.BadAt(r.d.l, "%q is no number of ticks", clip(string(f[i+1])))
		}
	}
	for i := range n {
		p := runs.Point{
			Entity: entity, Metric: procStatTimes[i],
			Kind: runs.Counter, Value: float64(ticks[i]) / r.ticks, Unit: "s",
		}
		if err := r.point(&p); err != nil {
			return err
		}
	}
	return nil
}

// endCopy counts the CPUs that the copy listed.
func (r *procStatReader) endCopy() error {
	if r.cpus == 0 || r.d.in.Meta.Cut {
		return nil
	}
	return r.point(&runs.Point{Metric: "host.cpus", Kind: runs.Gauge, Value: float64(r.cpus), Unit: "1"})
}

// point places a point at the instant of the copy.
func (r *procStatReader) point(p *runs.Point) error {
	p.Time, p.TimeNS = runs.SplitNanos(r.ns)
	return r.out.point(p)
}

// isCPULine reports whether a line holds the times of the host or of one CPU.
func isCPULine(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("cpu"))
	if !ok {
		return false
	}
	for len(rest) > 0 && isDigit(rest[0]) {
		rest = rest[1:]
	}
	rest = bytes.TrimLeft(rest, " ")
	return len(rest) > 0 && isDigit(rest[0]) && bytes.IndexByte(rest, ' ') > 0
}

// defaultClockTicks is the number of clock ticks a second in which every Linux
// that PostgreSQL runs on counts CPU time for user space (getconf CLK_TCK).
const defaultClockTicks = 100

// clockTicks returns the number of clock ticks a second of the files' host, and
// notes where it comes from.
func (in *Input) clockTicks() float64 {
	if n := in.Opt.ClockTicks; n > 0 {
		in.Note("CPU times at %d clock ticks a second, as given", n)
		return float64(n)
	}
	in.Note("CPU times at %d clock ticks a second, the usual CLK_TCK: the file does not say", defaultClockTicks)
	return defaultClockTicks
}
