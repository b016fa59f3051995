package analyze

import (
	"testing"

	"headroom/runs"
)

// A gain that so few repeats could show by chance holds nothing to blame.
func TestHoldsVerdictNeedsRepeats(t *testing.T) {
	for _, x := range []struct {
		before, after []float64
		want          string
	}{
		{[]float64{100}, []float64{300}, "not ruled out: too few repeats to tell the gain from chance"},
		{[]float64{100, 101}, []float64{300, 301}, "not ruled out: too few repeats to tell the gain from chance"},
		{[]float64{100, 101, 102, 103}, []float64{300, 301, 302, 303}, "held to blame"},
		{[]float64{100, 101, 102, 400}, []float64{99, 301, 302, 303}, "not ruled out: the gain may be chance"},
	} {
		if got := holdsVerdict(2, false, compareArms(&armMeasure{margin: littleGain}, x.before, x.after), 0); got != x.want {
			t.Errorf("%v against %v: %q, want %q", x.before, x.after, got, x.want)
		}
	}
}

// Without a gain, nothing is ruled out that the repeats could hide: of a throughput
// (closed loop) and of a time per request (open loop).
func TestHoldsVerdictRulesOut(t *testing.T) {
	for _, x := range []struct {
		before, after []float64
		loop          runs.LoadModel
		gain          float64
		want          string
	}{
		{[]float64{100}, []float64{100}, runs.ClosedLoop, 0, "not ruled out: no gain without it, in too few repeats to tell"},
		{[]float64{100}, []float64{104}, runs.ClosedLoop, 0.04, "not ruled out: without it there is only 4 % more, in too few repeats to tell"},
		{[]float64{80, 100, 120, 140}, []float64{75, 101, 118, 139}, runs.ClosedLoop, -0.01, "not ruled out: a gain of 10 % is not excluded"},
		{[]float64{100, 101, 102, 101}, []float64{100, 101, 102, 101}, runs.ClosedLoop, 0, "ruled out as the limit: no gain without it"},
		{[]float64{100, 101, 102, 101}, []float64{104, 105, 106, 105}, runs.ClosedLoop, 0.04, "ruled out as the limit: without it there is only 4 % more"},
		{[]float64{100, 101, 102, 101}, []float64{50, 51, 52, 51}, runs.ClosedLoop, -0.5, "ruled out as the limit: no gain without it"},
		{[]float64{0.100, 0.101, 0.102, 0.101}, []float64{0.2, 0.21, 0.22, 0.21}, runs.OpenLoop, -0.5, "ruled out as the limit: no gain without it"},
		{[]float64{0.08, 0.10, 0.12, 0.14}, []float64{0.081, 0.10, 0.12, 0.14}, runs.OpenLoop, -0.001, "not ruled out: a gain of 10 % is not excluded"},
	} {
		test := compareArms(&armMeasure{margin: littleGain}, x.before, x.after)
		if got := holdsVerdict(x.gain, test.little(x.loop), test, 0); got != x.want {
			t.Errorf("%v against %v: %q, want %q", x.before, x.after, got, x.want)
		}
	}
}

// A gain that chance does not make, and that is not all, holds a part.
func TestHoldsVerdictOfAPart(t *testing.T) {
	test := compareArms(&armMeasure{margin: littleGain}, []float64{100, 101, 102, 103}, []float64{130, 131, 132, 133})
	if got, want := holdsVerdict(0.3, test.little(runs.ClosedLoop), test, 0), "not ruled out: it holds a part, and something else the rest"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
