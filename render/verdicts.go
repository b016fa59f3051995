package render

import (
	"slices"
	"strings"

	"headroom/analyze"
)

// allVerdicts returns the verdicts of the document and those of its runs that the
// document does not repeat.
func allVerdicts(c *analyze.Capacity) []analyze.Verdict {
	type key struct{ gate, of, scenario, step, op string }
	keyOf := func(v analyze.Verdict) key {
		of := v.Scope.Run
		if of == "" {
			of = "\x00" + v.Scope.Configuration
		}
		return key{v.Gate, of, v.Scope.Scenario, v.Scope.Step, v.Scope.Op}
	}
	seen := map[key]bool{}
	var out []analyze.Verdict
	for _, v := range c.Verdicts {
		seen[keyOf(v)] = true
		out = append(out, v)
	}
	for _, r := range c.Results {
		for _, v := range ownVerdicts(r) {
			if !seen[keyOf(v)] {
				seen[keyOf(v)] = true
				out = append(out, v)
			}
		}
	}
	return out
}

// ownVerdicts returns the verdicts of a run, each with its name. What was judged
// of the run and, with the same outcome, of the one step that it consists of is
// said of the step only; it is required if either is.
func ownVerdicts(r analyze.Result) (out []analyze.Verdict) {
	whole := map[string]analyze.Verdict{} // of the run, by gate and the rest of the scope
	key := func(v analyze.Verdict) string {
		return scopeText(v.Gate, "\x00"+v.Scope.Scenario, "\x00"+v.Scope.Op, "\x00"+string(outcome(v.Outcome)))
	}
	twice := map[string]bool{}
	if len(r.Steps) == 1 {
		for _, v := range r.Verdicts {
			if v.Scope.Step == "" {
				whole[key(v)] = v
			}
		}
		for _, v := range r.Verdicts {
			_, said := whole[key(v)]
			twice[key(v)] = twice[key(v)] || said && v.Scope.Step == r.Steps[0].Name
		}
	}
	for _, v := range r.Verdicts {
		if twice[key(v)] && v.Scope.Step == "" {
			continue
		}
		if twice[key(v)] {
			v.Required = v.Required || whole[key(v)].Required
		}
		if v.Scope.Run == "" {
			v.Scope.Run = r.Run.ID
		}
		out = append(out, v)
	}
	return out
}

// owner names what a verdict is about: the configuration, and the run by the name
// that a reader knows.
func (p plain) owner(configuration, run string) string {
	if name, ok := p.names[run]; ok {
		run = name
	}
	if configuration != "" && slices.Contains(strings.Split(run, separator), configuration) {
		return run // its name says the configuration
	}
	return scopeText(configuration, run)
}

// step is the step of a scope, unless the name of its run says it.
func (p plain) step(run, step string) string {
	if step != "" && slices.Contains(strings.Split(p.names[run], separator), step) {
		return ""
	}
	return step
}
