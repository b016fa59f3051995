package conformance

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
)

// disagreeing lists the informative ids that headroom answers otherwise, and why. A
// value that is not informative has no place here. An id of the list that comes to
// agree fails as well, so that the list stays true.
var disagreeing = []struct {
	id  *regexp.Regexp
	why string
}{
	{regexp.MustCompile(`^hardcount\.avac\.(stock\.r[34]|low\.r[245])\.episode_onsets$`), "freezes were planted 27.200, 29.100 | 30.150, 31.300 | 33.200 | 27.300 | 36.100 s from the start: headroom is within 72 ms of each; the sheet begins with the first request over 50 ms, up to 347 ms before"},
	{regexp.MustCompile(`^hardcount\.avac\.stock\.r4\.episode_gap_median$`), "two freezes were planted, 1.15 s apart, and found; the sheet merges their adjacent seconds into one episode, which has no gap"},
	{regexp.MustCompile(`^hardcount\.(rung\.125\.r[12]|hotrow\.(stock|pool60)|ram\.r[23])\.episode_onsets$`), "no freeze was planted, the runs are overloaded: headroom begins where requests over 150 ms hang together, the sheet with the first over 50 ms"},
	{regexp.MustCompile(`^hardcount\.(avac\.stock\.r[34]|avac\.low\.r5)\.fingerprint$`), "the planted freezes last 540 to 560 ms, and a storm a whole second: not decisive, not storm"},
	{regexp.MustCompile(`^hardcount\.phase\.b\.fingerprint$`), "the planted freezes are those of phase.a at another offset from the second: their highest second is 1.35 and 1.39 times the median, over 1.25, and headroom finds the same print in both; the sheet's grid finds stall in one"},
	{regexp.MustCompile(`^hardcount\.ram\.r2\.fingerprint$`), "the median request of 31 ms takes over 15 % of each freeze (172, 157 and 206 ms): not decisive whatever the numbers (DETECTION 4.4), not stall"},
	{regexp.MustCompile(`^hardcount\.hotrow\.pool60\.fingerprint$`), "every request of its seconds is slow and the highest is, from the onset on, over twice the run's median, as in hotrow.stock: storm; the sheet's grid finds 1.994 times"},
	{regexp.MustCompile(`^hardcount\.ram\.r3\.episode_p50_over_run_p50$`), "the run is slow throughout; its highest second from the onset on is 4.2 times the median, the sheet's grid finds one of 10.0"},
	{regexp.MustCompile(`^hardcount\.avac\.low\.r[245]\.score\.vacuum\.shift_p$`), "5 of 60 shifts of the completion within the window; the sheet's 12 of 60 fit the shifts of those logged before and after it as well"},
	{regexp.MustCompile(`^hardcount\.rhythm\.a\.score\.checkpoint\.shift_p$`), "43 of 120 shifts against 87: which lag and which lines of a checkpoint count is not defined; neither is near any limit"},
}

// TestReference builds every run of every set from its raw artifacts and
// compares what headroom says with the truth.
func TestReference(t *testing.T) {
	root := dataFolder(t, "HEADROOM_REFERENCE", "reference")
	sets, err := filepath.Glob(filepath.Join(root, "*", "manifest.json"))
	if err != nil || len(sets) == 0 {
		t.Fatalf("no sets (*/manifest.json) in %s: %v", root, err)
	}
	for _, path := range sets {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) { referenceSet(t, dir) })
	}
}

