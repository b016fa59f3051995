package ingest

import (
	"bytes"
	"fmt"
	"strconv"

	"headroom/runs"
)

// Loadavg reads logs of /proc/loadavg.
var Loadavg = &Importer{
	Name: "loadavg",
	Doc: `Load average log: copies of /proc/loadavg, each behind its stamp

One line a sample, "STAMP 1m 5m 15m RUNNABLE/TOTAL LASTPID", as
"echo $(date +%s.%N) $(cat /proc/loadavg)" in a loop writes it
(https://docs.kernel.org/filesystems/proc.html). The stamp is RFC 3339, date and
time, or seconds since the epoch. Lines without a stamp need a start and an
interval.

The load average counts tasks that run, wait for a CPU or wait for a disk, is of
the whole host even in a container, and lags: the 1-minute figure has seen 63 %
of a change after a minute.`,
	Gives: []string{"points: load.1m, load.5m, load.15m, procs.runnable, procs.total"},
	Lacks: []string{"how many cores the load is for", "whose load it is"},
	Sniff: func(head []byte) bool {
		line, _ := firstLine(head)
		if _, rest, ok := leadingStamp(line); ok {
			line = rest
		}
		_, err := parseLoadavg(line)
		return err == nil
	},
	Read: readLoadavg,
}

func readLoadavg(in *Input, sink Sink) error {
	l := in.Lines()
	out := &cadence{sink: sink}
	clock := rowClock{in: in}
	for l.Next() {
		line := l.Bytes()
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		stamp, rest, stamped := leadingStamp(line)
		v, err := parseLoadavg(rest)
		if err != nil {
			if err := in.BadAt(l, "%v", err); err != nil {
				return err
			}
			continue
		}
		var ns int64
		if stamped {
			ns, err = in.Stamps().Bytes(stamp)
		} else {
			ns, err = clock.next()
		}
		if err != nil {
			if err := in.unplaced(l, err); err != nil {
				return err
			}
			continue
		}
		if err := v.points(micros(ns), out); err != nil {
			return err
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	return out.finish()
}

// loadavg is one reading of /proc/loadavg.
type loadavg struct {
	load            [3]float64 // over 1, 5 and 15 minutes
	runnable, total float64
}

func (v *loadavg) points(us int64, out *cadence) error {
	for _, m := range []struct {
		name  string
		value float64
	}{
		{"load.1m", v.load[0]}, {"load.5m", v.load[1]}, {"load.15m", v.load[2]},
		{"procs.runnable", v.runnable}, {"procs.total", v.total},
	} {
		if err := out.point(&runs.Point{Time: us, Metric: m.name, Kind: runs.Gauge, Value: m.value, Unit: "1"}); err != nil {
			return err
		}
	}
	return nil
}

// parseLoadavg reads a line of /proc/loadavg.
func parseLoadavg(line []byte) (v loadavg, err error) {
	f := bytes.Fields(line[:min(len(line), 512)])
	if len(f) != 5 {
		return v, fmt.Errorf("%q is no line of /proc/loadavg (five words)", clip(string(line)))
	}
	for i := range v.load {
		if v.load[i], err = strconv.ParseFloat(string(f[i]), 64); err != nil || !plainDecimal(f[i]) {
			return v, fmt.Errorf("%q is no load average", clip(string(f[i])))
		}
	}
	runnable, total, ok := bytes.Cut(f[3], []byte("/"))
	r, err1 := strconv.ParseUint(string(runnable), 10, 32)
	n, err2 := strconv.ParseUint(string(total), 10, 32)
	if !ok || err1 != nil || err2 != nil {
		return v, fmt.Errorf("%q is not runnable/total", clip(string(f[3])))
	}
	if _, err := strconv.ParseUint(string(f[4]), 10, 32); err != nil {
		return v, fmt.Errorf("%q is no process id", clip(string(f[4])))
	}
	v.runnable, v.total = float64(r), float64(n)
	return v, nil
}

// plainDecimal reports whether b is digits with one point among them, and so
// neither NaN nor infinite nor negative.
func plainDecimal(b []byte) bool {
	whole, frac, ok := bytes.Cut(b, []byte("."))
	for _, part := range [][]byte{whole, frac} {
		for _, c := range part {
			ok = ok && isDigit(c)
		}
	}
	return ok && len(whole) > 0 && len(frac) > 0
}
