package conformance

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/detect"
)

// replicas answers how many requests each replica served.
func (s *refSet) replicas(r refRun, res analyze.Result, load detect.Scope) {
	for i, name := range r.Replicas {
		if q := res.Quantity("replica."+name+".served", load); q != nil {
			s.give(s.id(r.ID, fmt.Sprintf("replica_%d_served", i+1)), q, 1)
		}
	}
}

// comparisons answers the ids of pairs, arms, gaps between sweeps and soaks, for
// the runs that the manifest gives these roles.
func (s *refSet) comparisons(t *testing.T) {
	by := map[string][]refRun{}
	for _, r := range s.Runs {
		by[r.Role] = append(by[r.Role], r)
	}
	if members := by["pair-member"]; len(members) > 0 {
		s.pairs(t, members)
	}
	for i, control := range by["control"] {
		if i < len(by["treatment"]) && s.runs[control.ID] != nil && s.runs[by["treatment"][i].ID] != nil {
			s.values[s.id(control.Arm, "ratio")] = s.throughput(by["treatment"][i].ID) / s.throughput(control.ID)
		}
	}
	for name, arms := range s.Compare {
		s.gap(t, name, arms)
	}
	for _, r := range by["soak"] {
		s.soak(t, r)
	}
	for _, rate := range s.Protocol.Acceptance.Rates {
		s.values[s.id("acceptance", fmt.Sprintf("required_%g", rate))] = analyze.RequiredRate(s.Protocol.Acceptance.Endpoints, rate)
	}
	s.variance()
}

func (s *refSet) throughput(run string) float64 {
	r := s.runs[run].Result
	q := r.Quantity("throughput", detect.Scope{Scenario: mainScenario(r)})
	if q == nil || q.Value == nil {
		return math.NaN()
	}
	return *q.Value
}

func (s *refSet) pairs(t *testing.T, members []refRun) {
	var ids []string
	for _, r := range members {
		ids = append(ids, r.ID)
	}
	c := s.combined(t, ids...)
	if c == nil {
		return
	}
	arm := members[0].Arm
	equal(t, "protocol of "+arm, c.Protocol, "pairs")
	for i := range c.Quantities {
		q := &c.Quantities[i]
		pair := strings.Replace(q.Scope.Configuration, " ", "_", 1)
		switch q.ID {
		case "pair.ratio":
			s.give(s.id(arm, pair, "ratio"), q, 1)
		case "pair.p50_change":
			s.give(s.id(arm, pair, "p50_change_ms"), q, 1e3)
		case "pairs.least_attainable_p":
			s.give(s.id(arm, "least_attainable_p"), q, 1)
		}
	}
	first, last := s.runs[ids[0]].Result, s.runs[ids[len(ids)-1]].Result
	s.give(s.id(arm, "load_first"), first.Quantity("contention.load_first", detect.Scope{}), 1)
	s.give(s.id(arm, "load_last"), last.Quantity("contention.load_last", detect.Scope{}), 1)
}

// gap answers a comparison of two sweeps: what the slower lacks of the faster,
// or how many times the slower the faster is.
func (s *refSet) gap(t *testing.T, name string, arms [2]string) {
	var ids []string
	for _, a := range s.Arms {
		if a.ID == arms[0] || a.ID == arms[1] {
			ids = append(ids, a.Runs...)
		}
	}
	c := s.combined(t, ids...)
	if c == nil {
		return
	}
	want := "compare.ratio"
	if strings.HasPrefix(name, "cost_of_") {
		want = "compare.gap"
	}
	for i := range c.Quantities {
		if q := &c.Quantities[i]; q.ID == want {
			s.give(s.id(name), q, 1)
		}
	}
}

// variance compares a step of a sweep with the same step taken at another time.
func (s *refSet) variance() {
	for _, r := range s.Runs {
		if r.Role != "single-step" || s.runs[r.ID] == nil || r.Arm != "earlier" {
			continue
		}
		for _, a := range s.Arms {
			for _, id := range a.Runs {
				m := s.runs[id]
				if a.ID == "prefix" && m != nil && m.Result.Run.Labels["concurrency"] == s.runs[r.ID].Result.Run.Labels["concurrency"] {
					s.values[s.id("variance", "same_step_ratio")] = s.throughput(id) / s.throughput(r.ID)
				}
			}
		}
	}
}

func (s *refSet) soak(t *testing.T, r refRun) {
	c := s.combined(t, r.ID)
	if c == nil {
		return
	}
	equal(t, "protocol of "+r.ID, c.Protocol, "soak")
	res := s.runs[r.ID].Result
	for _, step := range res.Steps {
		sc := detect.Scope{Scenario: mainScenario(res), Step: step.Name}
		name := "step_" + step.Labels["soak"]
		s.give(s.id(r.ID, name, "throughput"), res.Quantity("throughput", sc), 1)
		s.give(s.id(r.ID, name, "p99"), res.Quantity("latency.p99", sc), 1e3)
	}
	for i := range c.Quantities {
		if q := &c.Quantities[i]; strings.HasPrefix(q.ID, "soak.") {
			s.give(s.id(r.ID, strings.TrimPrefix(q.ID, "soak.")), q, 1)
		}
	}
	for _, v := range c.Verdicts {
		if v.Gate == "complete" {
			s.verdicts[s.id(r.ID, "complete")] = v.Outcome
		}
	}
}
