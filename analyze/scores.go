package analyze

import (
	"headroom/detect"
)

// scores gives the numbers behind every attribution: how the evidence of each
// cause that was recorded goes with the freezes of a scenario, and how often it
// comes without (DETECTION 4.6).
func (m *Measured) scores() []Quantity {
	var out []Quantity
	for _, c := range m.comparisons {
		sc := c.Score
		from := From{Tables: []string{"samples"}, Window: m.window.text(), Method: "cause-score@1", Params: map[string]any{
			"evidence": c.Evidence, "resolution": float64(c.Resolution) / 1e9, "controls": sc.Controls,
			"events": sc.Events, "followed": sc.Followed, "signatures": c.Signatures,
		}}
		give := func(name string, v float64) {
			q := quantity("score."+c.Cause+"."+name, c.Scope, v, "1", int64(sc.Episodes), from)
			if c.Coarse {
				q.Warnings = append(q.Warnings, "recorded too coarsely to attribute by")
			}
			out = append(out, q)
		}
		give("hits", float64(sc.Hits))
		give("episodes", float64(sc.Episodes))
		if sc.Controls > 0 {
			give("control_rate", float64(sc.ControlHits)/float64(sc.Controls))
		}
		give("lr", sc.Likelihood)
		give("shift_p", sc.ShiftP)
		give("shift_p_holm", c.HolmP)
	}
	return out
}

// gaps gives the longest time in which a unit's requests neither began nor ended,
// between two of them: the first is the generator's pace, the second the server's.
func (m *Measured) gaps(u *unit, from From) []Quantity {
	starts, ends := u.all.LongestGaps()
	n := u.all.Len()
	from.Method = "longest-gap@1"
	var out []Quantity
	for _, g := range []struct {
		id string
		at detect.Span
	}{{"gap.starts", starts}, {"gap.completions", ends}} {
		q := quantity(g.id, u.scope, float64(g.at.Len())/1e9, "s", int64(n), from)
		if n < 2 {
			out = append(out, withhold(q, "it takes two requests to have a gap"))
			continue
		}
		q.From.Params = map[string]any{"at": detect.Instant(g.at.Start)}
		out = append(out, q)
	}
	return out
}
