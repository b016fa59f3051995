package analyze_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// A load of 100 requests a second for ten seconds, whose last lies at the end of
// the window, changed by what a case is about.
type edgeCase struct {
	stamps     []int64 // µs from the start
	latency    int64   // ns
	resolution int64   // µs
	window     int64   // µs, of the declared window; 0: none is declared
	steps      [][2]int64
	model      runs.LoadModel
	dropped    []int64
}

// every gives the stamps from first on, by so many µs, up to last.
func every(by, first, last int64) (ts []int64) {
	for t := first; t <= last; t += by {
		ts = append(ts, t)
	}
	return ts
}

const tenSeconds = int64(10e6)

// toTheEnd is the case in which the last stamp is counted in.
func toTheEnd() edgeCase {
	return edgeCase{stamps: append(every(10000, 0, tenSeconds-10000), tenSeconds), latency: 4e6, resolution: 1000, window: tenSeconds, model: runs.OpenLoop}
}

// measure makes a run of the case that begins at an instant.
func (c edgeCase) measure(t *testing.T, from time.Time) *analyze.Measured {
	t.Helper()
	return measured(t, "r", analyze.Protocol{}, func(w *runs.Writer) {
		row := func(at int64, outcome runs.Outcome, service int64) {
			s := runs.NewSample()
			s.Start, s.StartNS = runs.SplitNanos(from.UnixNano() + at*1000)
			s.Scenario, s.Outcome, s.Service, s.Events = "default", outcome, service, 1
			if c.model == runs.ClosedLoop { // a stamp is an end
				s.Start, s.StartNS = runs.SplitNanos(from.UnixNano() + at*1000 - service)
			}
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
		}
		for _, at := range c.stamps {
			row(at, runs.OK, c.latency)
		}
		for _, at := range c.dropped {
			row(at, runs.Dropped, runs.Missing)
		}
		m := w.Manifest()
		m.Load.Model, m.Load.DropsKnown, m.Load.Concurrency, m.Host.Cores = c.model, true, 1, 2
		m.Sources = []runs.Source{{File: "load.csv", Format: "generic-csv", SHA256: "aa", Samples: int64(len(c.stamps)), Resolution: c.resolution}}
		if c.window > 0 {
			m.Window = &runs.Window{Start: from.Format(time.RFC3339Nano), End: from.Add(time.Duration(c.window) * time.Microsecond).Format(time.RFC3339Nano), Declared: true}
		}
		for i, s := range c.steps {
			m.Steps = append(m.Steps, runs.Step{Labels: map[string]string{"soak": fmt.Sprint(i)}, Start: from.UnixMicro() + s[0], End: from.UnixMicro() + s[1]})
		}
	})
}

func requestsOf(t *testing.T, m *analyze.Measured, step string) float64 {
	t.Helper()
	q := m.Result.Quantity("requests", detect.Scope{Scenario: "default", Step: step})
	if q == nil || q.Value == nil {
		t.Fatalf("step %q has no count of requests", step)
	}
	return *q.Value
}

func saysCountedIn(m *analyze.Measured) bool {
	return slices.ContainsFunc(m.Result.Warnings, func(w string) bool { return strings.Contains(w, "counted in") })
}

func TestStampAtTheWindowsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(c *edgeCase)
		want float64
		said bool
	}{
		"a source of milliseconds, and nothing later": {func(*edgeCase) {}, 1001, true},
		"of microseconds":                              {func(c *edgeCase) { c.resolution = 1 }, 1000, false},
		"of a resolution that nobody knows":            {func(c *edgeCase) { c.resolution = 0 }, 1000, false},
		"a hundredth of the window":                    {func(c *edgeCase) { c.resolution = 100_000 }, 1000, false},
		"of seconds":                                   {func(c *edgeCase) { c.resolution = 1_000_000 }, 1000, false},
		"more than a millisecond's worth":              {func(c *edgeCase) { c.stamps = append(c.stamps, tenSeconds) }, 1000, false},
		"a request comes later":                        {func(c *edgeCase) { c.stamps = append(c.stamps, tenSeconds+1000) }, 1000, false},
		"a drop comes later":                           {func(c *edgeCase) { c.dropped = []int64{tenSeconds + 1000} }, 1000, false},
		"the last is before the end":                   {func(c *edgeCase) { c.stamps[1000] = tenSeconds - 1000 }, 1001, false},
		"the last is after the end":                    {func(c *edgeCase) { c.stamps[1000] = tenSeconds + 1000 }, 1000, false},
		"a closed loop goes by its ends":               {func(c *edgeCase) { c.model = runs.ClosedLoop }, 1001, true},
		"a window that nobody declared ends after all": {func(c *edgeCase) { c.window = 0 }, 1001, false},
		"four in the last of many": {func(c *edgeCase) { // 5,000 a second: up to five in a millisecond
			c.stamps = append(every(200, 0, tenSeconds-200), tenSeconds, tenSeconds, tenSeconds, tenSeconds)
		}, 50004, true},
	} {
		t.Run(name, func(t *testing.T) {
			x := toTheEnd()
			c.edit(&x)
			m := x.measure(t, start)
			if got := requestsOf(t, m, ""); got != c.want || saysCountedIn(m) != c.said {
				t.Errorf("%v requests, said %v: %q; want %v, said %v", got, saysCountedIn(m), m.Result.Warnings, c.want, c.said)
			}
		})
	}
}

