package analyze_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// evenly makes a run of a rate, evenly spaced over 20 s, with so many of its last requests
// dropped (of its first, where negative), that began so many minutes after the others.
func evenly(t *testing.T, labels map[string]string, rate, dropped, minutes int) *analyze.Measured {
	t.Helper()
	from := start.UnixMicro() + int64(minutes)*60e6
	return load(t, 0, func(w *runs.Writer, m *runs.Manifest) {
		for i := range rate * 20 {
			s := runs.NewSample()
			s.Start, s.Scenario, s.Outcome, s.Service, s.Events = from+int64(i)*1e6/int64(rate), "default", runs.OK, 5e6, 1
			if i < -dropped || i >= rate*20-dropped {
				s.Outcome, s.Service = runs.Dropped, runs.Missing
			}
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
		}
		m.Labels, m.Sources[0].SHA256, m.Sources[0].Samples = labels, fmt.Sprint(labels, rate, minutes), int64(rate*20)
	})
}

// documentQuantity is the document's quantity of an id; nil if there is none.
func documentQuantity(c *analyze.Capacity, id string) *analyze.Quantity {
	for i := range c.Quantities {
		if c.Quantities[i].ID == id {
			return &c.Quantities[i]
		}
	}
	return nil
}

// A rung whose counts nobody paired with claims did not fail: the first that failed is
// the one that dropped.
func TestRungsThatNobodyJudgedDidNotFail(t *testing.T) {
	rung := func(rate, dropped int) *analyze.Measured {
		return evenly(t, map[string]string{"rate": fmt.Sprint(rate)}, rate, dropped, rate)
	}
	c := document(t, rung(100, 0), rung(200, 0), rung(400, 400))
	for id, want := range map[string]float64{"ladder.first_failed": 400, "ladder.first_unjudged": 100} {
		if q := documentQuantity(c, id); q == nil || *q.Value != want {
			t.Errorf("%s: %+v, want %g", id, q, want)
		}
	}
	if got := said(c); !strings.Contains(got, "400 requests/s the first rung that is proven not to hold") || !strings.Contains(got, "from 100 requests/s on rungs below it could not be judged") {
		t.Errorf("said:\n%s\n%s", got, table(c, "rungs"))
	}
	c = document(t, rung(100, 0), rung(200, 0))
	if q := documentQuantity(c, "ladder.first_failed"); q != nil {
		t.Errorf("no rung failed, and the first is %s", q.Display)
	}
	if got := said(c); !strings.Contains(got, "not known no rung failed; the first that could not be judged is 100 requests/s") {
		t.Errorf("said:\n%s", got)
	}
}

// 100, 98 and 96 requests/s, ten minutes apart: 12 requests/s less an hour. Of two
// steps there is no slope.
func TestSoakSlopes(t *testing.T) {
	step := func(i, rate int) *analyze.Measured {
		return evenly(t, map[string]string{"soak": fmt.Sprint(i)}, rate, 0, i*10)
	}
	c := document(t, step(0, 100), step(1, 98), step(2, 96))
	q := documentQuantity(c, "soak.throughput.slope")
	if q == nil || q.Value == nil || math.Abs(*q.Value*3600+12) > 0.1 || !strings.HasSuffix(q.Display, " requests/s an hour") || q.Interval == nil {
		t.Errorf("slope: %+v, want -12 requests/s an hour", q)
	}
	if q := documentQuantity(c, "soak.p99.slope"); q == nil || q.Value == nil || *q.Value != 0 {
		t.Errorf("slope of the p99: %+v, want 0", q)
	}
	if got := table(c, "soak"); !strings.Contains(got, "throughput −1") || !strings.Contains(got, "p99 0 s an hour (no trend shown") {
		t.Errorf("table:\n%s", got)
	}
	c = document(t, step(0, 100), step(1, 98))
	if q := documentQuantity(c, "soak.throughput.slope"); q == nil || q.Value != nil || q.Why != "it takes 3 steps, there are 2" {
		t.Errorf("slope of two steps: %+v", q)
	}
}

// The two runs of a pair are told apart by their arm.
func TestRunsOfAPairHaveNames(t *testing.T) {
	run := func(pair, arm string, rate, minutes int) *analyze.Measured {
		return evenly(t, map[string]string{"pair": pair, "arm": arm}, rate, 0, minutes)
	}
	c := document(t, run("1", "before", 100, 0), run("1", "after", 130, 10), run("2", "after", 120, 20), run("2", "before", 90, 30))
	latency := table(c, "latency")
	for _, name := range []string{"1 before", "1 after", "2 after", "2 before"} {
		if strings.Count("\n"+latency, "\n"+name+" | ") != 1 {
			t.Errorf("no row of %q alone:\n%s", name, latency)
		}
	}
}

// Steps whose foreign CPU nobody recorded may not lie on one curve: what is fitted to
// them says so.
func TestLawOfStepsThatNobodyWatched(t *testing.T) {
	step := func(n, rate int) *analyze.Measured {
		m := evenly(t, map[string]string{"concurrency": fmt.Sprint(n)}, rate, 0, n)
		return m
	}
	c := document(t, step(1, 50), step(2, 98), step(4, 180), step(8, 300), step(16, 400))
	q := documentQuantity(c, "sweep.usl.gamma")
	if q == nil || !strings.Contains(strings.Join(q.Warnings, "\n"), "foreign CPU was not recorded in 5 of 5 steps") {
		t.Errorf("gamma: %+v", q)
	}
}

// What is dropped at the very beginning or end of a load was due all the same: the load
// is no shorter for it, and the gate does not pass.
func TestDropsAtTheEdges(t *testing.T) {
	for name, dropped := range map[string]int{"at the end": 500, "at the start": -500} {
		m := evenly(t, nil, 100, dropped, 0)
		for id, want := range map[string]float64{"dropped": 500, "requests": 1500} {
			if q := m.Result.Quantity(id, detect.Scope{Scenario: "default"}); q == nil || q.Value == nil || *q.Value != want {
				t.Errorf("%s: %s is %+v, want %g", name, id, q, want)
			}
		}
		if q := m.Result.Quantity("throughput", detect.Scope{Scenario: "default"}); q.Value != nil && *q.Value > 76 {
			t.Errorf("%s: %s, of 1,500 requests in 20 s", name, q.Display)
		}
		if v := verdictOf(m, "dropped"); v.Outcome != analyze.Fail {
			t.Errorf("%s: dropped is %s: %s", name, v.Outcome, v.Why)
		}
	}
}
