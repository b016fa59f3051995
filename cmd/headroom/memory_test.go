//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// Ceilings of resident memory, in MiB. The hard one of 512 holds for a load of any
// length: what an analysis holds does not grow with it (TestMemoryOfAnalysis of
// internal/conformance), and 100 million samples were measured
// (docs/performance.md).
const (
	ingestMemory  = 160
	analyzeMemory = 192
)

// TestMemoryOfIngest: what ingest takes depends on the format and not on the
// length of the file.
func TestMemoryOfIngest(t *testing.T) {
	dir := t.TempDir()
	peak := map[int]int64{}
	for _, n := range []int{200_000, 800_000} {
		log := pgbenchLog(t, filepath.Join(dir, "pgbench_log.1"), n)
		peak[n] = peakOf(t, headroomIn(t, dir, "ingest", "-q", log, "-o", fmt.Sprint("run", n)))
		if peak[n] > ingestMemory {
			t.Errorf("ingest of %d transactions took %d MiB, more than %d", n, peak[n], ingestMemory)
		}
	}
	if peak[800_000] > peak[200_000]+peak[200_000]/2 {
		t.Errorf("four times the file took %d MiB after %d", peak[800_000], peak[200_000])
	}
	for _, n := range []int{200_000, 800_000} {
		took := peakOf(t, headroomIn(t, dir, "analyze", "--json", fmt.Sprint("run", n)))
		if took > analyzeMemory {
			t.Errorf("analysis of %d samples took %d MiB, more than %d", n, took, analyzeMemory)
		}
		t.Logf("%d transactions: ingest %d MiB, analyze %d MiB", n, peak[n], took)
	}
	bytes := sizeOf(t, filepath.Join(dir, "run800000", "samples"))
	if each := float64(bytes) / 800_000; each > 6.3 {
		t.Errorf("a transaction takes %.2f bytes on disk, more than 6.3", each)
	} else {
		t.Logf("%.2f bytes a transaction", each)
	}
}

// pgbenchLog writes a log of n transactions of 32 clients, 1 to 9 ms long, at
// about 8,700 a second.
func pgbenchLog(t *testing.T, path string, n int) string {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	end, random := int64(1_772_445_600_000_000), uint32(1)
	for i := range n {
		random = random*1664525 + 1013904223 // Numerical Recipes
		end += int64(random>>16) % 230
		fmt.Fprintln(w, i%32, i/32+1, 1000+random>>19, random>>10%3, end/1e6, end%1e6)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return path
}

// peakOf runs a command and returns its largest resident set in MiB. A verdict
// is no failure.
func peakOf(t *testing.T, cmd *exec.Cmd) int64 {
	t.Helper()
	out, talk, status := answerOf(t, cmd)
	if status > 2 || cmd.Args[1] == "ingest" && status != 0 {
		t.Fatalf("%v: status %d: %s%s", cmd.Args, status, out, talk)
	}
	peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "darwin" {
		return peak >> 20 // bytes there, KiB elsewhere
	}
	return peak >> 10
}

// sizeOf adds up the files of a folder.
func sizeOf(t *testing.T, dir string) int64 {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	return total
}
