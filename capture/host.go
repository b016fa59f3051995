package capture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"
	"github.com/prometheus/procfs/blockdevice"

	"headroom/runs"
)

// Names of the sources that are the agent's own.
const (
	sourceHost     = "host"
	sourcePostgres = "postgres"
	sourceAgent    = "headroom"
)

// host samples /proc and /sys (https://docs.kernel.org/filesystems/proc.html).
// Counters are written as they are, so that a rate can be taken over any window;
// docs/format/metrics.md has the names.
type host struct {
	c      *capture
	proc   procfs.FS
	disks  blockdevice.FS
	groups *groups
	table  *processTable
	vmstat map[string]uint64

	asked chan struct{} // holds one wish for a look out of turn

	now  time.Time // of this look
	busy float64   // CPU seconds of the host so far

	last   hostLook // for the live line
	failed map[string]bool
}

// hostLook is what the live line shows of a look at the host.
type hostLook struct {
	at    time.Duration
	busy  float64
	group float64
	load  float64
}

func newHost(c *capture) (*host, error) {
	proc, err := procfs.NewFS(c.opt.Proc)
	if err != nil {
		return nil, err
	}
	disks, err := blockdevice.NewFS(c.opt.Proc, c.opt.Sys)
	if err != nil {
		return nil, err
	}
	g, err := newGroups(c.opt.Processes)
	if err != nil {
		return nil, err
	}
	return &host{c: c, proc: proc, disks: disks, groups: g, table: &processTable{root: c.opt.Proc}, failed: map[string]bool{}, asked: make(chan struct{}, 1)}, nil
}

// run is the collector.
func (h *host) run(ctx context.Context, ready func()) error {
	defer h.table.close()
	pace := cadence{every: h.c.opt.Every, next: h.c.opt.Clock.Elapsed()}
	for {
		if err := h.look(); err != nil {
			return err
		}
		ready()
		timer := time.NewTimer(pace.left(h.c.opt.Clock.Elapsed))
		select {
		case <-timer.C:
		case <-h.asked:
			pace.next = h.c.opt.Clock.Elapsed() - h.c.opt.Every/2
		case <-ctx.Done():
			timer.Stop()
			return h.look() // the end of the last interval
		}
		timer.Stop()
	}
}

// lookNow asks for a look out of turn, where the load or a step of it begins or
// ends: what is known of a short one must not depend on how it lies to the looks.
// The next one follows half of the cadence later, since each stands for the half
// before and after it.
func (h *host) lookNow() {
	select {
	case h.asked <- struct{}{}:
	default:
	}
}

// look takes one sample of everything. What this kernel does not have is left
// out, and said once; only the CPU times must be there.
func (h *host) look() error {
	began := h.c.opt.Clock.Elapsed()
	h.now = h.c.opt.Clock.Now()
	if err := h.cpu(); err != nil {
		return err
	}
	h.optional("CPU time of processes", h.processes())
	h.optional("load average", h.load())
	h.optional("memory", h.memory())
	h.optional("faults and swapping", h.paging())
	h.optional("disks", h.diskCounters())
	h.optional("network", h.network())
	h.optional("pressure", h.pressure())
	h.optional("cgroup", h.cgroup())
	h.agent(h.c.opt.Clock.Elapsed() - began)
	h.c.clockStep(h.now, began)
	return nil
}

// optional says once that something is not recorded.
func (h *host) optional(what string, err error) {
	if err == nil || h.failed[what] {
		return
	}
	h.failed[what] = true
	why := runs.CollectorDied
	if os.IsNotExist(err) {
		why = runs.NotMeasurable
	}
	h.c.absent(what, why, fmt.Sprintf("from %s: %v", stamp(h.now), err))
}

func (h *host) point(metric, entity string, kind runs.Kind, value float64, unit string) {
	h.c.rec.Point(&runs.Point{
		Time: h.now.UnixMicro(), TimeNS: int64(h.now.Nanosecond() % 1000), Source: sourceHost, Entity: entity,
		Metric: metric, Kind: kind, Value: value, Unit: unit, Resolution: h.c.opt.Every.Microseconds(),
	})
}

