package render

import (
	"slices"

	"headroom/analyze"
	"headroom/render/label"
)

// failedGate is a gate that failed in a configuration.
type failedGate struct{ configuration, gate string }

// deciding tells which verdicts the verdict of a document rests on.
type deciding struct {
	passed bool                // the document did: nothing that failed decided
	only   string              // the configuration, where there is one
	open   map[string]bool     // of each configuration: it decides, and did not pass
	byRun  map[string][]string // the open configurations of a run; nil of a run that is in no configuration
	gates  map[string]bool     // configurations of which a gate failed that sums up no others
}

// summed are gates that only sum up others: of the runs of a configuration, of the
// repeats of a rung, of the checks of a scenario.
var summed = []string{"held", "sustained", "complete", "repeat", "rung", "scenario"}

func decidingOf(c *analyze.Capacity) *deciding {
	d := &deciding{
		passed: outcome(c.Outcome) == analyze.Pass, open: map[string]bool{}, byRun: map[string][]string{},
		gates: map[string]bool{},
	}
	for _, k := range c.Configurations {
		open := !k.Aside && outcome(k.Outcome) != analyze.Pass
		d.open[k.Name] = d.open[k.Name] || open
		for _, id := range k.Runs {
			if d.byRun[id] == nil {
				d.byRun[id] = []string{}
			}
			if open {
				d.byRun[id] = append(d.byRun[id], k.Name)
			}
		}
	}
	if len(c.Configurations) == 1 {
		d.only = c.Configurations[0].Name
	}
	for _, v := range allVerdicts(c) {
		if outcome(v.Outcome) == analyze.Fail && d.counts(v) && !slices.Contains(summed, v.Gate) {
			d.gates[d.configuration(v)] = true
		}
	}
	return d
}

// configuration names the configuration whose verdict a gate belongs to; its run,
// where that is in none.
func (d *deciding) configuration(v analyze.Verdict) string {
	_, named := d.open[v.Scope.Configuration]
	switch of := d.byRun[v.Scope.Run]; {
	case named:
		return v.Scope.Configuration
	case len(of) > 0:
		return of[0]
	case v.Scope.Run != "":
		return v.Scope.Run
	case d.only != "":
		return d.only
	}
	return v.Scope.Configuration
}

// counts reports whether a verdict is required, and of a configuration that decides
// and did not pass.
func (d *deciding) counts(v analyze.Verdict) bool {
	if d.passed || !v.Required || v.Waived != "" {
		return false
	}
	if open, named := d.open[v.Scope.Configuration]; named {
		return open
	}
	of, in := d.byRun[v.Scope.Run]
	return !in || len(of) > 0
}

// why says why a verdict is no failure of its own if it is no pass, "" if it is one.
func (d *deciding) why(v analyze.Verdict) string {
	switch {
	case v.Waived != "":
		return "waived (" + label.Clean(v.Waived, lineRoom) + ")"
	case !v.Required:
		return "not required by the protocol"
	case !d.counts(v):
		return "which does not decide the verdict of the document"
	case outcome(v.Outcome) == analyze.Fail && slices.Contains(summed, v.Gate) && d.gates[d.configuration(v)]:
		return "which follows from gates that are failures of their own"
	}
	return ""
}
