package analyze

import (
	"fmt"
	"slices"
	"strings"
)

// lonelyVerdict states the verdict of a run that is no part of a curve or series.
func (d *document) lonelyVerdict(g *group, c *cell, o Outcome, why ...string) {
	lead, text := "not judged", strings.Join(why, "; ")
	switch o {
	case Pass:
		var decided []string
		for _, gate := range Gates {
			if v := c.gate(gate.Name); v != nil && v.Required {
				decided = append(decided, gate.Name)
			}
		}
		lead, text = "passed", d.decidingGates("the gates that this run can answer: "+strings.Join(decided, ", "))
	case Fail:
		lead = "failed"
	}
	d.sayOf(d.named(g), "verdict", lead, "%s%s", text, d.gatesAside([]*cell{c}, nil))
}

// decidingGates says which gates decide: the protocol's own, in its words, unless
// somebody named some.
func (d *document) decidingGates(own string) string {
	if d.protocol.Required == nil {
		return own
	}
	return "the gates that were named, and only these decide: " + strings.Join(d.protocol.Required, ", ")
}

// gatesAside says which gates failed and do not decide, and which of the protocol's
// own could not be judged and do not, because somebody named others; "" if there are
// none. Who reads that a run passed reads what it did not pass beside it.
func (d *document) gatesAside(cells []*cell, own []string) string {
	var said []string
	for _, gate := range Gates {
		var failed, unknown []*Verdict
		for _, c := range cells {
			switch v := c.gate(gate.Name); {
			case v == nil || v.Required: // it was not asked, or it decides
			case v.Outcome == Fail:
				failed = append(failed, v)
			case v.Outcome == Unknown && slices.Contains(own, gate.Name):
				unknown = append(unknown, v)
			}
		}
		if len(failed) > 0 {
			said = append(said, gate.Name+" did not pass"+ofCells(failed, cells))
		}
		if len(unknown) > 0 {
			said = append(said, gate.Name+" could not be judged"+ofCells(unknown, cells))
		}
	}
	if len(said) == 0 {
		return ""
	}
	return ". Without deciding: " + strings.Join(said, "; ")
}

// ofCells says what the gate of one run found, or in how many of several.
func ofCells(vs []*Verdict, cells []*cell) string {
	if len(cells) == 1 {
		return reason(vs[0])
	}
	return fmt.Sprintf(" in %s", NofM{len(vs), len(cells)}.words())
}
