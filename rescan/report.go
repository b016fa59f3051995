package rescan

import (
	"headroom/analyze"
	"headroom/detect"
	"headroom/runs"
)

// Schema is the schema of `rescan --json`.
const Schema = "headroom.rescan/1"

// Outcome says what a scan came to.
type Outcome string

// The outcomes. A proven change outranks what could not be looked at.
const (
	Unchanged    Outcome = "unchanged"
	Changed      Outcome = "changed"
	CouldNotLook Outcome = "could not look"
)

// Report is what a scan of an archive says. The same archive, detectors and
// documents give the same report, whatever was cached.
type Report struct {
	Schema    string           `json:"schema"`
	Outcome   Outcome          `json:"outcome"`
	Detectors []Detector       `json:"detectors"`
	Only      []string         `json:"only,omitempty"` // detectors whose findings are compared; none: all
	Baseline  string           `json:"baseline"`       // "documents", "previous scan" or "none"
	Runs      []RunReport      `json:"runs"`           // in order of path
	Documents []DocumentReport `json:"documents"`      // in the order given
	Notes     []string         `json:"notes"`
	Statement string           `json:"statement"`
}

// Detector names a detector that looked.
type Detector struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Own     bool   `json:"own,omitempty"` // read from a file
}

// RunReport is one run of the archive.
type RunReport struct {
	Path      string     `json:"path"` // from the archive's folder
	ID        string     `json:"id,omitempty"`
	Digest    string     `json:"digest,omitempty"`
	State     runs.State `json:"state,omitempty"`
	Withdrawn string     `json:"withdrawn,omitempty"` // when and why
	Error     string     `json:"error,omitempty"`     // why it could not be looked at
	Findings  int        `json:"findings"`            // of the detectors compared, now
	// Blind is where a detector that was asked for by name could not look.
	Blind   []Blind      `json:"could_not_look,omitempty"`
	Against []Comparison `json:"against"` // the documents that used the run, or the scan before
}

// DocumentReport is a document that was published.
type DocumentReport struct {
	Path       string        `json:"path"`
	Title      string        `json:"title,omitempty"`
	Error      string        `json:"error,omitempty"` // why it could not be looked at
	Outcome    Outcome       `json:"outcome"`
	Rules      string        `json:"rules,omitempty"` // "recorded", "not recorded" or "of a study"
	Runs       []DocumentRun `json:"runs"`
	Own        Comparison    `json:"document"` // its own quantities, verdicts and sentences
	Quantities Tally         `json:"quantities"`
	Verdicts   Tally         `json:"verdicts"`
	Sentences  Tally         `json:"sentences"`
	Findings   FindingTally  `json:"findings"`
	// Statement is the paragraph for the page; its numbers are those above.
	Statement string `json:"statement"`
}

// DocumentRun is a run that a document used.
type DocumentRun struct {
	ID        string     `json:"id"`
	Digest    string     `json:"digest"`
	Path      string     `json:"path,omitempty"` // in the archive; "": it is missing there
	State     runs.State `json:"state,omitempty"`
	Withdrawn string     `json:"withdrawn,omitempty"`
	Error     string     `json:"error,omitempty"`
}

// Tally counts what was published by what became of it.
type Tally struct {
	Unchanged    int `json:"unchanged"`
	Changed      int `json:"changed"`
	CouldNotLook int `json:"could_not_look"`
}

// Of is how many were published.
func (t Tally) Of() int { return t.Unchanged + t.Changed + t.CouldNotLook }

// FindingTally counts findings.
type FindingTally struct {
	Unchanged    int `json:"unchanged"`
	New          int `json:"new"`
	Gone         int `json:"gone"`
	Changed      int `json:"changed"`
	CouldNotLook int `json:"could_not_look"` // published ones whose detector could not look again
}

// OfStudy is why the verdicts of a document that a study made, and those of each of
// its runs, are not judged again.
const OfStudy = "the document was made by a study, whose file makes it again (headroom report check)"

// Comparison is what something says now beside what it said.
type Comparison struct {
	Baseline string `json:"baseline"`          // path of the document, or "previous scan"
	Differs  string `json:"differs,omitempty"` // in what the previous scan was made otherwise
	// Withdrawn: the run was withdrawn since. What counted on it is known to be stale,
	// though none of its figures can be looked at.
	Withdrawn  bool     `json:"withdrawn_since,omitempty"`
	Findings   Findings `json:"findings"`
	Quantities Changes  `json:"quantities"`
	Verdicts   Changes  `json:"verdicts"`
	Sentences  Changes  `json:"sentences"`
}

