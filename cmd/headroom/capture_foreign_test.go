package main

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// burners are shells that burn CPU until a file called stop is in their folder,
// and are idle for a while before they end, so that they are seen at rest.
var burners = map[string]string{
	"mine":  burst,
	"other": burst,
	"short": `while [ ! -e "$0/stop" ]; do /bin/true; /bin/true; /bin/true; done; sleep 2`, // thousands of processes
}

const burst = `while [ ! -e "$0/stop" ]; do k=0; while [ $k -lt 20000 ]; do k=$((k+1)); done; sleep 0.05; done; sleep 2`

// burnTime is how long they burn, more or less.
const burnTime = 3 * time.Second

// What a group of processes burns, with children that come and go between two
// looks, is that group's; what a process burns that is in no group is foreign.
// What is right is told by the kernel's account of each burner (wait4), over its
// whole life, which lies inside the recording: whatever else the host does.
//
// Two agents record at once: one knows all three burners, to the other one of
// them is foreign, so that their foreign CPU differs by what that one burned.
func TestCaptureForeignCPU(t *testing.T) {
	dir := t.TempDir()
	all := startRecording(t, dir, "all", "mine", "short", "other")
	some := startRecording(t, dir, "some", "mine", "short")
	time.Sleep(time.Second)
	from := time.Now()
	burned, seconds := burn(t, dir)
	to := time.Now()
	time.Sleep(time.Second)
	a, b := all.end(t), some.end(t)

	tolerance := 0.05 * seconds
	agree := func(what string, got, want float64) {
		t.Helper()
		t.Logf("%s: recorded %.2f s, burned %.2f s in %.1f s", what, got, want, seconds)
		if math.Abs(got-want) > tolerance {
			t.Errorf("%s: %.3f s of CPU recorded, %.3f s burned: more than 5 %% of a core apart", what, got, want)
		}
	}
	agree("a group", a.over("mine", from, to), burned["mine"])
	agree("a group, to the other agent", b.over("mine", from, to), burned["mine"])
	agree("a group of short-lived processes", a.over("short", from, to), burned["short"])
	agree("an unrelated process, named", a.over("other", from, to), burned["other"])
	// Each agent is foreign to the other, and each knows what it used itself.
	ownA := a.over("headroom", from, to) + a.over("generator", from, to)
	ownB := b.over("headroom", from, to) + b.over("generator", from, to)
	foreignA, foreignB := a.foreign(from, to)-ownB, b.foreign(from, to)-ownA
	agree("an unrelated process, as foreign CPU", foreignB-foreignA, burned["other"])
	if most := float64(runtime.NumCPU()) * to.Sub(from).Seconds(); foreignB < burned["other"]-tolerance || foreignB > most+tolerance {
		t.Errorf("foreign CPU of %.3f s; an unrelated process burned %.3f s, and the host has %.3f s", foreignB, burned["other"], most)
	}
	for name, s := range burned {
		if s < 0.1 {
			t.Errorf("%s burned only %.3f s", name, s)
		}
	}
}

