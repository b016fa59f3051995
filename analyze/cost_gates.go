package analyze

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

var counted = &Gate{
	Name: "counted",
	Doc: `What the load has cost was counted from end to end.

Applies where any view of counters or sizes, or a count of events, was read before or after
the load. Each that was read on one side was read on the other, none of its counters was
reset in between, no file of it is cut, and the events or batches to divide by are known.
Otherwise unknown: a cost is never guessed, and a missing reading is never zero.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		got, lacks := 0, []string{}
		for i := range m.Result.Quantities {
			q := &m.Result.Quantities[i]
			if !isCost(q.ID) {
				continue
			}
			if q.Value == nil {
				lacks = append(lacks, q.ID+": "+q.Why)
				continue
			}
			got++
		}
		if got+len(lacks) == 0 {
			return nil
		}
		v := &Verdict{Outcome: Unknown, Want: "every reading on both sides, and no reset"}
		if got > 0 {
			v.Got, v.Display = float64(got), CountOf(int64(got), "cost")
		}
		if len(lacks) > 0 {
			v.Why = lacks[0]
			if n := len(lacks) - 1; n > 0 {
				v.Why += fmt.Sprintf(" (and %d more)", n)
			}
			return v
		}
		v.Outcome = Pass
		return v
	},
}

// isCost reports whether a quantity is a cost of the load that was counted around
// it. Of commits the cost is that of a batch: some runs count nothing else.
func isCost(id string) bool {
	switch {
	case id == "calls" || id == "commits.per_batch":
		return true
	case strings.HasPrefix(id, "wal.") || strings.HasPrefix(id, "calls."):
		return strings.HasSuffix(id, "_per_event")
	}
	return strings.HasPrefix(id, "growth.")
}

var linear = &Gate{
	Name: "linear",
	Doc: `A cost grows in proportion to size.

Applies to points that a mapping declared to be fitted. Linear is claimed with at least four
points, an R² of at least 0.98 and no curvature (an F test against the quadratic at 5 %,
unless the power of growth lies within 0.9 to 1.1). Unknown with fewer than four points.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		var worst *Verdict
		for i := range m.ledger.fits {
			v := m.ledger.fits[i].verdict()
			if worst == nil || Worst(worst.Outcome, v.Outcome) != worst.Outcome {
				worst = v
			}
		}
		return worst
	},
}

// settingLabel begins the labels that say how a setting of the database was
// meant to be: setting.synchronous_commit=off.
const settingLabel = "setting."

var settings = &Gate{
	Name: "setting",
	Doc: `The database was set as the run's name says.

Applies to runs with labels setting.NAME=VALUE. Each such setting was recorded (pg_settings)
with that very value. An arm of a comparison that was not set as named compares nothing.
Unknown where the settings were not recorded.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		var v *Verdict
		for _, label := range slices.Sorted(maps.Keys(m.manifest.Labels)) {
			name, ok := strings.CutPrefix(label, settingLabel)
			if !ok {
				continue
			}
			want := m.manifest.Labels[label]
			next := &Verdict{Outcome: Unknown, Want: name + " = " + want}
			got, recorded := m.manifest.Settings[name]
			switch {
			case !recorded:
				next.Why = "the setting was not recorded"
			case got == want:
				next.Outcome, next.Got, next.Display = Pass, got, name+" = "+got
			default:
				next.Outcome, next.Got, next.Display = Fail, got, name+" = "+got
			}
			if v == nil || Worst(v.Outcome, next.Outcome) != v.Outcome {
				v = next
			}
		}
		return v
	},
}
