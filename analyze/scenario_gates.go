package analyze

import (
	"fmt"
	"math/big"
	"strings"

	"headroom/detect"
)

var allocations = &Gate{
	Name: "allocations",
	Doc: `The process under test allocates no more for each event than its limit.

The growth of what a Go process has allocated (memstats.TotalAlloc, taken before and after the
load) over the events of the ok requests. Applies where a limit was given. The figure is the
same on any machine, so that it guards where a time cannot. Unknown where either count is
missing, the process was restarted in between, or the samples are not whole.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		limit := m.protocol.Scenario.AllocBytesMax
		if limit <= 0 {
			return nil
		}
		v := bar{atMost, limit, "B", ""}.judge(m.Result.Quantity("alloc.bytes_per_event", detect.Scope{}))
		if v.Outcome == Unknown && !m.hasAllocation() {
			v.Why = "what the process allocates was not recorded before and after the load (" + countAllocated + ")"
		}
		return v
	},
}

// What an importer of a list of ids counts.
const (
	countListed       = "ids.listed"
	countAcknowledged = "ids.acknowledged"
	countMissing      = "ids.acknowledged_missing"
	countStray        = "ids.listed_unacknowledged"
)

// storedQuantities returns what the lookup of acknowledged requests in the list
// of what the system holds has given.
func (m *Measured) storedQuantities() []Quantity {
	after := m.manifest.After
	if after == nil || after.Values[countListed] == "" {
		return nil
	}
	var out []Quantity
	for _, c := range []struct{ id, column string }{
		{"stored.listed", countListed}, {"stored.acknowledged", countAcknowledged}, {"stored.missing", countMissing}, {"stored.unacknowledged", countStray},
	} {
		q := quantity(c.id, detect.Scope{}, 0, "1", -1, From{Tables: []string{"run.json", "samples"}, Method: "id-lookup@1"})
		v, ok := new(big.Rat).SetString(after.Values[c.column])
		if !ok {
			out = append(out, withhold(q, "no sample that is ok has an id to look up"))
			continue
		}
		out = append(out, exact(c.id, v, q.From))
	}
	return out
}

var stored = &Gate{
	Name: "stored",
	Doc: `Everything that was acknowledged is stored.

Looks each ok request's id up in the list of what the system holds afterwards: one that is
not there fails, however the counts compare. More in the list than was acknowledged is no
failure: a reply may be lost. Applies where such a list was recorded. Unknown without one, where
no sample has an id, and where the list or the samples are not whole.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		q := m.Result.Quantity("stored.missing", detect.Scope{})
		if q == nil {
			return m.ifAsked("stored", "no list of what the system holds was recorded")
		}
		v := bar{equalTo, 0, "1", " missing"}.judge(q)
		if n, ok := m.Result.value("stored.acknowledged", detect.Scope{}); ok && v.Outcome != Unknown {
			v.Display = fmt.Sprintf("%s of %s missing", q.Display, Count(int64(n)))
		}
		if why := m.incomplete(); why != "" && v.Outcome != Unknown {
			v.Outcome, v.Why = Unknown, why
		}
		return v
	},
}

var isolation = &Gate{
	Name: "isolation",
	Doc: `Nobody is refused because somebody else asks too much.

Of the workers that are declared to be quiet, at most the stated number of requests are
refused (default 0). Applies where quiet workers were declared. Unknown if one of them
has no request, or the source names no workers.`,
	PerRun: true,
	Run: func(m *Measured, _ *unit) *Verdict {
		if len(m.protocol.Scenario.Quiet) == 0 {
			return m.ifAsked("isolation", "no quiet workers were declared")
		}
		b := bar{atMost, float64(m.protocol.Scenario.QuietRefusedMax), "1", " refused of " + strings.Join(m.protocol.Scenario.Quiet, ", ")}
		if b.limit == 0 {
			b.side = equalTo
		}
		v := b.judge(m.Result.Quantity("quiet.refused", detect.Scope{}))
		if why := m.incomplete(); v.Outcome == Pass && why != "" {
			v.Outcome, v.Why = Unknown, why
		}
		return v
	},
}
