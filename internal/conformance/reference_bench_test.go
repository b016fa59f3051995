package conformance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
)

// refBench is what a manifest says of benchmarks, and of runs that are no steps of
// anything.
type refBench struct {
	EventsPerOp    float64 `json:"events_per_op"`
	Stages         []string
	Total          string
	Validation     []string
	Agents         int
	EventsPerBatch int64 `json:"events_per_batch"`
	Throughput     string
	Abusive        string
	Quiet          []string
	MustBeStored   bool `json:"acknowledged_must_be_stored"`
}

// elapsed reports whether rates are over the time from the first start to the last
// end, and not over the window.
func (r refRun) elapsed() bool {
	return r.Throughput == "all_over_elapsed" || r.Throughput == "" && r.Role == "scenario"
}

// benchmarks are the names that a run's manifest speaks of.
func (r refRun) benchmarks() []string {
	names := slices.Concat(r.Stages, r.Validation)
	if r.Total != "" {
		names = append(names, r.Total)
	}
	return names
}

// protocolOf adds to the set's protocol what one run's manifest declares.
func (m *refManifest) protocolOf(r refRun) analyze.Protocol {
	p := m.protocol()
	p.Bench = analyze.BenchRules{Expect: r.benchmarks(), EventsPerOp: r.EventsPerOp, Stages: r.Stages, Total: r.Total}
	p.Scenario = analyze.ScenarioRules{
		AllocBytesMax: m.Protocol.Gates.AllocBytes, Timeout: time.Duration(m.Protocol.Timeout * float64(time.Second)),
		Quiet: r.Quiet, QuietRefusedMax: m.Protocol.Gates.QuietRefused,
	}
	if r.Abusive != "" {
		p.Scenario.Abusive = []string{r.Abusive}
	}
	if m.Protocol.MinSamples > 0 {
		p.MinSamples = m.Protocol.MinSamples
	}
	if r.MustBeStored {
		p.Required = []string{"stored"}
	}
	return p
}

// scenarioOf maps ids to quantities of the whole run, and of the load.
var scenarioOf = []struct {
	suffix, id string
	ofLoad     bool
}{
	{"batches", "samples", true}, {"elapsed", "elapsed", true}, {"peak_in_flight", "in_flight.peak", true},
	{"bytes_allocated_per_event", "alloc.bytes_per_event", false}, {"memory_bound", "memory.in_flight", false},
	{"stored_events", "gained.kafka.end_offsets", false}, {"acknowledged", "stored.acknowledged", false}, {"stored_batches", "stored.listed", false},
	{"missing", "stored.missing", false}, {"stored_unacknowledged", "stored.unacknowledged", false},
	{"offered", "abusive.requests", false}, {"refused", "abusive.refused", false}, {"quiet_refused", "quiet.refused", false}, {"quiet_ok", "quiet.ok", false},
}

// checkOf maps verdicts of scenarios to gates.
var checkOf = map[string]string{
	"samples": "samples", "alloc_guard": "allocations", "acknowledged_equals_end_offsets": "reconciled", "acknowledged_all_stored": "stored", "quiet_agents_refused": "isolation",
}

// scenario answers the ids of a run that stands by itself.
func (s *refSet) scenario(r refRun, res analyze.Result, load detect.Scope) {
	for _, of := range scenarioOf {
		scope := detect.Scope{}
		if of.ofLoad {
			scope = load
		}
		if q := res.Quantity(of.id, scope); q != nil {
			s.give(s.id(r.ID, of.suffix), q, 1)
		}
	}
	s.unreconciled(r, res, load)
	for suffix, gate := range checkOf {
		for _, v := range res.Verdicts {
			if v.Gate == gate && (v.Scope == load || v.Scope == detect.Scope{}) {
				s.verdicts[s.id(r.ID, suffix)] = v.Outcome
			}
		}
	}
}

// unseen answers the checks of a run that nobody could measure.
func (s *refSet) unseen(r refRun) {
	for check, asked := range map[string]bool{"quiet_agents_refused": len(r.Quiet) > 0, "acknowledged_all_stored": r.MustBeStored, "alloc_guard": r.EventsPerBatch > 0,
		"samples": r.EventsPerBatch > 0, "acknowledged_equals_end_offsets": r.Role == "end-to-end"} {
		if asked {
			s.verdicts[s.id(r.ID, check)] = analyze.Unknown
		}
	}
}

// unreconciled answers the rate of a run that does not reconcile, which headroom
// withholds: the truth has it as the quotient of two figures that are given.
func (s *refSet) unreconciled(r refRun, res analyze.Result, load detect.Scope) {
	q, events, elapsed := res.Quantity("throughput", load), res.Quantity("events", load), res.Quantity("elapsed", load)
	if q != nil && q.Value == nil && strings.HasPrefix(q.Why, "not reconciled: ") && events.Value != nil && elapsed.Value != nil {
		s.put(s.id(r.ID, "throughput"), events, *events.Value / *elapsed.Value)
	}
}

// benchmarks answers the ids of benchmarks, and those that compare runs.
func (s *refSet) benchmarks(t *testing.T) {
	for _, r := range s.Runs {
		if r.Role != "microbench" {
			continue
		}
		s.verdicts[s.id(r.ID, "complete")] = analyze.Unknown
		m := s.runs[r.ID]
		if m == nil {
			continue
		}
		s.benchmark(r, m.Result)
		c := s.combine(r.ID, []*analyze.Measured{m}, s.protocolOf(r))
		if c == nil {
			continue
		}
		equal(t, "protocol of "+r.ID, c.Protocol, "bench")
		s.verdicts[s.id(r.ID, "complete")] = c.Outcome
	}
	s.ratios(t)
}

