package analyze

import "headroom/detect"

// ResultSchema is the schema of `analyze --json` and `detect --json`.
const ResultSchema = "headroom.result/1"

// Results is the top of `analyze --json`.
type Results struct {
	Schema  string   `json:"schema"`
	Results []Result `json:"results"`
}

// Calibration says whether the built-in cases, whose truth is known, came out as
// they must before the results were made.
type Calibration struct {
	Calibrated bool     `json:"calibrated"`
	Cases      int      `json:"cases"`
	Digest     string   `json:"digest"` // SHA-256 over detectors, causes and cases
	Failed     []string `json:"failed"` // each names the case, what it is and what it must be
}

// Result is all that is known about one run.
type Result struct {
	Run        RunInfo          `json:"run"`
	Steps      []StepInfo       `json:"steps"`
	Quantities []Quantity       `json:"quantities"`
	Verdicts   []Verdict        `json:"verdicts"`
	Findings   []detect.Finding `json:"findings"`
	Looked     []Look           `json:"looked"` // what each detector could see
	Warnings   []string         `json:"warnings"`
	// Uncovered says that the window goes on for long without a request, "" where
	// it does not.
	Uncovered string `json:"uncovered,omitempty"`
	// Miscounted says that the generator's own report counts other requests
	// than the samples are, "" where it does not.
	Miscounted string       `json:"miscounted,omitempty"`
	Absent     []string     `json:"absent,omitempty"` // what was not collected, and why
	Sources    []SourceInfo `json:"sources,omitempty"`
	// Calibration is the certificate of the detectors that looked; nil if none
	// was asked for.
	Calibration *Calibration `json:"calibration,omitempty"`
}

// RunInfo identifies a run.
type RunInfo struct {
	ID       string            `json:"id"`
	Digest   string            `json:"digest"`
	Labels   map[string]string `json:"labels"`
	Start    string            `json:"start"` // of the measured window, RFC 3339, UTC
	End      string            `json:"end"`
	Declared bool              `json:"window_declared"`
	State    string            `json:"state"`
	Load     LoadInfo          `json:"load"`
	Host     string            `json:"host,omitempty"` // "16 cores, Linux 6.18, …" in words
	System   string            `json:"system,omitempty"`
	// Withdrawn says when and why somebody withdrew the run, "" if nobody did.
	Withdrawn string `json:"withdrawn,omitempty"`
}

// LoadInfo says how the load was made.
type LoadInfo struct {
	Tool        string  `json:"tool,omitempty"`
	Model       string  `json:"model"` // open, closed, unknown
	ModelFrom   string  `json:"model_from,omitempty"`
	Rate        float64 `json:"rate,omitempty"`
	Concurrency int     `json:"concurrency,omitempty"`
	Basis       string  `json:"basis"` // response or request
	Command     string  `json:"command,omitempty"`
}

// StepInfo is a labelled interval of a run.
type StepInfo struct {
	Name   string            `json:"name"` // "concurrency=64"
	Labels map[string]string `json:"labels"`
	Start  string            `json:"start"`
	End    string            `json:"end"`
}

// SourceInfo names a file a run was made from.
type SourceInfo struct {
	File   string `json:"file"`
	Format string `json:"format"`
	SHA256 string `json:"sha256"`
	Rows   int64  `json:"rows"`
	Bad    int64  `json:"bad_lines,omitempty"`
	Cut    bool   `json:"cut,omitempty"`
	Zone   string `json:"zone,omitempty"`
	Note   string `json:"note,omitempty"`
}

// Look says whether a detector could look at a scope, and with what.
type Look struct {
	Detector string             `json:"detector"`
	Version  int                `json:"version"`
	Scope    detect.Scope       `json:"scope"`
	Could    bool               `json:"could"`
	Why      string             `json:"why,omitempty"` // when it could not
	Params   map[string]float64 `json:"params,omitempty"`
	Found    int                `json:"found"`
}

// Bound says in which direction a quantity may be wrong. Arithmetic keeps it.
type Bound string

// The bounds.
const (
	NoBound        Bound = ""                // a plain measurement (a latency, a count)
	CapacityBound  Bound = "capacity"        // recorded as undisturbed
	Floor          Bound = "floor"           // the host was contended: at least this
	AtLeast        Bound = "at-least"        // a lower bound by argument
	AtMost         Bound = "at-most"         // an upper bound
	Ceiling        Bound = "ceiling"         // closed loop: never a service level
	ComparisonOnly Bound = "comparison-only" // only ratios within a pair may be quoted
)

// Quantity is the only kind of number a page prints.
type Quantity struct {
	ID       string       `json:"id"` // "latency.p99"
	Scope    detect.Scope `json:"scope"`
	Value    *float64     `json:"value"` // null when withheld
	Unit     string       `json:"unit"`  // SI base: s, B, 1, 1/s, events/s
	N        *int64       `json:"n,omitempty"`
	Bound    Bound        `json:"bound,omitempty"`
	Display  string       `json:"display"`            // with unit; "withheld" when withheld
	Interval []*float64   `json:"interval,omitempty"` // [low, high]; null: unbounded on that side
	Status   string       `json:"status"`             // ok, withheld
	Why      string       `json:"why,omitempty"`      // when withheld
	Warnings []string     `json:"warnings,omitempty"`
	From     From         `json:"from"`
}

// From is the provenance of a quantity.
type From struct {
	Tables []string       `json:"tables,omitempty"`
	Window []string       `json:"window,omitempty"` // [start, end), RFC 3339
	Method string         `json:"method,omitempty"` // "nearest-rank@1"
	Params map[string]any `json:"params,omitempty"` // numbers, strings
}

// Outcome of a gate, a repeat, a configuration or a document.
type Outcome string

// The outcomes. A proven fail outranks unknown, and unknown is never a pass.
const (
	Pass    Outcome = "pass"
	Fail    Outcome = "fail"
	Unknown Outcome = "unknown"
)

// Worst combines outcomes: fail over unknown over pass. None at all is unknown.
func Worst(os ...Outcome) Outcome {
	if len(os) == 0 {
		return Unknown
	}
	w := Pass
	for _, o := range os {
		switch {
		case o == Fail:
			return Fail
		case o != Pass:
			w = Unknown
		}
	}
	return w
}

// Verdict is what a gate said.
type Verdict struct {
	Gate     string       `json:"gate"`
	Scope    detect.Scope `json:"scope"`
	Outcome  Outcome      `json:"outcome"`
	Got      any          `json:"got"`  // number, text, or null if there was nothing to look at
	Want     string       `json:"want"` // "= 0", "≤ 1.25", in words a reader knows
	Display  string       `json:"display,omitempty"`
	Required bool         `json:"required"` // by the protocol; only these decide
	Why      string       `json:"why,omitempty"`
	Waived   string       `json:"waived,omitempty"` // the reason why it does not decide; it is no pass either
}

// Finding is detect's, under the name that readers of a Result use.
type Finding = detect.Finding
