package ingest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/runs"
)

// sysMetric is what a column of the sysstat tools becomes: value × 10^exp × mul.
type sysMetric struct {
	name, unit string
	exp        int
	mul        float64
}

// The conversions. kB and MB of sysstat are 1,024 and 1,048,576 bytes; sectors
// have 512.
func sysOne(name string) sysMetric     { return sysMetric{name, "1", 0, 1} }
func sysRate(name string) sysMetric    { return sysMetric{name, "1/s", 0, 1} }
func sysShare(name string) sysMetric   { return sysMetric{name, "1", -2, 1} }
func sysMillis(name string) sysMetric  { return sysMetric{name, "s", -3, 1} }
func sysKiB(name string) sysMetric     { return sysMetric{name, "B", 0, 1 << 10} }
func sysKiBRate(name string) sysMetric { return sysMetric{name, "B/s", 0, 1 << 10} }
func sysMiBRate(name string) sysMetric { return sysMetric{name, "B/s", 0, 1 << 20} }
func sysSectors(name string) sysMetric { return sysMetric{name, "B/s", 0, 512} }

// value converts a number that sysNumber has let pass.
func (m sysMetric) value(text []byte) (float64, bool) {
	v, ok := shifted(text, m.exp)
	return v * m.mul, ok
}

// sysKind is a kind of table.
type sysKind int

const (
	sysUnknown sysKind = iota
	sysCPU             // shares of CPU time, of all CPUs and of each
	sysDisk
	sysNet
	sysFilesystem
	sysInterrupts
	sysFrequency
	sysHost // numbers of the whole host
)

// sysKeys are the columns that name the object of a row, by kind of table.
var sysKeys = map[string]sysKind{
	"CPU": sysCPU, "DEV": sysDisk, "Device": sysDisk, "Device:": sysDisk, "IFACE": sysNet, "FILESYSTEM": sysFilesystem, "INTR": sysInterrupts,
}

// sysDiskMetrics are the columns of disks: of iostat text (by version and -m, -k),
// its JSON, and sar's. Shares of merges, svctm and totals are left out.
var sysDiskMetrics = map[string]sysMetric{
	"r/s": sysRate("disk.reads"), "w/s": sysRate("disk.writes"), "d/s": sysRate("disk.discards"), "f/s": sysRate("disk.flushes"), "tps": sysRate("disk.transfers"),
	"rkB/s": sysKiBRate("disk.read_bytes"), "wkB/s": sysKiBRate("disk.write_bytes"), "dkB/s": sysKiBRate("disk.discard_bytes"),
	"rMB/s": sysMiBRate("disk.read_bytes"), "wMB/s": sysMiBRate("disk.write_bytes"), "dMB/s": sysMiBRate("disk.discard_bytes"),
	"kB_read/s": sysKiBRate("disk.read_bytes"), "kB_wrtn/s": sysKiBRate("disk.write_bytes"), "kB_dscd/s": sysKiBRate("disk.discard_bytes"),
	"MB_read/s": sysMiBRate("disk.read_bytes"), "MB_wrtn/s": sysMiBRate("disk.write_bytes"), "MB_dscd/s": sysMiBRate("disk.discard_bytes"),
	"rsec/s": sysSectors("disk.read_bytes"), "wsec/s": sysSectors("disk.write_bytes"), "rd_sec/s": sysSectors("disk.read_bytes"), "wr_sec/s": sysSectors("disk.write_bytes"),
	"Blk_read/s": sysSectors("disk.read_bytes"), "Blk_wrtn/s": sysSectors("disk.write_bytes"),
	"rkB": sysKiBRate("disk.read_bytes"), "wkB": sysKiBRate("disk.write_bytes"), "dkB": sysKiBRate("disk.discard_bytes"),
	"rrqm/s": sysRate("disk.read_merges"), "wrqm/s": sysRate("disk.write_merges"),
	"await": sysMillis("disk.await"), "r_await": sysMillis("disk.read_await"), "w_await": sysMillis("disk.write_await"), "d_await": sysMillis("disk.discard_await"), "f_await": sysMillis("disk.flush_await"),
	"areq-sz": sysKiB("disk.request_size"), "rareq-sz": sysKiB("disk.read_size"), "wareq-sz": sysKiB("disk.write_size"),
	"avgrq-sz": {"disk.request_size", "B", 0, 512}, "aqu-sz": sysOne("disk.queue"), "avgqu-sz": sysOne("disk.queue"),
	"%util": sysShare("disk.busy"), "util": sysShare("disk.busy"), "util-percent": sysShare("disk.busy"),
}

