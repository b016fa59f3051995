package analyze

import (
	"encoding/json"
	"fmt"
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