func referenceSet(t *testing.T, dir string) {
	var m refManifest
	var want truth
	readJSON(t, filepath.Join(dir, "manifest.json"), &m)
	readJSON(t, filepath.Join(dir, "truth.json"), &want)
	s := m.answers(t, dir, func(r refRun) *analyze.Measured { return m.measure(t, dir, r) })
	for _, why := range s.refused {
		t.Error(why)
	}
	done, all := 0, 0
	for _, v := range want.Values {
		all++
		got, ok := s.values[v.ID]
		switch {
		case ok && v.Informative:
			if agree, why := loosely(t, got, v.Value), disagreement(v.ID); agree {
				done++
				if why != "" {
					t.Errorf("%s: %v agrees with %s and is listed as disagreeing", v.ID, got, v.Value)
				}
			} else if t.Logf("%s: %v, informative %s: %s", v.ID, got, v.Value, why); why == "" {
				t.Errorf("%s: no reason is listed", v.ID)
			}
		case ok:
			if sameValue(t, v.ID, got, v.Value, v.Tol.Rel) {
				done++
			}
		case string(v.Value) == "null":
			done++ // not given, as it must not be
		default:
			t.Errorf("%s: no answer, want %s", v.ID, v.Value)
		}
	}
	for _, v := range want.Verdicts {
		all++
		got, ok := s.verdicts[v.ID]
		switch {
		case ok && string(got) == v.Verdict:
			done++
		case ok:
			t.Errorf("%s: %s, want %s (%s)", v.ID, got, v.Verdict, v.Why)
		default:
			t.Errorf("%s: no verdict, want %s", v.ID, v.Verdict)
		}
	}
	t.Logf("answered %d of %d ids", done, all)
}

// answers gives what headroom says of a set: of each run, which measured builds
// and measures, and of what they make together. Artifacts lie in dir.
func (m *refManifest) answers(t *testing.T, dir string, measured func(refRun) *analyze.Measured) *refSet {
	s := &refSet{refManifest: *m, dir: dir, values: map[string]any{}, verdicts: map[string]analyze.Outcome{}, runs: map[string]*analyze.Measured{}, marks: map[string][]string{}, warnings: map[string][]string{}}
	for _, r := range m.Runs {
		if got := measured(r); got != nil {
			s.runs[r.ID] = got
			s.beside(r, got.Result)
			if r.counts() {
				s.cost(r, got.Result)
				continue
			}
			if r.queued() {
				s.queue(t, r, got.Result)
				continue
			}
			s.run(r, got)
		} else {
			s.unread(r)
		}
	}
	s.benchmarks(t)
	s.arms()
	s.comparisons(t)
	s.costComparisons(t)
	s.series()
	s.yardsticks(t)
	s.treatments(t)
	return s
}

// disagreement says why an informative id is answered otherwise, "" if it is not
// listed.
func disagreement(id string) string {
	for _, l := range disagreeing {
		if l.id.MatchString(id) {
			return l.why
		}
	}
	return ""
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(path)
	noError(t, path, err)
	noError(t, path, json.Unmarshal(b, into))
}

// sameValue compares an answer with the truth: numbers exactly, or within the
// relative tolerance; everything else by its JSON.
func sameValue(t *testing.T, id string, got any, want json.RawMessage, rel *float64) bool {
	t.Helper()
	if g, ok := got.(float64); ok {
		var text string
		var w float64
		if json.Unmarshal(want, &text) == nil {
			want = json.RawMessage(text)
		}
		if err := json.Unmarshal(want, &w); err != nil || string(want) == "null" {
			t.Errorf("%s: %v, want %s", id, g, want)
			return false
		}
		if !close(g, w, rel) {
			t.Errorf("%s: %v, want %v", id, g, w)
			return false
		}
		return true
	}
	b, err := json.Marshal(got)
	noError(t, id, err)
	var a, w any
	noError(t, id, json.Unmarshal(b, &a))
	noError(t, id, json.Unmarshal(want, &w))
	if !alike(a, w) {
		t.Errorf("%s: %s, want %s", id, b, want)
		return false
	}
	return true
}

// close allows what binary fractions of the same decimal differ by.
func close(got, want float64, rel *float64) bool {
	tol := 1e-12 * math.Abs(want)
	if rel != nil {
		tol = max(tol, *rel*math.Abs(want))
	}
	return math.Abs(got-want) <= tol
}

