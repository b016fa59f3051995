// Package rule reads detectors that people write: YAML files that say what is
// looked at, in which windows, and when that is a finding. Expressions are typed
// when the file is read, and every error says file, line and column.
//
// It is the only door to github.com/expr-lang/expr.
package rule

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"headroom/internal/yamlfile"
)

// Definition is a detector as its file states it, checked and compiled.
type Definition struct {
	File string // as given to Parse
	Text string // of the file

	Name     string
	Version  int
	Doc      string
	Input    Input
	Metrics  []string          // of points: the first that was recorded is taken
	Every    bool              // of points: every one of Metrics that was recorded is taken
	With     map[string]string // of points: a further name → its metric, the latest value
	Kinds    []string          // of markers: by prefix
	Attr     string            // of markers: the attribute that is the value; "duration"; "" is 1
	Group    string            // of samples: "", "op", "target" or "worker"
	Rows     *Program          // nil keeps every row
	When     *Program
	Length   time.Duration // of the window; 0 with WholeRun false: each row on its own
	WholeRun bool          // one window, the measured one
	Tumbling bool          // windows on a grid from the measured window's start
	Least    int           // fewest rows that a window is judged with
	Count    int           // windows in a row
	Merge    time.Duration // findings closer than this are one
	Severity string        // info, warning, serious
	Params   []Param
	Measures []Measure
	Message  string

	expressions []string // over windows
}

// Uses reports whether an expression over windows has the name in it: what none
// asks for need not be computed.
func (d *Definition) Uses(name string) bool {
	return slices.ContainsFunc(d.expressions, func(text string) bool {
		return slices.Contains(wordForm.FindAllString(text, -1), name)
	})
}

var wordForm = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// Input is what a definition looks at.
type Input string

// The inputs.
const (
	Samples  Input = "samples"
	Points   Input = "points"
	Sessions Input = "sessions"
	Markers  Input = "markers"
)

// Param is a parameter of a definition.
type Param struct {
	Name    string
	Default float64
	Unit    string
	Doc     string
}

// Measure is a figure of a finding: the value of the window that stands out most.
type Measure struct {
	Name  string
	Value *Program
}

// The names that expressions may use, by input: of a window, and of a row.
var (
	seriesVars = Vars{
		"n": 0.0, "first": 0.0, "last": 0.0, "min": 0.0, "max": 0.0, "mean": 0.0, "median": 0.0, "sum": 0.0,
		"growth": 0.0, "slope": 0.0, "rising": 0.0, "drop": 0.0, "at_max": 0.0, "run_median": 0.0, "run_max": 0.0, "run_min": 0.0,
		"seconds": 0.0, "entity": "", "source": "",
	}
	windowVars = map[Input]Vars{
		Points: seriesVars, Markers: seriesVars,
		Samples: {
			"n": 0.0, "failed": 0.0, "rejected": 0.0, "timeouts": 0.0, "dropped": 0.0, "rate": 0.0, "p50": 0.0, "p99": 0.0, "max": 0.0,
			"share": 0.0, "groups": 0.0, "run_rate": 0.0, "run_p50": 0.0, "run_p99": 0.0, "seconds": 0.0, "group": "",
		},
		Sessions: {"sessions": 0.0, "active": 0.0, "waiting": 0.0, "blocked": 0.0, "top": 0.0, "wait": ""},
	}
	rowVars = map[Input]Vars{
		Points:   {"value": 0.0, "entity": "", "source": ""},
		Markers:  {"value": 0.0, "kind": "", "message": "", "severity": ""},
		Samples:  {"latency": 0.0, "op": "", "target": "", "worker": "", "outcome": "", "scenario": ""},
		Sessions: {},
	}
)

// Names returns the names that expressions over windows of an input may use,
// sorted.
func Names(in Input) []string { return slices.Sorted(maps.Keys(windowVars[in])) }

// RowNames returns the names that a definition's rows expression may use, sorted.
func RowNames(in Input) []string { return slices.Sorted(maps.Keys(rowVars[in])) }

// written is the file as people write it.
type written struct {
	Name        string                  `yaml:"name"`
	Version     *int                    `yaml:"version"`
	Doc         string                  `yaml:"doc"`
	Input       string                  `yaml:"input"`
	Metrics     []string                `yaml:"metrics"`
	All         bool                    `yaml:"all"`
	With        map[string]string       `yaml:"with"`
	Kinds       []string                `yaml:"kinds"`
	Attr        string                  `yaml:"attr"`
	Group       string                  `yaml:"group"`
	Rows        string                  `yaml:"rows"`
	Window      writtenWindow           `yaml:"window"`
	When        string                  `yaml:"when"`
	Consecutive *int                    `yaml:"consecutive"`
	Merge       string                  `yaml:"merge"`
	Severity    string                  `yaml:"severity"`
	Params      map[string]writtenParam `yaml:"params"`
	Measures    map[string]string       `yaml:"measures"`
	Message     string                  `yaml:"message"`
}