// Findings compares findings: one is the same, though changed, as the first of
// its detector and scope that it overlaps in time.
type Findings struct {
	Unchanged int              `json:"unchanged"`
	New       []detect.Finding `json:"new"`
	Gone      []detect.Finding `json:"gone"`
	Changed   []ChangedFinding `json:"changed"`
	Blind     []Blind          `json:"could_not_look"` // where a detector could look, and cannot now
}

// ChangedFinding is a finding that has other limits, measures, severity or cause.
type ChangedFinding struct {
	Old detect.Finding `json:"old"`
	New detect.Finding `json:"new"`
}

// Blind is a scope at which a detector could not look.
type Blind struct {
	Detector string       `json:"detector"`
	Scope    detect.Scope `json:"scope"`
	Why      string       `json:"why"`
	Had      int          `json:"had"` // findings there before
}

// Changes compares named values.
type Changes struct {
	Unchanged    int      `json:"unchanged"`
	New          int      `json:"new"` // there now, and not before: no page prints them
	Changed      []Change `json:"changed"`
	CouldNotLook []Change `json:"could_not_look"`
}

// Change is one value, as it was and as it is.
type Change struct {
	ID    string       `json:"id"` // of a quantity, gate or sentence
	Scope detect.Scope `json:"scope"`
	Old   string       `json:"old"`
	New   string       `json:"new,omitempty"`
	Why   string       `json:"why,omitempty"` // why it could not be looked at
}

func (c *Changes) tally() Tally {
	return Tally{c.Unchanged, len(c.Changed), len(c.CouldNotLook)}
}

func (t *Tally) add(o Tally) {
	t.Unchanged, t.Changed, t.CouldNotLook = t.Unchanged+o.Unchanged, t.Changed+o.Changed, t.CouldNotLook+o.CouldNotLook
}

func (f *Findings) tally() FindingTally {
	t := FindingTally{Unchanged: f.Unchanged, New: len(f.New), Gone: len(f.Gone), Changed: len(f.Changed)}
	for _, b := range f.Blind {
		t.CouldNotLook += b.Had
	}
	return t
}

func (t *FindingTally) add(o FindingTally) {
	t.Unchanged, t.New, t.Gone = t.Unchanged+o.Unchanged, t.New+o.New, t.Gone+o.Gone
	t.Changed, t.CouldNotLook = t.Changed+o.Changed, t.CouldNotLook+o.CouldNotLook
}

// outcome of a comparison by itself.
func (c *Comparison) outcome() Outcome {
	f := &c.Findings
	switch {
	case c.Withdrawn:
		return Changed
	case len(f.New)+len(f.Gone)+len(f.Changed)+len(c.Quantities.Changed)+len(c.Verdicts.Changed)+len(c.Sentences.Changed) > 0:
		return Changed
	case len(f.Blind)+len(c.Quantities.CouldNotLook)+len(c.Verdicts.CouldNotLook)+len(c.Sentences.CouldNotLook) > 0:
		return CouldNotLook
	}
	return Unchanged
}

// worst combines outcomes.
func worst(a, b Outcome) Outcome {
	switch {
	case a == Changed || b == Changed:
		return Changed
	case a == CouldNotLook || b == CouldNotLook:
		return CouldNotLook
	}
	return Unchanged
}

// newComparison is one of nothing.
func newComparison(baseline string) Comparison {
	none := func() Changes { return Changes{Changed: []Change{}, CouldNotLook: []Change{}} }
	return Comparison{
		Baseline: baseline, Quantities: none(), Verdicts: none(), Sentences: none(),
		Findings: Findings{New: []detect.Finding{}, Gone: []detect.Finding{}, Changed: []ChangedFinding{}, Blind: []Blind{}},
	}
}

// detectorsOf lists the detectors that a protocol looks with.
func detectorsOf(p analyze.Protocol) []Detector {
	var out []Detector
	for _, d := range detect.All {
		out = append(out, Detector{Name: d.Name, Version: d.Version})
	}
	for _, d := range p.Detectors {
		out = append(out, Detector{Name: d.Name, Version: d.Version, Own: true})
	}
	return out
}