func (s *refSet) benchmark(r refRun, res analyze.Result) {
	for i := range res.Quantities {
		q := &res.Quantities[i]
		name := strings.NewReplacer("/", ".", "=", "_").Replace(q.Scope.Op)
		of, known := map[string]struct {
			suffix string
			factor float64
		}{
			"bench.repeats": {"count", 1}, "bench.time_per_event": {"ns_per_event", 1e9}, "bench.bytes_per_event": {"bytes_per_event", 1},
			"bench.allocs_per_event": {"allocs_per_event", 1}, "bench.events_per_s": {"events_per_s", 1},
		}[q.ID]
		switch {
		case known:
			s.give(s.id(r.ID, name, of.suffix), q, of.factor)
		case q.ID == "stage.time_share":
			s.give(s.id("share_cpu", name), q, 1)
		case q.ID == "stage.allocs_share":
			s.give(s.id("share_allocs", name), q, 1)
		case q.ID == "stages.time":
			s.give(s.id("stages_sum_ns"), q, 1e9)
		}
	}
}

// ratios answers the ids that put one figure over another, by asking for each by
// its name.
func (s *refSet) ratios(t *testing.T) {
	p := s.protocol()
	var ms []*analyze.Measured
	factor := map[string]float64{}
	ask := func(name string, over, under analyze.Operand) {
		p.Derived = append(p.Derived, analyze.Derived{Name: name, Over: over, Under: under})
	}
	time := func(r refRun, name string) analyze.Operand {
		return analyze.Operand{Run: r.ID, Op: name, ID: "bench.time_per_event"}
	}
	of := func(r refRun, id string) analyze.Operand { return analyze.Operand{Run: r.ID, ID: id} }
	var path *refRun
	var batches []refRun
	for i, r := range s.Runs {
		if s.runs[r.ID] == nil || !slices.Contains([]string{"microbench", "ceiling", "end-to-end"}, r.Role) {
			continue
		}
		ms = append(ms, s.runs[r.ID])
		if len(r.Stages) > 0 {
			path = &s.Runs[i]
		}
		if r.Role == "ceiling" {
			batches = append(batches, r)
		}
	}
	if path == nil {
		return
	}
	for _, r := range s.Runs {
		for i, a := range r.Stages {
			if len(r.Validation) > 0 {
				ask("validation_share_of_"+strings.ToLower(a), time(r, r.Validation[0]), time(r, a))
			}
			for _, b := range r.Stages[i+1:] {
				name := strings.ToLower(a+"_"+b) + "_ns"
				factor[name] = 1e9
				p.Derived = append(p.Derived, analyze.Derived{Name: name, Sum: []analyze.Operand{time(r, a), time(r, b)}})
			}
		}
		if len(r.Validation) == 2 {
			ask("uuid_over_short", time(r, r.Validation[1]), time(r, r.Validation[0]))
		}
		for _, other := range s.Runs {
			if r.ID != other.ID && r.Total != "" && other.Total != "" {
				ask(strings.TrimPrefix(r.ID, "bench-")+"_over_"+strings.TrimPrefix(other.ID, "bench-"), time(r, r.Total), time(other, other.Total))
			}
		}
		if r.Role == "end-to-end" {
			ask(r.ID+".tail_p95_over_p50", of(r, "latency.p95"), of(r, "latency.p50"))
			ask(r.ID+".tail_p99_over_p50", of(r, "latency.p99"), of(r, "latency.p50"))
			isolated := analyze.Operand{Run: path.ID, Op: path.Total, ID: "bench.bytes_per_event"}
			ask(r.ID+".alloc_over_isolated", of(r, "alloc.bytes_per_event"), isolated)
		}
	}
	s.batches(ask, of, batches)
	p.Name = "scenario"
	c := s.combine("ratios", ms, p)
	if c == nil {
		return
	}
	for i := range c.Quantities {
		q := &c.Quantities[i]
		if name, ok := strings.CutPrefix(q.ID, "derived."); ok {
			s.give(s.id(name), q, max(factor[name], 1))
		}
	}
}

// batches asks for what the recommended size of a batch gives over the largest, and
// over what was sent end to end.
func (s *refSet) batches(ask func(string, analyze.Operand, analyze.Operand), of func(refRun, string) analyze.Operand, runs []refRun) {
	var best, largest refRun
	for _, r := range runs {
		if r.EventsPerBatch == s.Protocol.Recommended {
			best = r
		}
		if r.EventsPerBatch > largest.EventsPerBatch {
			largest = r
		}
	}
	if best.ID == "" {
		return
	}
	ask("batch.throughput_ratio", of(best, "throughput"), of(largest, "throughput"))
	ask("batch.p99_ratio", of(largest, "latency.p99"), of(best, "latency.p99"))
	if m := s.runs[largest.ID]; m != nil {
		if q := m.Result.Quantity("timeout.headroom", detect.Scope{Scenario: mainScenario(m.Result)}); q != nil {
			s.give(s.id("batch.timeout_headroom"), q, 1)
		}
	}
	for _, r := range s.Runs {
		if r.Role == "end-to-end" {
			ask(r.ID+".gateway_headroom", of(best, "throughput"), of(r, "throughput"))
		}
	}
}
