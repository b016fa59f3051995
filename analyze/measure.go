package analyze

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"headroom/detect"
	"headroom/runs"
	"headroom/runs/ordered"
)

// Measured is one run, measured: its Result, and what Combine needs to judge
// and draw it.
type Measured struct {
	Result Result

	run        *runs.Run
	manifest   *runs.Manifest
	protocol   Protocol
	window     window
	edges      []edge // what was stamped with the end of the window, and counted in
	model      loadModel
	scenarios  []*detect.Requests // the whole run, by scenario
	probes     map[string]bool    // scenarios that are no load: probes, and the jobs of a queue
	jobs       map[string]bool    // those that are the jobs of a queue
	unrecorded string             // why there is no request of the load, "" if there is
	recording  uint64             // digest of the requests, whatever file they came from
	depth      series             // of the queue, over the whole recording
	benchmarks []*benchmark       // what go test -bench measured
	units      []unit             // the run itself, then its steps
	evidence   evidence
	notes      notes            // what humans wrote of the run
	beside     *detect.Evidence // what detectors read beside the requests
	// comparisons are those behind the attributions of the run's freezes.
	comparisons []detect.Comparison
	curves      map[detect.Scope]curve // latency distributions of units
	timelines   []Figure
	queueing    *Figure                        // of the queue; nil where none is drawn
	drifts      map[detect.Scope]*detect.Drift // comparisons of thirds, by unit; nil where none is possible
	ledger      ledger                         // what was counted of the system beside the requests
}

// unit is the whole window of a run, or one step of it, under one scenario.
type unit struct {
	scope  detect.Scope
	labels map[string]string // of the run and the step
	window window
	all    *detect.Requests // that belong to it, sent
	probe  bool             // no load: a probe, or the jobs of a queue
	jobs   bool             // the jobs of a queue

	curve curve // distribution of the latencies
}

// heldRows is how many bytes of a run's requests are in memory at most; the rest is
// in a temporary file.
const heldRows = 32 << 20

// Measure reads a run and returns its quantities, verdicts and findings.
func Measure(ctx context.Context, run *runs.Run, p Protocol) (*Measured, error) {
	return MeasureIn(ctx, ordered.OfRun(run, heldRows), run, p)
}

// MeasureIn is Measure with the requests of the run in a space, which it closes.
func MeasureIn(ctx context.Context, space *ordered.Space, run *runs.Run, p Protocol) (*Measured, error) {
	m := &Measured{run: run, manifest: run.Manifest(), protocol: p.Defaults()}
	m.notes = readNotes(run)
	defer space.Close()
	scenarios, err := detect.Load(ctx, run, m.manifest.Load.Basis == "response", space)
	if err != nil {
		return nil, err
	}
	if m.benchmarks, err = readBenchmarks(ctx, run); err != nil {
		return nil, err
	}
	if err := m.settle(scenarios); err != nil {
		return nil, err
	}
	if m.evidence, err = readEvidence(ctx, run, m.window); err != nil {
		return nil, err
	}
	if m.depth, err = readDepth(ctx, run); err != nil {
		return nil, err
	}
	if err = m.readCosts(ctx, run); err != nil {
		return nil, err
	}
	if m.beside, err = detect.ReadEvidence(ctx, run, m.window.Span, slices.Concat(detect.Metrics(m.detectors()), levelMetrics, countMetrics, m.protocol.Evidence)); err != nil {
		return nil, err
	}
	if err := m.measure(); err != nil {
		return nil, err
	}
	if err := m.keepPictures(ctx); err != nil {
		return nil, err
	}
	m.release()
	if err := space.Err(); err != nil {
		return nil, fmt.Errorf("run %s: %w", m.manifest.ID, err)
	}
	return m, nil
}

// MeasureMemory measures requests that are in memory, as Measure does those of a
// run: what calibration looks at. A stamp at the end of the window may be moved into it.
func MeasureMemory(manifest *runs.Manifest, scenarios []*detect.Requests, beside *detect.Evidence, p Protocol) (*Result, error) {
	m := &Measured{manifest: manifest, protocol: p.Defaults(), beside: beside}
	if err := m.settle(scenarios); err != nil {
		return nil, err
	}
	if err := m.measure(); err != nil {
		return nil, err
	}
	return &m.Result, nil
}

