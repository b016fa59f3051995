package ingest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"headroom/runs"
)

// tally passes rows on and keeps what the manifest needs to know of them.
type tally struct {
	dst  Sink
	base string
	role Role

	rows        int64
	dated       int64 // rows that have an instant
	first, last int64 // µs, of those
	samples     int64
	start, end  int64             // µs, of samples
	scenarios   map[string]*int64 // how many of its samples ended well
	scenario    string            // of the last sample, and
	ok          *int64            // the count of that

	load   bool // of a load generator
	checks pointChecks
	listed *idList // ids that the samples are looked up in; nil: none

	entries   entries            // of a database's log
	snapshots []runs.SnapshotRef // by view, in order of appearance

	contention, activity, database bool // the kinds of evidence that were seen
}

func (t *tally) row(first, last int64) {
	if t.dated == 0 || first < t.first {
		t.first = first
	}
	if t.dated == 0 || last > t.last {
		t.last = last
	}
	t.dated++
	t.rows++
}

func (t *tally) Sample(s *runs.Sample) error {
	end := s.Start
	if ns, ok := s.Latency(); ok {
		end = (s.StartNanos() + ns) / 1000
	}
	t.row(s.Start, end)
	if t.samples == 0 || s.Start < t.start {
		t.start = s.Start
	}
	if t.samples == 0 || end > t.end {
		t.end = end
	}
	if t.samples == 0 || s.Scenario != t.scenario {
		t.named(s.Scenario)
	}
	t.samples++
	if s.Outcome == runs.OK {
		*t.ok++
	}
	if t.listed != nil {
		t.listed.look(s)
	}
	return t.dst.Sample(s)
}

// maxScenarios is how many scenarios of a file are named.
const maxScenarios = 64

// named remembers a scenario, and of too many that there were more.
func (t *tally) named(scenario string) {
	t.scenario = scenario
	if t.scenarios == nil {
		t.scenarios = map[string]*int64{}
	}
	if t.scenarios[scenario] == nil {
		if len(t.scenarios) > maxScenarios {
			scenario = furtherScenarios
		}
		if t.scenarios[scenario] == nil {
			t.scenarios[scenario] = new(int64)
		}
	}
	t.ok = t.scenarios[scenario]
}

// furtherScenarios stands for the scenarios beyond those that are named.
const furtherScenarios = "\x00further"

// scenarioNames returns the scenarios of the samples, sorted; none of too many.
func (t *tally) scenarioNames() []string {
	if len(t.scenarios) > maxScenarios {
		return nil
	}
	return slices.Sorted(maps.Keys(t.scenarios))
}

// sharedScenario returns the first scenario that the samples of both have.
func (t *tally) sharedScenario(o *tally) (string, bool) {
	for _, name := range slices.Sorted(maps.Keys(t.scenarios)) {
		if o.scenarios[name] != nil {
			return name, true
		}
	}
	return "", false
}

func (t *tally) Point(p *runs.Point) error {
	if p.Source == "" {
		p.Source = t.base
	}
	if !t.contention {
		t.contention = strings.HasPrefix(p.Metric, "load.") || strings.HasPrefix(p.Metric, "cpu.")
	}
	if !t.load {
		t.checks.point(p)
	}
	t.row(p.Time, p.Time)
	return t.dst.Point(p)
}

func (t *tally) Activity(a *runs.Activity) error {
	if a.Source == "" {
		a.Source = t.base
	}
	t.activity = true
	t.row(a.Time, a.Time)
	return t.dst.Activity(a)
}

func (t *tally) Marker(m *runs.Marker) error {
	if m.Source == "" {
		m.Source = t.base
	}
	if strings.HasPrefix(m.Kind, "postgres.") {
		t.database = true
		t.entries.add(m)
	}
	t.row(m.Time, m.Time)
	return t.dst.Marker(m)
}

func (t *tally) Histogram(h *runs.Histogram) error {
	if h.Source == "" {
		h.Source = t.base
	}
	t.row(h.Start, h.Start+h.Length/1000)
	return t.dst.Histogram(h)
}

// Benchmark passes on a result, which has no instant.
func (t *tally) Benchmark(b *runs.Benchmark) error {
	if b.Source == "" {
		b.Source = t.base
	}
	t.rows++
	return t.dst.Benchmark(b)
}

// Snapshot passes on a row of a view and counts it in the view's reference.
func (t *tally) Snapshot(s *runs.Snapshot) error {
	if s.Source == "" {
		s.Source = t.base
	}
	if t.role == Before || t.role == After {
		s.Role = string(t.role)
	}
	t.refer(s)
	if s.Time == runs.Missing {
		t.rows++
	} else {
		t.row(s.Time, s.Time)
	}
	return t.dst.Snapshot(s)
}

// stampText writes an instant as manifests do.
func stampText(us int64) string {
	return time.UnixMicro(us).UTC().Format("2006-01-02T15:04:05.000000Z")
}
