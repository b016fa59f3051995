package runs

// Version is the number of the run format that this package writes. Older
// versions stay readable for ever.
const Version = 1

// State says whether a run is whole.
type State string

// The states of a run.
const (
	Recording State = "recording" // being written; never found under its final name
	Sealed    State = "sealed"    // complete: every digest is in SHA256SUMS
	Partial   State = "partial"   // recovered after the writer died; said wherever it is used
)

// LoadModel says what paces the load.
type LoadModel string

// The load models.
const (
	OpenLoop    LoadModel = "open"    // arrivals on a schedule, whatever the server does
	ClosedLoop  LoadModel = "closed"  // workers wait for each reply; a figure is a ceiling
	UnknownLoop LoadModel = "unknown" // not said, and not to be told from the samples
)

// Manifest is run.json: everything about a run that is not a row of a table.
// It never holds a password, a token or a full connection string.
type Manifest struct {
	Schema int    `json:"schema"` // Version
	ID     string `json:"id"`
	State  State  `json:"state"`

	Labels map[string]string `json:"labels,omitempty"` // system=…, arm=…, repeat=…
	System System            `json:"system,omitzero"`
	Host   Host              `json:"host,omitzero"`
	Load   Load              `json:"load,omitzero"`

	First  string  `json:"first,omitempty"`  // first start of a sample, RFC 3339 with microseconds, UTC
	Last   string  `json:"last,omitempty"`   // last end of a sample
	Window *Window `json:"window,omitempty"` // the declared measured window; nil if none was declared
	Steps  []Step  `json:"steps,omitempty"`

	Claims map[string]string `json:"claims,omitempty"` // what the generator says it did: "events_sent" → decimal text
	Before *Counts           `json:"before,omitempty"` // counts taken from the system before the load
	After  *Counts           `json:"after,omitempty"`  // and after it
	// Reconcile pairs a count column with the claim it must equal: "rows" → "events_sent".
	Reconcile map[string]string `json:"reconcile,omitempty"`
	// EventsClaim names the claim that counts events, when one was declared.
	EventsClaim string `json:"events_claim,omitempty"`

	Thresholds []Threshold       `json:"thresholds,omitempty"`  // the generator's own
	ExitStatus *int              `json:"exit_status,omitempty"` // of the generator; nil if not recorded
	Settings   map[string]string `json:"settings,omitempty"`    // of the database

	// Environment is what changes the worth of a figure, of the host: "virtualisation", "cpu governor".
	Environment map[string]string `json:"environment,omitempty"`

	Own          []string      `json:"own,omitempty"` // names of processes that are the system under test or the generator
	Sources      []Source      `json:"sources"`
	NotCollected []Absence     `json:"not_collected,omitempty"`
	Summaries    []Summary     `json:"summaries,omitempty"` // what sources' own summaries say, to be compared
	Snapshots    []SnapshotRef `json:"snapshots,omitempty"` // what the snapshots tables hold, source by source
	Tables       []TableDigest `json:"tables"`
	Notes        []string      `json:"notes,omitempty"`
}

// System names what was measured.
type System struct {
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Changed string `json:"changed,omitempty"` // what changed since the last one, in words
}

// Host is the hardware a run used.
type Host struct {
	Name         string  `json:"name,omitempty"`
	Model        string  `json:"model,omitempty"` // instance type or CPU
	OS           string  `json:"os,omitempty"`
	Kernel       string  `json:"kernel,omitempty"`
	Cores        int     `json:"cores,omitempty"`  // 0 if not recorded
	Memory       int64   `json:"memory,omitempty"` // bytes, 0 if not recorded
	PricePerHour float64 `json:"price_per_hour,omitempty"`
	Currency     string  `json:"currency,omitempty"`
}

// Load says how the load was made.
type Load struct {
	Model       LoadModel `json:"model,omitempty"`
	ModelAs     string    `json:"model_as,omitempty"` // whose loads are of that kind, where neither the file nor who gave it says so: "JMeter's thread groups"
	Tool        string    `json:"tool,omitempty"`
	Version     string    `json:"version,omitempty"`
	Command     string    `json:"command,omitempty"`      // masked
	Rate        float64   `json:"rate,omitempty"`         // offered requests per second; 0 if not declared
	Concurrency int       `json:"concurrency,omitempty"`  // 0 if not declared
	Targets     []string  `json:"targets,omitempty"`      // replicas that were to serve
	ProbeOf     []string  `json:"probes,omitempty"`       // scenarios that are probes: own verdict, never pooled
	Jobs        []string  `json:"jobs,omitempty"`         // scenarios that are jobs of a queue: their wait and processing, no requests of the load
	Basis       string    `json:"basis,omitempty"`        // "response" where the source records when work was due, else "request"
	DropsKnown  bool      `json:"drops_known,omitempty"`  // the source would show a dropped request (k6 metric declared, schedule skipped column)
	LatencyUnit string    `json:"latency_unit,omitempty"` // of the source, for the reader
	// FailuresHidden: the source does not mark failed requests, or leaves some of
	// them out, so that none is no proof of none.
	FailuresHidden bool `json:"failures_hidden,omitempty"`
}

