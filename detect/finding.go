package detect

import "strings"

// Finding is an interval of a run in which something was wrong.
type Finding struct {
	Detector    string             `json:"detector"`
	Version     int                `json:"version"`
	Start       string             `json:"start"` // RFC 3339, UTC
	End         string             `json:"end"`
	Scope       Scope              `json:"scope"`
	Severity    Severity           `json:"severity"`
	Measures    map[string]float64 `json:"measures,omitempty"`    // SI base units
	Fingerprint Fingerprint        `json:"fingerprint,omitempty"` // of a freeze
	Attribution *Attribution       `json:"attribution,omitempty"`
	Message     string             `json:"message"`
}

// Severity orders findings.
type Severity string

// The severities.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Serious Severity = "serious"
)

// Scope says what a figure or finding is about. Empty fields mean "all of it".
type Scope struct {
	Configuration string `json:"configuration,omitempty"`
	Run           string `json:"run,omitempty"`
	Scenario      string `json:"scenario,omitempty"`
	Step          string `json:"step,omitempty"` // "concurrency=64"
	Op            string `json:"op,omitempty"`
	// Source and Entity say which recorded series: the file it came from, and the
	// device, host or wait that it is about.
	Source string `json:"source,omitempty"`
	Entity string `json:"entity,omitempty"`
}

// Attribution says what a finding is put down to, and how far that carries.
type Attribution struct {
	Status   string   `json:"status"` // attributed, most_likely, candidate, unexplained, not_collected, did_not_replicate
	Cause    string   `json:"cause,omitempty"`
	Evidence []string `json:"evidence,omitempty"`
}

// Words says what the finding is put down to: "most likely: lock".
func (a *Attribution) Words() string {
	status := strings.ReplaceAll(a.Status, "_", " ")
	switch {
	case a.Status == "not_collected":
		return "evidence not collected"
	case a.Cause == "":
		return status
	}
	return status + ": " + a.Cause
}
