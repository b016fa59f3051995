package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/ingest"
	"headroom/runs"
)

// refManifest is what whoever ran the load declares; it is all that this test
// knows of the runs.
type refManifest struct {
	Set  string
	Host struct {
		Cores, AppCores int
		ClockTicks      int `json:"clk_tck"`
		Ours            []string
	}
	Clocks map[string]struct {
		OffsetMinutes int `json:"utc_offset_minutes"`
	}
	Protocol struct {
		Sustained struct {
			MinSamples   int64   `json:"min_samples"`
			DriftMax     float64 `json:"drift_max_ratio"`
			DriftSamples int64   `json:"drift_min_samples_per_third"`
		}
		Rung struct {
			Delivered float64 `json:"delivered_min_ratio"`
		}
		Probe struct {
			Limit float64 `json:"p99_limit_ms"`
		}
		Knee struct {
			Limit float64 `json:"p99_limit_ms"`
		}
		Freeze struct {
			Worst float64 `json:"worst_over_ms"`
			Share float64 `json:"share_over"`
			Slow  float64 `json:"slow_over_ms"`
		} `json:"freeze_second"`
		StepGates struct {
			ErrorsZero bool `json:"errors_zero"`
			Reconciled bool
			Contention *struct {
				Coverage float64 `json:"load_coverage_min"`
			}
		} `json:"step_gates"`
		Gates struct {
			ProbeP95     float64 `json:"probe_p95_ms"`
			Drain        float64 `json:"drain_max_s"`
			AllocBytes   float64 `json:"alloc_bytes_per_event_max"`
			QuietRefused int64   `json:"quiet_agents_refused"`
		}
		MinSamples  int64     `json:"min_samples"`
		Timeout     float64   `json:"publish_timeout_s"`
		Recommended int64     `json:"recommended_batch"`
		FleetRates  []float64 `json:"fleet_rates_per_hour"`
		Acceptance  struct {
			Endpoints float64
			Rates     []float64 `json:"rates_per_hour"`
		}
	}
	Arms []struct {
		ID    string
		Runs  []string
		Sweep bool
	}
	Compare map[string][2]string
	Series  []struct {
		ID, Protocol, Role string
		Runs               []string
		Rate               float64 `json:"rate_per_s"`
	}
	Runs   []refRun
	Events int64 `json:"events_per_request"`
}

type refRun struct {
	refCosts
	ID, Role, Loop, Clock, Arm string
	Window                     struct{ Start, End string }
	Steps                      []struct {
		Index      int
		Start, End string
	}
	Offered *struct {
		Requests float64 `json:"requests_per_s"`
	}
	Batch     int64
	Variant   string
	PerSecond float64 `json:"offered_per_s"`
	Limits    *struct {
		Burst   float64
		Refill  float64 `json:"refill_per_s"`
		Origins int
	} `json:"origin_limits"`
	Rows        int64 `json:"rows_per_transaction"`
	Pair        int
	Concurrency int
	Workers     int
	VUs         int
	Clients     int
	Gates       []string
	Replicas    []string
	refBench
	Artifacts []refArtifact
}

type refArtifact struct {
	Kind, Path, Host, Prefix string
	Select                   struct{ Field, Equals string }
	Fields                   map[string]struct{ Column, Field, Unit string }
}

// load tells whether an artifact holds the run's samples.
func (a refArtifact) load() bool {
	return slices.Contains([]string{"k6-ndjson", "samples-csv", "pgbench-log", "deliveries-jsonl", "go-bench"}, a.Kind)
}

func (a refArtifact) role() ingest.Role {
	switch {
	case strings.HasSuffix(a.Kind, "-before"):
		return ingest.Before
	case strings.HasSuffix(a.Kind, "-after"), a.Kind == "count-json":
		return ingest.After
	case a.Kind == "k6-exit":
		return ingest.ExitFile
	}
	return ingest.Evidence
}

// measure makes the run of a manifest's entry and measures it. A run whose
// samples no importer reads yet, or that has none, gives nil.
func (m *refManifest) measure(t *testing.T, dir string, r refRun) *analyze.Measured {
	t.Helper()
	got, err := m.build(t, dir, r, nil)
	if err != nil && !errors.Is(err, ingest.ErrEmpty) {
		t.Errorf("%s: %v", r.ID, err)
	}
	return got
}