type writtenWindow struct {
	Length string `yaml:"length"`
	Kind   string `yaml:"kind"` // sliding, tumbling, run, row
	Least  *int   `yaml:"least"`
}

type writtenParam struct {
	Default float64 `yaml:"default"`
	Unit    string  `yaml:"unit"`
	Doc     string  `yaml:"doc"`
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
var varForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// Parse reads the text of the file called name.
func Parse(name string, text []byte) (*Definition, error) {
	doc, err := yamlfile.Parse(name, text)
	if err != nil {
		return nil, err
	}
	var w written
	if err := doc.Decode(&w); err != nil {
		return nil, known(err)
	}
	d := &Definition{
		File: name, Text: string(text), Name: w.Name, Version: orOne(w.Version), Doc: strings.TrimRight(w.Doc, "\n"), Input: Input(w.Input),
		Metrics: w.Metrics, Every: w.All, With: w.With, Kinds: w.Kinds, Attr: w.Attr, Group: w.Group, Severity: w.Severity, Message: w.Message,
		Least: orOne(w.Window.Least), Count: orOne(w.Consecutive),
	}
	r := reader{doc: doc, d: d}
	for _, check := range []func(*written) error{r.words, r.counts, r.window, r.params, r.programs} {
		if err := check(&w); err != nil {
			return nil, err
		}
	}
	return d, nil
}

type reader struct {
	doc *yamlfile.Document
	d   *Definition
}

func (r reader) at(format string, args ...any) func(path ...any) error {
	return func(path ...any) error { return r.doc.Errorf(path, format, args...) }
}

// words checks what names and words there are.
func (r reader) words(w *written) error {
	known := []string{string(Samples), string(Points), string(Sessions), string(Markers)}
	if err := r.missing(w); err != nil {
		return err
	}
	switch {
	case !nameForm.MatchString(w.Name):
		return r.at("name %q: want lower case words joined by -, as %q", w.Name, "slow-checkout")("name")
	case !strings.Contains(w.Doc, "Cannot see"):
		return r.at("doc: say what the detector sees, and in a sentence with %q what it does not", "Cannot see")("doc")
	case windowVars[r.d.Input] == nil:
		return r.at("input %q: want one of %s", w.Input, strings.Join(known, ", "))("input")
	case r.d.Input != Points && len(w.Metrics)+len(w.With) > 0:
		return r.at("metrics and with belong to the input points")("metrics")
	case r.d.Input != Points && r.d.Every:
		return r.at("all belongs to the input points")("all")
	case r.d.Input != Markers && len(w.Kinds) > 0:
		return r.at("kinds belongs to the input markers")("kinds")
	case !slices.Contains([]string{"", "op", "target", "worker"}, w.Group) || w.Group != "" && r.d.Input != Samples:
		return r.at("group %q: want op, target or worker, with the input samples", w.Group)("group")
	}
	if w.Severity == "" {
		r.d.Severity = "warning"
	}
	if !slices.Contains([]string{"info", "warning", "serious"}, r.d.Severity) {
		return r.at("severity %q: want info, warning or serious", w.Severity)("severity")
	}
	return nil
}

// orOne is a whole number, 1 where none is written.
func orOne(n *int) int {
	if n == nil {
		return 1
	}
	return *n
}

// counts checks the whole numbers.
func (r reader) counts(w *written) error {
	for _, c := range []struct {
		n    *int
		path []any
	}{{w.Version, []any{"version"}}, {w.Consecutive, []any{"consecutive"}}, {w.Window.Least, []any{"window", "least"}}} {
		if orOne(c.n) < 1 {
			return r.at("%v is %d: want a whole number from 1 on", c.path[len(c.path)-1], *c.n)(c.path...)
		}
	}
	return nil
}

// The bounds of a duration that a file states. Instants of a run are whole
// microseconds, and sources stamp milliseconds; windows over requests move by
// Tick, and a shorter one would look at a part of them only. No run is as long as
// the longest.
const (
	Tick     = 100 * time.Millisecond
	shortest = time.Millisecond
	longest  = 31 * 24 * time.Hour
)

func (r reader) window(w *written) error {
	var err error
	length := func(text string, least time.Duration, path ...any) time.Duration {
		if text == "" {
			return 0
		}
		v, bad := time.ParseDuration(text)
		switch {
		case err != nil:
		case bad != nil || v < 0:
			err = r.at("%q: want a duration as 10s or 500ms", text)(path...)
		case v != 0 && v < least:
			err = r.at("%q: want %s and more with the input %s", text, least, r.d.Input)(path...)
		case v > longest:
			err = r.at("%q: want 744h (31 days) at most", text)(path...)
		}
		return v
	}
	least := shortest
	if r.d.Input == Samples {
		least = Tick
	}
	r.d.Length = length(w.Window.Length, least, "window", "length")
	r.d.Merge = length(w.Merge, shortest, "merge")
	if err != nil {
		return err
	}
	switch w.Window.Kind {
	case "run":
		r.d.WholeRun = true
	case "tumbling":
		r.d.Tumbling = true
	case "", "sliding", "row":
	default:
		return r.at("kind %q: want sliding, tumbling, run or row", w.Window.Kind)("window", "kind")
	}
	needs := w.Window.Kind == "sliding" || w.Window.Kind == "tumbling" || r.d.Input == Samples && !r.d.WholeRun
	if needs != (r.d.Length > 0) && r.d.Input != Sessions {
		return r.at("window: a sliding or tumbling window has a length, as 10s; one of kind run or row has none")("window")
	}
	if r.d.Input == Sessions && (r.d.Length > 0 || r.d.WholeRun) {
		return r.at("window: each look of the sampler is judged on its own; use consecutive and merge")("window")
	}
	return nil
}

func (r reader) params(w *written) error {
	for _, name := range slices.Sorted(maps.Keys(w.Params)) {
		p := w.Params[name]
		switch {
		case !varForm.MatchString(name):
			return r.at("parameter %q: want a lower case word", name)("params", name)
		case p.Unit == "" || p.Doc == "":
			return r.at("parameter %s: say its unit (1 for a plain number) and what it is (doc)", name)("params", name)
		case base(p.Unit) != "":
			return r.at("unit %q: values are in SI base units: write %s, and the default in it", p.Unit, base(p.Unit))("params", name, "unit")
		case math.IsNaN(p.Default) || math.IsInf(p.Default, 0):
			return r.at("default %v: want a finite number", p.Default)("params", name, "default")
		case windowVars[r.d.Input][name] != nil:
			return r.at("parameter %s: the name is taken: it is a value of each window", name)("params", name)
		}
		r.d.Params = append(r.d.Params, Param{name, p.Default, p.Unit, p.Doc})
	}
	for _, name := range slices.Sorted(maps.Keys(w.With)) {
		if !varForm.MatchString(name) || windowVars[r.d.Input][name] != nil {
			return r.at("with: %q: want a lower case word that is no value of a window", name)("with", name)
		}
	}
	return nil
}

// programs compiles the expressions.
func (r reader) programs(w *written) (err error) {
	row, window := maps.Clone(rowVars[r.d.Input]), maps.Clone(windowVars[r.d.Input])
	for _, p := range r.d.Params {
		row[p.Name], window[p.Name] = p.Default, p.Default
	}
	for name := range r.d.With {
		window[name] = 0.0
	}
	of := maps.Clone(units[r.d.Input])
	for _, p := range r.d.Params {
		of[p.Name] = p.Unit
	}
	if w.Rows != "" {
		if r.d.Rows, err = Condition(w.Rows, row); err == nil {
			err = checkUnits(r.d.Rows, of)
		}
		if err != nil {
			return r.inside(err, w.Rows, row, "rows")
		}
		r.d.Rows.place = r.placed(w.Rows, "rows")
	}
	if r.d.When, err = Condition(w.When, window); err == nil {
		err = checkUnits(r.d.When, of)
	}
	if err != nil {
		return r.inside(err, w.When, window, "when")
	}
	r.d.When.place = r.placed(w.When, "when")
	r.d.expressions = []string{w.When}
	for _, name := range slices.Sorted(maps.Keys(w.Measures)) {
		text := w.Measures[name]
		r.d.expressions = append(r.d.expressions, text)
		p, err := Number(text, window)
		if err != nil {
			return r.inside(err, text, window, "measures", name)
		}
		p.place = r.placed(text, "measures", name)
		r.d.Measures = append(r.d.Measures, Measure{name, p})
	}
	return nil
}

// placed gives an error of an expression that is being evaluated its place.
func (r reader) placed(text string, path ...any) func(error) error {
	return func(err error) error { return r.inside(err, text, nil, path...) }
}

// inside moves an error within an expression to its place in the file, when the
// expression stands on one line.
func (r reader) inside(err error, text string, vars Vars, path ...any) error {
	out := r.at("%s", err)(path...)
	var in *PlaceError
	var at *yamlfile.Error
	if !errors.As(err, &in) || !errors.As(out, &at) {
		return out
	}
	at.Msg = in.Msg
	if strings.Contains(in.Msg, "unknown name") {
		at.Msg = fmt.Sprintf("%s; the names are %s", in.Msg, strings.Join(slices.Sorted(maps.Keys(vars)), ", "))
	}
	if before, _, found := strings.Cut(at.Source, text); found && !strings.Contains(text, "\n") {
		at.Column = len([]rune(before)) + 1 + in.Column
	}
	return at
}
