package analyze_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/runs"
)

// Two repeats of either arm and a denominator: the control froze twice in
// each, the treatment, which is said to take the lock away, twice in each as well. The
// denominator gives 100 events/s, of which the control's 103 are 103 %.
func TestStudyOfArms(t *testing.T) {
	window := &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:20Z", Declared: true}
	n := 0
	run := func(extra int, freezes ...int) *analyze.Measured {
		n++
		return load(t, 2000+extra, func(w *runs.Writer, m *runs.Manifest) {
			for _, s := range freezes {
				slow(t, w, s)
			}
			m.Window, m.Sources[0].SHA256 = window, fmt.Sprint("s", n)
		})
	}
	configuration := func(name, protocol string) analyze.StudyConfiguration {
		return analyze.StudyConfiguration{Name: name, Protocol: analyze.Protocol{Name: protocol, Required: []string{"failed"}}}
	}
	s := analyze.Study{
		File: "study.yaml", Contention: analyze.Warn, Reconciliation: analyze.Warn,
		Configurations: []analyze.StudyConfiguration{configuration("stock", "repeats"), configuration("tuned", "repeats"), configuration("floor", "denominator")},
		Arms:           []analyze.StudyArms{{Name: "lock", Control: "stock", Treatment: "tuned", Tests: "lock", Changed: "a pool of 60"}},
		Denominators:   []analyze.StudyDenominator{{Name: "alone", Of: "stock", By: "floor", What: "the database alone"}},
	}
	c, err := analyze.Document(s, [][]*analyze.Measured{{run(1, 5, 15), run(2, 7, 16)}, {run(3, 9, 17), run(4, 11, 18)}, {run(20)}})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, q := range c.Quantities {
		if q.Value != nil {
			values[q.ID] = *q.Value
		}
	}
	for id, want := range map[string]float64{
		"arms.lock.control.freeze.seconds.total": 4, "arms.lock.treatment.freeze.seconds.total": 4, "arms.lock.freeze.seconds.p": 1,
		"arms.lock.control.latency.max.max": 0.4, "denominator.alone.rate": 100,
		// 2,000 requests in the window, the one that starts at its end left out, and 60 slow ones
		"headroom.alone.share": 1.03,
	} {
		if got, ok := values[id]; !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v (there: %v), want %v", id, got, ok, want)
		}
	}
	arms := table(c, "arms")
	for _, want := range []string{"repeats passed | 2/2 | 2/2", "freeze-seconds | 4 s | 4 s | ", "Changed: a pool of 60.", "did not replicate"} {
		if !strings.Contains(arms, want) {
			t.Errorf("no %q in\n%s", want, arms)
		}
	}
	if got := table(c, "denominators"); !strings.Contains(got, "the database alone | 100 requests/s | 103 %") || !strings.Contains(got, "tuned | ") || !strings.Contains(got, "none measured") {
		t.Errorf("denominators:\n%s", got)
	}
	if got := table(c, "elimination"); !strings.Contains(got, "lock | stock against tuned | ") {
		t.Errorf("elimination:\n%s", got)
	}
}
