// Command timing runs shell commands in turn, A B C A B C …, and prints for each
// the medians of its wall time, its CPU time (user + system, with all that it
// started) and its largest resident set, and the median over the rounds of the
// ratio of its CPU time to that of the first. On a shared machine the ratios are
// what to believe, then the CPU times; wall times only beside each other.
//
//	go run ./bench/timing -rounds 5 wc='wc -l < k6.json' headroom='headroom ingest …'
//
// A command that fails ends the program with its output, unless its status is
// one of -allow (headroom analyze: 1 and 2 are verdicts).
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// run is one execution.
type run struct {
	wall, cpu float64 // s
	rss       float64 // MiB, of the largest process
}

// command is one of those compared.
type command struct {
	name, shell string
	runs        []run
}

func main() {
	rounds := flag.Int("rounds", 5, "how often each command is run")
	before := flag.String("before", "", "a shell command run before each, not timed")
	allow := flag.String("allow", "0", "statuses that are no failure, by commas")
	flag.Parse()
	var list []*command
	for _, arg := range flag.Args() {
		name, shell, ok := strings.Cut(arg, "=")
		if !ok || *rounds < 1 {
			fmt.Fprintln(os.Stderr, "timing: want NAME='SHELL COMMAND' …, and at least one round")
			os.Exit(2)
		}
		list = append(list, &command{name: name, shell: shell})
	}
	for range *rounds {
		for _, c := range list {
			if err := c.run(*before, strings.Split(*allow, ",")); err != nil {
				fmt.Fprintf(os.Stderr, "timing: %s: %v\n", c.name, err)
				os.Exit(1)
			}
		}
	}
	report(list)
}

// run executes the command once.
func (c *command) run(before string, allow []string) error {
	if before != "" {
		if out, err := exec.Command("sh", "-c", before).CombinedOutput(); err != nil {
			return fmt.Errorf("before it: %w: %s", err, out)
		}
	}
	var said bytes.Buffer
	cmd := exec.Command("sh", "-c", c.shell)
	cmd.Stderr = &said
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if cmd.ProcessState == nil {
		return err
	}
	if status := strconv.Itoa(cmd.ProcessState.ExitCode()); !slices.Contains(allow, status) {
		return fmt.Errorf("%w: %s", err, said.Bytes())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	c.runs = append(c.runs, run{wall.Seconds(), cpu.Seconds(), float64(usage.Maxrss) / 1024})
	return nil
}

// report prints a row a command.
func report(list []*command) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "command\twall s\tcpu s\tpeak MiB\tcpu ratio\tits range\t")
	for _, c := range list {
		var walls, cpus, peaks, ratios []float64
		for i, r := range c.runs {
			walls, cpus, peaks = append(walls, r.wall), append(cpus, r.cpu), append(peaks, r.rss)
			ratios = append(ratios, r.cpu/list[0].runs[i].cpu)
		}
		fmt.Fprintf(w, "%s\t%.2f\t%.3f\t%.0f\t%.2f\t%.2f to %.2f\t\n",
			c.name, median(walls), median(cpus), median(peaks), median(ratios), slices.Min(ratios), slices.Max(ratios))
	}
	w.Flush()
}

// median returns the middle value, of an even number the mean of the two.
func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}