func alike(a, b any) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && close(x, y, nil)
	case []any:
		y, ok := b.([]any)
		return ok && len(x) == len(y) && !slices.ContainsFunc(indices(len(x)), func(i int) bool { return !alike(x[i], y[i]) })
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			if !alike(x[k], y[k]) {
				return false
			}
		}
		return true
	}
	return a == b
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// refSet collects answers by id.
type refSet struct {
	refManifest
	dir      string
	runs     map[string]*analyze.Measured
	values   map[string]any
	marks    map[string][]string // what warns of a value itself, by id
	verdicts map[string]analyze.Outcome
	refused  []string            // why runs that belong together were not combined
	warnings map[string][]string // of documents, by what they are of
}

// combine makes one document of runs. Runs that cannot make one are refused,
// which answers nothing: nil.
func (s *refSet) combine(what string, ms []*analyze.Measured, p analyze.Protocol) *analyze.Capacity {
	c, err := analyze.Combine(ms, p)
	if err != nil {
		s.refused = append(s.refused, what+": "+err.Error())
		return nil
	}
	s.warnings[what] = append(s.warnings[what], c.Warnings...)
	return c
}

// give answers an id by a quantity, with what the quantity warns of.
func (s *refSet) give(id string, q *analyze.Quantity, factor float64) {
	s.put(id, q, number(q, factor))
}

// put answers an id by what a quantity says beside its number.
func (s *refSet) put(id string, q *analyze.Quantity, v any) {
	s.values[id], s.marks[id] = v, q.Warnings
}

func (s *refSet) id(parts ...string) string { return s.Set + "." + strings.Join(parts, ".") }

// quantities maps a run's ids to quantities and factors from SI units.
var quantityOf = map[string]struct {
	id     string
	factor float64
}{
	"requests": {"requests", 1}, "completions": {"samples", 1}, "samples": {"samples", 1}, "failed": {"failed", 1}, "errors": {"failed", 1},
	"dropped": {"dropped", 1}, "events": {"events", 1}, "throughput": {"throughput", 1}, "requests_per_s": {"throughput.requests", 1},
	"p50": {"latency.p50", 1e3}, "p90": {"latency.p90", 1e3}, "p95": {"latency.p95", 1e3}, "p99": {"latency.p99", 1e3}, "max": {"latency.max", 1e3},
	"p99_response": {"response.p99", 1e3}, "delivered_ratio": {"delivered.ratio", 1}, "delivered_events_per_s": {"delivered", 1},
	"p99_first_third": {"drift.p99_first", 1e3}, "p99_last_third": {"drift.p99_last", 1e3}, "drift_ratio": {"drift.ratio", 1},
	"freeze_seconds": {"freeze.seconds", 1}, "freeze_seconds_thin": {"freeze.seconds_thin", 1}, "freeze_seconds_by_end": {"freeze.seconds_by_end", 1},
	"episodes": {"freeze.episodes", 1}, "ten_second_median_p99": {"windows.median_p99", 1e3}, "ten_second_phases": {"windows.phases", 1},
	"worst_10s_p99": {"windows.worst_p99", 1e3}, "worst_1s_p99": {"windows.worst_second_p99", 1e3},
	"p99_started_in_window": {"latency.started.p99", 1e3},
	"littles_busy_ratio":    {"littles.busy_ratio", 1}, "littles_in_flight": {"littles.in_flight", 1},
}

// duringOf maps ids to quantities that are not of samples.
var duringOf = map[string]struct {
	id     string
	factor float64
}{
	"load_mean": {"contention.load", 1}, "load_first": {"contention.load_first", 1}, "load_last": {"contention.load_last", 1},
	"load_coverage": {"contention.coverage", 1}, "cpu_busy_pct": {"contention.busy_cpu", 100}, "cpu_own_pct": {"contention.own_cpu", 100},
	"cpu_foreign_pct": {"contention.foreign_cpu", 100}, "steal_share": {"contention.steal", 1},
	"events_claimed": {"claimed.events_sent", 1}, "quantity_claimed": {"claimed.quantity_sent", 1}, "rows_gained": {"gained.rows", 1},
	"quantity_gained": {"gained.quantity", 1}, "events_stored": {"gained.events", 1}, "incidents": {"gained.incidents", 1},
}

