package analyze

import (
	"fmt"
	"slices"
	"strings"
)

// repeatAnswer states what repeats sustained; where none passed, which gates they
// failed, and no figure.
func (d *document) repeatAnswer(g *group, s Repeats, passing []*cell, outcomes []Outcome, why []string) {
	if len(passing) == 0 {
		d.sayOf(d.named(g), "verdict", "no repeat passed", "%s; no figure is given", d.failedGates(g, s))
		return
	}
	if sum, ok := s.Over["throughput"]; ok {
		d.sayOf(d.named(g), "sustained", d.rate(sum.Median), "median of the passing repeats; %s", passing[0].conditions())
	}
	gates, aside := d.decidingGates("every gate"), d.gatesAside(g.cells, repeatGates)
	text := "every repeat passed " + gates
	if s.Outcome != Pass {
		var bad []Outcome
		var said []string
		for i, o := range outcomes {
			if o != Pass {
				bad, said = append(bad, o), append(said, fmt.Sprintf("repeat %d: %s", i+1, o))
			}
		}
		text = "repeats passed " + gates + "; " + strings.Join(said, ", ")
		if len(why) > 0 { // the others' reasons stand in the table
			failed := max(slices.Index(bad, Fail), 0) // one that failed says more than one that nobody could judge
			text += "; " + why[failed]
		}
	}
	d.sayOf(d.named(g), "verdict", s.String(), "%s%s", text, aside)
	passed := "passing repeats"
	if s.Passed < s.Of {
		passed = fmt.Sprintf("%d of %d repeats that passed", s.Passed, s.Of)
	}
	if p99, ok := s.Over["latency.p99"]; ok {
		d.sayOf(d.named(g), "latency", "p99 "+Display(p99.Median, "s"), "median of the %s (%s to %s); worst ten seconds of any of them %s",
			passed, Display(p99.Min, "s"), Display(p99.Max, "s"), worstOf(s, "windows.worst_p99"))
	}
	d.fleetAnswer(g)
}

// failedGates says of repeats none of which passed which gates failed, and in how
// many of them; then those that nobody could judge.
func (d *document) failedGates(g *group, s Repeats) string {
	var said []string
	for _, x := range []struct {
		outcome Outcome
		words   string
	}{{Fail, "failed"}, {Unknown, "could not be judged"}} {
		for _, name := range d.required(repeatGates...) {
			n, first := 0, ""
			for _, c := range g.cells {
				v := c.gate(name)
				o := outcomeOf(v)
				if _, waived := d.waivers[name]; waived && o == Fail {
					o = Unknown
				}
				if o == x.outcome {
					if n++; first == "" && v != nil {
						first = reason(v)
					}
				}
			}
			if n > 0 {
				said = append(said, fmt.Sprintf("gate %s %s in %s%s", name, x.words, NofM{n, s.Of}.words(), first))
			}
		}
	}
	return s.String() + ": " + strings.Join(said, "; ")
}

// outcomeOf is the outcome of a verdict, unknown where there is none.
func outcomeOf(v *Verdict) Outcome {
	if v == nil {
		return Unknown
	}
	return v.Outcome
}

func worstOf(s Repeats, id string) string {
	if sum, ok := s.Over[id]; ok {
		return Display(sum.Max, "s")
	}
	return "not known"
}
