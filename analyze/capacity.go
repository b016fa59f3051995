package analyze

import "headroom/detect"

// CapacitySchema is the schema of capacity.json.
const CapacitySchema = "headroom.capacity/1"

// Capacity is all that a page shows. Render adds ink, no numbers.
type Capacity struct {
	Schema string `json:"schema"`
	// Redacted says that names are masked, see package render/redact.
	Redacted bool   `json:"redacted,omitempty"`
	Title    string `json:"title"`
	// Untitled says that nobody gave the title, and that what it was made of tells
	// one document from another by nothing: the protocol alone where no run names
	// its system; of a study also its system, of which others may be studies too.
	Untitled bool   `json:"untitled,omitempty"`
	Protocol string `json:"protocol"` // sweep, ladder, repeats, soak, pairs, run; "study" where configurations differ in it
	// Rules is the Protocol that was asked for when the document was made, so that
	// the same can be asked again: see [Capacity.Asked].
	Rules map[string]any `json:"rules,omitempty"`
	// Read is how the recorded files were read that the document was made of: the
	// flags that said so, by their names, as they were given. Files stand there by
	// their base names. nil where there were none.
	Read map[string][]string `json:"read,omitempty"`
	// Study is what the document's study declares; nil without one.
	Study *StudyInfo `json:"study,omitempty"`
	// Kind is the template of the page: capacity, under-load, sustained or
	// baseline; "" is the order of package render.
	Kind string `json:"kind,omitempty"`
	// Prose is the author's text, nil if there is none.
	Prose *Prose `json:"prose,omitempty"`
	// Outcome is the document's verdict: that of the gates its protocol requires.
	Outcome Outcome `json:"outcome"`
	// Answer is the first screen, most important sentence first. Text is plain
	// (render escapes it); numbers in it are displays of Quantities.
	Answer         []Sentence       `json:"answer"`
	Configurations []Configuration  `json:"configurations"`
	Quantities     []Quantity       `json:"quantities"` // of the document: sweep.*, fleet.*, series.*
	Verdicts       []Verdict        `json:"verdicts"`
	Findings       []detect.Finding `json:"findings"`
	Tables         []Table          `json:"tables"`
	Figures        []Figure         `json:"figures"`
	Caveats        []string         `json:"does_not_show"` // required: never empty
	Warnings       []string         `json:"warnings"`
	Method         []string         `json:"method"`    // rules and parameters in words
	Reproduce      []string         `json:"reproduce"` // commands from the manifests
	Results        []Result         `json:"results"`
}

// Sentence is one statement of the answer.
type Sentence struct {
	Role string `json:"role"`         // "arms", "sustained", "knee", "fleet", "target", "verdict", "freeze", "contention", "load", "withheld", "withdrawn"
	Lead string `json:"lead"`         // the figure itself, large: "3,385 events/s"
	Text string `json:"text"`         // the rest of the statement with its conditions
	Of   string `json:"of,omitempty"` // the configuration that it speaks of, where there are several
}

// Statement is the text, after the name of the configuration if it has one.
func (s Sentence) Statement() string {
	if s.Of == "" {
		return s.Text
	}
	return s.Of + ": " + s.Text
}

// Configuration is one thing that was measured in several steps or repeats.
type Configuration struct {
	Name     string            `json:"name"`
	Label    string            `json:"label,omitempty"`    // of a study: what a reader calls it
	Protocol string            `json:"protocol,omitempty"` // of a study
	Aside    bool              `json:"aside,omitempty"`    // of a study: it does not decide the document's verdict
	Labels   map[string]string `json:"labels,omitempty"`
	Runs     []string          `json:"runs"`
	Key      string            `json:"key,omitempty"` // the label that varies: "concurrency"
	Outcome  Outcome           `json:"outcome"`
	Passed   int               `json:"passed"` // n of m: repeats that passed
	Of       int               `json:"of"`
	Text     string            `json:"text"` // "4/5", "knee at 128"
}

// Table is a table of the page, finished.
type Table struct {
	ID      string   `json:"id"` // "steps", "glance", "gates", "contention", "waits", "findings", "sources"
	Title   string   `json:"title"`
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
	Notes   []string `json:"notes,omitempty"`
}

// Column is a column of a Table.
type Column struct {
	Name  string `json:"name"`
	Align string `json:"align"` // "left" or "right"
	Doc   string `json:"doc,omitempty"`
}

// Row is a row of a Table. Mark is "" or "sustained", "knee", "fail", "unknown", "pass".
type Row struct {
	Cells []Cell `json:"cells"`
	Mark  string `json:"mark,omitempty"`
}

// Cell is finished text, and where it came from. Text is data, never markup.
type Cell struct {
	Text string        `json:"text"`
	ID   string        `json:"id,omitempty"` // of the quantity shown
	In   *detect.Scope `json:"in,omitempty"` // its scope
	Note string        `json:"note,omitempty"`
}

// Figure holds every plotted point.
type Figure struct {
	ID    string `json:"id"`   // file name: "timeline-1"
	Kind  string `json:"kind"` // "timeline", "sweep", "distribution", "waits"
	Title string `json:"title"`
	Alt   string `json:"alt"` // what is seen, for those who do not see it
	X     Axis   `json:"x"`
	Y     []Axis `json:"y"` // one panel each, top to bottom, on one X axis
	// Panels[i] belongs to Y[i].
	Panels []Panel  `json:"panels"`
	Notes  []string `json:"notes,omitempty"` // counts, what was left out and why
}

// Axis of a figure.
type Axis struct {
	Label string `json:"label"`
	Unit  string `json:"unit"`            // SI base, as quantities: the drawer picks the prefix
	Scale string `json:"scale,omitempty"` // "", "log", "percentile" (x = quantile 0..1, spaced by 1/(1-q)), "category"
	// Start is the instant of x = 0 for a time axis, RFC 3339.
	Start      string   `json:"start,omitempty"`
	Categories []string `json:"categories,omitempty"`
}

// Panel is one plot of a figure.
type Panel struct {
	Series []Series `json:"series"`
	Heat   *Heat    `json:"heat,omitempty"`  // behind the series
	Spans  []Span   `json:"spans,omitempty"` // along X: freezes, steps, checkpoints
	Lines  []HLine  `json:"lines,omitempty"` // limits
}

// Series is a line, a set of dots or bars. X and Y have one length; a gap
// between neighbours larger than Gap (if > 0) is not bridged.
type Series struct {
	Name string    `json:"name"`
	Mark string    `json:"mark"` // "line", "dots", "bars", "steps", "stack" (areas on top of each other, the first lowest)
	Role string    `json:"role"` // "p50", "p99", "max", "throughput", "failed", "wait.lock", "other" …: picks the colour
	X    []float64 `json:"x"`
	Y    []float64 `json:"y"`
	Gap  float64   `json:"gap,omitempty"`
	Text []string  `json:"text,omitempty"` // a label beside each point, if not empty
}

// Span marks an interval of X. X0 == X1 is an instant.
type Span struct {
	X0    float64 `json:"x0"`
	X1    float64 `json:"x1"`
	Kind  string  `json:"kind"` // "freeze", "slow", "gap", "checkpoint", "vacuum", "knee", "step"
	Label string  `json:"label,omitempty"`
}

// HLine is a limit drawn across a panel.
type HLine struct {
	Y     float64 `json:"y"`
	Label string  `json:"label"`
}
