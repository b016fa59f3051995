package analyze

import (
	"fmt"
	"strings"

	"headroom/internal/thousands"
)

// fleetAnswer states the fleet at each rate in one sentence.
func (d *document) fleetAnswer(g *group) {
	var parts []string
	lead := ""
	for _, rate := range d.protocol.FleetRates {
		id := fmt.Sprintf("fleet.%g.endpoints", rate)
		for _, q := range d.Quantities {
			if q.ID != id || q.Scope != g.scope() || q.Value == nil {
				continue
			}
			shown := thousands.Group(fmt.Sprintf("%.0f", quotedEndpoints(*q.Value, d.protocol.Targets)))
			if lead == "" {
				lead = "≈ " + shown + " endpoints"
				parts = append(parts, fmt.Sprintf("at %s events an hour each", Display(rate, "1")))
				continue
			}
			parts = append(parts, fmt.Sprintf("≈ %s at %s", shown, Display(rate, "1")))
		}
	}
	if lead != "" {
		d.sayOf(d.named(g), "fleet", lead, "%s; by arithmetic, not run as such", strings.Join(parts, ", "))
	}
	for _, n := range d.protocol.Targets {
		d.targetAnswer(g, n)
	}
}

// targetAnswer states at which rates so many endpoints are carried. It decides no
// verdict: most rates are asked for to see where the target ends.
func (d *document) targetAnswer(g *group, endpoints float64) {
	at := map[Outcome][]string{}
	var takes []string // what the rates at which it is not reached take
	carried := ""
	for _, rate := range d.protocol.FleetRates {
		v := lastVerdict(d.Verdicts, acceptanceGate(endpoints, rate), g.scope())
		if v.Gate == "" {
			continue
		}
		at[v.Outcome] = append(at[v.Outcome], Display(rate, "1"))
		if v.Outcome == Fail {
			takes = append(takes, strings.TrimPrefix(v.Want, "≥ "))
			carried = v.Display
		}
	}
	var parts []string
	for _, x := range []struct {
		outcome Outcome
		words   string
	}{{Pass, "reached at"}, {Fail, "not reached at"}, {Unknown, "not known at"}} {
		if len(at[x.outcome]) > 0 {
			text := x.words + " " + strings.Join(at[x.outcome], " and ") + " events an hour each"
			if x.outcome == Fail {
				text += fmt.Sprintf(" (takes %s, carried %s)", strings.Join(takes, " and "), carried)
			}
			parts = append(parts, text)
		}
	}
	if len(parts) > 0 {
		d.sayOf(d.named(g), "target", "target "+Count(int64(endpoints))+" endpoints", "%s; by arithmetic beside the verdict, not run as such", strings.Join(parts, "; "))
	}
}
