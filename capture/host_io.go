package capture

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// sectorSize is the unit of /proc/diskstats, whatever the device's own is
// (https://docs.kernel.org/admin-guide/iostats.html).
const sectorSize = 512

// diskCounters records the counters of whole disks. Partitions, loop and RAM
// devices are left out: they are parts of others, or no disks.
func (h *host) diskCounters() error {
	stats, err := h.disks.ProcDiskstats()
	if err != nil {
		return err
	}
	for _, d := range stats {
		if !h.isDisk(d.DeviceName) {
			continue
		}
		for _, c := range []struct {
			metric string
			value  float64
			unit   string
		}{
			{"disk.reads", float64(d.ReadIOs), "1"}, {"disk.writes", float64(d.WriteIOs), "1"},
			{"disk.read_bytes", float64(d.ReadSectors) * sectorSize, "B"}, {"disk.written_bytes", float64(d.WriteSectors) * sectorSize, "B"},
			{"disk.read_seconds", float64(d.ReadTicks) / 1000, "s"}, {"disk.write_seconds", float64(d.WriteTicks) / 1000, "s"},
			{"disk.busy_seconds", float64(d.IOsTotalTicks) / 1000, "s"}, {"disk.queue_seconds", float64(d.WeightedIOTicks) / 1000, "s"},
		} {
			h.counter(c.metric, d.DeviceName, c.value, c.unit)
		}
		if d.IoStatsCount >= 20 { // kernel 5.5 and later
			h.counter("disk.flushes", d.DeviceName, float64(d.FlushRequestsCompleted), "1")
			h.counter("disk.flush_seconds", d.DeviceName, float64(d.TimeSpentFlushing)/1000, "s")
		}
		h.point("disk.in_flight", d.DeviceName, "gauge", float64(d.IOsInProgress), "1")
	}
	return nil
}

// isDisk reports whether a name of /proc/diskstats is that of a whole disk.
func (h *host) isDisk(name string) bool {
	for _, no := range []string{"loop", "ram", "zram", "fd", "sr"} {
		if rest, ok := strings.CutPrefix(name, no); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return false
		}
	}
	block := filepath.Join(h.c.opt.Sys, "block")
	if _, err := os.Stat(block); err != nil {
		return true // without /sys nothing tells a partition from a disk
	}
	_, err := os.Stat(filepath.Join(block, strings.ReplaceAll(name, "/", "!")))
	return err == nil
}

// network records the counters of interfaces, and of TCP as a whole. The
// loopback is kept: with everything on one host, the load goes through it.
func (h *host) network() error {
	dev, err := h.proc.NetDev()
	if err != nil {
		return err
	}
	for name, d := range dev {
		if strings.HasPrefix(name, "veth") {
			continue // its other end is counted
		}
		h.counter("net.received_bytes", name, float64(d.RxBytes), "B")
		h.counter("net.sent_bytes", name, float64(d.TxBytes), "B")
		h.counter("net.received_packets", name, float64(d.RxPackets), "1")
		h.counter("net.sent_packets", name, float64(d.TxPackets), "1")
		h.counter("net.errors", name, float64(d.RxErrors+d.TxErrors), "1")
		h.counter("net.drops", name, float64(d.RxDropped+d.TxDropped), "1")
	}
	self, err := h.proc.Self()
	if err != nil {
		return err
	}
	snmp, err := self.Snmp()
	if err != nil {
		return err
	}
	for metric, v := range map[string]*float64{
		"tcp.sent_segments": snmp.Tcp.OutSegs, "tcp.retransmitted_segments": snmp.Tcp.RetransSegs, "tcp.opens": snmp.Tcp.ActiveOpens,
	} {
		if v != nil {
			h.counter(metric, "", *v, "1")
		}
	}
	return nil
}

// pressure records the time in which tasks waited for a resource: some of them,
// or all of them at once (https://docs.kernel.org/accounting/psi.html).
func (h *host) pressure() error {
	for _, of := range []string{"cpu", "io", "memory"} {
		psi, err := h.proc.PSIStatsForResource(of)
		if err != nil {
			return err
		}
		if psi.Some != nil {
			h.counter("pressure."+of+"_some_seconds", "", float64(psi.Some.Total)/1e6, "s")
		}
		if psi.Full != nil && of != "cpu" { // of the whole system it means nothing
			h.counter("pressure."+of+"_full_seconds", "", float64(psi.Full.Total)/1e6, "s")
		}
	}
	return nil
}

// cgroupRoots are where version 2 of cgroups is mounted, alone or beside
// version 1.
var cgroupRoots = []string{"fs/cgroup", "fs/cgroup/unified"}

// cgroup records the CPU time, throttling and memory of the cgroup of the load
// command, and of those of the process groups (version 2:
// https://docs.kernel.org/admin-guide/cgroup-v2.html).
func (h *host) cgroup() error {
	seen := map[string]bool{}
	for _, pid := range h.groups.roots() {
		path := h.cgroupOf(pid)
		if path == "" || seen[path] {
			continue
		}
		seen[path] = true
		if err := h.cgroupFiles(path); err != nil {
			return err
		}
	}
	return nil
}

// cgroupOf returns the path of the version 2 cgroup of a process, "" if it has
// none or is gone.
func (h *host) cgroupOf(pid int) string {
	p, err := h.proc.Proc(pid)
	if err != nil {
		return ""
	}
	list, err := p.Cgroups()
	if err != nil {
		return ""
	}
	for _, g := range list {
		if g.HierarchyID == 0 {
			return g.Path
		}
	}
	return ""
}

// cgroupLines are the lines of cpu.stat that are kept, which are in µs.
var cgroupLines = map[string]struct {
	metric, unit string
	factor       float64
}{
	"usage_usec": {"cgroup.cpu_seconds", "s", 1e-6}, "throttled_usec": {"cgroup.throttled_seconds", "s", 1e-6},
	"nr_periods": {"cgroup.periods", "1", 1}, "nr_throttled": {"cgroup.throttled_periods", "1", 1},
}

func (h *host) cgroupFiles(path string) error {
	for _, root := range cgroupRoots {
		dir := filepath.Join(h.c.opt.Sys, root, filepath.FromSlash(filepath.Clean("/"+path)))
		text, err := os.ReadFile(filepath.Join(dir, "cpu.stat"))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			l, ok := cgroupLines[name]
			if n, err := strconv.ParseFloat(value, 64); ok && err == nil {
				h.counter(l.metric, path, n*l.factor, l.unit)
			}
		}
		if text, err := os.ReadFile(filepath.Join(dir, "memory.current")); err == nil {
			if n, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64); err == nil {
				h.point("cgroup.memory", path, "gauge", n, "B")
			}
		}
	}
	return nil
}
