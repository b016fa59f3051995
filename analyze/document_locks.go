package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
)

// held is what one lock of a study withheld.
type held struct {
	runs []string // names of the runs
	why  []string // what is missing of their evidence
}

// locks are the locks of a study: the gate whose evidence they ask for, the key of
// the study that sets them, and what would open them.
var locks = []struct{ gate, key, record string }{
	{contention.Name, "contention", "record a load average each second, or /proc/stat beside /proc/PID/stat of what is under test, as headroom capture does"},
	{"reconciled", "reconciliation", "count in the system before and after the load (--before, --after) and say which claim a count must equal (--claim, --reconcile)"},
}

// lock withholds the rates of a run that this document may not give: those whose
// contention was not recorded, and those that were not reconciled. Where the lock
// is waived, or only warns, it is said beside the rate.
func (b *builder) lock(m *Measured, c StudyConfiguration) {
	if v := m.Result.verdict("reconciled", detect.Scope{}); v == nil || v.Outcome == Unknown {
		why := "no count was paired with a claim"
		if v != nil && v.Why != "" {
			why = v.Why
		}
		why = "not reconciled: " + strings.TrimPrefix(why, "not reconciled: ")
		b.applyLock(m, c, "reconciled", b.study.Reconciliation, why, func(detect.Scope) bool { return true })
	}
	for i := range m.units {
		u := &m.units[i]
		if u.probe {
			continue
		}
		if cont, _ := m.contentionOf(u.window); !cont.judged() {
			b.applyLock(m, c, contention.Name, b.study.Contention, cont.unjudged(), func(s detect.Scope) bool {
				return s.Scenario == u.scope.Scenario && s.Step == u.scope.Step
			})
		}
	}
}

// applyLock applies one lock to the rates of a run in the scopes that it is about.
func (b *builder) applyLock(m *Measured, c StudyConfiguration, gate string, lock Lock, why string, in func(detect.Scope) bool) {
	reason, waived := c.Waivers[gate]
	for i := range m.Result.Quantities {
		q := &m.Result.Quantities[i]
		if q.ID != "throughput" && q.ID != "throughput.requests" || m.probes[q.Scope.Scenario] || !in(q.Scope) {
			continue
		}
		switch {
		case q.Value == nil && !strings.HasSuffix(q.Why, withoutIt):
			// There is no rate, whatever this document asks for.
		case !waived && lock == Required:
			b.hold(gate, m, why)
			if q.Value != nil {
				*q = withhold(*q, why+withoutIt)
			}
		case q.Value == nil:
			// The other lock has it.
		case waived:
			q.Warnings = append(slices.Clip(q.Warnings), why+" (waived: "+reason+")")
		default:
			q.Warnings = append(slices.Clip(q.Warnings), why)
		}
	}
}

// hold notes what a lock withheld.
func (b *builder) hold(gate string, m *Measured, why string) {
	if b.held == nil {
		b.held = map[string]*held{}
	}
	if b.held[gate] == nil {
		b.held[gate] = &held{}
	}
	h := b.held[gate]
	h.runs, h.why = unique(append(h.runs, m.calledRun())), unique(append(h.why, why))
}

// roleWithheld is the role of the statements that say what a lock withheld.
const roleWithheld = "withheld"

// HowToHave begins the warnings that say which evidence gives the rates that a lock
// withheld, and which line of the study withholds them.
const HowToHave = "To have the rates that are withheld"

// mostHeld is how many runs a statement names.
const mostHeld = 5

// sayHeld states on the first screen what the locks withheld, and below it which
// evidence is missing, and which line of the study is to be changed by whoever wants
// the rates without it.
func (b *builder) sayHeld() {
	for _, l := range locks {
		h := b.held[l.gate]
		if h == nil {
			continue
		}
		file := cmp.Or(b.study.File, "the study")
		line := fmt.Sprintf("The line \"%s: required\" of %s withholds them; \"%s: warn\" there", l.key, file, l.key)
		if !b.declared[l.key] {
			line = fmt.Sprintf("A document of the kind %s withholds them unless its study says otherwise; a line \"%s: warn\" in %s", b.study.Kind, l.key, file)
		}
		b.say(roleWithheld, "withheld", "the rates of %s: %s", listed(h.runs), strings.Join(h.why, "; "))
		b.Warnings = slices.Insert(b.Warnings, 0, fmt.Sprintf("%s (%s; %s), %s. %s gives them with a warning.", HowToHave, listed(h.runs), strings.Join(h.why, "; "), l.record, line))
	}
}

// listed names runs in a sentence, and counts those for which it has no room.
func listed(names []string) string {
	text := strings.Join(names[:min(len(names), mostHeld)], ", ")
	if n := len(names) - mostHeld; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// lockWords states the locks among the rules of the document.
func (b *builder) lockWords() []string {
	var withheld []string
	if b.study.Contention == Required {
		withheld = append(withheld, "whose contention was not recorded")
	}
	if b.study.Reconciliation == Required {
		withheld = append(withheld, "whose counts were not reconciled")
	}
	if len(withheld) == 0 {
		return nil
	}
	return []string{"Rates of runs " + strings.Join(withheld, " or ") + " are withheld, unless a waiver says why not."}
}