// number gives the value of a quantity, or nil where it is withheld.
func number(q *analyze.Quantity, factor float64) any {
	if q.Value == nil {
		return nil
	}
	v := *q.Value * factor
	if factor == 1e3 { // back from seconds to the nanosecond in ms
		v = math.Round(v*1e6) / 1e6
		if q.ID == "windows.median_p99" { // the mean of two may end in half a nanosecond
			v = math.Round(*q.Value*2e9) / 2e6
		}
	}
	return v
}

// mainScenario is the load: the scenario that is no probe.
func mainScenario(r analyze.Result) string {
	for _, q := range r.Quantities {
		if q.ID == "requests" && !strings.Contains(q.Scope.Scenario, "probe") {
			return q.Scope.Scenario
		}
	}
	return ""
}

// run answers the ids of one run.
func (s *refSet) run(r refRun, m *analyze.Measured) {
	load := detect.Scope{Scenario: mainScenario(m.Result)}
	for suffix, of := range quantityOf {
		if q := m.Result.Quantity(of.id, load); q != nil {
			s.give(s.id(r.ID, suffix), q, of.factor)
		}
	}
	for suffix, of := range duringOf {
		if q := m.Result.Quantity(of.id, detect.Scope{}); q != nil {
			s.give(s.id(r.ID, suffix), q, of.factor)
		}
	}
	s.lists(r.ID, m.Result, load)
	s.label(r.ID, m.Result, load)
	s.probes(r.ID, m.Result)
	s.recorded(r, m.Result)
	s.gates(r, m.Result, load)
	s.scenario(r, m.Result, load)
}

// lists answers the ids that are lists, bounds and yes or no.
func (s *refSet) lists(run string, r analyze.Result, load detect.Scope) {
	if q := r.Quantity("freeze.seconds", load); q != nil {
		s.put(s.id(run, "freeze_seconds_at"), q, q.From.Params["at"])
	}
	if q := r.Quantity("windows.bad", load); q != nil {
		s.put(s.id(run, "ten_second_windows"), q, q.From.Params["windows"])
		var ms []any
		for _, v := range q.From.Params["bucket_p99"].([]any) {
			if f, ok := v.(float64); ok {
				v = math.Round(f*1e9) / 1e6
			}
			ms = append(ms, v)
		}
		s.put(s.id(run, "ten_second_p99"), q, ms)
	}
	if q := r.Quantity("windows.void", load); q != nil && q.Value != nil {
		s.put(s.id(run, "ten_second_void"), q, *q.Value == 1)
	}
	bound := r.Quantity("latency.p99_with_drops", load)
	if bound == nil { // nothing was dropped
		bound = r.Quantity("latency.p99", load)
	}
	if bound != nil {
		s.give(s.id(run, "p99_with_drops"), bound, 1e3)
	}
}

func (s *refSet) label(run string, r analyze.Result, load detect.Scope) {
	if q := r.Quantity("throughput", load); q != nil {
		label := map[analyze.Bound]string{analyze.Floor: "floor", analyze.CapacityBound: "capacity"}[q.Bound]
		if label == "" {
			label = "unlabelled"
		}
		s.put(s.id(run, "contention_label"), q, label)
	}
}

func (s *refSet) probes(run string, r analyze.Result) {
	for _, q := range r.Quantities {
		if !strings.Contains(q.Scope.Scenario, "probe") {
			continue
		}
		suffix := map[string]string{"samples": "samples", "latency.p50": "p50", "latency.p99": "p99"}[q.ID]
		factor := 1e3
		if q.ID == "samples" {
			factor = 1
		}
		if suffix == "" {
			continue
		}
		if q.Scope.Op != "" {
			s.give(s.id(run, "probe", endpoint(q.Scope.Op), suffix), &q, factor)
		} else {
			s.give(s.id(run, "probe", suffix), &q, factor)
		}
	}
}

