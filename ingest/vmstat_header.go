package ingest

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

// vmstatColumn is a column of vmstat's CPU table.
type vmstatColumn int

const (
	vmR vmstatColumn = iota
	vmB
	vmSwpd
	vmFree
	vmBuff
	vmCache
	vmInact
	vmActive
	vmSI
	vmSO
	vmBI
	vmBO
	vmIN
	vmCS
	vmUS
	vmSY
	vmID
	vmWA
	vmST
	vmGU
	vmColumns
	vmUnknown vmstatColumn = -1
)

// vmstatNames are the columns' names (man 8 vmstat).
var vmstatNames = [vmColumns]string{
	"r", "b", "swpd", "free", "buff", "cache", "inact", "active",
	"si", "so", "bi", "bo", "in", "cs", "us", "sy", "id", "wa", "st", "gu",
}

// vmstatPlaces is the order of the columns, for headers whose names are
// translated. The fifth and sixth are buff and cache, or with -a inact and
// active: only their names tell.
var vmstatPlaces = []vmstatColumn{
	vmR, vmB, vmSwpd, vmFree, vmUnknown, vmUnknown,
	vmSI, vmSO, vmBI, vmBO, vmIN, vmCS, vmUS, vmSY, vmID, vmWA, vmST, vmGU,
}

// vmstatMetrics says what each column becomes: value × factor / per, so that a
// whole percent becomes the nearest float to its share. scaledByS marks what
// vmstat -S rescales; bi and bo are KiB/s whatever it says.
var vmstatMetrics = [vmColumns]struct {
	name, unit  string
	factor, per float64
	scaledByS   bool
}{
	vmR:      {"procs.running", "1", 1, 1, false},
	vmB:      {"procs.blocked", "1", 1, 1, false},
	vmSwpd:   {"memory.swap_used", "B", 1024, 1, true},
	vmFree:   {"memory.free", "B", 1024, 1, true},
	vmBuff:   {"memory.buffers", "B", 1024, 1, true},
	vmCache:  {"memory.cached", "B", 1024, 1, true},
	vmInact:  {"memory.inactive", "B", 1024, 1, true},
	vmActive: {"memory.active", "B", 1024, 1, true},
	vmSI:     {"swap.in", "B/s", 1024, 1, true},
	vmSO:     {"swap.out", "B/s", 1024, 1, true},
	vmBI:     {"io.in", "B/s", 1024, 1, false},
	vmBO:     {"io.out", "B/s", 1024, 1, false},
	vmIN:     {"system.interrupts", "1/s", 1, 1, false},
	vmCS:     {"system.context_switches", "1/s", 1, 1, false},
	vmUS:     {"cpu.user", "1", 1, 100, false},
	vmSY:     {"cpu.system", "1", 1, 100, false},
	vmID:     {"cpu.idle", "1", 1, 100, false},
	vmWA:     {"cpu.iowait", "1", 1, 100, false},
	vmST:     {"cpu.steal", "1", 1, 100, false},
	vmGU:     {"cpu.guest", "1", 1, 100, false},
}

// vmstatHeader is what a column header says.
type vmstatHeader struct {
	columns []vmstatColumn // by place; the zone of -t may be the last, as vmUnknown
	unknown []string       // names that no column has
	zone    []byte         // the last name, if it is no column: the zone of -t
	told    bool           // the zone was that of a row before: the clock may have been put back since
}

// isVmstatHeader reports whether a line is a column header.
func isVmstatHeader(line []byte) bool {
	f := bytes.Fields(line[:min(len(line), 512)])
	return len(f) >= 10 && string(f[0]) == "r" && string(f[1]) == "b" && string(f[2]) == "swpd"
}

// isVmstatGroups reports whether a line is the first of a header: the names of
// the groups of columns between dashes.
func isVmstatGroups(line []byte) bool {
	f := bytes.Fields(line[:min(len(line), 512)])
	dashed := 0
	for _, group := range f {
		if group[0] == '-' && group[len(group)-1] == '-' {
			dashed++
		}
	}
	return dashed >= 4 && dashed >= len(f)-1
}

// parseVmstatHeader reads a column header.
func parseVmstatHeader(line []byte) vmstatHeader {
	var h vmstatHeader
	fields := bytes.Fields(line)
	for i, name := range fields {
		c := vmstatColumn(slices.Index(vmstatNames[:], string(bytes.ToLower(name))))
		if c == vmUnknown && i < len(fields)-1 && i < len(vmstatPlaces) {
			c = vmstatPlaces[i]
		}
		if c == vmUnknown && i < len(fields)-1 {
			h.unknown = append(h.unknown, clip(string(name)))
		}
		h.columns = append(h.columns, c)
	}
	if last := len(fields) - 1; h.columns[last] == vmUnknown {
		h.zone = bytes.Clone(fields[last])
	}
	return h
}

