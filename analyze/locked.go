package analyze

import (
	"fmt"
	"slices"
	"strings"
)

// withoutIt ends the reason of a rate that a lock of a study withholds.
const withoutIt = "; this document gives no rate without it"

// Obstacle is one thing that keeps a document from being published.
type Obstacle struct {
	Why    string   `json:"why"`            // what is missing, or speaks against it
	Runs   []string `json:"runs,omitempty"` // ids of the runs whose rates it locks
	Remedy string   `json:"remedy"`         // what would take it away
}

// String is the obstacle as one sentence with its remedy.
func (o Obstacle) String() string {
	whose := ""
	if n := len(o.Runs); n > 0 {
		whose = "the rates of " + listed(o.Runs) + " are locked: "
		if n == 1 {
			whose = "the rate of run " + o.Runs[0] + " is locked: "
		}
	}
	return whose + o.Why + ". " + o.Remedy
}

// Locked returns what keeps a document from being published, each thing once with
// the runs that it is about, nothing if it may be; see DESIGN, "the reconciliation
// lock". A configuration that does not decide, a withdrawn run, which has no
// rates, and what a study waives lock nothing; a proven mismatch of a withdrawn run
// does.
//
// A run whose events were not gained locks every document. Where a study requires
// reconciliation or contention, so does a rate that it withholds for want of it.
// A document without a study requires both where its kind does by default: each
// run is reconciled, and the contention of each was recorded.
func (c *Capacity) Locked() (list []Obstacle) {
	of := map[string]Configuration{}
	for _, conf := range c.Configurations {
		for _, id := range conf.Runs {
			of[id] = conf
		}
	}
	for i := range c.Results {
		r := &c.Results[i]
		conf := of[r.Run.ID]
		if conf.Aside {
			continue
		}
		for _, o := range r.locked(c, conf.Name) {
			at := slices.IndexFunc(list, func(have Obstacle) bool { return have.Why == o.Why })
			if at < 0 {
				at = len(list)
				list = append(list, o)
			}
			list[at].Runs = append(list[at].Runs, r.Run.ID)
		}
	}
	return list
}

// asks reports whether a document asks for the evidence of a gate before it gives
// a rate of a configuration: its study, else its kind.
func (c *Capacity) asks(gate, configuration string) bool {
	if c.Study == nil {
		return DefaultLock(KindOf([]string{c.Protocol})) == Required
	}
	if slices.ContainsFunc(c.Study.Waivers, func(w Waived) bool { return w.Gate == gate && w.Configuration == configuration }) {
		return false
	}
	return map[string]Lock{contention.Name: c.Study.Contention, "reconciled": c.Study.Reconciliation}[gate] == Required
}

// locked returns what keeps the rates of one run from being published.
func (r *Result) locked(c *Capacity, configuration string) (out []Obstacle) {
	missing := map[string]string{} // what lacks, by the gate whose evidence it is
	rates := false
	for i := range r.Quantities {
		q := &r.Quantities[i]
		if q.ID != "throughput" && q.ID != "throughput.requests" {
			continue
		}
		rates = true
		if why, ok := strings.CutSuffix(q.Why, withoutIt); ok && q.Value == nil {
			missing[gateOf(why)] = why
		}
	}
	reconciled := Unknown
	for _, v := range r.Verdicts {
		if v.Gate != "reconciled" {
			continue
		}
		if reconciled = v.Outcome; v.Outcome == Fail {
			out = append(out, Obstacle{Why: "its counts are not what was claimed: " + v.Why,
				Remedy: "Find out where the events went and measure again, or leave the run out: a proven mismatch is never published."})
		}
	}
	if r.Run.Withdrawn != "" { // its withdrawal withholds its rates already
		return out
	}
	if _, ok := missing["reconciled"]; !ok && rates && reconciled == Unknown && c.asks("reconciled", configuration) {
		missing["reconciled"] = "not reconciled: no count was paired with a claim"
	}
	if _, ok := missing[contention.Name]; !ok && rates && !r.contentionRecorded() && c.asks(contention.Name, configuration) {
		missing[contention.Name] = "contention not recorded"
	}
	for _, l := range locks {
		if why, ok := missing[l.gate]; ok {
			out = append(out, Obstacle{Why: why, Remedy: "To publish it, " + l.record + "; or " + c.opened(l.key) + "."})
		}
	}
	return out
}

// gateOf is the gate whose evidence the reason of a withheld rate asks for.
func gateOf(why string) string {
	if strings.HasPrefix(why, "not reconciled") {
		return "reconciled"
	}
	return contention.Name
}

// opened says how a document is published without the evidence of a lock.
func (c *Capacity) opened(key string) string {
	if c.Study == nil {
		return fmt.Sprintf("write a study (headroom report init) with \"%s: warn\", or one that waives it with a reason", key)
	}
	return fmt.Sprintf("write \"%s: warn\" into %s, or waive it there with a reason", key, c.Study.File)
}

// contentionRecorded reports whether anything was recorded that tells what else the
// host did: its load average, foreign CPU or pressure. Steal alone tells nothing.
func (r *Result) contentionRecorded() bool {
	for _, v := range r.Verdicts {
		if v.Gate == contention.Name && v.Outcome == Pass {
			return true
		}
	}
	return slices.ContainsFunc(r.Quantities, func(q Quantity) bool {
		return q.Value != nil && slices.Contains([]string{"contention.load", "contention.foreign_cpu", "contention.pressure"}, q.ID)
	})
}