// endpoint is the last fixed part of a route: "usage-summary" of
// "GET /v1/usage-summary/{customer_id}".
func endpoint(op string) string {
	parts := strings.Split(op, "/")
	for len(parts) > 1 && strings.HasPrefix(parts[len(parts)-1], "{") {
		parts = parts[:len(parts)-1]
	}
	return parts[len(parts)-1]
}

var gateOf = map[string]string{
	"gate.thresholds": "thresholds", "gate.dropped": "dropped", "gate.failed": "failed", "gate.rows": "reconciled.rows", "gate.quantity": "reconciled.quantity",
	"gate.samples": "samples", "gate.drift": "drift", "gate.delivered": "delivered", "reconciled": "reconciled",
	"replicas_all_served": "replicas", "errors_zero": "failed", "contention_recorded": "contention-recorded", "p99_under_limit": "p99", "probe": "probe", "evidence_complete": "evidence",
}

func (s *refSet) gates(r refRun, res analyze.Result, load detect.Scope) {
	for suffix, gate := range gateOf {
		for _, v := range res.Verdicts {
			if v.Gate == gate && (v.Scope == load || v.Scope == detect.Scope{} || gate == "probe") {
				s.verdicts[s.id(r.ID, suffix)] = v.Outcome
			}
		}
	}
	need := []string{"errors_zero", "contention_recorded"}
	if r.has("counts-before") {
		need = append(need, "reconciled")
	}
	if len(r.Replicas) > 0 {
		need = append(need, "replicas_all_served")
		s.replicas(r, res, load)
	}
	s.verdicts[s.id(r.ID, "figure_publishable")] = s.all(r.ID, need)
	s.verdicts[s.id(r.ID, r.Role)] = s.worst(r)
	s.verdicts[s.id(r.ID, "repeat")] = s.worst(r)
}

// all combines the verdicts of a run's ids.
func (s *refSet) all(run string, suffixes []string) analyze.Outcome {
	var out []analyze.Outcome
	for _, x := range suffixes {
		o, ok := s.verdicts[s.id(run, x)]
		if !ok {
			o = analyze.Unknown
		}
		out = append(out, o)
	}
	return analyze.Worst(out...)
}

// worst combines the gates that the manifest asks of a run.
func (s *refSet) worst(r refRun) analyze.Outcome {
	var need []string
	for _, g := range r.Gates {
		need = append(need, "gate."+g)
	}
	return s.all(r.ID, need)
}

// unread answers the ids of a run whose samples are not there: nobody could look.
func (s *refSet) unread(r refRun) {
	s.unseen(r)
	if r.counts() {
		s.costVerdicts(r, analyze.Result{})
	}
	for _, g := range r.Gates {
		s.verdicts[s.id(r.ID, "gate", g)] = analyze.Unknown
	}
}

// arms answers the ids of sweeps.
func (s *refSet) arms() {
	for _, a := range s.Arms {
		var ms []*analyze.Measured
		for _, id := range a.Runs {
			if m := s.runs[id]; m != nil {
				ms = append(ms, m)
			}
		}
		if len(ms) != len(a.Runs) {
			continue
		}
		p := s.protocol()
		p.Required = s.stepGates(a.Runs)
		if c := s.combine(a.ID, ms, p); c != nil {
			s.sweep(a.ID, c)
			s.sums(a.ID, ms)
		}
	}
}

