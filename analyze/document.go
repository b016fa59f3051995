package analyze

import (
	"fmt"
	"slices"

	"headroom/detect"
)

// Study says which configurations make one document, and by which rules.
// Package analyze/study reads one from a file.
type Study struct {
	File  string // base name of the file it was read from
	Title string
	Kind  string // one of Kinds; "" takes that of the protocols, see KindOf
	// Contention and Reconciliation are locks: Required withholds the rates of a
	// run whose contention was not recorded, or whose counts were not reconciled;
	// Warn says so beside them. "" is Required for a document of the kind
	// capacity or sustained, else Warn.
	Contention, Reconciliation Lock
	Configurations             []StudyConfiguration
	Comparisons                []StudyComparison
	Arms                       []StudyArms
	Denominators               []StudyDenominator
	Host                       StudyHost
	Constants                  map[string]Constant
	History                    []Superseded
	First                      StudyFirst
	Again                      []string     // commands that take the measurement again
	Rescan                     *StudyRescan // what a later scan of the archive said; nil if there was none
	Uncovered                  []string     // what is not covered, in the author's words
	Prose                      *Prose       // the author's text; nil if there is none
}

// Kinds are the kinds of documents.
var Kinds = []string{"capacity", "under-load", "sustained", "baseline"}

// Lock says whether a figure without its conditions is given.
type Lock string

// The locks.
const (
	Required Lock = "required" // withheld
	Warn     Lock = "warn"     // given, with a warning
)

// StudyConfiguration is one thing that was measured: some runs and the rules
// they are judged by.
type StudyConfiguration struct {
	Name     string // part of ids: sweep.NAME.sustained.throughput
	Label    string // what a reader calls it; "" is Name
	Changed  string // what was changed since the one before it, in words
	Protocol Protocol
	// Key is the label whose number varies; "" takes the one that does.
	Key     string
	Waivers map[string]string // gate → why its verdict does not decide
	// Aside: it does not decide the document's verdict.
	Aside bool
	// Headline: its statements stand on the first screen.
	Headline     bool
	SupersededBy string // configuration that took its place, "" if none did
	Superseded   string // why
}

// StudyComparison states by how much one configuration falls short of another.
type StudyComparison struct {
	Name           string // part of ids: compare.NAME.gap
	Faster, Slower string // configurations
}

// StudyArms is a pair of configurations that differ in one thing.
type StudyArms struct {
	Name               string
	Control, Treatment string // configurations
	Tests              string // what the treatment takes away or brings: a cause of freezes by its name, else what may hold the throughput, in words
	Changed            string // what was changed, in words
}

// StudyDenominator says against what a configuration's rate is to be read.
type StudyDenominator struct {
	Name   string
	Of, By string // configurations
	What   string // "the database's own floor"
}

// StudyHost is what no run recorded of the hardware.
type StudyHost struct {
	Text         string  `json:"text,omitempty"`
	Cores        int     `json:"cores,omitempty"`
	PricePerHour float64 `json:"price_per_hour,omitempty"`
	Currency     string  `json:"currency,omitempty"`
}

// Constant is a number that the author declares, to be used in prose.
type Constant struct {
	Value string `json:"value"` // as it is printed: "10 s"
	Doc   string `json:"doc"`   // where it is from
}

// Superseded is a figure that an earlier document gave.
type Superseded struct {
	Figure string  `json:"figure"` // id of the quantity that took its place
	Was    float64 `json:"was"`    // in the unit of that quantity
	At     string  `json:"at,omitempty"`
	Why    string  `json:"why"`
}

// Waived is a gate that does not decide, and why.
type Waived struct {
	Configuration string `json:"configuration"`
	Gate          string `json:"gate"`
	Reason        string `json:"reason"`
}

// StudyInfo is what a study declares, as a page carries it.
type StudyInfo struct {
	File           string              `json:"file"`
	Kind           string              `json:"kind"`
	Contention     Lock                `json:"contention"`
	Reconciliation Lock                `json:"reconciliation"`
	Host           *StudyHost          `json:"host,omitempty"`
	Constants      map[string]Constant `json:"constants,omitempty"`
	History        []Superseded        `json:"history,omitempty"`
	Waivers        []Waived            `json:"waivers,omitempty"`
}

