package capture

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/prometheus/procfs"

	"headroom/runs"
)

// facts fills in what the manifest says of the host, the system and the command.
func (c *capture) facts(ctx context.Context, m *runs.Manifest) {
	o := &c.opt
	m.Labels, m.System, m.Reconcile = o.Labels, o.System, o.Reconcile
	m.Host = runs.Host{PricePerHour: o.Price, Currency: o.Currency, OS: osName(), Kernel: c.line(o.Proc, "sys/kernel/osrelease"), Name: c.line(o.Proc, "sys/kernel/hostname")}
	m.Load.Command = maskCommand(o.Command)
	if fs, err := procfs.NewFS(o.Proc); err == nil {
		if cpus, err := fs.CPUInfo(); err == nil && len(cpus) > 0 {
			m.Host.Model, m.Host.Cores = cpus[0].ModelName, len(cpus)
		}
		if mem, err := fs.Meminfo(); err == nil && mem.MemTotalBytes != nil {
			m.Host.Memory = int64(*mem.MemTotalBytes)
		}
	}
	m.Environment = c.environment()
	for _, name := range []string{"cpu governor", "cpu turbo", "virtualisation"} {
		if m.Environment[name] == "" {
			c.absent(name, runs.NotMeasurable, "this host does not show it")
		}
	}
	if o.SystemDir != "" {
		commit, err := gitCommit(ctx, o.SystemDir, o.Env)
		if err != nil {
			c.absent("commit of the system", runs.NotMeasurable, maskText(err.Error()))
		}
		m.System.Commit = commit
	}
}

// line returns the only line of a small file, "" if there is none.
func (c *capture) line(root, name string) string {
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// osName is the distribution's own name.
func osName() string {
	text, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			return strings.Trim(name, `"`)
		}
	}
	return ""
}

// environment returns facts of the host that change what a figure is worth.
func (c *capture) environment() map[string]string {
	sys, proc := c.opt.Sys, c.opt.Proc
	env := map[string]string{
		"boot id":        c.line(proc, "sys/kernel/random/boot_id"),
		"clock source":   c.line(sys, "devices/system/clocksource/clocksource0/current_clocksource"),
		"cpu governor":   c.line(sys, "devices/system/cpu/cpu0/cpufreq/scaling_governor"),
		"cpu turbo":      c.turbo(),
		"virtualisation": c.virtualisation(),
		"cgroup":         c.cgroupMode(),
		"filesystem":     filesystemOf(proc, c.opt.Out),
	}
	for name, v := range env {
		if v == "" {
			delete(env, name)
		}
	}
	return env
}

func (c *capture) turbo() string {
	for _, f := range []struct{ name, on string }{
		{"devices/system/cpu/cpufreq/boost", "1"}, {"devices/system/cpu/intel_pstate/no_turbo", "0"},
	} {
		switch v := c.line(c.opt.Sys, f.name); v {
		case "":
		case f.on:
			return "on"
		default:
			return "off"
		}
	}
	return ""
}

func (c *capture) virtualisation() string {
	product := strings.TrimSpace(c.line(c.opt.Sys, "class/dmi/id/sys_vendor") + " " + c.line(c.opt.Sys, "class/dmi/id/product_name"))
	guest := strings.Contains(" "+c.flags()+" ", " hypervisor ")
	kind := c.line(c.opt.Sys, "hypervisor/type")
	switch {
	case kind != "":
		return strings.TrimSpace(kind + " " + product)
	case guest:
		return strings.TrimSpace("virtual machine " + product)
	case product != "":
		return "none seen (" + product + ")"
	}
	return ""
}

// flags returns the flags of the first CPU.
func (c *capture) flags() string {
	text := c.line(c.opt.Proc, "cpuinfo")
	_, rest, _ := strings.Cut(text, "\nflags")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimLeft(line, "\t :")
}

func (c *capture) cgroupMode() string {
	for _, f := range []struct{ name, mode string }{
		{"fs/cgroup/cgroup.controllers", "version 2"}, {"fs/cgroup/unified/cgroup.controllers", "hybrid"}, {"fs/cgroup/cpu", "version 1"},
	} {
		if _, err := os.Stat(filepath.Join(c.opt.Sys, f.name)); err == nil {
			return f.mode
		}
	}
	return ""
}

// filesystemOf returns the type and options of the filesystem that holds a path,
// or would hold it.
func filesystemOf(proc, path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(proc, "self/mounts"))
	if err != nil {
		return ""
	}
	best, kind := "", ""
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		at := f[1]
		if (path == at || strings.HasPrefix(path, strings.TrimSuffix(at, "/")+"/")) && len(at) >= len(best) {
			best, kind = at, f[2]+" ("+f[3]+")"
		}
	}
	return kind
}

// gitTime bounds the asking for a commit.
const gitTime = 5 * time.Second

// gitCommit returns the commit of a working folder, "+changes" behind it if
// files differ from it.
func gitCommit(ctx context.Context, dir string, env []string) (string, error) {
	within, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(within, "git", append([]string{"-C", dir}, args...)...)
		cmd.Env = env
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return "", fmt.Errorf("git rev-parse in the folder of the system: %w", err)
	}
	if changed, err := git("status", "--porcelain", "--untracked-files=no"); err == nil && changed != "" {
		commit += "+changes"
	}
	return commit, nil
}