// burn starts the burners, lets them burn, and returns what each used, in CPU
// seconds, and for how long they burned.
func burn(t *testing.T, dir string) (burned map[string]float64, seconds float64) {
	t.Helper()
	began := time.Now()
	started := map[string]*exec.Cmd{}
	for name, script := range burners {
		cmd := exec.Command("sh", "-c", script, dir, "burner-"+name)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		started[name] = cmd
	}
	time.Sleep(burnTime)
	if err := os.WriteFile(filepath.Join(dir, "stop"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	seconds = time.Since(began).Seconds()
	burned = map[string]float64{}
	for name, cmd := range started {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		burned[name] = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	return burned, seconds
}

// recording is a capture whose load ends when it is told to.
type recording struct {
	cmd  *exec.Cmd
	load io.Closer
	path string
}

// startRecording starts a capture that knows some of the burners.
func startRecording(t *testing.T, dir, name string, groups ...string) *recording {
	t.Helper()
	args := []string{"capture", "--quiet", "--every", "200ms", "--out", name}
	for _, g := range groups { // the pattern does not match the agents' own command lines
		args = append(args, "--process", g+"=cmd:burner-["+g[:1]+"]"+g[1:])
	}
	cmd := headroomIn(t, dir, append(args, "--", "sh", "-c", "touch "+name+".began; cat")...)
	load, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { load.Close(); cmd.Process.Kill() })
	await(t, "the recording runs", func() bool { _, err := os.Stat(filepath.Join(dir, name+".began")); return err == nil })
	return &recording{cmd, load, filepath.Join(dir, name)}
}

// cpuTimes are the counters of CPU time of a run, by group; "busy" is the host.
type cpuTimes struct {
	t      *testing.T
	series map[string][]runs.Point
}

// end ends the load and reads what was recorded.
func (r *recording) end(t *testing.T) cpuTimes {
	t.Helper()
	r.load.Close()
	if err := r.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	c := cpuTimes{t, map[string][]runs.Point{}}
	busy := map[int64]float64{}
	err := opened(t, r.path).ScanPoints(context.Background(), nil, runs.Range{}, func(p *runs.Point) error {
		switch p.Metric {
		case "group.cpu_seconds":
			c.series[p.Entity] = append(c.series[p.Entity], *p)
		case "cpu.user_seconds", "cpu.nice_seconds", "cpu.system_seconds", "cpu.irq_seconds", "cpu.softirq_seconds":
			if p.Entity == "cpu" {
				busy[p.Time] += p.Value
			}
		}
		return nil
	})
	for at, v := range busy {
		c.series["busy"] = append(c.series["busy"], runs.Point{Time: at, Value: v})
	}
	if err != nil || len(busy) == 0 {
		t.Fatal(errors.Join(err, errors.New("no CPU times")))
	}
	for _, s := range c.series {
		sort.Slice(s, func(i, j int) bool { return s[i].Time < s[j].Time })
	}
	return c
}

// over returns the CPU seconds between two instants, each between two looks.
func (c cpuTimes) over(name string, from, to time.Time) float64 {
	c.t.Helper()
	s := c.series[name]
	at := func(when time.Time) float64 {
		i := sort.Search(len(s), func(i int) bool { return s[i].Time > when.UnixMicro() })
		if i == 0 || i == len(s) {
			c.t.Fatalf("%s: %d looks, none on each side of %s", name, len(s), when)
		}
		p, q := s[i-1], s[i]
		return p.Value + (q.Value-p.Value)*float64(when.UnixMicro()-p.Time)/float64(q.Time-p.Time)
	}
	return at(to) - at(from)
}

// foreign returns the CPU seconds of the host that are no group's.
func (c cpuTimes) foreign(from, to time.Time) float64 {
	left := c.over("busy", from, to)
	for name := range c.series {
		if name != "busy" {
			left -= c.over(name, from, to)
		}
	}
	return left
}

// A load on a host whose CPUs are all taken by others is a floor, and the page
// says why: foreign CPU. How long tasks waited for a CPU is a figure beside it.
func TestCaptureStarved(t *testing.T) {
	if _, err := os.ReadFile("/proc/pressure/cpu"); err != nil {
		t.Skipf("this kernel does not record pressure: %v", err)
	}
	dir := t.TempDir()
	for range 2 * runtime.NumCPU() {
		cmd := exec.Command("sh", "-c", `while [ ! -e "$0/stop" ]; do k=0; while [ $k -lt 20000 ]; do k=$((k+1)); done; done`, dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	}
	out, talk, status := answerOf(t, headroomIn(t, dir, "capture", "--quiet", "--every", "200ms", "--out", "run", "--samples", "k6=fifo", "--",
		"k6pipe", "-out", "{samples}", "-rate", "50", "-seconds", "3"))
	if status != 0 {
		t.Fatalf("status %d, %s%s", status, out, talk)
	}
	out, _, _ = answerOf(t, headroomIn(t, dir, "analyze", "--json", "run"))
	found := regexp.MustCompile(`"id": "contention.pressure",\s+"scope": \{\},\s+"value": ([0-9.]+)`).FindStringSubmatch(out)
	if found == nil || !strings.Contains(out, `"bound": "floor"`) {
		t.Fatalf("a starved load is no floor: %s", out)
	}
	if share, err := strconv.ParseFloat(found[1], 64); err != nil || share < 0.1 || share > 1 {
		t.Errorf("tasks waited for a CPU for %s of the time", found[1])
	}
	out, talk, _ = answerOf(t, headroomIn(t, dir, "report", "build", "--out", "page", "run"))
	page, err := os.ReadFile(filepath.Join(dir, "page", "index.md"))
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, talk)
	}
	if !strings.Contains(string(page), "the host was contended (foreign CPU") {
		t.Errorf("the page does not say why:\n%s", page)
	}
}