var sysNetMetrics = map[string]sysMetric{
	"rxpck/s": sysRate("net.receive_packets"), "txpck/s": sysRate("net.transmit_packets"), "rxkB/s": sysKiBRate("net.receive_bytes"), "txkB/s": sysKiBRate("net.transmit_bytes"),
	"rxbyt/s": {"net.receive_bytes", "B/s", 0, 1}, "txbyt/s": {"net.transmit_bytes", "B/s", 0, 1},
	"%ifutil": sysShare("net.busy"), "rxerr/s": sysRate("net.receive_errors"), "txerr/s": sysRate("net.transmit_errors"), "rxdrop/s": sysRate("net.receive_drops"), "txdrop/s": sysRate("net.transmit_drops"),
}

var sysFilesystemMetrics = map[string]sysMetric{
	"MBfsfree": {"filesystem.free", "B", 0, 1 << 20}, "MBfsused": {"filesystem.used", "B", 0, 1 << 20}, "Ifree": sysOne("filesystem.inodes_free"),
}

// sysHostMetrics are the columns of tables of the whole host.
var sysHostMetrics = map[string]sysMetric{
	"proc/s": sysRate("system.forks"), "cswch/s": sysRate("system.context_switches"),
	"pgpgin/s": sysKiBRate("io.in"), "pgpgout/s": sysKiBRate("io.out"), "fault/s": sysRate("memory.page_faults"), "majflt/s": sysRate("memory.major_faults"),
	"pswpin/s": sysRate("swap.in_pages"), "pswpout/s": sysRate("swap.out_pages"),
	"tps": sysRate("io.transfers"), "rtps": sysRate("io.reads"), "wtps": sysRate("io.writes"), "bread/s": sysSectors("io.read_bytes"), "bwrtn/s": sysSectors("io.write_bytes"),
	"kbmemfree": sysKiB("memory.free"), "kbavail": sysKiB("memory.available"), "kbmemused": sysKiB("memory.used"), "kbbuffers": sysKiB("memory.buffers"), "kbcached": sysKiB("memory.cached"),
	"kbcommit": sysKiB("memory.committed"), "kbactive": sysKiB("memory.active"), "kbinact": sysKiB("memory.inactive"), "kbdirty": sysKiB("memory.dirty"), "kbanonpg": sysKiB("memory.anonymous"),
	"kbswpfree": sysKiB("memory.swap_free"), "kbswpused": sysKiB("memory.swap_used"),
	"runq-sz": sysOne("procs.running"), "plist-sz": sysOne("procs.total"), "blocked": sysOne("procs.blocked"),
	"ldavg-1": sysOne("load.1m"), "ldavg-5": sysOne("load.5m"), "ldavg-15": sysOne("load.15m"),
	"totsck": sysOne("net.sockets"), "tcpsck": sysOne("net.tcp_sockets"), "tcp-tw": sysOne("net.tcp_time_wait"),
	"active/s": sysRate("net.tcp_opened"), "passive/s": sysRate("net.tcp_accepted"), "retrans/s": sysRate("net.tcp_retransmits"),
	"%scpu": sysShare("pressure.cpu.some"), "%scpu-10": sysShare("pressure.cpu.some_10s"), "%scpu-60": sysShare("pressure.cpu.some_60s"), "%scpu-300": sysShare("pressure.cpu.some_300s"),
	"%sio": sysShare("pressure.io.some"), "%sio-10": sysShare("pressure.io.some_10s"), "%sio-60": sysShare("pressure.io.some_60s"), "%sio-300": sysShare("pressure.io.some_300s"),
	"%fio": sysShare("pressure.io.full"), "%fio-10": sysShare("pressure.io.full_10s"), "%fio-60": sysShare("pressure.io.full_60s"), "%fio-300": sysShare("pressure.io.full_300s"),
	"%smem": sysShare("pressure.memory.some"), "%smem-10": sysShare("pressure.memory.some_10s"), "%smem-60": sysShare("pressure.memory.some_60s"), "%smem-300": sysShare("pressure.memory.some_300s"),
	"%fmem": sysShare("pressure.memory.full"), "%fmem-10": sysShare("pressure.memory.full_10s"), "%fmem-60": sysShare("pressure.memory.full_60s"), "%fmem-300": sysShare("pressure.memory.full_300s"),
}

