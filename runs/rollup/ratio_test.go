//go:build unix

package rollup

import (
	"context"
	"math"
	"syscall"
	"testing"
)

// mostPasses is how many plain reads of two columns the whole per-second table
// may cost. docs/performance.md says what it does cost; this is far above it, so
// that only a change of kind (a full sort, an allocation a sample) meets it.
const mostPasses = 15

// TestOnePass guards the cost of the per-second table by a ratio within one
// process, in CPU time, least of several rounds: other work on the machine moves
// both alike.
func TestOnePass(t *testing.T) {
	run := newRun(t, t.TempDir(), manySeconds(200_000))
	opt, err := Options{Anchor: t0}.defaults()
	if err != nil {
		t.Fatal(err)
	}
	const reads = 20
	read, pass := math.Inf(1), math.Inf(1)
	for range 5 {
		before := cpu(t)
		for range reads { // one is shorter than the clock of CPU time tells
			if _, err := twoColumns(run); err != nil {
				t.Fatal(err)
			}
		}
		between := cpu(t)
		if _, err := compute(context.Background(), run, opt); err != nil {
			t.Fatal(err)
		}
		read, pass = min(read, (between-before)/reads), min(pass, cpu(t)-between)
	}
	if read <= 0 {
		t.Fatalf("%d reads of two columns took no CPU time", reads)
	}
	if pass > mostPasses*read {
		t.Errorf("the per-second table costs %.1f plain reads of two columns, more than %d", pass/read, mostPasses)
	}
	t.Logf("the per-second table costs %.1f plain reads of two columns (%.1f and %.1f ns a sample)", pass/read, pass/200_000*1e9, read/200_000*1e9)
}

// cpu returns the CPU time of the process in seconds.
func cpu(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
