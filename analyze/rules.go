package analyze

import (
	"encoding/json"
	"fmt"
	"maps"
)

// rulesOf writes a Protocol as plain values.
func rulesOf(p Protocol) (map[string]any, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("protocol: %w", err)
	}
	var out map[string]any
	err = json.Unmarshal(text, &out)
	return out, err
}

// Asked returns the Protocol that the document was made by: what was asked for,
// so that a limit nobody gave stands for its default again. ok is false for a
// document that does not say. Detectors of somebody's own and the certificate of
// calibration are no part of it.
func (c *Capacity) Asked() (p Protocol, ok bool, err error) {
	if len(c.Rules) == 0 {
		return Protocol{}, false, nil
	}
	text, err := json.Marshal(c.Rules)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return Protocol{}, false, fmt.Errorf("rules: %w", err)
	}
	return p, true, nil
}

// AskedWith returns the Protocol that the document was made by, with what is given
// now in place of what was asked for then: a rule that is zero is not given.
func (c *Capacity) AskedWith(given Protocol) (Protocol, error) {
	now, err := rulesOf(given)
	if err != nil {
		return Protocol{}, err
	}
	both := Capacity{Rules: maps.Clone(c.Rules)}
	if both.Rules == nil {
		return given, nil
	}
	for name, v := range now {
		if params, ok := v.(map[string]any); ok {
			had, _ := both.Rules[name].(map[string]any)
			had = maps.Clone(had)
			if had == nil {
				had = map[string]any{}
			}
			maps.Copy(had, params)
			both.Rules[name] = had
		} else if v != nil && v != "" && v != 0.0 && v != false {
			both.Rules[name] = v
		}
	}
	p, _, err := both.Asked()
	p.Detectors, p.Calibration = given.Detectors, given.Calibration
	return p, err
}
