package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/analyze/study"
	"headroom/rescan"
	"headroom/runs"
)

// TestExamples builds the document of every study in examples from its archived
// runs, and compares its numbers with the truth of the set of that name: those of
// single runs by the mapping of TestReference, those of configurations by
// documentIDs. An example of no set must build.
func TestExamples(t *testing.T) {
	for _, set := range exampleSets(t) {
		t.Run(set, func(t *testing.T) {
			c := exampleDocument(t, filepath.Join(exampleRoot, set))
			root := dataFolder(t, "HEADROOM_REFERENCE", "reference")
			file := filepath.Join(root, set, "truth.json")
			if _, err := os.Stat(file); err != nil {
				t.Logf("%s is not among the reference sets of %s: its document was built, nothing is compared", set, root)
				return
			}
			var want truth
			readJSON(t, file, &want)
			compareDocument(t, filepath.Join(root, set), c, want)
		})
	}
}

// exampleDocuments are those that were made already, by folder.
var exampleDocuments = map[string]*analyze.Capacity{}

// exampleDocument measures the runs that a study selects, and judges them.
func exampleDocument(t *testing.T, dir string) *analyze.Capacity {
	t.Helper()
	if c := exampleDocuments[dir]; c != nil {
		return c
	}
	text, err := os.ReadFile(filepath.Join(dir, "study.yaml"))
	noError(t, dir, err)
	s, err := study.Parse("study.yaml", text)
	noError(t, dir, err)
	noError(t, dir, s.CheckParams(nil))
	s.Prose = proseOfExample(t, dir, s)
	if s.Rescanned != "" {
		report, err := os.ReadFile(filepath.Join(dir, s.Rescanned))
		noError(t, dir, err)
		s.Rescan, err = rescan.Quoted(report, s.Title)
		noError(t, s.Rescanned, err)
	}
	var members [][]*analyze.Measured
	for i, sel := range s.Selections {
		var ms []*analyze.Measured
		for _, pattern := range sel.Runs {
			paths, err := filepath.Glob(filepath.Join(dir, pattern))
			noError(t, pattern, err)
			for _, path := range paths {
				run, err := runs.Open(path)
				noError(t, path, err)
				if !sel.Matches(run.Manifest().Labels) {
					continue
				}
				m, err := analyze.Measure(context.Background(), run, s.Configurations[i].Protocol)
				noError(t, path, err)
				ms = append(ms, m)
			}
		}
		members = append(members, ms)
	}
	c, err := analyze.Document(s.Study, members)
	noError(t, dir, err)
	again, err := analyze.Document(s.Study, members)
	noError(t, dir, err)
	if a, b := asJSON(t, c), asJSON(t, again); a != b {
		t.Errorf("%s: judged twice, the document differs", dir)
	}
	exampleDocuments[dir] = c
	return c
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	noError(t, "document", err)
	return string(b)
}

// documentIDs maps ids of the truth, without the set's name, to quantities of the
// document, with a factor from SI units. They hold for whatever names there are.
var documentIDs = []struct {
	of     *regexp.Regexp
	id     string
	factor float64
}{
	{regexp.MustCompile(`^(.+)\.(sustained|knee)_(concurrency|throughput)$`), "sweep.$1.$2.$3", 1},
	{regexp.MustCompile(`^(.+)\.(sustained|knee)_p99$`), "sweep.$1.$2.p99", 1e3},
	{regexp.MustCompile(`^(.+)\.elasticity_(\d+_\d+)$`), "sweep.$1.elasticity.$2", 1},
	{regexp.MustCompile(`^(.+)\.fleet_(\d+)$`), "fleet.$1.$2.endpoints", 1},
	{regexp.MustCompile(`^(.+)\.errors$`), "over.$1.failed", 1},
	{regexp.MustCompile(`^(.+)\.events_total$`), "over.$1.events", 1},
	{regexp.MustCompile(`^(.+)\.incidents_total$`), "over.$1.gained.incidents", 1},
	{regexp.MustCompile(`^(.+)\.(load_min|load_max)$`), "over.$1.$2", 1},
	{regexp.MustCompile(`^(.+)\.cpu_foreign_pct$`), "over.$1.foreign_cpu", 100},
	{regexp.MustCompile(`^(.+)\.ps_foreign_pct$`), "over.$1.ps_foreign", 100},
	{regexp.MustCompile(`^(cost_of_matching)$`), "compare.$1.gap", 1},
	{regexp.MustCompile(`^(since_fix|sync)(?:\.ratio)?$`), "compare.$1.ratio", 1},
	{regexp.MustCompile(`^(.+)\.pair_(\d+)\.ratio$`), "pair.$1.$2.ratio", 1},
	{regexp.MustCompile(`^(.+)\.pair_(\d+)\.p50_change_ms$`), "pair.$1.$2.p50_change", 1e3},
	{regexp.MustCompile(`^(.+)\.least_attainable_p$`), "pairs.$1.least_attainable_p", 1},
	{regexp.MustCompile(`^soak\.(first|last|lowest)(?:_throughput|_events_per_s)?$`), "soak.soak.$1", 1},
	{regexp.MustCompile(`^(.+)\.(passed|repeats)$`), "series.$1.$2", 1},
	{regexp.MustCompile(`^(.+)\.(p50|p99)_(median|min|max)$`), "series.$1.latency.$2.$3", 1e3},
	{regexp.MustCompile(`^(.+)\.worst_10s_p99$`), "series.$1.windows.worst_p99.max", 1e3},
	{regexp.MustCompile(`^ladder\.(highest_held|first_failed)$`), "ladder.ladder.$1", 1},
	{regexp.MustCompile(`^acceptance\.required_(\d+)$`), "fleet.ingest.$1.required.10000", 1},
	{regexp.MustCompile(`^commits\.(reduction)$`), "commits.batch.$1", 1},
	{regexp.MustCompile(`^(.+_ns)$`), "derived.$1", 1e9},
	{regexp.MustCompile(`^(.+)$`), "derived.$1", 1},
}