// settle finds out what the requests are and in which window they are measured.
func (m *Measured) settle(scenarios []*detect.Requests) (err error) {
	m.scenarios = scenarios
	if len(m.scenarios) == 0 && len(m.benchmarks) == 0 { // nothing was sent: every gate on samples is still asked
		m.scenarios = []*detect.Requests{{Scenario: "default"}}
	}
	m.recording = recordingOf(m.scenarios)
	m.probes = probesOf(m.manifest, m.protocol.Probes, m.scenarios)
	m.jobs = jobsOf(m.manifest)
	maps.Copy(m.probes, m.jobs)
	m.unrecorded = m.nothingOf()
	m.model = modelOf(m.manifest, m.scenarios)
	if m.window, err = m.windowOf(); err != nil {
		return err
	}
	m.countEdges()
	if m.window.Len() > int64(longestGuess) && !m.window.declared {
		if why := m.uncovered(); why != "" {
			return fmt.Errorf("run %s: %s", m.manifest.ID, why)
		}
	}
	return nil
}

// longestGuess is the longest window that a run with a hole may have unless
// somebody declares it: every figure second by second would be of seconds that
// were never recorded.
const longestGuess = 7 * 24 * time.Hour

// measure makes the Result of what was read.
func (m *Measured) measure() error {
	m.units = m.split()
	m.Result = Result{
		Run: m.info(), Steps: m.steps(), Sources: sourcesOf(m.manifest), Absent: absences(m.manifest),
		Quantities: []Quantity{}, Verdicts: []Verdict{}, Findings: []detect.Finding{}, Warnings: []string{},
		Calibration: m.protocol.Calibration,
	}
	if err := m.detect(); err != nil {
		return err
	}
	for i := range m.units {
		qs, err := m.requests(&m.units[i])
		if err != nil {
			return err
		}
		m.add(qs...)
	}
	for i := range m.units {
		m.add(m.driftCompanions(&m.units[i])...)
	}
	if !m.benchOnly() || m.window.declared { // benchmarks without a time have no window
		m.add(m.contention()...)
	}
	m.add(m.reconciliation()...)
	m.add(m.waitQuantities()...)
	m.add(m.recordedLevels()...)
	m.add(m.scores()...)
	m.add(m.beneath()...)
	m.add(m.queue()...)
	m.add(m.benchQuantities()...)
	m.add(m.scenarioQuantities()...)
	m.add(m.costs()...)
	for i := range m.units {
		m.judge(&m.units[i])
	}
	if m.benchOnly() {
		m.judgeBenchmarks()
	}
	if m.noLoad() {
		m.onlyCounted()
	}
	m.warn()
	m.withdraw()
	return nil
}

// keepPictures makes what is drawn of single requests, while they are there. Of a
// withdrawn run nothing is drawn.
func (m *Measured) keepPictures(ctx context.Context) error {
	if m.notes.withdrawn != "" {
		return nil
	}
	m.keepCurves()
	m.queueing = m.queueFigure()
	return m.keepTimelines(ctx)
}

// release lets go of the samples: Combine needs what was made of them.
func (m *Measured) release() {
	m.scenarios = nil
	for i := range m.units {
		m.units[i].all = nil
	}
}

func (m *Measured) add(qs ...Quantity) { m.Result.Quantities = append(m.Result.Quantities, qs...) }

// probesOf says which scenarios are probes: those that the run or the protocol
// declares, else those that are named so. A probe gets its own verdict and is never pooled with the load.
func probesOf(m *runs.Manifest, budgets []ProbeBudget, scenarios []*detect.Requests) map[string]bool {
	out := map[string]bool{}
	for _, s := range m.Load.ProbeOf {
		out[s] = true
	}
	for _, b := range budgets {
		if b.Scenario != "" && slices.ContainsFunc(scenarios, func(r *detect.Requests) bool { return r.Scenario == b.Scenario }) {
			out[b.Scenario] = true
		}
	}
	if len(out) > 0 || len(scenarios) < 2 {
		return out
	}
	for _, r := range scenarios {
		if strings.Contains(strings.ToLower(r.Scenario), "probe") {
			out[r.Scenario] = true
		}
	}
	if len(out) == len(scenarios) { // nothing would be left
		return map[string]bool{}
	}
	return out
}