func TestStampAtTheWindowsEndIsSaid(t *testing.T) {
	m := toTheEnd().measure(t, start)
	want := "default: 1 request is stamped at the window's end by a source that writes no finer than 1 ms: counted in"
	if !slices.Contains(m.Result.Warnings, want) {
		t.Errorf("%q, want %q", m.Result.Warnings, want)
	}
}

// A stamp on the border of two steps is the later one's; the last step's end is as
// the window's.
func TestStampAtAStepsEnd(t *testing.T) {
	c := toTheEnd()
	c.steps = [][2]int64{{0, 4e6}, {4e6, tenSeconds}}
	m := c.measure(t, start)
	first, second, all := requestsOf(t, m, "soak=0"), requestsOf(t, m, "soak=1"), requestsOf(t, m, "")
	if first != 400 || second != 601 || all != 1001 {
		t.Errorf("%v + %v = %v, want 400 + 601 = 1001", first, second, all)
	}
	c.stamps = every(10000, 0, 4e6) // the load ends where the second step begins
	m = c.measure(t, start)
	if first, second := requestsOf(t, m, "soak=0"), requestsOf(t, m, "soak=1"); first != 400 || second != 1 || saysCountedIn(m) {
		t.Errorf("%v and %v, said %v; want 400 and 1, unsaid", first, second, saysCountedIn(m))
	}
	c.steps, c.stamps = [][2]int64{{0, 4e6}, {5e6, tenSeconds}}, every(10000, 0, 4e6)
	if m = c.measure(t, start); requestsOf(t, m, "soak=0") != 401 || requestsOf(t, m, "") != 401 {
		t.Errorf("%v of %v, want 401 of 401", requestsOf(t, m, "soak=0"), requestsOf(t, m, ""))
	}
}

// TestPropertyWindowsEnd draws loads whose source rounds to milliseconds: moving all
// clocks changes nothing, and a later request takes the effect away.
func TestPropertyWindowsEnd(t *testing.T) {
	counted := 0
	for seed := range uint64(8) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		c := edgeCase{resolution: 1000, window: tenSeconds, latency: rnd.Int64N(20e6), model: []runs.LoadModel{runs.OpenLoop, runs.ClosedLoop}[seed%2]}
		for range 1000 + rnd.IntN(2000) {
			at := rnd.Int64N(tenSeconds)
			c.stamps = append(c.stamps, (at+500)/1000*1000) // as the source rounds it
		}
		if seed%4 < 2 { // some of the last half millisecond
			c.stamps = append(c.stamps, tenSeconds)
		}
		inside := 0
		for _, s := range c.stamps {
			if s < tenSeconds {
				inside++
			}
		}
		was := c.measure(t, start)
		n := requestsOf(t, was, "")
		if n != float64(len(c.stamps)) && n != float64(inside) || saysCountedIn(was) != (n > float64(inside)) {
			t.Errorf("seed %d: %v of %d requests, %d of them inside, said %v", seed, n, len(c.stamps), inside, saysCountedIn(was))
		}
		if saysCountedIn(was) {
			counted++
		}
		moved := c.measure(t, start.Add(time.Duration(rnd.Int64N(1e15))))
		for _, id := range []string{"requests", "throughput", "latency.p99", "freeze.seconds", "drift.ratio"} {
			a, b := was.Result.Quantity(id, detect.Scope{Scenario: "default"}), moved.Result.Quantity(id, detect.Scope{Scenario: "default"})
			if a.Display != b.Display || a.Status != b.Status {
				t.Errorf("seed %d: %s is %s, and %s when all clocks are moved", seed, id, a.Display, b.Display)
			}
		}
		c.stamps = append(c.stamps, tenSeconds+1000)
		if later := c.measure(t, start); requestsOf(t, later, "") != float64(inside) || saysCountedIn(later) {
			t.Errorf("seed %d: %v requests with a later one, want the %d inside", seed, requestsOf(t, later, ""), inside)
		}
	}
	if counted == 0 {
		t.Error("nothing was counted in by any draw")
	}
}