// compareDocument compares what a document gives with the truth. An id that it
// gives nothing for is another test's.
func compareDocument(t *testing.T, dir string, c *analyze.Capacity, want truth) {
	t.Helper()
	s := documentSet(t, dir, c)
	counts := map[string]int{}
	for _, v := range want.Values {
		if v.Informative || everyRequest(s, v.ID) {
			continue
		}
		kind, got, ok := "of runs", s.values[v.ID], false
		if _, ok = s.values[v.ID]; !ok {
			kind = "of the document"
			got, ok = ofDocument(c, strings.TrimPrefix(v.ID, s.Set+"."))
		}
		switch {
		case !ok && string(v.Value) == "null": // not given, as it must not be
			counts[kind]++
		case !ok:
		case got == nil: // withheld: as the truth says, or by a lock of the study
			if string(v.Value) == "null" || locked(c) && rateForm.MatchString(v.ID) {
				counts[kind]++
			} else {
				t.Errorf("%s: withheld, want %s", v.ID, v.Value)
			}
		case sameValue(t, v.ID, got, v.Value, v.Tol.Rel):
			counts[kind]++
		}
	}
	for _, v := range want.Verdicts {
		got, ok := s.verdicts[v.ID]
		if !ok {
			got, ok = outcomeIn(c, strings.TrimPrefix(v.ID, s.Set+"."))
		}
		switch {
		case !ok:
		case string(got) == v.Verdict:
			counts["verdicts"]++
		default:
			t.Errorf("%s: %s, want %s (%s)", v.ID, got, v.Verdict, v.Why)
		}
	}
	t.Logf("answered %d of %d ids: %v", counts["of runs"]+counts["of the document"]+counts["verdicts"], len(want.Values)+len(want.Verdicts), counts)
	if counts["of runs"] == 0 || counts["verdicts"] == 0 {
		t.Errorf("the document answers nothing: %v", counts)
	}
}

// documentSet answers the ids of single runs by the mapping of TestReference, from
// the results in a document.
func documentSet(t *testing.T, dir string, c *analyze.Capacity) *refSet {
	t.Helper()
	s := &refSet{dir: dir, values: map[string]any{}, marks: map[string][]string{}, verdicts: map[string]analyze.Outcome{}, runs: map[string]*analyze.Measured{}}
	readJSON(t, filepath.Join(dir, "manifest.json"), &s.refManifest)
	for _, r := range s.Runs {
		for _, x := range r.Steps { // each is a run of its own
			if i := resultOf(c, fmt.Sprintf("%s-%02d", r.ID, x.Index)); i >= 0 {
				s.soakStep(r.ID, x.Index, c.Results[i])
			}
		}
		i := slices.IndexFunc(c.Results, func(x analyze.Result) bool { return x.Run.ID == r.ID })
		switch {
		case i < 0:
		case r.counts():
			s.cost(r, c.Results[i])
		case len(r.benchmarks()) > 0:
			s.benchmark(r, c.Results[i])
		case r.queued():
			s.queue(t, r, c.Results[i])
		default:
			s.run(r, &analyze.Measured{Result: c.Results[i]})
			s.beside(r, c.Results[i])
		}
	}
	s.configurations(c)
	return s
}

// everyRequest reports whether an id is of a closed loop's whole file, the requests
// in flight at either edge of the window included, which no window gives.
func everyRequest(s *refSet, id string) bool {
	for _, r := range s.Runs {
		if r.Role == "ceiling" && r.Throughput == "" && strings.HasPrefix(id, s.id(r.ID, "")) {
			return true
		}
	}
	return false
}

// rateForm is the form of ids that are rates.
var rateForm = regexp.MustCompile(`\.(throughput|requests_per_s|accepted_per_s)$`)

// locked reports whether the study gives no rate without its conditions.
func locked(c *analyze.Capacity) bool {
	return c.Study.Contention == analyze.Required || c.Study.Reconciliation == analyze.Required
}

// ofDocument finds what a document says for an id of its configurations.
func ofDocument(c *analyze.Capacity, id string) (any, bool) {
	for _, d := range documentIDs {
		if !d.of.MatchString(id) {
			continue
		}
		name := d.of.ReplaceAllString(id, d.id)
		for i := range c.Quantities {
			if c.Quantities[i].ID != name || name == "commits.batch.reduction" && c.Quantities[i].Scope.Run != lastRun(c, "batch") {
				continue
			}
			v := number(&c.Quantities[i], d.factor)
			if _, ok := v.(float64); ok && strings.HasSuffix(id, "_median") { // the mean of two may end in half a nanosecond
				v = math.Round(*c.Quantities[i].Value*2e9) / 2e6
			}
			return v, true
		}
	}
	return nil, false
}

// outcomeIn finds the verdict of a configuration: "S1.held", "ingest.sustained".
func outcomeIn(c *analyze.Capacity, id string) (analyze.Outcome, bool) {
	i := strings.LastIndexByte(id, '.')
	if i < 0 {
		return "", false
	}
	gate := id[i+1:]
	if rate, ok := strings.CutPrefix(gate, "acceptance_"); ok {
		gate = "acceptance.10000." + rate
	}
	for _, v := range c.Verdicts {
		if v.Scope.Configuration == id[:i] && v.Gate == gate && v.Scope.Step == "" && v.Scope.Run == "" {
			return v.Outcome, true
		}
	}
	return "", false
}
