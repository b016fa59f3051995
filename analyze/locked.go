package analyze

import (
	"fmt"
	"slices"
	"strings"
)

// withoutIt ends the reason of a rate that a lock of a study withholds.
const withoutIt = "; this document gives no rate without it"

// Locked returns the reasons why a document must not be published, none if it
// may; see DESIGN, "the reconciliation lock". A configuration that does not decide,
// and what a study waives, locks nothing.
//
// A run whose events were not gained locks every document. Where a study requires
// reconciliation or contention, so does a rate that it withholds for want of it.
// A document without a study requires both where its kind does by default: each
// run is reconciled, and the contention of each was recorded.
func (c *Capacity) Locked() (reasons []string) {
	aside := map[string]bool{}
	for _, conf := range c.Configurations {
		for _, id := range conf.Runs {
			aside[id] = conf.Aside
		}
	}
	strict := c.Study == nil && DefaultLock(KindOf([]string{c.Protocol})) == Required
	for i := range c.Results {
		r := &c.Results[i]
		if aside[r.Run.ID] {
			continue
		}
		for _, why := range r.locked(strict) {
			reasons = append(reasons, fmt.Sprintf("run %s: %s", r.Run.ID, why))
		}
	}
	return reasons
}

// locked returns what keeps the rates of one run from being published.
func (r *Result) locked(strict bool) (out []string) {
	add := func(why string) {
		if !slices.Contains(out, why) {
			out = append(out, why)
		}
	}
	rates := false
	for i := range r.Quantities {
		q := &r.Quantities[i]
		if q.ID != "throughput" && q.ID != "throughput.requests" {
			continue
		}
		rates = true
		if why, ok := strings.CutSuffix(q.Why, withoutIt); ok && q.Value == nil {
			add(why)
		}
	}
	reconciled, recorded := Unknown, false
	for _, v := range r.Verdicts {
		switch v.Gate {
		case "reconciled":
			if reconciled = v.Outcome; v.Outcome == Fail {
				add("its counts are not what was claimed: " + v.Why)
			}
		case contention.Name:
			recorded = recorded || v.Outcome == Pass || v.Got != nil
		}
	}
	if strict && rates && reconciled == Unknown {
		add("not reconciled: no count was paired with a claim")
	}
	if strict && rates && !recorded {
		add("the contention of its host was not recorded")
	}
	return out
}
