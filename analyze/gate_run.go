package analyze

import (
	"fmt"
	"strings"

	"headroom/detect"
	"headroom/stat"
)

var drift = &Gate{
	Name: "drift",
	Doc: `The run did not get slower while it ran.

The p99 of the last third of the window over that of the first third, by start, is at
most the limit (default 1.25, itself allowed). Unknown when a third has too few samples
(default 300), or when the first third was so much slower than the last that the run had
not settled (under 1/1.25): cut the warm-up and look again.

Beside the outcome stands what explains it: stalls that fell into the last third, a drift
that is there without them, or one that a warm-up hides. The explanation decides nothing.`,
	Run: func(m *Measured, u *unit) *Verdict {
		if u.probe {
			return nil
		}
		q := m.get("drift.ratio", u)
		b := bar{atMost, m.protocol.DriftLimit, "1", ""}
		if q != nil && q.Value != nil && *q.N < m.protocol.DriftMinSamples {
			return &Verdict{Outcome: Unknown, Want: b.want(), Why: fmt.Sprintf("too few samples in a third: %d, it takes %d", *q.N, m.protocol.DriftMinSamples)}
		}
		v := b.judge(q)
		if d := m.driftOf(u); d != nil {
			side, _ := d.Thirds.Side(b.limit)
			if v.Outcome == Pass && side == stat.Below {
				v.Outcome = Unknown
			}
			if v.Why == "" {
				v.Why = string(d.Word(b.limit))
			}
		}
		return v
	},
}

var reconciled = &Gate{
	Name: "reconciled",
	Doc: `What the generator claims is what the system holds.

For each declared pair, the count's gain between before and after equals the claim,
exactly: one row more fails as one row less does. Unknown without a pair, a count or a
claim. A proven mismatch withholds the run's rates everywhere.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		pairs := m.pairs()
		v := &Verdict{Outcome: Unknown, Want: "gained = claimed"}
		if len(pairs) == 0 {
			v.Why = "not reconciled: no count was paired with a claim"
			return v
		}
		var outcomes []Outcome
		var got, why []string
		for _, p := range pairs {
			outcomes = append(outcomes, p.outcome())
			if p.gained != nil && p.claimed != nil {
				got = append(got, fmt.Sprintf("%s %s of %s", p.column, decimal(p.gained), decimal(p.claimed)))
			}
			if w := p.why(); w != "" {
				why = append(why, p.column+": "+w)
			}
			m.pairVerdict(p)
		}
		v.Outcome, v.Why, v.Display = Worst(outcomes...), strings.Join(why, "; "), strings.Join(got, "; ")
		if len(got) > 0 {
			v.Got = v.Display
		}
		return v
	},
}

// pairVerdict adds the verdict of one pair, "reconciled.rows".
func (m *Measured) pairVerdict(p pair) {
	v := Verdict{Gate: "reconciled." + p.column, Outcome: p.outcome(), Want: "= " + p.claim, Why: p.why()}
	if p.claimed != nil {
		v.Want = "= " + decimal(p.claimed) + " (" + p.claim + ")"
	}
	if p.gained != nil {
		v.Got, _ = p.gained.Float64()
		v.Display = decimal(p.gained)
	}
	m.Result.Verdicts = append(m.Result.Verdicts, v)
}

var contention = &Gate{
	Name: "contention-recorded",
	Doc: `The contention of the host was recorded over the window.

The load average covers at least the stated share of the window (default 90 %), and so
do the CPU times of the host and of our processes where it was said which processes are
ours. The gate asks whether the record is there, not whether the host was quiet: a contended
host makes a rate a floor. Unknown where a part of it is missing.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		worst := &Verdict{}
		for i, u := range m.intervals() {
			v := bar{atLeast, m.protocol.LoadCoverage, share, " of the window"}.judge(m.Result.Quantity("contention.coverage", detect.Scope{Step: u.scope.Step}))
			if v.Outcome == Fail { // a hole in the record proves nothing
				v.Outcome, v.Why = Unknown, "the load average covers too little of the window"
				if v.Got == 0.0 {
					v.Why = "no load average was recorded"
				}
			}
			c, _ := m.contentionOf(u.window)
			switch {
			case v.Outcome != Pass:
			case c.Misfit:
				v.Outcome, v.Why = Unknown, c.unjudged()
			case c.Foreign == nil && len(m.manifest.Own) > 0:
				v.Outcome, v.Why = Unknown, whyNoForeign(c)
			}
			if i == 0 || v.Outcome != Pass {
				worst = v
			}
		}
		return worst
	},
}
