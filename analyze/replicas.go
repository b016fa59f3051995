package analyze

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"headroom/detect"
)

// served counts the requests that each replica answered, those that were
// expected and answered none included.
func (m *Measured) served(u *unit) map[string]int64 {
	out := map[string]int64{}
	for _, t := range m.manifest.Load.Targets {
		out[t] = 0
	}
	for t, n := range u.all.CountBy(detect.ByTarget) {
		if t != "" {
			out[t] += n
		}
	}
	return out
}

// replicas returns how many requests each replica answered, and its share of all of
// which that is known, where more than one did or should have.
func (m *Measured) replicas(u *unit, from From) []Quantity {
	served := m.served(u)
	if len(served) < 2 {
		return nil
	}
	from.Method = "count@1"
	of := int64(0) // the requests of which it is known who served them
	for _, n := range served {
		of += n
	}
	var out []Quantity
	for _, t := range slices.Sorted(maps.Keys(served)) {
		out = append(out, quantity("replica."+t+".served", u.scope, float64(served[t]), "1", int64(u.all.Len()), from))
		if of > 0 {
			out = append(out, quantity("replica."+t+".share", u.scope, float64(served[t])/float64(of), share, of, from))
		}
	}
	return out
}

var replicas = &Gate{
	Name: "replicas",
	Doc: `Every expected replica answered requests.

Applies where replicas were declared. One that served nothing makes the figure that of
the others: an idle replica is a failure of the measurement, whatever the throughput.`,
	Run: func(m *Measured, u *unit) *Verdict {
		expected := m.manifest.Load.Targets
		if u.probe || len(expected) == 0 {
			return nil
		}
		if u.all.Len() == 0 {
			return noRequests("all served")
		}
		served := m.served(u)
		var idle []string
		for _, t := range expected {
			if served[t] == 0 {
				idle = append(idle, t)
			}
		}
		v := &Verdict{Outcome: Pass, Got: float64(len(expected) - len(idle)), Want: fmt.Sprintf("= %d", len(expected))}
		if len(idle) > 0 {
			v.Outcome, v.Why = Fail, "served nothing: "+strings.Join(idle, ", ")
		}
		return v
	},
}
