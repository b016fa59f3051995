package analyze

import "testing"

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
		if got := holdsVerdict(2, compareArms(&armMeasure{margin: littleGain}, x.before, x.after), 0); got != x.want {
			t.Errorf("%v against %v: %q, want %q", x.before, x.after, got, x.want)
		}
	}
}