// KindOf returns the kind of a document of such protocols, where none is
// declared: a sweep finds a capacity; a ladder, repeats or a soak show what is
// sustained; benchmarks, ceilings and scenarios are a baseline; the rest are
// runs under load.
func KindOf(protocols []string) string {
	for _, x := range []struct {
		kind string
		of   []string
	}{
		{"capacity", []string{"sweep"}},
		{"sustained", []string{"ladder", "repeats", "soak"}},
		{"baseline", []string{"bench", "ceiling", "scenario"}},
	} {
		if slices.ContainsFunc(x.of, func(p string) bool { return slices.Contains(protocols, p) }) {
			return x.kind
		}
	}
	return "under-load"
}

// settled returns s with its defaults filled in.
func (s Study) settled() Study {
	if s.Kind == "" {
		var protocols []string
		for _, c := range s.Configurations {
			protocols = append(protocols, c.Protocol.Name)
		}
		s.Kind = KindOf(protocols)
	}
	lock := DefaultLock(s.Kind)
	if s.Contention == "" {
		s.Contention = lock
	}
	if s.Reconciliation == "" {
		s.Reconciliation = lock
	}
	return s
}

// DefaultLock returns what a study of a kind of document does with a rate without
// its conditions, unless it says otherwise.
func DefaultLock(kind string) Lock {
	if kind == "capacity" || kind == "sustained" {
		return Required
	}
	return Warn
}

func (s Study) info() *StudyInfo {
	out := &StudyInfo{
		File: s.File, Kind: s.Kind, Contention: s.Contention, Reconciliation: s.Reconciliation,
		Constants: s.Constants, History: s.History,
	}
	if s.Host != (StudyHost{}) {
		out.Host = &s.Host
	}
	for _, c := range s.Configurations {
		for _, g := range Gates {
			if reason, ok := c.Waivers[g.Name]; ok {
				out.Waivers = append(out.Waivers, Waived{c.Name, g.Name, reason})
			}
		}
	}
	return out
}

// prose is the author's text with the constants that it may use.
func (s Study) prose() *Prose {
	if s.Prose == nil {
		return nil
	}
	out := *s.Prose
	out.Constants = map[string]string{}
	for name, c := range s.Constants {
		out.Constants[name] = c.Value
	}
	return &out
}

// label is what a reader calls the configuration.
func (c StudyConfiguration) label() string {
	if c.Label != "" {
		return c.Label
	}
	return c.Name
}

// Document judges the configurations of a study as one document: members holds
// the measured runs of each, in its order. A run may serve several
// configurations. Ids of the document's quantities carry the configuration's
// name after their family.
func Document(s Study, members [][]*Measured) (*Capacity, error) {
	if len(s.Configurations) == 0 || len(members) != len(s.Configurations) {
		return nil, fmt.Errorf("a study needs a configuration, and runs for each")
	}
	declared := map[string]bool{"contention": s.Contention != "", "reconciliation": s.Reconciliation != ""}
	s = s.settled()
	b := &builder{study: s, declared: declared, first: map[string]*Measured{}, turned: map[*cell]turn{}}
	b.document = &document{Capacity: &Capacity{
		Schema: CapacitySchema, Title: s.Title, Kind: s.Kind, Prose: s.prose(), Study: s.info(),
		Answer: []Sentence{}, Configurations: []Configuration{}, Quantities: []Quantity{}, Verdicts: []Verdict{},
		Findings: []detect.Finding{}, Tables: []Table{}, Figures: []Figure{}, Warnings: []string{},
	}, turned: b.turned, several: len(s.Configurations) > 1}
	for i, c := range s.Configurations {
		if err := b.take(c, members[i]); err != nil {
			return nil, &ConfigurationError{i, c.Name, err}
		}
	}
	if err := distinct(b.runs); err != nil {
		return nil, err
	}
	for i := range b.parts {
		if err := b.judgePart(&b.parts[i]); err != nil {
			return nil, &ConfigurationError{i, b.parts[i].Name, err}
		}
	}
	b.closeStudy()
	return b.Capacity, nil
}

// ConfigurationError is an error about one configuration of a study.
type ConfigurationError struct {
	Index int // in Study.Configurations
	Name  string
	Err   error
}

func (e *ConfigurationError) Error() string { return "configuration " + e.Name + ": " + e.Err.Error() }

