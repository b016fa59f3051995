package analyze

import "testing"

// What failed without deciding stands beside what decided: the limits of a gate that
// nobody asked for, and the protocol's own where somebody named others.
func TestGatesAside(t *testing.T) {
	run := func(vs ...Verdict) *cell { return &cell{m: &Measured{Result: Result{Verdicts: vs}}} }
	samples := Verdict{Gate: "samples", Outcome: Pass, Required: true}
	slow := Verdict{Gate: "p99", Outcome: Fail, Display: "1.31 s", Want: "< 1 s"}
	for name, x := range map[string]struct {
		cells []*cell
		want  string
	}{
		"all passed":        {[]*cell{run(samples, Verdict{Gate: "failed", Outcome: Pass})}, ""},
		"one that decides":  {[]*cell{run(Verdict{Gate: "failed", Outcome: Fail, Required: true})}, ""},
		"of a run":          {[]*cell{run(samples, slow)}, ". Without deciding: p99 did not pass (1.31 s, want < 1 s)"},
		"of repeats":        {[]*cell{run(samples, slow), run(samples)}, ". Without deciding: p99 did not pass in 1 of 2"},
		"the protocol's":    {[]*cell{run(samples, Verdict{Gate: "failed", Outcome: Fail}), run(samples, Verdict{Gate: "reconciled", Outcome: Unknown})}, ". Without deciding: failed did not pass in 1 of 2; reconciled could not be judged in 1 of 2"},
		"not asked, unseen": {[]*cell{run(samples, Verdict{Gate: "replicas", Outcome: Unknown})}, ""},
	} {
		if got := new(document).gatesAside(x.cells, repeatGates); got != x.want {
			t.Errorf("%s: %q, want %q", name, got, x.want)
		}
	}
}
