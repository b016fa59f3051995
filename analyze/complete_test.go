package analyze_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/internal/runtest"
	"headroom/runs"
)

// load is a run of n requests at 100 a second, 10 ms each, from 2026-01-01 on,
// changed by edit before it is sealed.
func load(t *testing.T, n int, edit func(w *runs.Writer, m *runs.Manifest)) *analyze.Measured {
	t.Helper()
	return loadWith(t, n, analyze.Protocol{}, edit)
}

// measured is what an analysis finds in a run of what fill writes.
func measured(t *testing.T, id string, p analyze.Protocol, fill func(w *runs.Writer)) *analyze.Measured {
	t.Helper()
	m, err := analyze.Measure(t.Context(), runtest.Seal(t, id, fill), p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func loadWith(t *testing.T, n int, p analyze.Protocol, edit func(w *runs.Writer, m *runs.Manifest)) *analyze.Measured {
	t.Helper()
	return measured(t, "r"+t.Name()[len(t.Name())-1:], p, func(w *runs.Writer) {
		for i := range n {
			s := runs.NewSample()
			s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.UnixMicro()+int64(i)*10000, "default", runs.OK, 10e6, 1
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
		}
		m := w.Manifest()
		m.Load.Model, m.Load.DropsKnown, m.Host.Cores = runs.OpenLoop, true, 2
		m.Sources = []runs.Source{{File: "load.csv", Format: "generic-csv", SHA256: "aa", Samples: int64(n)}}
		if edit != nil {
			edit(w, m)
		}
	})
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// points writes a metric once a second for so many seconds.
func points(t *testing.T, w *runs.Writer, metric string, kind runs.Kind, entity string, seconds int, value func(i int) float64) {
	t.Helper()
	for i := range seconds + 1 {
		p := runs.Point{Time: start.UnixMicro() + int64(i)*1e6, Metric: metric, Kind: kind, Entity: entity, Value: value(i), Unit: "1"}
		if err := w.Point(&p); err != nil {
			t.Fatal(err)
		}
	}
}

func document(t *testing.T, ms ...*analyze.Measured) *analyze.Capacity {
	t.Helper()
	c, err := analyze.Combine(ms, analyze.Protocol{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func said(c *analyze.Capacity) string {
	var all []string
	for _, s := range c.Answer {
		all = append(all, s.Lead+" "+s.Text)
	}
	return strings.Join(append(all, c.Results[0].Warnings...), "\n")
}

func constant(v float64) func(int) float64 { return func(int) float64 { return v } }

func TestWhatIsMissingIsUnknown(t *testing.T) {
	for _, c := range []struct {
		name    string
		n       int
		edit    func(w *runs.Writer, m *runs.Manifest)
		outcome analyze.Outcome
		says    []string
	}{
		{"whole", 2000, nil, analyze.Pass, []string{"100 requests/s", "passed"}},
		{"one request", 1, nil, analyze.Unknown, []string{"too few to judge by: 1 ok sample"}},
		{"a hundred in a millisecond", 101, func(_ *runs.Writer, m *runs.Manifest) {
			m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:00:00.5Z", Declared: true}
		}, analyze.Unknown, []string{"too few to judge by: 50 ok samples"}},
		{"lines that could not be read", 2000, func(_ *runs.Writer, m *runs.Manifest) {
			m.Sources[0].BadLines = 1000
		}, analyze.Unknown, []string{"1,000 lines could not be read, and may have been requests"}},
		{"lines of another file", 2000, func(_ *runs.Writer, m *runs.Manifest) {
			m.Sources = append(m.Sources, runs.Source{File: "vmstat.txt", BadLines: 3})
		}, analyze.Pass, nil},
		{"a report that counts more", 2000, func(_ *runs.Writer, m *runs.Manifest) {
			m.Summaries = []runs.Summary{{Source: "stdout.txt", Values: map[string]float64{"requests": 4000}}}
		}, analyze.Unknown, []string{"not known carried over", "not judged stdout.txt counts 4,000 requests, the samples are 2,000"}},
		{"a report that agrees", 2000, func(_ *runs.Writer, m *runs.Manifest) {
			m.Summaries = []runs.Summary{{Source: "stdout.txt", Values: map[string]float64{"requests": 2000}}}
		}, analyze.Pass, nil},
		{"a window beside the samples", 2000, func(_ *runs.Writer, m *runs.Manifest) {
			m.Window = &runs.Window{Start: "2027-01-01T00:00:00Z", End: "2027-01-01T01:00:00Z", Declared: true}
		}, analyze.Unknown, []string{"no request recorded no request lies in the window: the samples span"}},
		{"events that nobody spread over the requests", 2000, func(_ *runs.Writer, m *runs.Manifest) {
			m.Claims, m.EventsClaim = map[string]string{"events_sent": "20000"}, "events_sent"
		}, analyze.Pass, []string{"100 requests/s", "20,000 events in 2,000 requests", "--events"}},
		{"a claim that nobody made", 2000, func(_ *runs.Writer, m *runs.Manifest) {
			m.Reconcile = map[string]string{"rows": "evnts"}
		}, analyze.Unknown, []string{"reconcile rows=evnts cannot be told"}},
		{"a window that goes on after the samples", 2000, func(_ *runs.Writer, m *runs.Manifest) {
			m.Window = &runs.Window{Start: "2026-01-01T00:00:00Z", End: "2026-01-01T00:10:00Z", Declared: true}
		}, analyze.Unknown, []string{"no request for 580 s"}},
		{"a stray row an hour later", 2000, func(w *runs.Writer, _ *runs.Manifest) {
			s := runs.NewSample()
			s.Start, s.Scenario, s.Outcome, s.Service, s.Events = start.UnixMicro()+3600e6, "default", runs.OK, 10e6, 1
			if err := w.Sample(&s); err != nil {
				t.Fatal(err)
			}
		}, analyze.Unknown, []string{"of several runs"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := document(t, load(t, c.n, c.edit))
			if d.Outcome != c.outcome {
				t.Errorf("outcome %s, want %s", d.Outcome, c.outcome)
			}
			for _, want := range c.says {
				if !strings.Contains(said(d), want) {
					t.Errorf("%q is not said in:\n%s", want, said(d))
				}
			}
		})
	}
}

func TestAStatedLimitIsJudgedBy(t *testing.T) {
	for _, c := range []struct {
		limit time.Duration
		want  analyze.Outcome
	}{{20 * time.Millisecond, analyze.Pass}, {10 * time.Millisecond, analyze.Fail}} {
		d, err := analyze.Combine([]*analyze.Measured{loadWith(t, 2000, analyze.Protocol{P99Limit: c.limit}, nil)}, analyze.Protocol{P99Limit: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		if d.Outcome != c.want {
			t.Errorf("p99 of 10 ms against %v: %s, want %s", c.limit, d.Outcome, c.want)
		}
	}
}

func TestContentionThatNobodyCanJudge(t *testing.T) {
	cpu := func(t *testing.T, w *runs.Writer, own float64) {
		for _, mode := range []string{"user", "idle", "steal"} {
			rate := map[string]float64{"user": 1, "idle": 1, "steal": 0}[mode]
			points(t, w, "cpu."+mode+"_seconds", runs.Counter, "cpu", 20, func(i int) float64 { return rate * float64(i) })
		}
		points(t, w, "process.cpu_seconds", runs.Counter, "server[1]@0", 20, func(i int) float64 { return own * float64(i) })
	}
	for _, c := range []struct {
		name  string
		edit  func(t *testing.T, w *runs.Writer)
		bound analyze.Bound
		says  string
	}{
		{"nothing", func(*testing.T, *runs.Writer) {}, analyze.NoBound, "contention not recorded"},
		{"steal alone", func(t *testing.T, w *runs.Writer) {
			points(t, w, "cpu.steal", runs.Gauge, "", 20, constant(0))
		}, analyze.NoBound, "by steal alone"},
		{"a load average of the first seconds", func(t *testing.T, w *runs.Writer) {
			points(t, w, "load.1m", runs.Gauge, "", 5, constant(0.5))
		}, analyze.NoBound, "the load average covers too little"},
		{"a load average", func(t *testing.T, w *runs.Writer) {
			points(t, w, "load.1m", runs.Gauge, "", 20, constant(0.5))
		}, analyze.CapacityBound, "the host was not contended"},
		{"ours are what is busy", func(t *testing.T, w *runs.Writer) { cpu(t, w, 1) }, analyze.CapacityBound, "the host was not contended"},
		{"others are busy", func(t *testing.T, w *runs.Writer) { cpu(t, w, 0.5) }, analyze.Floor, "a floor"},
		{"tasks wait for a CPU", func(t *testing.T, w *runs.Writer) {
			points(t, w, "pressure.cpu_some_seconds", runs.Counter, "", 20, func(i int) float64 { return 0.11 * float64(i) })
		}, analyze.Floor, "CPU pressure 11"},
		{"tasks hardly wait for a CPU", func(t *testing.T, w *runs.Writer) {
			points(t, w, "pressure.cpu.some_seconds", runs.Counter, "", 20, func(i int) float64 { return 0.09 * float64(i) })
		}, analyze.CapacityBound, "the host was not contended"},
		{"tasks wait for a CPU, as sar says", func(t *testing.T, w *runs.Writer) {
			points(t, w, "pressure.cpu.some", runs.Gauge, "", 20, constant(0.5))
		}, analyze.Floor, "CPU pressure 50"},
		{"pressure of the first seconds", func(t *testing.T, w *runs.Writer) {
			points(t, w, "pressure.cpu_some_seconds", runs.Counter, "", 5, func(i int) float64 { return float64(i) })
		}, analyze.NoBound, "contention not recorded"},
		{"tasks wait for a CPU that ours do not fill", func(t *testing.T, w *runs.Writer) {
			grouped(t, w, map[string]float64{"server": 0.75, "generator": 0.5}, 0.875)
		}, analyze.Floor, "a floor: the host was contended (foreign CPU 0 of 2 cores, CPU pressure 87.5 % with 1.25 of 2 cores used by our own processes); product plus generator: the load generator shares the host, on 0.500 of its cores"},
		{"ours fill the host and wait for one another", func(t *testing.T, w *runs.Writer) {
			grouped(t, w, map[string]float64{"server": 1.375, "generator": 0.5}, 0.875)
		}, analyze.CapacityBound, "the host was not contended (foreign CPU 0 of 2 cores, CPU pressure 87.5 % with 1.88 of 2 cores"},
		{"a generator whose system is elsewhere", func(t *testing.T, w *runs.Writer) {
			grouped(t, w, map[string]float64{"headroom": 0.01, "generator": 0.5}, 0.05)
		}, analyze.CapacityBound, "used by our own processes); open loop"},
		{"ours fill the host as far as a part of the record tells", func(t *testing.T, w *runs.Writer) {
			hostTimes(t, w, 1.9, 0.1)
			points(t, w, "group.cpu_seconds", runs.Counter, "server", 8, func(i int) float64 { return 1.9 * float64(i) })
			points(t, w, "pressure.cpu_some_seconds", runs.Counter, "", 20, func(i int) float64 { return 0.9 * float64(i) })
		}, analyze.Floor, "a floor"},
		{"ours are busier than the host", func(t *testing.T, w *runs.Writer) {
			cpu(t, w, 1.5)
			points(t, w, "load.1m", runs.Gauge, "", 20, constant(0.5))
		}, analyze.NoBound, "our processes seem busier than the host"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, 2000, func(w *runs.Writer, _ *runs.Manifest) { c.edit(t, w) })
			q := m.Result.Quantity("throughput", detect.Scope{Scenario: "default"})
			if q.Bound != c.bound {
				t.Errorf("bound %q, want %q", q.Bound, c.bound)
			}
			if d := document(t, m); !strings.Contains(said(d), c.says) {
				t.Errorf("%q is not said in:\n%s", c.says, said(d))
			}
		})
	}
}

func TestARunIsNoRepeatOfItself(t *testing.T) {
	var ms []*analyze.Measured
	for _, name := range []string{"1", "2"} {
		t.Run(name, func(t *testing.T) { ms = append(ms, load(t, 200, nil)) })
	}
	_, err := analyze.Combine(ms, analyze.Protocol{})
	if err == nil || !strings.Contains(err.Error(), "run r1 (load.csv) and run r2 (load.csv) are one recording") {
		t.Errorf("%v", err)
	}
}

// hostTimes records the CPU times of a host of two CPUs.
func hostTimes(t *testing.T, w *runs.Writer, busy, idle float64) {
	t.Helper()
	for mode, rate := range map[string]float64{"user": busy, "idle": idle, "steal": 0} {
		points(t, w, "cpu."+mode+"_seconds", runs.Counter, "cpu", 20, func(i int) float64 { return rate * float64(i) })
	}
	points(t, w, "host.cpus", runs.Gauge, "", 20, func(int) float64 { return 2 })
}

// grouped records a host of two CPUs on which nothing runs but some groups of
// processes, as the capture agent does, and for what share of the time tasks
// waited for a CPU.
func grouped(t *testing.T, w *runs.Writer, groups map[string]float64, pressure float64) {
	t.Helper()
	busy := 0.0
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		rate := groups[name]
		busy += rate
		points(t, w, "group.cpu_seconds", runs.Counter, name, 20, func(i int) float64 { return rate * float64(i) })
	}
	hostTimes(t, w, busy, 2-busy)
	points(t, w, "pressure.cpu_some_seconds", runs.Counter, "", 20, func(i int) float64 { return pressure * float64(i) })
}