// equal compares the columns. The zone may be another one: a header that is printed
// again after the clock was put back names winter time.
func (h *vmstatHeader) equal(other *vmstatHeader) bool {
	return slices.Equal(h.columns, other.columns)
}

// vmstatValues is a row by column; a column that the file lacks is not ok.
type vmstatValues [vmColumns]struct {
	n  float64
	ok bool
}

// complete reports whether the shares of CPU time add up to 100 but for their
// rounding.
func (v *vmstatValues) complete() bool {
	sum := 0.0
	for c := vmUS; c <= vmGU; c++ {
		sum += v[c].n
	}
	return sum >= 97 && sum <= 103
}

// values reads a row. stamp is the date and time at its end with the header's
// zone, nil if it has none.
func (h *vmstatHeader) values(line []byte) (v vmstatValues, stamp []byte, err error) {
	fields := bytes.Fields(line)
	columns := h.columns
	if at := slices.IndexFunc(fields, func(f []byte) bool { return len(f) == 10 && f[4] == '-' && f[7] == '-' }); at >= 0 {
		if stamp, err = h.stamp(fields[at:]); err != nil {
			return v, nil, err
		}
		fields = fields[:at]
		if h.zone != nil && len(columns) == at+1 {
			columns = columns[:at]
		}
	}
	if len(fields) != len(columns) {
		return v, nil, fmt.Errorf("a row of %d numbers under a header of %d columns", len(fields), len(columns))
	}
	for i, f := range fields {
		if columns[i] == vmUnknown {
			continue
		}
		n, err := strconv.ParseUint(string(f), 10, 63)
		if err != nil {
			return v, nil, fmt.Errorf("%q in column %s is no whole number", clip(string(f)), vmstatNames[columns[i]])
		}
		v[columns[i]].n, v[columns[i]].ok = float64(n), true
	}
	return v, stamp, nil
}

// stamp joins date, time and zone: the row's own, as old versions print it, or
// the header's. The header is printed with the row below it and names that row's
// zone; which of two local times later rows mean is told by their order.
func (h *vmstatHeader) stamp(fields [][]byte) ([]byte, error) {
	if len(fields) < 2 || len(fields) > 3 || len(fields[1]) != len("hh:mm:ss") {
		return nil, fmt.Errorf("%q is not the date and time of -t", clip(string(bytes.Join(fields, []byte(" ")))))
	}
	stamp := bytes.Join(fields, []byte(" "))
	if len(fields) == 2 && h.zone != nil && !h.told {
		stamp = append(append(stamp, ' '), h.zone...)
	}
	return stamp, nil
}

// findVmstatHeader looks for a column header in the first lines of a file.
func findVmstatHeader(head []byte) (line []byte, stamped, ok bool) {
	for n := 0; n < 5 && len(head) > 0; n++ {
		line, head, _ = bytes.Cut(head, []byte("\n"))
		if isVmstatHeader(line) {
			return line, false, true
		}
		if _, rest, stamped := leadingStamp(line); stamped && isVmstatHeader(rest) {
			return rest, true, true
		}
	}
	return nil, false, false
}

// vmstatMode names the mode of vmstat that prints another table, "" if head
// does not begin with one.
func vmstatMode(head []byte) string {
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	f := bytes.Fields(line)
	first := func(names ...string) bool {
		if len(f) < len(names) {
			return false
		}
		for i, name := range names {
			if string(f[i]) != name {
				return false
			}
		}
		return true
	}
	switch {
	case len(f) == 4 && first("disk-") && f[1][0] == '-':
		return "-d (disks, totals since boot)"
	case len(f) == 2 && string(f[1]) == "disks" && (len(rest) == 0 || bytes.Contains(rest, []byte("merged reads"))):
		return "-D (disks, totals since boot)"
	case len(f) == 4 && bytes.HasSuffix(line, []byte("K total memory")):
		return "-s (event counters since boot)"
	case len(f) == 2 && string(f[1]) == "forks":
		return "-f (forks since boot)"
	case first("Cache", "Num", "Total", "Size", "Pages"):
		return "-m (slabs)"
	case len(f) == 7 && bytes.HasSuffix(bytes.Join(f[1:], []byte(" ")), []byte("reads read sectors writes requested writes")):
		return "-p (one partition, totals since boot)"
	}
	return ""
}
