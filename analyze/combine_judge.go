package analyze

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
			why = append(why, name+" "+string(o)+reason(v))
		}
		outcomes = append(outcomes, o)
	}
	return Worst(outcomes...), why
}

func reason(v *Verdict) string {
	switch {
	case v.Why != "":
		return " (" + v.Why + ")"
	case v.Display != "":
		return " (" + v.Display + ", want " + v.Want + ")"
	}
	return ""
}
