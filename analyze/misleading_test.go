package analyze_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/runs"
)

// recording describes a run of one minute.
type recording struct {
	id      string
	every   time.Duration // between starts
	service time.Duration
	offset  time.Duration // of the first start, so that no two recordings are equal
	note    string        // a line of its notes
	edit    func(w *runs.Writer, m *runs.Manifest)
}

// measured writes and measures a recording.
func (r recording) measured(t *testing.T, p analyze.Protocol) *analyze.Measured {
	t.Helper()
	w, err := runs.Create(filepath.Join(t.TempDir(), r.id), runs.CreateOptions{ID: r.id})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	n := int64(0)
	for at := r.offset; at < time.Minute; at += r.every {
		s := runs.NewSample()
		s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.Add(at).UnixMicro(), "default", runs.OK, int64(r.service), 1
		if err := w.Sample(&s); err != nil {
			t.Fatal(err)
		}
		n++
	}
	m := w.Manifest()
	m.Load.Model, m.Load.DropsKnown, m.Host.Cores = runs.OpenLoop, true, 2
	m.Sources = []runs.Source{{File: r.id + ".csv", Format: "generic-csv", SHA256: r.id, Samples: n}}
	if r.edit != nil {
		r.edit(w, m)
	}
	run, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if r.note != "" {
		if err := os.WriteFile(filepath.Join(run.Path(), "notes.jsonl"), []byte(r.note+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := analyze.Measure(t.Context(), run, p)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

const withdrawn = `{"kind":"withdrawn","at":"2026-08-17T12:00:00Z","text":"throttled"}`

func combined(t *testing.T, p analyze.Protocol, ms ...*analyze.Measured) *analyze.Capacity {
	t.Helper()
	c, err := analyze.Combine(ms, p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func concurrency(n string) func(*runs.Writer, *runs.Manifest) {
	return func(_ *runs.Writer, m *runs.Manifest) { m.Labels = map[string]string{"concurrency": n} }
}

func quantityOf(c *analyze.Capacity, id string) analyze.Quantity {
	for _, q := range c.Quantities {
		if q.ID == id {
			return q
		}
	}
	return analyze.Quantity{}
}

func sentenceOf(c *analyze.Capacity, role string) (s analyze.Sentence) {
	for _, x := range c.Answer {
		if x.Role == role {
			return x
		}
	}
	return s
}

// A withdrawn run gives no figure, and the answer is what its neighbour carried,
// with the bound that this has by itself.
func TestWithdrawnRunIsNoAnswer(t *testing.T) {
	p := analyze.Protocol{FleetRates: []float64{60}}
	slow := recording{id: "slow", every: 20 * time.Millisecond, service: 5 * time.Millisecond, edit: concurrency("8")}
	best := recording{id: "best", every: 10 * time.Millisecond, service: 7 * time.Millisecond, edit: concurrency("16")}
	c := combined(t, p, slow.measured(t, p), best.measured(t, p))
	if q := quantityOf(c, "sweep.sustained.concurrency"); q.Value == nil || *q.Value != 16 {
		t.Fatalf("sustained %+v", q)
	}
	alone := slow.measured(t, p).Result.Quantities
	best.note = withdrawn
	gone := best.measured(t, p)
	for _, q := range gone.Result.Quantities {
		if q.Value != nil || q.Status != "withheld" || q.Why == "" || q.Bound != analyze.NoBound {
			t.Errorf("a figure of the withdrawn run: %+v", q)
		}
	}
	for _, v := range gone.Result.Verdicts {
		if v.Outcome != analyze.Unknown || v.Got != nil || v.Display != "" {
			t.Errorf("a gate of the withdrawn run: %+v", v)
		}
	}
	c = combined(t, p, slow.measured(t, p), gone)
	if q := quantityOf(c, "sweep.sustained.concurrency"); q.Value == nil || *q.Value != 8 {
		t.Errorf("the withdrawn run carries the answer: %+v", q)
	}
	for _, q := range alone {
		if q.ID == "throughput" && q.Scope.Step == "" {
			if got := quantityOf(c, "sweep.sustained.throughput"); got.Bound != q.Bound || got.Value == nil || *got.Value != *q.Value {
				t.Errorf("its neighbour's figure is %+v, by itself %+v", got, q)
			}
		}
	}
	if c.Outcome != analyze.Unknown {
		t.Errorf("outcome %s", c.Outcome)
	}
	if s := sentenceOf(c, "withdrawn"); !strings.Contains(s.Text, "best") || !strings.Contains(s.Text, "throttled") {
		t.Errorf("said %+v", s)
	}
	for _, f := range c.Figures {
		if f.Kind == "timeline" && strings.Contains(f.Title, "concurrency=16") {
			t.Errorf("figure %q is drawn", f.Title)
		}
	}
	c = combined(t, analyze.Protocol{}, gone)
	if s := sentenceOf(c, "sustained"); s.Lead != "withheld" || !strings.Contains(s.Text, "throttled") || len(c.Answer) != 3 {
		t.Errorf("alone: %+v", c.Answer)
	}
}

// Of a step that was run again after its run was withdrawn, the other run counts; a
// knob that did not reach the load is found without the withdrawn run.
func TestWithdrawnRunOfAStep(t *testing.T) {
	p := analyze.Protocol{}
	a := recording{id: "a", every: 20 * time.Millisecond, service: 5 * time.Millisecond, edit: concurrency("8"), note: withdrawn}
	b := recording{id: "b", every: 25 * time.Millisecond, service: 6 * time.Millisecond, edit: concurrency("8")}
	d := recording{id: "d", every: 30 * time.Millisecond, service: 7 * time.Millisecond, edit: concurrency("4")}
	c := combined(t, p, a.measured(t, p), b.measured(t, p), d.measured(t, p))
	if q := quantityOf(c, "sweep.sustained.throughput"); q.Value == nil || *q.Value < 39.9 || *q.Value > 40.1 {
		t.Errorf("sustained %+v", q)
	}
	if c.Outcome != analyze.Unknown { // what was withdrawn may have failed
		t.Errorf("outcome %s", c.Outcome)
	}
	closed := func(n string) func(*runs.Writer, *runs.Manifest) {
		return func(w *runs.Writer, m *runs.Manifest) { concurrency(n)(w, m); m.Load.Model = runs.ClosedLoop }
	}
	var ms []*analyze.Measured
	for i, n := range []string{"2", "4", "8"} {
		r := recording{id: "c" + n, every: 10 * time.Millisecond, service: 9 * time.Millisecond, offset: time.Duration(i) * time.Microsecond, edit: closed(n)}
		if i == 2 {
			r.note = withdrawn
		}
		ms = append(ms, r.measured(t, p))
	}
	if s := sentenceOf(combined(t, p, ms...), "sustained"); !strings.Contains(s.Text, "the knob did not reach the load") {
		t.Errorf("sustained %+v", s)
	}
}

// Repeats have the bound of those that passed, whatever stands beside them.
func TestBoundOfRepeatsIsThatOfThosePassed(t *testing.T) {
	p := analyze.Protocol{Required: []string{"failed"}}
	var ms []*analyze.Measured
	for i, id := range []string{"cut", "x", "y"} {
		r := recording{id: id, every: 20 * time.Millisecond, service: 5 * time.Millisecond, offset: time.Duration(i) * time.Microsecond}
		if i == 0 {
			r.edit = func(_ *runs.Writer, m *runs.Manifest) { m.Sources[0].Cut = true }
		}
		ms = append(ms, r.measured(t, p))
	}
	c := combined(t, p, ms...)
	if q := quantityOf(c, "series.passed"); q.Display != "2/3" {
		t.Fatalf("passed %+v", q)
	}
	if q := quantityOf(c, "series.throughput.median"); q.Value == nil || q.Bound != analyze.NoBound {
		t.Errorf("median %+v", q)
	}
}

// Where no repeat passed, the first words are that, and by which gate.
func TestNoRepeatPassed(t *testing.T) {
	p := analyze.Protocol{Required: []string{"failed", "samples"}}
	var ms []*analyze.Measured
	for i, id := range []string{"x", "y", "z"} {
		r := recording{id: id, every: 20 * time.Millisecond, service: 5 * time.Millisecond, offset: time.Duration(i) * time.Microsecond}
		r.edit = func(w *runs.Writer, m *runs.Manifest) {
			s := runs.NewSample()
			s.Start, s.Scenario, s.Outcome = start.Add(time.Second).UnixMicro()+1, "default", runs.Failed
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
			m.Sources[0].Samples++
		}
		ms = append(ms, r.measured(t, p))
	}
	c := combined(t, p, ms...)
	if first := c.Answer[0]; first.Role != "verdict" || first.Lead != "no repeat passed" || !strings.HasPrefix(first.Text, "0/3: gate failed failed in 3 of 3") {
		t.Errorf("first %+v", first)
	}
	for _, s := range c.Answer {
		if s.Role == "sustained" || s.Role == "fleet" {
			t.Errorf("a figure is given: %+v", s)
		}
	}
}

// A run whose ordinary second is slow has not stood still for its whole length.
func TestSlowThroughoutIsNoNumberOfFrozenSeconds(t *testing.T) {
	p := analyze.Protocol{}
	m := recording{id: "slow", every: 20 * time.Millisecond, service: 400 * time.Millisecond, edit: concurrency("64")}.measured(t, p)
	q := quantityOf(&analyze.Capacity{Quantities: m.Result.Quantities}, "freeze.seconds")
	if q.Value == nil || *q.Value < 50 || q.Display != "slow throughout" {
		t.Fatalf("%+v", q)
	}
	quick := recording{id: "quick", every: 20 * time.Millisecond, service: 4 * time.Millisecond, edit: concurrency("8")}.measured(t, p)
	for _, table := range combined(t, p, m, quick).Tables {
		for i, col := range table.Columns {
			if table.ID == "steps" && col.Name == "frozen s" && (table.Rows[0].Cells[i].Text != "0 s" || table.Rows[1].Cells[i].Text != "slow throughout") {
				t.Errorf("%+v, %+v", table.Rows[0].Cells[i], table.Rows[1].Cells[i])
			}
		}
	}
}

// Jobs that a queue held are drawn from the jobs where no depth was recorded, in the
// document and not only while they are in memory.
func TestQueueIsDrawnFromItsJobs(t *testing.T) {
	p := analyze.Protocol{}
	m := recording{id: "q", every: 20 * time.Millisecond, service: 5 * time.Millisecond, edit: func(w *runs.Writer, m *runs.Manifest) {
		for i := range 3 {
			s := runs.NewSample()
			s.Start, s.Scenario, s.Outcome, s.Service = start.UnixMicro(), "mail", runs.OK, int64(time.Second)-1
			s.Wait = int64(i) * int64(time.Second)
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
		}
		m.Load.Jobs = []string{"mail"}
	}}.measured(t, p)
	var drawn *analyze.Figure
	for i, f := range combined(t, p, m).Figures {
		if f.Kind == "queue" {
			drawn = &combined(t, p, m).Figures[i]
		}
	}
	if drawn == nil || len(drawn.Panels) != 2 {
		t.Fatalf("%+v", drawn)
	}
	if y := drawn.Panels[0].Series[0].Y; y[0] != 2 || y[1] != 1 || y[2] != 0 {
		t.Errorf("waiting %v", y[:3])
	}
	if came, done := drawn.Panels[1].Series[0].Y, drawn.Panels[1].Series[1].Y; came[0] != 3 || done[0] != 1 || done[1] != 1 || done[2] != 1 {
		t.Errorf("came %v, done %v", came[:3], done[:3])
	}
}

// A comparison says which repeats of an arm somebody withdrew.
func TestArmsNameWithdrawnRuns(t *testing.T) {
	p := analyze.Protocol{}
	var ms []*analyze.Measured
	for i, arm := range []string{"control", "control", "control", "tuned", "tuned", "tuned"} {
		r := recording{id: fmt.Sprint(arm, i), every: 20 * time.Millisecond, service: time.Duration(5000+i) * time.Microsecond, edit: func(_ *runs.Writer, m *runs.Manifest) {
			m.Labels = map[string]string{"arm": arm, "repeat": fmt.Sprint(i)}
		}}
		if i == 4 {
			r.note = withdrawn
		}
		ms = append(ms, r.measured(t, p))
	}
	got := table(combined(t, p, ms...), "arms")
	if want := "Of tuned, 1 of 3 runs were withdrawn and are in no figure: tuned4. What is compared are the other 2."; !strings.Contains(got, want) || strings.Contains(got, "Of control, ") {
		t.Errorf("no %q in\n%s", want, got)
	}
}

// The repeat that failed is drawn before those in which nothing happened.
func TestFailedRepeatIsDrawnFirst(t *testing.T) {
	p := analyze.Protocol{Name: "repeats", Required: []string{"failed"}}
	var ms []*analyze.Measured
	for i := range 4 {
		ms = append(ms, recording{id: fmt.Sprint("r", i), every: 20 * time.Millisecond, service: time.Duration(5000+i) * time.Microsecond, edit: func(w *runs.Writer, m *runs.Manifest) {
			m.Labels = map[string]string{"repeat": fmt.Sprint(i)}
			if i == 2 {
				s := runs.NewSample()
				s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.Add(time.Second).UnixMicro(), "default", runs.Failed, 5e6, 1
				if err := w.Sample(&s); err != nil {
					t.Fatal(err)
				}
				m.Sources[0].Samples++
			}
		}}.measured(t, p))
	}
	var drawn []string
	for _, f := range combined(t, p, ms...).Figures {
		if strings.HasPrefix(f.ID, "timeline-") {
			drawn = append(drawn, f.ID)
		}
	}
	if got := strings.Join(drawn, " "); got != "timeline-3 timeline-1 timeline-2 timeline-4" {
		t.Errorf("drawn: %s", got)
	}
}