// sysShares are the shares of CPU time by the names of their columns, and the
// metrics whose sums they are part of: user time includes nice, system time the
// interrupts, as vmstat has it. Guest time is beside user time in sysstat.
var sysShares = []struct {
	columns []string
	sums    []string
}{
	{[]string{"%usr", "%user", "usr", "user"}, []string{"cpu.user"}},
	{[]string{"%nice", "nice"}, []string{"cpu.user", "cpu.nice"}},
	{[]string{"%sys", "%system", "sys", "system"}, []string{"cpu.system"}},
	{[]string{"%irq", "irq"}, []string{"cpu.system", "cpu.irq"}},
	{[]string{"%soft", "soft"}, []string{"cpu.system", "cpu.softirq"}},
	{[]string{"%iowait", "iowait"}, []string{"cpu.iowait"}},
	{[]string{"%steal", "steal"}, []string{"cpu.steal"}},
	{[]string{"%guest", "guest"}, []string{"cpu.guest"}},
	{[]string{"%gnice", "gnice"}, []string{"cpu.guest"}},
	{[]string{"%idle", "idle"}, []string{"cpu.idle"}},
}

// sysSums are the metrics of CPU time in the order in which they are written.
var sysSums = []string{"cpu.user", "cpu.nice", "cpu.system", "cpu.irq", "cpu.softirq", "cpu.iowait", "cpu.steal", "cpu.guest", "cpu.idle"}

// sysTable is a table: its header, and what that makes of it.
type sysTable struct {
	kind    sysKind
	columns []string
	key     int         // index of the column that names the object; -1: none
	metrics []sysMetric // by column; without a name where it is none
}

// newSysTable tells the kind of a table by its columns.
func newSysTable(columns []string) *sysTable {
	t := &sysTable{columns: columns, key: -1, metrics: make([]sysMetric, len(columns))}
	for _, i := range []int{0, len(columns) - 1} { // --pretty puts the name last
		if kind, ok := sysKeys[columns[i]]; ok && t.key < 0 {
			t.kind, t.key = kind, i
		}
	}
	var known map[string]sysMetric
	switch t.kind {
	case sysUnknown:
		known = sysHostMetrics
	case sysDisk:
		known = sysDiskMetrics
	case sysNet:
		known = sysNetMetrics
	case sysFilesystem:
		known = sysFilesystemMetrics
	case sysCPU:
		switch {
		case slices.Contains(columns, "MHz"):
			t.kind, known = sysFrequency, map[string]sysMetric{"MHz": {"cpu.frequency", "1/s", 6, 1}}
		case slices.Contains(columns, "%idle") || slices.Contains(columns, "idle"):
			return t
		default:
			t.kind = sysUnknown
			return t
		}
	case sysInterrupts:
		known = map[string]sysMetric{"intr/s": sysRate("system.interrupts"), "all": sysRate("system.interrupts")}
	}
	if slices.Contains(columns, "call/s") { // of NFS, whose names others have as well
		known = nil
	}
	any := false
	for i, c := range columns {
		if m, ok := known[c]; ok && i != t.key {
			t.metrics[i], any = m, true
		}
	}
	switch {
	case !any:
		t.kind = sysUnknown
	case t.kind == sysUnknown:
		t.kind = sysHost
	}
	return t
}

// sysValues is a row: its object and its numbers by column, nil where there is none.
type sysValues struct {
	name    string
	numbers [][]byte
}

// values takes a row apart. A name in the last column can hold blanks.
func (t *sysTable) values(words [][]byte) (v sysValues, err error) {
	if last := len(t.columns) - 1; t.key == last && last > 0 && len(words) > len(t.columns) {
		words = append(slices.Clone(words[:last]), []byte(strings.Join(textsOf(words[last:]), " ")))
	}
	if len(words) != len(t.columns) {
		return v, fmt.Errorf("a row of %d columns under a header of %d", len(words), len(t.columns))
	}
	v.numbers = make([][]byte, len(words))
	for i, word := range words {
		if i == t.key {
			v.name = strings.ToValidUTF8(string(word), "\uFFFD")
			continue
		}
		if t.kind != sysCPU && t.metrics[i].name == "" {
			continue
		}
		number, ok := sysNumber(word)
		if !ok {
			return v, fmt.Errorf("%q in column %s is no number", clip(string(word)), t.columns[i])
		}
		v.numbers[i] = number
	}
	return v, nil
}

