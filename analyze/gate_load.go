package analyze

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"headroom/runs"
)

var thresholds = &Gate{
	Name: "thresholds",
	Doc: `The load generator's own thresholds held.

Needs the generator's summary (which thresholds there were, and which were crossed)
and its exit status. Fails if one was crossed or the exit status is not 0. A threshold
on a metric without a sample does not count as held, whatever the generator says, but one
on its count does: a count of nothing is zero.
Unknown if the summary or the exit status was not recorded.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		v := &Verdict{Want: "none crossed, exit status 0", Outcome: Unknown}
		var crossed, empty []string
		for _, t := range m.manifest.Thresholds {
			switch {
			case t.Crossed:
				crossed = append(crossed, t.Metric)
			case t.Samples == 0 && !strings.HasPrefix(strings.TrimSpace(t.Expr), "count"): // a count of nothing is 0
				empty = append(empty, t.Metric)
			}
		}
		exit := m.manifest.ExitStatus
		switch {
		case len(crossed) > 0:
			v.Outcome, v.Got, v.Why = Fail, float64(len(crossed)), "crossed: "+strings.Join(unique(crossed), ", ")
		case exit != nil && *exit != 0:
			v.Outcome, v.Got, v.Why = Fail, fmt.Sprintf("exit status %d", *exit), fmt.Sprintf("the generator ended with exit status %d", *exit)
		case exit == nil && len(m.manifest.Thresholds) == 0:
			v.Why = "neither the generator's exit status nor the outcome of its thresholds was recorded"
		case exit == nil:
			v.Why = "the generator's exit status was not recorded"
		case len(m.manifest.Thresholds) == 0:
			v.Why = "no thresholds were recorded: the generator has none, or its summary is not here"
		case len(empty) > 0:
			v.Why = "no data for " + strings.Join(unique(empty), ", ")
		case m.cutSummary() != "":
			v.Why = m.cutSummary() + " is cut: thresholds after the cut are not known"
		default:
			v.Outcome, v.Got = Pass, float64(0)
		}
		return v
	},
}

// cutSummary names a source of thresholds that ends too early, "" if none does.
func (m *Measured) cutSummary() string {
	for _, s := range m.manifest.Sources {
		for _, t := range m.manifest.Thresholds {
			if s.Cut && s.File == t.Source {
				return s.File
			}
		}
	}
	return ""
}

var dropped = &Gate{
	Name: "dropped",
	Doc: `No request was due and not sent.

Counts the requests that the generator could not send on schedule, and those that it
skipped because they were late already. Unknown where the source would not show them.`,
	Proven: true,
	Run: func(m *Measured, u *unit) *Verdict {
		if u.probe {
			return nil
		}
		if !u.any() {
			return noRequests("= 0")
		}
		v := none.judge(m.get("dropped", u))
		if n := len(u.all.Skipped); n > 0 {
			v.Why = countText(n, "request") + " skipped as too late"
		}
		return v
	},
}

var failed = &Gate{
	Name: "failed",
	Doc: `No request failed.

Counts failed and timed-out requests; those refused by design are apart. Unknown
when there was no request at all.`,
	Proven: true,
	Run: func(m *Measured, u *unit) *Verdict {
		if u.all.Len() == 0 {
			return noRequests("= 0")
		}
		return none.judge(m.get("failed", u))
	},
}

var invalid = &Gate{
	Name: "invalid",
	Doc: `No sample has a negative duration.

A negative duration means that the generator's clock went backwards. Such a sample
counts as a request and is left out of every percentile and mean.`,
	Proven: true,
	Run: func(m *Measured, u *unit) *Verdict {
		if u.all.Len() == 0 {
			return noRequests("= 0")
		}
		return none.judge(m.get("invalid", u))
	},
}

var samples = &Gate{
	Name: "samples",
	Doc: `There are enough ok samples for a p99 to mean something.

Counts the same samples that the percentiles are taken of: ok ones (default at least
1,000, which gives a p99 a finite interval).`,
	Run: func(m *Measured, u *unit) *Verdict {
		if u.probe {
			return nil
		}
		return bar{atLeast, float64(m.protocol.MinSamples), "1", ""}.judge(m.get("samples", u))
	},
}

var delivered = &Gate{
	Name: "delivered",
	Doc: `The offered rate was delivered.

The requests sent and answered over the length of the window are at least the stated
share of the offered rate (default 99 %). Where no window was declared, starts are counted
over the time of the starts and answers over the time of the answers, and the lower rate
counts. Applies where a rate was declared.`,
	Run: func(m *Measured, u *unit) *Verdict {
		if u.probe || m.offered(u) <= 0 {
			return nil
		}
		return bar{atLeast, m.protocol.DeliveredMin, share, ""}.judge(m.get("delivered.ratio", u))
	},
}

var limit = &Gate{
	Name: "p99",
	Doc: `The p99 of the ok requests is under the limit.

Strictly under: a p99 at the limit has crossed (default limit 1 s). Unknown when too
few samples support a p99. A step of a sweep that fails it is at or past the knee, which
fails no document.`,
	Run: func(m *Measured, u *unit) *Verdict {
		if u.probe {
			return nil
		}
		return bar{below, inSeconds(m.protocol.P99Limit), "s", ""}.judge(m.get("latency.p99", u))
	},
}

var probe = &Gate{
	Name: "probe",
	Doc: `The probe's p99 is within its budget.

A probe is a scenario that reads while the load runs. Its verdict is its own and its
samples are never pooled with the load's (default budget 500 ms, itself allowed; the
protocol may name the p50 or p95 instead).`,
	Run: func(m *Measured, u *unit) *Verdict {
		if !u.probe || u.jobs {
			return nil
		}
		budget := m.protocol.budget(u.scope.Scenario)
		p, b := budget.Percentile, bar{atMost, inSeconds(budget.Limit), "s", ""}
		if p != 99 {
			b.of = fmt.Sprintf(" (p%d)", p)
		}
		v := b.judge(m.get(fmt.Sprintf("latency.p%d", p), u))
		if why := m.silence(u); why != "" {
			v.Outcome, v.Why = Unknown, why
		}
		return v
	},
}

// unique returns the distinct words in order of first use.
func unique(words []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// openLoop reports whether requests were offered on a schedule.
func (m *Measured) openLoop() bool { return m.model.Model == runs.OpenLoop }

// shareOfRate returns n requests in so many ns as a share of a rate per second:
// the float64 nearest to the exact quotient, as a limit is the one nearest to what
// was written, so that a rate at the limit is at the limit.
func shareOfRate(n, ns int64, rate float64) float64 {
	offered, ok := new(big.Rat).SetString(strconv.FormatFloat(rate, 'g', -1, 64))
	if !ok || offered.Sign() <= 0 || ns <= 0 {
		return math.NaN()
	}
	offered.Mul(offered, new(big.Rat).SetInt64(ns))
	sent := new(big.Rat).Mul(new(big.Rat).SetInt64(n), new(big.Rat).SetInt64(1e9))
	v, _ := sent.Quo(sent, offered).Float64()
	return v
}