// Unwrap returns the error without its place.
func (e *ConfigurationError) Unwrap() error { return e.Err }

// builder assembles the document of a study.
type builder struct {
	*document
	study    Study
	declared map[string]bool // keys of locks that the study's author wrote
	parts    []part
	first    map[string]*Measured // by digest: the copy that the page shows
	turned   map[*cell]turn
	held     map[string]*held // what was withheld, by the gate of the lock
}

// part is one configuration with its runs.
type part struct {
	StudyConfiguration
	runs   []*Measured
	groups []group
	result int // index of its first entry in Capacity.Configurations
}

// take copies the runs of a configuration, locks what may not be given, and
// groups their steps. A run that another configuration uses as well is shown
// once, as that one has it.
func (b *builder) take(c StudyConfiguration, ms []*Measured) error {
	if len(ms) == 0 {
		return fmt.Errorf("no run")
	}
	if err := distinct(ms); err != nil {
		return err
	}
	p := part{StudyConfiguration: c}
	for _, m := range ms {
		own := *m
		own.Result.Quantities = slices.Clone(m.Result.Quantities)
		own.Result.Verdicts = slices.Clone(m.Result.Verdicts)
		own.Result.Warnings = slices.Clone(m.Result.Warnings)
		b.lock(&own, c)
		if digest := m.Result.Run.Digest; b.first[digest] == nil {
			b.first[digest] = &own
			b.runs = append(b.runs, &own)
		} else {
			own.timelines = nil
		}
		p.runs = append(p.runs, &own)
	}
	if c.Protocol.Name != "pairs" {
		groups, err := grouped(p.runs, c)
		if err != nil {
			return err
		}
		p.groups = groups
		b.groups = append(b.groups, groups...)
	}
	b.parts = append(b.parts, p)
	return nil
}

// judgePart judges one configuration by its own protocol.
func (b *builder) judgePart(p *part) error {
	d := b.document
	d.fleetAsked, d.asked = p.Protocol.FleetRates != nil, askedGates(p.Protocol)
	d.protocol, d.Protocol = p.Protocol.Defaults(), p.Protocol.Name
	d.waivers = p.Waivers
	p.result = len(d.Configurations)
	before := d.lengths()
	if d.Protocol == "pairs" {
		if err := b.pairsOfPart(p); err != nil {
			return err
		}
	}
	switch d.Protocol {
	case "scenario":
		b.scenariosOf(p)
	case "bench":
		b.benchmarksOf(p)
	case "counts":
		b.countsOf(p)
	}
	for i := range p.groups {
		g := &p.groups[i]
		if d.Protocol == "scenario" || d.Protocol == "bench" {
			continue
		}
		since := len(d.Answer)
		if err := b.judgeGroup(p, g); err != nil {
			return err
		}
		b.queueAnswer(p, g, since)
		if cells := g.steps(); len(cells) > 0 {
			b.turned[cells[0][0]] = d.turning(cells)
		}
	}
	b.hosts(p, before)
	b.costsOf(p, before)
	b.settle(p, before)
	d.waivers = nil
	return nil
}

// judgeGroup judges the steps of a configuration. Protocols that describe single
// runs share one rule.
func (b *builder) judgeGroup(p *part, g *group) error {
	switch p.Protocol.Name {
	case "ceiling", "denominator":
		b.single(g)
		return nil
	case "counts":
		return fmt.Errorf("protocol counts: run %s holds requests, or no snapshot, count or query of its own to compare; name protocol run for it", g.cells[0].m.Result.Run.ID)
	}
	return b.configuration(g)
}

// pairsOfPart finds the pairs among a configuration's runs and judges them.
func (b *builder) pairsOfPart(p *part) error {
	label, pairs, ok := pairsOf(p.runs)
	if !ok {
		return fmt.Errorf("protocol pairs: every run needs a number in its label pair, and each pair one run of either of two arms (--label pair=1 --label arm=before)")
	}
	b.pairs(label, pairs)
	return nil
}

// lengths is how much of the document was written at a moment.
type lengths struct{ answer, configurations, quantities, verdicts, tables, figures, outcomes int }

func (d *document) lengths() lengths {
	return lengths{len(d.Answer), len(d.Configurations), len(d.Quantities), len(d.Verdicts), len(d.Tables), len(d.Figures), len(d.outcomes)}
}