// stepGates are the gates that the manifest asks of the step that a sweep rests
// on: reconciliation where its runs' counts were taken.
func (s *refSet) stepGates(of []string) []string {
	var need []string
	g := s.Protocol.StepGates
	if g.ErrorsZero {
		need = append(need, "failed")
	}
	if g.Contention != nil {
		need = append(need, "contention-recorded")
	}
	counted := func(r refRun) bool { return slices.Contains(of, r.ID) && r.has("counts-before") }
	if g.Reconciled && slices.ContainsFunc(s.Runs, counted) {
		need = append(need, "reconciled")
	}
	return need
}

// combined combines runs, named by id, that were all measured.
func (s *refSet) combined(t *testing.T, ids ...string) *analyze.Capacity {
	t.Helper()
	var ms []*analyze.Measured
	for _, id := range ids {
		m := s.runs[id]
		if m == nil {
			return nil
		}
		ms = append(ms, m)
	}
	return s.combine(strings.Join(ids, " "), ms, s.protocol())
}

func (s *refSet) sweep(arm string, c *analyze.Capacity) {
	names := map[string]struct {
		suffix string
		factor float64
	}{
		"sweep.sustained.concurrency": {"sustained_concurrency", 1}, "sweep.sustained.throughput": {"sustained_throughput", 1}, "sweep.sustained.p99": {"sustained_p99", 1e3},
		"sweep.knee.concurrency": {"knee_concurrency", 1}, "sweep.knee.throughput": {"knee_throughput", 1}, "sweep.knee.p99": {"knee_p99", 1e3},
	}
	for i := range c.Quantities {
		q := &c.Quantities[i]
		if n, ok := names[q.ID]; ok {
			s.give(s.id(arm, n.suffix), q, n.factor)
		}
		if steps, ok := strings.CutPrefix(q.ID, "sweep.elasticity."); ok {
			s.give(s.id(arm, "elasticity_"+steps), q, 1)
		}
		if q.ID == "sweep.step_past_knee" {
			s.values[s.id(arm, "step_past_knee")] = *q.Value == 1
		}
		if rate, ok := strings.CutPrefix(q.ID, "fleet."); ok && strings.HasSuffix(rate, ".endpoints") {
			s.give(s.id(arm, "fleet_"+strings.TrimSuffix(rate, ".endpoints")), q, 1)
		}
	}
	for _, v := range c.Verdicts {
		switch rest, accepted := strings.CutPrefix(v.Gate, "acceptance."); {
		case v.Gate == "sustained":
			s.verdicts[s.id(arm, "sustained")] = v.Outcome
		case accepted:
			_, rate, _ := strings.Cut(rest, ".")
			s.verdicts[s.id(arm, "acceptance_"+rate)] = v.Outcome
		}
	}
}

// sums answers what is added up, or averaged, over the steps of a sweep.
func (s *refSet) sums(arm string, ms []*analyze.Measured) {
	errs, events, incidents, foreign, lo, hi := 0.0, 0.0, 0.0, 0.0, math.Inf(1), math.Inf(-1)
	waits, total, ps := map[string]float64{}, 0.0, 0.0
	for _, m := range ms {
		load := detect.Scope{Scenario: mainScenario(m.Result)}
		get := func(id string, sc detect.Scope) float64 {
			if q := m.Result.Quantity(id, sc); q != nil && q.Value != nil {
				return *q.Value
			}
			return math.NaN()
		}
		errs += get("failed", load)
		events += get("events", load)
		incidents += get("gained.incidents", detect.Scope{})
		foreign += get("contention.foreign_cpu", detect.Scope{}) * 100 / float64(len(ms))
		ps += get("contention.ps_foreign", detect.Scope{}) * 100 / float64(len(ms))
		lo, hi = min(lo, get("contention.load_min", detect.Scope{})), max(hi, get("contention.load_max", detect.Scope{}))
		for _, q := range m.Result.Quantities {
			if name, ok := strings.CutPrefix(q.ID, "waits."); ok && strings.Contains(name, ":") {
				waits[name] += *q.Value
			}
		}
		if s.declares(m, "pg-stat-activity-csv") {
			total += get("waits.total", detect.Scope{}) // NaN where no session was recorded
		}
	}
	for suffix, v := range map[string]float64{"errors": errs, "events_total": events, "incidents_total": incidents, "cpu_foreign_pct": foreign, "ps_foreign_pct": ps, "load_min": lo, "load_max": hi} {
		if !math.IsNaN(v) {
			s.values[s.id(arm, suffix)] = v
		}
	}
	if total > 0 { // of every step whose sessions were to be sampled
		s.values[s.id(arm, "waits")], s.values[s.id(arm, "waits_total")] = waits, total
		s.verdicts[s.id(arm, "waits_sampled")] = analyze.Pass
	}
}