// sysSink writes the points of tables, with the interval that each row covers.
type sysSink struct {
	sink      Sink
	last      map[string]int64 // by table and object: the time of the row before
	begin     int64            // of the interval of a row that has none before it; 0 if not known
	unknown   []string         // tables that are not read, by their first columns
	sinceBoot int64
}

// sysObjectsMax bounds how many objects have their last row remembered.
const sysObjectsMax = 100_000

// seen remembers a table that is not read.
func (s *sysSink) seen(t *sysTable) {
	if t.kind != sysUnknown {
		return
	}
	name := strings.Join(t.columns[:min(len(t.columns), 3)], " ")
	if !slices.Contains(s.unknown, name) && len(s.unknown) < 40 {
		s.unknown = append(s.unknown, clip(name))
	}
}

// row writes a row that ends at an instant.
func (s *sysSink) row(t *sysTable, ns int64, v sysValues) error {
	p := runs.Point{Kind: runs.Gauge, Entity: t.entity(v.name)}
	if t.kind == sysInterrupts && v.name != "sum" {
		return nil // of each line; the sum is what counts
	}
	p.Time, p.TimeNS = runs.SplitNanos(ns)
	key := t.columns[0] + "\x00" + t.columns[len(t.columns)-1] + "\x00" + v.name
	before, ok := s.last[key]
	if !ok {
		before = s.begin
	}
	if before != 0 && ns > before {
		p.Resolution = (ns - before) / int64(time.Microsecond)
	}
	if s.last == nil {
		s.last = map[string]int64{}
	}
	if len(s.last) < sysObjectsMax {
		s.last[key] = ns
	}
	if t.kind == sysCPU {
		return s.shares(t, &p, v.numbers)
	}
	for i, m := range t.metrics {
		if m.name == "" || v.numbers[i] == nil {
			continue
		}
		value, ok := m.value(v.numbers[i])
		if !ok {
			continue
		}
		p.Metric, p.Unit, p.Value = m.name, m.unit, value
		if err := s.sink.Point(&p); err != nil {
			return err
		}
	}
	return nil
}

// entity names the object of a row.
func (t *sysTable) entity(name string) string {
	switch t.kind {
	case sysCPU, sysFrequency:
		if name == "all" || name == "-1" || name == "" {
			return ""
		}
		return "cpu" + name
	case sysInterrupts, sysHost:
		return ""
	}
	return shorten(name, 400)
}

// shares writes the shares of CPU time. They are hundredths of a percent at most,
// and added as such.
func (s *sysSink) shares(t *sysTable, p *runs.Point, numbers [][]byte) error {
	const places = 6
	sums, seen := map[string]int64{}, map[string]bool{}
	for i, c := range t.columns {
		for _, share := range sysShares {
			if numbers[i] == nil || !slices.Contains(share.columns, c) {
				continue
			}
			n, ok := scaled(numbers[i], places)
			if !ok {
				continue
			}
			for _, name := range share.sums {
				sums[name] += n
				seen[name] = true
			}
		}
	}
	p.Unit = "1"
	for _, name := range sysSums {
		if !seen[name] {
			continue
		}
		p.Metric = name
		p.Value, _ = shifted(strconv.AppendInt(nil, sums[name], 10), -places-2)
		if err := s.sink.Point(p); err != nil {
			return err
		}
	}
	return nil
}

// interval takes the nominal interval of a row that ends at an instant, in
// seconds: what a row covers that has none before it.
func (s *sysSink) interval(ns int64, text []byte) {
	s.begin = 0
	if n, ok := scaled(text, 9); ok && n > 0 {
		s.begin = ns - n
	}
}

// finish notes what was left out.
func (s *sysSink) finish(in *Input) {
	if len(s.unknown) > 0 {
		in.Note("tables that are not read were left out: %q", s.unknown)
	}
	if s.sinceBoot > 0 {
		in.Note("rows left out that are averages since boot: %d", s.sinceBoot)
	}
}