func (h *host) gauge(metric string, v float64, unit string) { h.point(metric, "", runs.Gauge, v, unit) }

func (h *host) counter(metric, entity string, v float64, unit string) {
	h.point(metric, entity, runs.Counter, v, unit)
}

// cpu records the CPU times, of the host and of each CPU.
func (h *host) cpu() error {
	s, err := h.proc.Stat()
	if err != nil {
		return err
	}
	times := func(entity string, c procfs.CPUStat) {
		for _, t := range []struct {
			mode  string
			value float64
		}{
			{"user", c.User}, {"nice", c.Nice}, {"system", c.System}, {"idle", c.Idle}, {"iowait", c.Iowait},
			{"irq", c.IRQ}, {"softirq", c.SoftIRQ}, {"steal", c.Steal}, {"guest", c.Guest}, {"guest_nice", c.GuestNice},
		} {
			h.counter("cpu."+t.mode+"_seconds", entity, t.value, "s")
		}
	}
	times("cpu", s.CPUTotal)
	for i, c := range s.CPU {
		times("cpu"+strconv.FormatInt(i, 10), c)
	}
	h.busy = s.CPUTotal.User + s.CPUTotal.Nice + s.CPUTotal.System + s.CPUTotal.IRQ + s.CPUTotal.SoftIRQ
	h.gauge("host.cpus", float64(len(s.CPU)), "1")
	h.gauge("host.boot_time", float64(s.BootTime), "s")
	h.gauge("procs.running", float64(s.ProcessesRunning), "1")
	h.gauge("procs.blocked", float64(s.ProcessesBlocked), "1")
	h.counter("system.context_switch_count", "", float64(s.ContextSwitches), "1")
	h.counter("system.fork_count", "", float64(s.ProcessCreated), "1")
	return nil
}

func (h *host) load() error {
	l, err := h.proc.LoadAvg()
	if err != nil {
		return err
	}
	h.gauge("load.1m", l.Load1, "1")
	h.gauge("load.5m", l.Load5, "1")
	h.gauge("load.15m", l.Load15, "1")
	h.last.load = l.Load1
	return nil
}

func (h *host) memory() error {
	m, err := h.proc.Meminfo()
	if err != nil {
		return err
	}
	for metric, v := range map[string]*uint64{
		"memory.total": m.MemTotalBytes, "memory.available": m.MemAvailableBytes, "memory.free": m.MemFreeBytes,
		"memory.buffers": m.BuffersBytes, "memory.cached": m.CachedBytes, "memory.dirty": m.DirtyBytes,
		"memory.writeback": m.WritebackBytes, "memory.anonymous": m.AnonPagesBytes,
		"memory.swap_total": m.SwapTotalBytes, "memory.swap_free": m.SwapFreeBytes,
	} {
		if v != nil {
			h.gauge(metric, float64(*v), "B")
		}
	}
	return nil
}

// pagingCounters are the lines of /proc/vmstat that are kept: faults in pages,
// swapping in pages, what went to and from block devices in KiB.
var pagingCounters = []struct {
	line, metric, unit string
	factor             float64
}{
	{"pgfault", "memory.faults", "1", 1}, {"pgmajfault", "memory.major_faults", "1", 1}, {"oom_kill", "memory.oom_kills", "1", 1},
	{"pswpin", "swap.in_bytes", "B", float64(os.Getpagesize())}, {"pswpout", "swap.out_bytes", "B", float64(os.Getpagesize())},
	{"pgpgin", "io.in_bytes", "B", 1024}, {"pgpgout", "io.out_bytes", "B", 1024},
}

func (h *host) paging() error {
	text, err := os.ReadFile(filepath.Join(h.c.opt.Proc, "vmstat"))
	if err != nil {
		return err
	}
	if h.vmstat == nil {
		h.vmstat = map[string]uint64{}
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseUint(value, 10, 64); err == nil {
			h.vmstat[name] = n
		}
	}
	for _, c := range pagingCounters {
		if n, ok := h.vmstat[c.line]; ok {
			h.counter(c.metric, "", float64(n)*c.factor, c.unit)
		}
	}
	return nil
}
