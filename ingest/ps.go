package ingest

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"headroom/runs"
)

// PS reads logs of dated ps tables.
var PS = &Importer{
	Name: "ps",
	Doc: `ps log: dated tables of processes with %CPU

Each table stands behind a line with its stamp, as "date +%FT%T%z; ps -eo
pid,pcpu,comm" in a loop writes it. Columns are found by their names: PID, %CPU
and a command.

The %CPU of ps is CPU time over the process's whole life (man 1 ps), not what it
uses now, and sums over processes exceed what the host has: it is kept as
evidence of who was there, under a name of its own, and is never taken for
utilisation.`,
	Gives: []string{"points: process.cpu_lifetime_percent"},
	Lacks: []string{"utilisation", "processes that lived between two tables"},
	Sniff: func(head []byte) bool {
		line := firstCopy(head)
		if line == nil {
			line, _ = firstLine(head)
		}
		_, ok := parsePSHeader(line)
		return ok
	},
	Read: readPS,
}

func readPS(in *Input, sink Sink) error {
	d := &datedCopies{in: in, l: in.Lines()}
	out := &cadence{sink: sink}
	var h psHeader
	var copy int64 // the one that h heads
	in.Note("%%CPU of ps is an average over each process's life, not utilisation")
	for {
		ok, err := d.next()
		if err != nil {
			return err
		}
		if !ok {
			return out.finish()
		}
		if copy != d.copy {
			if h, ok = parsePSHeader(d.line); !ok {
				return &FileError{in.Name, fmt.Errorf("line %d: %q stands where the header with PID, %%CPU and COMMAND should", d.l.Number(), clip(string(d.line)))}
			}
			copy = d.copy
			continue
		}
		p, err := h.row(d.line)
		if err == nil && d.l.Cut() {
			err = fmt.Errorf("cut")
		}
		if err != nil {
			err = in.BadAt(d.l, "%v", err)
		} else {
			p.Time, p.TimeNS = runs.SplitNanos(d.ns)
			err = out.point(&p)
		}
		if err != nil {
			return err
		}
	}
}

// psHeader says where the columns of a table are.
type psHeader struct {
	pid, cpu, command, columns int
}

// parsePSHeader reads a table's header; ok is false if a column is missing.
func parsePSHeader(line []byte) (h psHeader, ok bool) {
	f := bytes.Fields(line[:min(len(line), 512)])
	find := func(names ...string) int {
		return slices.IndexFunc(f, func(name []byte) bool { return slices.Contains(names, string(name)) })
	}
	h = psHeader{pid: find("PID"), cpu: find("%CPU", "PCPU"), command: find("COMMAND", "CMD", "COMM", "UCMD"), columns: len(f)}
	return h, h.pid >= 0 && h.cpu >= 0 && h.command >= 0
}

// row reads a row. A command in the last column may hold blanks.
func (h psHeader) row(line []byte) (runs.Point, error) {
	var none runs.Point
	f := make([][]byte, 0, h.columns)
	rest := bytes.TrimLeft(line, " ")
	for len(f) < h.columns-1 && len(rest) > 0 {
		word, after, _ := bytes.Cut(rest, []byte(" "))
		f = append(f, word)
		rest = bytes.TrimLeft(after, " ")
	}
	if f = append(f, rest); len(f) < h.columns || len(rest) == 0 {
		return none, fmt.Errorf("%d words under a header of %d columns", len(f), h.columns)
	}
	pid, err := strconv.ParseUint(string(f[h.pid]), 10, 32)
	if err != nil {
		return none, fmt.Errorf("%q is no process id", clip(string(f[h.pid])))
	}
	// Where there is no room for the point ps prints "1234".
	percent, err := strconv.ParseFloat(string(f[h.cpu]), 64)
	if err != nil || !plainDecimal(f[h.cpu]) && !isWhole(f[h.cpu]) {
		return none, fmt.Errorf("%q is no percentage", clip(string(f[h.cpu])))
	}
	return runs.Point{
		Entity: fmt.Sprintf("%s[%d]", f[h.command], pid), Metric: "process.cpu_lifetime_percent",
		Kind: runs.Gauge, Value: percent / 100, Unit: "1",
	}, nil
}

func isWhole(b []byte) bool {
	_, err := strconv.ParseUint(string(b), 10, 64)
	return err == nil
}
