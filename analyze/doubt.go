package analyze

import (
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
	"headroom/runs"
)

// doubt is in what way the recording is not what it was meant to be, and which
// figures rest on that part of it.
type doubt struct {
	text  string
	rests func(q *Quantity) bool // nil: the whole run, and no figure more than another
}

// cast warns of each doubt at the figures that rest on it. One that is withheld says
// why already.
func (m *Measured) cast(doubts []doubt) {
	for _, d := range doubts {
		for i := range m.Result.Quantities {
			q := &m.Result.Quantities[i]
			if d.rests != nil && q.Value != nil && d.rests(q) && !slices.Contains(q.Warnings, d.text) {
				q.Warnings = append(q.Warnings, d.text)
			}
		}
	}
}

// onSamples tells the figures of the load's samples: of every scenario but probes.
func (m *Measured) onSamples(q *Quantity) bool {
	return slices.Contains(q.From.Tables, "samples") && !m.probes[q.Scope.Scenario]
}

// beginning tells figures by how their ids begin.
func beginning(prefixes ...string) func(q *Quantity) bool {
	return func(q *Quantity) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(q.ID, p) })
	}
}

// restsOn tells the figures that rest on a source: those of its samples, of its
// series, or of the table that its format gives.
func (m *Measured) restsOn(s runs.Source) func(q *Quantity) bool {
	return func(q *Quantity) bool {
		switch {
		case slices.ContainsFunc(m.manifest.Snapshots, func(r runs.SnapshotRef) bool {
			return r.Source == s.File && slices.Contains(q.From.Tables, "snapshots/"+r.View)
		}):
			return true
		case s.Role != "":
			return false
		case s.Samples > 0:
			return beginning("claimed.")(q) || slices.Contains(q.From.Tables, "samples") && (len(s.Scenarios) == 0 || q.Scope.Scenario == "" || slices.Contains(s.Scenarios, q.Scope.Scenario))
		case isServerLog(s.Format):
			return slices.Contains(q.From.Tables, "markers")
		case q.Scope.Source != "":
			return q.Scope.Source == s.File
		}
		return m.gives(s.File, q.From.Tables)
	}
}

// gives reports whether a source gave rows of one of the tables.
func (m *Measured) gives(file string, tables []string) bool {
	if slices.Contains(tables, "activity") && slices.ContainsFunc(m.evidence.waits, func(a runs.Activity) bool { return a.Source == file }) {
		return true
	}
	if !slices.Contains(tables, "points") || m.beside == nil {
		return false
	}
	return m.beside.Stamps[file] != nil || slices.ContainsFunc(m.beside.Series, func(s detect.Series) bool { return s.Source == file })
}

// sourceDoubts says which files are damaged.
func (m *Measured) sourceDoubts() []doubt {
	var out []doubt
	for _, s := range m.manifest.Sources {
		if s.BadLines > 0 {
			out = append(out, doubt{fmt.Sprintf("%s: %s could not be read", s.File, countText(int(s.BadLines), "line")), m.restsOn(s)})
		}
		if s.Cut {
			out = append(out, doubt{s.File + " is cut: it ends inside a record", m.restsOn(s)})
		}
	}
	return out
}

// partial says which sources say themselves that they lack something.
func (m *Measured) partial() []doubt {
	if m.beside == nil {
		return nil
	}
	var out []doubt
	for i := range m.beside.Series {
		s := &m.beside.Series[i]
		if s.Status != "" && !slices.ContainsFunc(out, func(d doubt) bool { return strings.HasPrefix(d.text, s.Source+" ") }) {
			out = append(out, doubt{fmt.Sprintf("%s is not complete, as it says itself: %s (%s)", s.Source, s.Status, s.Metric), func(q *Quantity) bool {
				return q.Scope.Source == s.Source
			}})
		}
	}
	return out
}

// apart says at the figures that rest on a server's log that its clock is another one:
// nothing in the recording shows by how much the two differ. It is so of every such
// log, and therefore no warning of the run.
func (m *Measured) apart() []doubt {
	var out []doubt
	for _, s := range m.manifest.Sources {
		if isServerLog(s.Format) && s.Offset == 0 {
			out = append(out, doubt{fmt.Sprintf("the clock of the server that wrote %s was not compared with the load's (--clock-offset %s=D)", s.File, s.File), causal})
		}
	}
	return out
}

// doubts says in what way the evidence of the run is not what it was meant to be:
// every figure of the run is to be read with that in mind.
func (m *Measured) doubts() []doubt {
	var out []doubt
	add := func(rests func(*Quantity) bool, text string) {
		if text != "" {
			out = append(out, doubt{text, rests})
		}
	}
	for _, a := range m.manifest.NotCollected {
		if a.Why == runs.CollectorDied {
			add(nil, fmt.Sprintf("%s was to be recorded and is not there: %s", a.What, a.Note))
		}
	}
	for i := range m.units {
		if u := &m.units[i]; u.probe && !u.jobs && u.scope.Step == "" {
			add(func(q *Quantity) bool { return q.Scope.Scenario == u.scope.Scenario }, m.silence(u))
		}
	}
	switch c, _ := m.contentionOf(m.window); {
	case c.Partial:
		add(beginning("contention."), "the load average covers too little of the window")
	case c.Short:
		add(beginning("contention."), whyNoForeign(c))
	}
	for _, text := range append(m.disagreements(), m.Result.Uncovered) {
		add(m.onSamples, text)
	}
	out = append(out, m.otherwise()...)
	add(func(q *Quantity) bool { return slices.Contains(q.From.Tables, "samples") }, m.offEdge())
	if q := m.Result.Quantity("queue.drain", detect.Scope{}); q != nil && q.Value == nil {
		add(beginning("queue."), q.Why)
	}
	return slices.Concat(out, m.contradicted(), m.partial(), m.blanks())
}

// contradicted says which gates on the evidence itself did not pass: what was
// recorded contradicts itself, or is not whole.
func (m *Measured) contradicted() []doubt {
	var out []doubt
	for _, v := range m.Result.Verdicts {
		why := strings.TrimSuffix(strings.TrimPrefix(v.Display+"; "+v.Why, "; "), "; ")
		switch v.Gate {
		case "reconciled", "processed", "stored":
			if v.Outcome == Fail {
				out = append(out, doubt{fmt.Sprintf("%s: %s, want %s: the figures are of other requests than what the system holds", v.Gate, why, v.Want), m.onSamples})
			}
		case "bench-repeats", "isolation":
			if v.Outcome != Pass {
				out = append(out, doubt{fmt.Sprintf("%s is %s: %s", v.Gate, v.Outcome, why), nil}) // those concerned warn themselves
			}
		}
	}
	return out
}

// causal are the figures that say what the database did meanwhile, by its log.
var causal = beginning("vacuum.", "checkpoint.", "score.vacuum.", "score.checkpoint.")

// blanks says which evidence of causes has holes: what freezes are put down to is
// then of what was seen alone.
func (m *Measured) blanks() []doubt {
	if m.beside == nil {
		return nil
	}
	var out []doubt
	for _, kind := range m.protocol.Evidence {
		if text := m.lacks(kind); text != "" {
			text = "evidence " + strings.TrimSuffix(kind, ".") + ": " + text
			out = append(out, doubt{text, func(q *Quantity) bool {
				return beginning("score.")(q) || kind == logEvidence && causal(q)
			}})
		}
	}
	if text := m.silentLog(); text != "" && !slices.Contains(m.protocol.Evidence, logEvidence) {
		out = append(out, doubt{text, func(q *Quantity) bool { return beginning("score.")(q) || causal(q) }})
	}
	return out
}