// split makes the units: for each scenario the whole window, then each step.
// With an open loop a sample belongs to where it starts, with a closed loop to
// where it ends.
func (m *Measured) split() []unit {
	var out []unit
	for _, r := range m.scenarios {
		probe := m.probes[r.Scenario]
		span := m.window.Span
		if probe && len(m.jobs) > 0 { // the load has ended when the queue still drains
			span = m.recorded(r)
		}
		out = append(out, unit{
			scope: detect.Scope{Scenario: r.Scenario}, labels: m.labels(nil),
			window: m.window, all: m.belonging(r, span), probe: probe, jobs: m.jobs[r.Scenario],
		})
		for _, s := range m.manifest.Steps {
			w := m.stepWindow(s)
			out = append(out, unit{
				scope: detect.Scope{Scenario: r.Scenario, Step: stepName(s)}, labels: m.labels(s.Labels),
				window: w, all: m.belonging(r, w.Span), probe: probe, jobs: m.jobs[r.Scenario],
			})
		}
	}
	return out
}

func (m *Measured) belonging(r *detect.Requests, s detect.Span) *detect.Requests {
	if m.model.Model == runs.ClosedLoop {
		return r.Ending(s)
	}
	return r.Starting(s)
}

func (m *Measured) labels(step map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, m.manifest.Labels)
	maps.Copy(out, step)
	return out
}

// stepWindow clips a step to the measured window. A step without times is the
// whole run.
func (m *Measured) stepWindow(s runs.Step) window {
	w := m.window
	if s.Start == 0 && s.End == 0 {
		return w
	}
	w.Start = max(s.Start*1000+int64(w.cut), m.window.Start)
	w.End = min(s.End*1000, m.window.End)
	w.End = max(w.End, w.Start)
	w.declared, w.length = true, w.Len()
	return w
}

// stepName writes a step's labels as "concurrency=64", sorted by name.
func stepName(s runs.Step) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(s.Labels)) {
		parts = append(parts, k+"="+s.Labels[k])
	}
	return strings.Join(parts, ",")
}

// detect runs every detector over the run, which gives findings, and over each
// of its steps, which gives the same figures by step.
func (m *Measured) detect() error {
	for i, s := range append([]runs.Step{{}}, m.manifest.Steps...) {
		w := m.stepWindow(s)
		pass := detect.Pass{Window: w.Span, Step: stepName(s), Evidence: m.beside}
		for _, r := range m.scenarios {
			pass.Requests = append(pass.Requests, r.Starting(w.Span))
		}
		for _, d := range m.detectors() {
			if i > 0 && !slices.Contains(d.Needs, "samples") {
				continue
			}
			done, err := d.Apply(pass, m.protocol.Params)
			if err != nil {
				return err
			}
			m.measures(done, w)
			if i == 0 {
				m.findings(done)
			}
		}
		if i == 0 {
			m.comparisons = detect.Attribute(m.Result.Findings, pass.Requests, m.beside, w.Span, m.openLoop())
			m.leaveSlow()
		}
	}
	return nil
}

// detectors are the built-in ones and those that the protocol adds.
func (m *Measured) detectors() []*detect.Detector {
	return append(slices.Clone(detect.All), m.protocol.Detectors...)
}

// findings keeps what a detector found, and whether it could look.
func (m *Measured) findings(done *detect.Pass) {
	m.Result.Findings = append(m.Result.Findings, done.Findings...)
	for _, l := range done.Looks {
		found := 0
		for _, f := range done.Findings {
			if f.Scope == l.Scope {
				found++
			}
		}
		m.Result.Looked = append(m.Result.Looked, Look{
			Detector: done.Detector.Name, Version: done.Detector.Version, Scope: l.Scope,
			Could: l.Could, Why: l.Why, Params: done.Params(), Found: found,
		})
	}
}

// measures makes quantities of what a detector computed.
func (m *Measured) measures(done *detect.Pass, w window) {
	from := len(m.Result.Quantities)
	defer func() { slowNotFrozen(m.Result.Quantities[from:]) }()
	for _, q := range done.Measures {
		params := map[string]any{}
		for k, v := range done.Params() {
			params[k] = v
		}
		maps.Copy(params, q.Details)
		m.add(fromMeasure(q, From{Tables: []string{"samples"}, Window: w.text(), Method: q.Method, Params: params}))
	}
}

func fromMeasure(d detect.Measure, from From) Quantity {
	q := quantity(d.ID, d.Scope, d.Value, d.Unit, d.N, from)
	for _, v := range d.Interval {
		q.Interval = append(q.Interval, &v)
	}
	q.Warnings = append(q.Warnings, d.Warnings...)
	return q
}
