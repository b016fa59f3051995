package detect

import (
	"fmt"
	"slices"
	"time"
)

// A Detector looks for one kind of trouble in a run.
type Detector struct {
	Name    string   // "freeze": flag, JSON word and page anchor; lower case, for life
	Version int      // raised when its findings may change
	Doc     string   // first line is the title; then what it sees and what it cannot see
	Params  []Param  // with defaults; overridable, and written into every result
	Needs   []string // evidence: "samples", "points", "activity", "markers"
	Metrics []string // of the points it reads (docs/format/metrics.md)
	Run     func(*Pass) error

	// Definition is the YAML text of a detector that is written in the language
	// of package rule, "" for one that is written in Go.
	Definition string
}

// Metrics returns the metrics of points that the detectors, and the causes that
// findings are put down to, read.
func Metrics(ds []*Detector) []string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Metrics...)
	}
	for _, c := range Causes {
		out = append(out, c.metrics()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Param is a parameter of a detector.
type Param struct {
	Name    string  // "worst"
	Default float64 // in Unit
	Unit    string  // SI base: "s", "1"
	Doc     string
}

// All lists the detectors in page order.
var All = []*Detector{
	freeze, slowWindow, completionGap, drift, warmUp, changePoint,
	builtin("error-burst"), builtin("throughput-dip"), builtin("idle-replica"),
	generatorStall, generatorSaturated, samplerGap, clockStep,
	builtin("contended-host"), builtin("cpu-steal"), builtin("disk-limit"), ramCliff,
	builtin("lock-convoy"), builtin("checkpoint-pressure"), vacuumStorm, walPool, builtin("temp-file-spill"),
	builtin("replication-lag"), builtin("queue-not-draining"), saturatedPrune, builtin("unbounded-growth"),
}

// Pass is everything that a Detector may see and do.
type Pass struct {
	Detector *Detector
	// Requests are those of each scenario that start in Window.
	Requests []*Requests
	// Window is the measured window; its start anchors the grids of the
	// published rules.
	Window Span
	// Step is the name of the step that Window is, "" for the whole run.
	Step string
	// Evidence is what was recorded beside the requests.
	Evidence *Evidence

	params   map[string]float64
	Findings []Finding
	Measures []Measure
	Looks    []Look
}

// Measure is a figure that a detector computed: analyze makes a quantity of it.
type Measure struct {
	ID       string
	Scope    Scope
	Value    float64
	Unit     string
	N        int64
	Interval []float64 // [low, high] or nil
	Method   string
	Details  map[string]any // lists behind the value, for its provenance
	Warnings []string
}

// Look says whether a detector could look at a scope.
type Look struct {
	Scope Scope
	Could bool
	Why   string // when it could not
}

// Param returns the value of the named parameter, in its unit.
func (p *Pass) Param(name string) float64 {
	if v, ok := p.params[p.Detector.Name+"."+name]; ok {
		return v
	}
	for _, q := range p.Detector.Params {
		if q.Name == name {
			return q.Default
		}
	}
	panic("detect: " + p.Detector.Name + " has no parameter " + name) // a fault of the detector's author, found by its first test
}

// ParamNS returns a parameter in seconds as nanoseconds.
func (p *Pass) ParamNS(name string) int64 {
	return int64(p.Param(name)*float64(time.Second) + 0.5)
}

// Params returns every parameter with the value used.
func (p *Pass) Params() map[string]float64 {
	out := map[string]float64{}
	for _, q := range p.Detector.Params {
		out[q.Name] = p.Param(q.Name)
	}
	return out
}

// Scope returns the scope of a scenario in this pass.
func (p *Pass) Scope(scenario string) Scope {
	return Scope{Scenario: scenario, Step: p.Step}
}

// Looked records that the scope was examined.
func (p *Pass) Looked(s Scope) { p.Looks = append(p.Looks, Look{Scope: s, Could: true}) }

// CouldNotLook records that the evidence for the scope is missing, and why.
func (p *Pass) CouldNotLook(s Scope, format string, args ...any) {
	p.Looks = append(p.Looks, Look{Scope: s, Why: fmt.Sprintf(format, args...)})
}

// Report records a finding between two instants.
func (p *Pass) Report(s Scope, severity Severity, at Span, measures map[string]float64, format string, args ...any) {
	p.Findings = append(p.Findings, Finding{
		Detector: p.Detector.Name, Version: p.Detector.Version, Severity: severity,
		Start: Instant(at.Start), End: Instant(at.End), Scope: s, Measures: measures,
		Message: fmt.Sprintf(format, args...),
	})
}

// Measure records a figure.
func (p *Pass) Measure(m Measure) { p.Measures = append(p.Measures, m) }

// Instant writes ns since the Unix epoch as RFC 3339 in UTC, to the microsecond.
func Instant(ns int64) string {
	return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000000Z")
}

// Apply runs a detector over a pass. Params override its defaults, by
// "detector.param"; one of another detector is ignored.
func (d *Detector) Apply(p Pass, params map[string]float64) (*Pass, error) {
	p.Detector, p.params = d, params
	p.Findings, p.Measures, p.Looks = nil, nil, nil
	if err := d.Run(&p); err != nil {
		return nil, fmt.Errorf("detector %s: %w", d.Name, err)
	}
	return &p, nil
}

// Named returns the detector of that name, or nil.
func Named(name string) *Detector {
	for _, d := range All {
		if d.Name == name {
			return d
		}
	}
	return nil
}
