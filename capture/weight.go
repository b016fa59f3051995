package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"headroom/runs"
)

// processes records the CPU time of the groups: one pass over all processes.
func (h *host) processes() error {
	h.takeAdoptions()
	now, err := h.table.read(h.groups.outside)
	if err != nil {
		return err
	}
	h.groups.look(now)
	sum := 0.0
	for i, name := range h.groups.names {
		h.counter("group.cpu_seconds", name, h.groups.cpu[i], "s")
		h.point("group.processes", name, runs.Gauge, float64(h.groups.count[i]), "1")
		h.point("group.rss", name, runs.Gauge, float64(h.groups.rss[i]), "B")
		sum += h.groups.cpu[i]
	}
	h.c.seen(hostLook{at: h.c.opt.Clock.Elapsed(), busy: h.busy, group: sum, load: h.last.load})
	return nil
}

// commandLine returns the command line of a process, words joined by blanks.
func (h *host) commandLine(pid int) string {
	text, err := os.ReadFile(filepath.Join(h.c.opt.Proc, fmt.Sprint(pid), "cmdline"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(strings.ReplaceAll(string(text), "\x00", " "))
}

// agent records what the agent itself costs; look is how long the look at the
// host took.
func (h *host) agent(look time.Duration) {
	c := h.c
	own := func(metric string, kind runs.Kind, v float64, unit string) {
		c.rec.Point(&runs.Point{
			Time: h.now.UnixMicro(), Source: sourceAgent, Metric: metric, Kind: kind, Value: v, Unit: unit,
			Resolution: c.opt.Every.Microseconds(),
		})
	}
	own("capture.look_seconds", runs.Gauge, look.Seconds(), "s")
	own("capture.connections", runs.Gauge, float64(c.connections.Load()), "1")
	own("capture.written_bytes", runs.Counter, float64(c.written.Load()), "B")
	cpu, rss := cpuUsed(), h.groups.rss[slices.Index(h.groups.names, groupAgent)]
	own("capture.cpu_seconds", runs.Counter, cpu, "s")
	own("capture.rss", runs.Gauge, float64(rss), "B")
	c.weigh(cpu, rss)
}

// cpuUsed returns the CPU seconds of this process since it was started.
func cpuUsed() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0 // EFAULT and EINVAL are all there is
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// Weight is what the agent cost.
type Weight struct {
	CPU         float64 `json:"cpu_cores"`   // CPUs' worth, mean while it looked at the host
	Total       float64 `json:"cpu_seconds"` // of the process since it was started; once the run is sealed, the seal included
	Memory      int64   `json:"memory_bytes"`
	Connections int64   `json:"connections"`
	Written     int64   `json:"written_bytes"`
	Seconds     float64 `json:"seconds"` // over which it was measured
}

// String says it in a sentence.
func (w Weight) String() string {
	held := "no connection"
	switch {
	case w.Connections == 1:
		held = "one connection"
	case w.Connections > 1:
		held = fmt.Sprintf("%d connections", w.Connections)
	}
	return fmt.Sprintf("the capture agent itself used %.2f %% of one core (%.2f s of CPU with its start) and at most %.0f MB of memory, held %s to the database and wrote %.1f MB, over %.0f s",
		100*w.CPU, w.Total, float64(w.Memory)/1e6, held, float64(w.Written)/1e6, w.Seconds)
}

// weigh keeps what the agent has cost so far.
func (c *capture) weigh(cpu float64, rss int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.opt.Clock.Elapsed()
	if c.weight.at == 0 {
		c.weight.at, c.weight.cpu = at, cpu
	}
	if elapsed := (at - c.weight.at).Seconds(); elapsed > 0 {
		c.weight.CPU, c.weight.Seconds = (cpu-c.weight.cpu)/elapsed, elapsed
	}
	c.weight.Total = cpu
	c.weight.Memory = max(c.weight.Memory, rss)
	c.weight.Connections = max(c.weight.Connections, c.connections.Load())
	c.weight.Written = c.written.Load()
}

// weighing is a Weight and where it began.
type weighing struct {
	Weight
	at  time.Duration
	cpu float64
}