// Window is a half-open interval of time, as RFC 3339 text in UTC.
type Window struct {
	Start    string `json:"start"`
	End      string `json:"end"`
	Declared bool   `json:"declared"`
}

// Step is a labelled interval of a run under one setting. Start and End are
// microseconds since the Unix epoch; both zero mean the whole run.
type Step struct {
	Labels map[string]string `json:"labels"`
	Start  int64             `json:"start_us"`
	End    int64             `json:"end_us"`
}

// Counts is one row of numbers taken from the system itself, as decimal text,
// so that no digit is lost.
type Counts struct {
	Source string            `json:"source"`
	At     string            `json:"at,omitempty"` // RFC 3339, if the source stamped it
	Values map[string]string `json:"values"`
}

// Threshold is a gate that the load generator evaluated itself.
type Threshold struct {
	Metric  string `json:"metric"`
	Expr    string `json:"expr"`
	Crossed bool   `json:"crossed"` // true: the generator says it failed
	Samples int64  `json:"samples"` // of the metric, Missing if not known; 0 makes "not crossed" void
	Source  string `json:"source"`
}

// Source tells where rows came from.
type Source struct {
	File    string `json:"file"` // base name only
	Format  string `json:"format"`
	SHA256  string `json:"sha256"` // of the bytes as given (compressed, if they were)
	Bytes   int64  `json:"bytes"`
	Role    string `json:"role,omitempty"`    // "before", "after", "exit-status"; "" for evidence of the run itself
	Rows    int64  `json:"rows"`              // rows of all tables made from it
	Samples int64  `json:"samples,omitempty"` // rows of samples among them
	// Scenarios are those of its samples, sorted; none are named where there are
	// more than 64.
	Scenarios  []string `json:"scenarios,omitempty"`
	First      string   `json:"first,omitempty"`
	Last       string   `json:"last,omitempty"`
	Resolution int64    `json:"resolution_us,omitempty"`   // of its stamps, microseconds; 0 if not known
	Offset     int64    `json:"clock_offset_us,omitempty"` // added to its stamps to reach the generator's clock
	Zone       string   `json:"zone,omitempty"`            // "explicit offset", "UTC in header", "--timezone Europe/Paris"
	BadLines   int64    `json:"bad_lines,omitempty"`
	Bad        []string `json:"bad,omitempty"` // the first few, as file:line: why
	Cut        bool     `json:"cut,omitempty"` // the file ends inside a record
	Notes      []string `json:"notes,omitempty"`
}

// AbsentSamples is the [Absence.What] of the load generator's samples.
const AbsentSamples = "samples"

// Absence says what was not collected, and why.
type Absence struct {
	What string `json:"what"` // "contention", "reconciliation", "wait samples"
	Why  Why    `json:"why"`
	Note string `json:"note,omitempty"`
}

// Why tells three kinds of absence apart.
type Why string

// The reasons for an absence.
const (
	NotMeasurable Why = "not measurable" // this system or tool cannot show it
	NotAsked      Why = "not collected"  // nobody recorded it
	CollectorDied Why = "collector died" // it was recorded until the collector stopped
)

// Summary is what a source says of itself: its own total, p99 and so on.
type Summary struct {
	Source string             `json:"source"`
	Of     string             `json:"of"`     // scenario, metric or "" for all
	Values map[string]float64 `json:"values"` // "requests", "latency.p99", … in SI base units
	Method string             `json:"method"` // "R-7", "t-digest": why it may differ
}

// SnapshotRef names the rows that one source gave of one view.
type SnapshotRef struct {
	View     string `json:"view"`
	Source   string `json:"source"`          // base name of the file
	Role     string `json:"role,omitempty"`  // "before" or "after" the load; "" for a series taken during it, or if not known
	First    string `json:"first,omitempty"` // RFC 3339 with microseconds, UTC; "" if the rows bear no stamp
	Last     string `json:"last,omitempty"`  //
	Instants int64  `json:"instants"`        // different stamps in a row; 0 if there are none
	Rows     int64  `json:"rows"`            //
}

// TableDigest lists one table of the run.
type TableDigest struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
	Parts int    `json:"parts"`
}