// build makes and measures a run without the artifacts whose base names leave
// holds. The error is that of an artifact that could not be read.
func (m *refManifest) build(t *testing.T, dir string, r refRun, leave map[string]bool) (*analyze.Measured, error) {
	t.Helper()
	req := ingest.Request{
		Model: runs.LoadModel(r.Loop), Own: m.Host.Ours, Labels: map[string]string{"run": r.ID},
		Window: &runs.Window{Start: r.Window.Start, End: r.Window.End, Declared: true},
		Host:   runs.Host{Cores: m.Host.Cores}, Concurrency: max(r.Concurrency, r.VUs, r.Clients, r.Agents),
	}
	if r.elapsed() {
		req.Window = nil
	}
	if r.Concurrency > 0 {
		req.Labels["concurrency"] = fmt.Sprint(r.Concurrency)
	}
	if r.Arm != "" {
		req.Labels["arm"] = r.Arm
	}
	if r.Variant != "" {
		req.Labels["variant"] = r.Variant
	}
	if r.Pair > 0 {
		req.Labels["pair"] = fmt.Sprint(r.Pair)
	}
	for _, s := range r.Steps {
		start, err1 := time.Parse(time.RFC3339, s.Start)
		end, err2 := time.Parse(time.RFC3339, s.End)
		if err1 != nil || err2 != nil {
			t.Fatalf("%s: step %d: %v %v", r.ID, s.Index, err1, err2)
		}
		req.Steps = append(req.Steps, runs.Step{Labels: map[string]string{"soak": fmt.Sprintf("%02d", s.Index)}, Start: start.UnixMicro(), End: end.UnixMicro()})
	}
	req.Targets = r.Replicas
	if r.Offered != nil {
		req.Rate = r.Offered.Requests
	}
	if m.Host.ClockTicks > 0 {
		req.Options.ClockTicks = m.Host.ClockTicks
	}
	req.Options.Events = r.Batch
	req.Options.Zone = time.FixedZone("as declared", m.Clocks[r.Clock].OffsetMinutes*60)
	m.roles(r, &req)
	hasLoad := false
	var gone []refArtifact
	for _, a := range r.Artifacts {
		path := filepath.Join(dir, a.Path)
		hasLoad = hasLoad || a.load()
		if a.Kind == "app-json-log" && !r.counts() {
			req.Jobs = []string{a.scenario()}
		}
		if _, err := os.Stat(path); err != nil || leave[filepath.Base(path)] {
			gone = append(gone, a)
			continue
		}
		req.Files = append(req.Files, ingest.File{Path: path, Role: a.role(), As: a.as()})
		if _, ok := mappedKinds[a.Kind]; ok {
			req.Maps = append(req.Maps, a.mapping())
		}
		if a.Kind == "points-csv" {
			req.Maps[len(req.Maps)-1].Fit = a.fit(r.Budget)
		}
	}
	if !hasLoad && !r.counts() || len(req.Files) == 0 {
		return nil, nil
	}
	r.declare(dir, &req)
	req.Reconcile = m.reconcile(t, dir, r)
	out := filepath.Join(t.TempDir(), "run")
	w, err := runs.Create(out, runs.CreateOptions{})
	noError(t, r.ID, err)
	defer w.Abort()
	if _, err := ingest.Ingest(context.Background(), req, w); err != nil {
		return nil, err
	}
	for _, a := range gone { // the manifest says that it was recorded
		absent := runs.Absence{What: a.Kind, Why: runs.CollectorDied, Note: filepath.Base(a.Path) + " cannot be read"}
		if a.Kind == "queue-depth-csv" {
			absent.What = "queue depth"
		}
		w.Manifest().NotCollected = append(w.Manifest().NotCollected, absent)
	}
	run, err := w.Commit()
	noError(t, r.ID, err)
	p := m.protocolOf(r)
	p.Evidence = r.evidence()
	got, err := analyze.Measure(context.Background(), run, p)
	noError(t, r.ID, err)
	return got, nil
}

// as names the format of an artifact whose kind says more than its content.
func (a refArtifact) as() string {
	if _, ok := mappedKinds[a.Kind]; ok {
		return a.mapping().Format
	}
	return ""
}

func (m *refManifest) protocol() analyze.Protocol {
	p := m.Protocol
	ms := func(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }
	out := analyze.Protocol{
		P99Limit: ms(p.Knee.Limit), ProbeP99: ms(p.Probe.Limit), MinSamples: p.Sustained.MinSamples,
		DriftLimit: p.Sustained.DriftMax, DriftMinSamples: p.Sustained.DriftSamples, DeliveredMin: p.Rung.Delivered,
		FleetRates: p.FleetRates, Params: map[string]float64{},
	}
	if c := p.StepGates.Contention; c != nil {
		out.LoadCoverage = c.Coverage
	}
	if p.Gates.ProbeP95 > 0 {
		out.ProbeP99, out.ProbePercentile = ms(p.Gates.ProbeP95), 95
		out.DrainMax = time.Duration(p.Gates.Drain * float64(time.Second))
	}
	if p.Acceptance.Endpoints > 0 {
		out.Targets = []float64{p.Acceptance.Endpoints}
	}
	for name, v := range map[string]float64{"freeze.worst": p.Freeze.Worst / 1000, "freeze.slow": p.Freeze.Slow / 1000, "freeze.share": p.Freeze.Share} {
		if v > 0 {
			out.Params[name] = v
		}
	}
	return out
}

// reconcile pairs the columns of the counts with claims: rows with the events
// that were sent, any other with the generator's counter of that name. Runs
// whose generator counts nothing itself claim the events of their samples.
func (m *refManifest) reconcile(t *testing.T, dir string, r refRun) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, a := range r.Artifacts {
		switch a.Kind {
		case "db-count-before", "db-count-after":
			for _, column := range header(dir, a) {
				out[column] = column + "_sent"
				if column == "rows" {
					out[column] = "events_sent"
				}
				if column == "rows" && r.Role == "denominator" { // nobody but its samples counts them
					out[column] = "events"
				}
			}
		case "kafka-offsets-before", "kafka-offsets-after":
			out["kafka.end_offsets"] = "events"
		case "counts-before", "counts-after":
			if slices.Contains(header(dir, a), "events") {
				out["events"] = "events"
			}
		}
	}
	return out
}

// header returns the columns of a count file but its stamp.
func header(dir string, a refArtifact) []string {
	b, err := os.ReadFile(filepath.Join(dir, a.Path))
	if err != nil {
		return nil
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(line), ","), func(c string) bool { return c == "sampled_at" })
}

// truth is the answer sheet of a set.
type truth struct {
	Values []struct {
		ID          string
		Value       json.RawMessage
		Unit        string
		Tol         struct{ Abs, Rel *float64 }
		Informative bool
		Alternative string
		Decimal     bool
		From        []string
	}
	Verdicts []struct {
		ID, Verdict, Why string
		From             []string
	}
}
