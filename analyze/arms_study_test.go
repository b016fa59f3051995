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

// Two closed loops, or two open ones at one rate, that differ in one thing: what the
// treatment shows of it stands among what was suspected.
func TestStudyOfArmsNamesWhatHolds(t *testing.T) {
	const closed, open = runs.ClosedLoop, runs.OpenLoop
	type side struct {
		extra   int // requests beside 2,000
		model   runs.LoadModel
		workers int
		rate    float64
		foreign float64 // cores, of two
	}
	for name, c := range map[string]struct {
		control, treatment side
		want               string
	}{
		"little gain":           {side{0, closed, 4, 0, 0}, side{160, closed, 4, 0, 0}, "not ruled out: without it there is only 8.00 % more, in too few repeats to tell"},
		"no gain":               {side{20, closed, 4, 0, 0}, side{0, closed, 4, 0, 0}, "not ruled out: no gain without it, in too few repeats to tell"},
		"twice as much":         {side{0, closed, 4, 0, 0}, side{2000, closed, 4, 0, 0}, "not ruled out: too few repeats to tell the gain from chance"},
		"a part":                {side{0, closed, 4, 0, 0}, side{600, closed, 4, 0, 0}, "not ruled out: too few repeats to tell the gain from chance"},
		"other workers":         {side{0, closed, 4, 0, 0}, side{160, closed, 8, 0, 0}, "could not look"},
		"another loop":          {side{0, closed, 4, 0, 0}, side{160, open, 0, 100, 0}, "could not look"},
		"nobody knows":          {side{0, "", 4, 0, 0}, side{160, "", 4, 0, 0}, "could not look"},
		"an open loop":          {side{0, open, 0, 100, 0}, side{1, open, 0, 100, 0}, "not ruled out: no gain without it, in too few repeats to tell"},
		"a busier host":         {side{0, closed, 4, 0, 0.2}, side{160, closed, 4, 0, 1.2}, "could not look: the host of the treatment was busier with other work"},
		"a quieter host":        {side{0, closed, 4, 0, 1.2}, side{600, closed, 4, 0, 0.2}, "not ruled out: the host of the treatment was quieter"},
		"quieter, no gain":      {side{20, closed, 4, 0, 1.2}, side{0, closed, 4, 0, 0.2}, "not ruled out: no gain without it, in too few repeats to tell"},
		"busier, twice as much": {side{0, closed, 4, 0, 0.2}, side{2000, closed, 4, 0, 1.2}, "not ruled out: too few repeats to tell the gain from chance"},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(of side, digest string) *analyze.Measured {
				return load(t, 2000, func(w *runs.Writer, m *runs.Manifest) {
					for i := range of.extra {
						s := runs.NewSample()
						s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.UnixMicro()+int64(i)*20e6/int64(of.extra)+1, "default", runs.OK, 10e6, 1
						if err := w.Sample(&s); err != nil {
							t.Fatal(err)
						}
					}
					m.Sources[0].Samples += int64(of.extra)
					m.Load.Model, m.Load.Concurrency, m.Load.Rate = of.model, of.workers, of.rate
					m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:20Z", Declared: true}
					m.Sources[0].SHA256 = digest
					points(t, w, "cpu.user_seconds", runs.Counter, "", 20, func(i int) float64 { return of.foreign * float64(i) })
					points(t, w, "cpu.idle_seconds", runs.Counter, "", 20, func(i int) float64 { return (2 - of.foreign) * float64(i) })
					points(t, w, "group.cpu_seconds", runs.Counter, "ours", 20, constant(0))
				})
			}
			configuration := func(name string) analyze.StudyConfiguration {
				return analyze.StudyConfiguration{Name: name, Protocol: analyze.Protocol{Name: "run", Required: []string{"failed"}}}
			}
			s := analyze.Study{
				File: "study.yaml", Contention: analyze.Warn, Reconciliation: analyze.Warn,
				Configurations: []analyze.StudyConfiguration{configuration("on"), configuration("off")},
				Arms:           []analyze.StudyArms{{Name: "commit", Control: "on", Treatment: "off", Tests: "waiting for the disk"}},
			}
			doc, err := analyze.Document(s, [][]*analyze.Measured{{run(c.control, "a")}, {run(c.treatment, "b")}})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, line := range strings.Split(table(doc, "elimination"), "\n") {
				if strings.Contains(line, "waiting for the disk | on against off | ") {
					cells := strings.Split(line, " | ")
					got = cells[3]
				}
			}
			if got != c.want {
				t.Errorf("%q, want %q in\n%s", got, c.want, table(doc, "elimination"))
			}
		})
	}
}