// declares reports whether the manifest says that a run has an artifact of a kind.
func (s *refSet) declares(m *analyze.Measured, kind string) bool {
	return slices.ContainsFunc(s.Runs, func(r refRun) bool { return r.ID == m.Result.Run.Labels["run"] && r.has(kind) })
}

// series answers the ids of repeats and of the ladder.
func (s *refSet) series() {
	var rungs []*analyze.Measured
	for _, x := range s.Series {
		var ms []*analyze.Measured
		for _, id := range x.Runs {
			if m := s.runs[id]; m != nil {
				ms = append(ms, m)
			}
		}
		if len(ms) != len(x.Runs) {
			continue
		}
		s.repeats(x.ID, x.Protocol, ms)
		if x.Protocol == "rung" {
			rungs = append(rungs, ms...)
		}
	}
	if len(rungs) == 0 {
		return
	}
	p := s.protocol()
	p.Name = "ladder"
	c := s.combine("ladder", rungs, p)
	if c == nil {
		return
	}
	verdicts := map[string]string{}
	for _, v := range c.Verdicts {
		if v.Gate == "rung" {
			verdicts[strings.TrimPrefix(v.Scope.Step, "rate=")] = string(v.Outcome)
		}
	}
	s.values[s.id("ladder", "verdicts")] = verdicts
	for i := range c.Quantities {
		if q := &c.Quantities[i]; strings.HasPrefix(q.ID, "ladder.") {
			s.give(s.id(q.ID), q, 1)
		}
	}
}

func (s *refSet) repeats(id, protocol string, ms []*analyze.Measured) {
	p := s.protocol()
	p.Name = "repeats"
	if protocol == "rung" {
		p.Required = []string{"delivered", "dropped", "reconciled"}
	}
	c := s.combine(id, ms, p)
	if c == nil {
		return
	}
	for _, v := range c.Verdicts {
		if v.Gate == "held" {
			s.verdicts[s.id(id, "held")] = v.Outcome
			s.values[s.id(id, "n_of_m")] = v.Got
		}
	}
	for i := range c.Quantities {
		q := &c.Quantities[i]
		switch q.ID {
		case "series.passed":
			s.give(s.id(id, "passed"), q, 1)
		case "series.repeats":
			s.give(s.id(id, "repeats"), q, 1)
		case "series.windows.worst_p99.max":
			s.give(s.id(id, "worst_10s_p99"), q, 1e3)
		}
		if rest, ok := strings.CutPrefix(q.ID, "series.latency."); ok {
			v := number(q, 1)
			if f, ok := v.(float64); ok {
				v = math.Round(f*2e9) / 2e6 // the mean of two may end in half a nanosecond
			}
			s.values[s.id(id, strings.Replace(rest, ".", "_", 1))] = v
		}
	}
	frozen := []any{}
	for _, m := range ms {
		load := detect.Scope{Scenario: mainScenario(m.Result)}
		for _, v := range c.Verdicts {
			if v.Gate == "repeat" && v.Scope.Run == m.Result.Run.ID && v.Outcome == analyze.Pass {
				frozen = append(frozen, *m.Result.Quantity("freeze.seconds", load).Value)
			}
		}
	}
	s.values[s.id(id, "freeze_seconds_per_passing_repeat")] = frozen
}
