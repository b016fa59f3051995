package conformance

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"testing"

	"headroom/analyze"
	"headroom/runs"
	"headroom/runs/ordered"
)

// Limits of the memory of an analysis, where its requests get littleRoom in memory.
// A request takes some ten bytes there, and 48 unpacked; each sample more may take
// bytesPerSample, which is for what is kept by second, and for the garbage collector.
const (
	littleRoom     = 1 << 20
	bytesPerSample = 5
	fewSamples     = 300_000
	manySamples    = 2_400_000
	mostHeld       = 64 << 20 // bytes in use at any time
)

// TestMemoryOfAnalysis: what an analysis holds does not grow with the length of the
// run. The requests that do not fit into the little room that they get here are in
// the temporary file, as those of longer runs are in the program; what else is held
// for a sample would show in the second run, which is eight times as long.
func TestMemoryOfAnalysis(t *testing.T) {
	held := map[int]int64{}
	for _, n := range []int{fewSamples, manySamples} {
		run, err := runs.Open(longRun(t, n))
		if err != nil {
			t.Fatal(err)
		}
		space := ordered.OfRun(run, littleRoom)
		held[n] = mostInUse(t, func() error {
			_, err := analyze.MeasureIn(t.Context(), space, run, analyze.Protocol{})
			return err
		})
		if space.Spilled() == 0 {
			t.Errorf("%d samples: nothing was put into the file", n)
		}
	}
	growth := float64(held[manySamples]-held[fewSamples]) / (manySamples - fewSamples)
	t.Logf("%d samples hold %d KiB, %d samples %d KiB: %.2f bytes a sample more", fewSamples, held[fewSamples]>>10, manySamples, held[manySamples]>>10, growth)
	if growth > bytesPerSample {
		t.Errorf("an analysis holds %.2f bytes more for each sample more, want at most %d", growth, bytesPerSample)
	}
	if held[manySamples] > mostHeld {
		t.Errorf("an analysis holds %d MiB, want at most %d", held[manySamples]>>20, mostHeld>>20)
	}
}

// mostInUse runs fn and returns the most bytes of the heap that were in use
// meanwhile, beyond those before: what is left when garbage is collected, again and
// again.
func mostInUse(t *testing.T, fn func() error) int64 {
	t.Helper()
	inUse := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, most := inUse(), int64(0)
	done := make(chan error)
	go func() { done <- fn() }()
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return most - before
		default:
			most = max(most, inUse())
		}
	}
}

// longRun writes a run of n requests of two kinds, 1 to 9 ms long, at 8,700 a second,
// in the order of their ends, with a freeze now and then.
func longRun(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run")
	w, err := runs.Create(path, runs.CreateOptions{ID: strconv.Itoa(n)})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	random := uint32(1)
	for i := range int64(n) {
		random = random*1664525 + 1013904223 // Numerical Recipes
		s := runs.NewSample()
		s.Service = 1_000_000 + int64(random>>9)
		s.Start = 1_772_445_600_000_000 + i*115 - s.Service/1000
		if i%400_000 < 900 {
			s.Service += (900 - i%400_000) * 400_000
		}
		s.Scenario, s.Outcome, s.Op, s.Worker = "default", runs.OK, []string{"read", "write"}[random>>8&1], strconv.Itoa(int(i%32))
		if err := w.Sample(&s); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSpilledIsHeld: where the requests are, in memory or in the file, changes
// nothing in the result.
func TestSpilledIsHeld(t *testing.T) {
	run, err := runs.Open(longRun(t, 60_000))
	if err != nil {
		t.Fatal(err)
	}
	var results [2]any
	for i, limit := range []int64{0, 1 << 40} {
		space := ordered.OfRun(run, limit)
		m, err := analyze.MeasureIn(t.Context(), space, run, analyze.Protocol{})
		if err != nil {
			t.Fatal(err)
		}
		if spilled := space.Spilled() > 0; spilled != (limit == 0) {
			t.Fatalf("with room for %d bytes the file is used: %v", limit, spilled)
		}
		text, err := json.Marshal(m.Result)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &results[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(results[0], results[1]) {
		t.Error("the result differs")
	}
	left, err := filepath.Glob(filepath.Join(run.Path(), "derived", ".headroom*"))
	if err != nil || len(left) > 0 {
		t.Error(fmt.Sprint("left in the folder: ", left, err))
	}
}
