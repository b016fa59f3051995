package cli

import (
	"fmt"

	"headroom/analyze"
)

// newGateTable is a table of verdicts without rows.
func newGateTable(heading string) *table {
	return &table{
		head:  []string{heading, "scope", "verdict", "got", "want", "why"},
		note:  "why",
		below: []string{"want", "got"},
	}
}

func addVerdict(t *table, v analyze.Verdict, scope string) {
	got := v.Display
	if got == "" && v.Got != nil {
		got = fmt.Sprint(v.Got)
	}
	t.add(v.Gate, scope, string(v.Outcome), got, v.Want, v.Why)
}

// decidingGates lists the verdicts that make the document's: its own, then those
// of its runs.
func decidingGates(c *analyze.Capacity) *table {
	t := documentGates(c, "gate that decides", true)
	steps := map[string]int{} // how many runs have a step of this name
	for _, r := range c.Results {
		for _, s := range r.Steps {
			steps[s.Name]++
		}
	}
	for _, r := range c.Results {
		names := scopeNamesOf(r)
		names.step = ""
		for _, v := range r.Verdicts {
			if !v.Required {
				continue
			}
			scope := names.text(v.Scope)
			if len(c.Results) > 1 && steps[v.Scope.Step] != 1 { // it does not say which run
				scope = joinWords(r.Run.ID, scope)
			}
			addVerdict(t, v, scope)
		}
	}
	return t
}

// documentGates lists the verdicts on the document as a whole that decide, or
// those that do not.
func documentGates(c *analyze.Capacity, heading string, required bool) *table {
	t := newGateTable(heading)
	for _, v := range c.Verdicts {
		if v.Required == required {
			addVerdict(t, v, joinWords(v.Scope.Run, scopeText(v.Scope)))
		}
	}
	return t
}

// otherGates lists the verdicts of a run that do not decide. Where there are
// steps it is they that are judged, and not their sum as well.
func otherGates(r analyze.Result) *table {
	t := newGateTable("other gate")
	names := scopeNamesOf(r)
	for _, v := range r.Verdicts {
		whole := v.Scope.Scenario != "" && v.Scope.Step == ""
		if !v.Required && !(whole && len(r.Steps) > 0) {
			addVerdict(t, v, names.text(v.Scope))
		}
	}
	return t
}
