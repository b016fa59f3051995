//go:build unix

package detect

import (
	"fmt"
	"math"
	"syscall"
	"testing"

	"headroom/internal/runtest"
)

// Four times the samples cost all detectors about four times the CPU time: the
// bound lies far above that and far below the sixteen times of a rule that
// compares each request with each. Time of the process, the least of three
// rounds in turn, so that other work on the machine changes little.
func TestCostIsLinearInSamples(t *testing.T) {
	const factor, most = 4, 9
	few, many := loaded(t, 400), loaded(t, factor*400)
	one, four := math.Inf(1), math.Inf(1)
	for range 3 {
		one, four = min(one, costOf(t, few)), min(four, costOf(t, many))
	}
	if one <= 0 {
		t.Fatal("all detectors together took no CPU time")
	}
	if four > most*one {
		t.Errorf("%d times the samples cost %.1f times the CPU time", factor, four/one)
	}
	t.Logf("%d times the samples cost %.1f times the CPU time (%.0f and %.0f ms)", factor, four/one, 1000*one, 1000*four)
}

// loaded is two minutes at a rate, with freezes and a disk.
func loaded(t *testing.T, rate int) Pass {
	t.Helper()
	c, err := runtest.Parse("load", fmt.Sprintf("run 120s %d/s p50=8ms p99=20ms seed=1\nfreeze at=10s for=300ms every=17s until=110s\npoints metric=disk.queue value=2\nsessions n=3", rate))
	if err != nil {
		t.Fatal(err)
	}
	run, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	return pass(run)
}

// costOf is the CPU time of the process while all detectors look, in seconds.
func costOf(t *testing.T, p Pass) float64 {
	t.Helper()
	before := processTime(t)
	for _, d := range All {
		if _, err := d.Apply(p, nil); err != nil {
			t.Fatal(err)
		}
	}
	return processTime(t) - before
}

func processTime(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
