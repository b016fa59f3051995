package detect

// A Detector looks for one kind of trouble in a run.
type Detector struct {
	Name    string   // "freeze": flag, JSON word and page anchor; lower case, for life
	Version int      // raised when its findings may change
	Doc     string   // first line is the title; then what it sees and what it cannot see
	Params  []Param  // with defaults; overridable, and written into every result
	Needs   []string // evidence, as "samples" or "points"
	Run     func(*Pass) error
}

// Param is a parameter of a detector.
type Param struct {
	Name    string  // "worst"
	Default float64 // in Unit
	Unit    string  // SI base: "s", "1"
	Doc     string
}

// Pass is everything that a Detector may see and do.
type Pass struct{}

// All lists the detectors in page order.
var All []*Detector
