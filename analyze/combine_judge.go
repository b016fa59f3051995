package analyze

import "strings"

// required returns the gates that decide: those asked for, else the protocol's.
func (d *document) required(byProtocol ...string) []string {
	if d.protocol.Required != nil {
		return d.protocol.Required
	}
	return byProtocol
}

// judge combines the required gates of a cell and marks them. A gate that does
// not apply to the cell is unknown only if somebody asked for it.
func (d *document) judge(c *cell, required []string) (Outcome, []string) {
	var outcomes []Outcome
	var why []string
	for _, name := range required {
		v := c.gate(name)
		if v == nil {
			outcomes = append(outcomes, Unknown)
			why = append(why, name+": not measured")
			continue
		}
		v.Required = true
		o := v.Outcome
		if waiver, ok := d.waivers[name]; ok && o != Pass { // never a pass, and no failure any more
			o, v.Waived = Unknown, waiver
			why = append(why, name+" waived: "+waiver)
		} else if o != Pass {
			why = append(why, told(name, o, v))
		}
		outcomes = append(outcomes, o)
	}
	return Worst(outcomes...), why
}

// told says of a gate that did not pass what it found: "failed: 12, want 0".
func told(name string, o Outcome, v *Verdict) string {
	if o == Fail && v.Why == "" && v.Display != "" {
		return name + ": " + v.Display + ", want " + strings.TrimPrefix(v.Want, "= ")
	}
	return name + " " + string(o) + reason(v)
}

func reason(v *Verdict) string {
	switch {
	case v.Why != "":
		return " (" + v.Why + ")"
	case v.Display != "":
		return " (" + v.Display + ", want " + strings.TrimPrefix(v.Want, "= ") + ")"
	}
	return ""
}
